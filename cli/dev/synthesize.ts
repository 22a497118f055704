import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.join(__dirname, '../..');

/**
 * Synthesizes the reference app into a directory of its own, works on it, and removes it, however the work ends.
 *
 * Several processes may do so at once, also beside a `cdk synth` in the repository's own `cdk.out`.
 */
export async function withSynthesizedApp<Result>(
  work: (assembly: string) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const directory = await mkdtemp(path.join(tmpdir(), 'onceflow-app-'));
  try {
    await synthesize(directory, signal);
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Synthesizes the reference app into a directory, with the CDK command line, as a deployment would. `signal` ends it
 * early, with all the processes it has started.
 *
 * @throws Error with what the command line printed, where it fails or is ended
 */
export async function synthesize(output: string, signal?: AbortSignal): Promise<void> {
  const cdk = require.resolve('aws-cdk/bin/cdk');
  // A process group of its own: the command line starts others, which would outlive it.
  const child = spawn(process.execPath, [cdk, 'synth', '--quiet', '--output', output], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const end = () => endGroup(child);
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  const printed: string[] = [];
  child.stdout.on('data', chunk => printed.push(String(chunk)));
  child.stderr.on('data', chunk => printed.push(String(chunk)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  }).finally(() => signal?.removeEventListener('abort', end));
  if (code !== 0) throw new Error(`cdk synth failed with exit code ${code}:\n${printed.join('').trim()}`);
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It has ended by itself in the meantime.
  }
}
