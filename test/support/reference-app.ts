import { existsSync, renameSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { readProject } from '../../cli/dev/project';
import { synthesize } from '../../cli/dev/synthesize';

const ROOT = path.join(__dirname, '../..');

/**
 * The assembly of the reference app with its functions bundled, synthesized once for all suites of a run. Whoever asks
 * first makes it; of two who ask at once the second one's is thrown away. Nobody may write into it.
 */
export async function referenceAssembly(): Promise<string> {
  const run = process.env['ONCEFLOW_TEST_RUN'];
  if (run === undefined) throw new Error('there is no run: jest.config.js names its globalSetup');
  const shared = path.join(run, 'reference-app');
  if (existsSync(shared)) return shared;
  const own = await mkdtemp(path.join(run, 'app-'));
  const project = readProject(ROOT);
  const problem = typeof project === 'string' ? project : await synthesize(project, own);
  if (problem !== undefined) throw new Error(problem);
  try {
    renameSync(own, shared);
  } catch (error) {
    if (!existsSync(shared)) throw error;
    await rm(own, { recursive: true });
  }
  return shared;
}
