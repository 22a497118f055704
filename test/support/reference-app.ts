import path from 'node:path';
import { readProject } from '../../cli/app/project';
import { synthesize } from '../../cli/app/synthesize';
import { newDirectory, share, sharedDirectory } from './shared';

const ROOT = path.join(__dirname, '../..');
const NAME = 'reference-app';

/** The assembly of the reference app with its functions bundled, synthesized once for all suites of a run. */
export async function referenceAssembly(): Promise<string> {
  const shared = sharedDirectory(NAME);
  if (shared !== undefined) return shared;
  const directory = newDirectory();
  const project = readProject(ROOT);
  const problem = typeof project === 'string' ? project : await synthesize(project, directory);
  if (problem !== undefined) throw new Error(problem);
  return share(directory, NAME);
}
