import { spawn } from 'node:child_process';
import path from 'node:path';
import { RUN_TYPESCRIPT } from '../support/run-typescript';

const ROOT = path.join(__dirname, '../..');

/** How a command ended. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command as a shell would, with nothing in the environment but what is given. */
export function onceflow(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  input: string | Buffer = '',
): Promise<Ran> {
  const clean = { PATH: process.env['PATH'], AWS_EC2_METADATA_DISABLED: 'true', HOME: '/nowhere', ...env };
  const command = [...RUN_TYPESCRIPT, 'cli/main.ts', ...args];
  const child = spawn(process.execPath, command, { cwd: ROOT, env: clean });
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  child.stdout.on('data', (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.stderr.push(chunk));
  child.stdin.end(input);
  const textOf = (stream: keyof typeof chunks) => Buffer.concat(chunks[stream]).toString();
  return new Promise(resolve =>
    child.on('close', code => resolve({ code, stdout: textOf('stdout'), stderr: textOf('stderr') })),
  );
}
