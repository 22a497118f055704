import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { SFN } from '@aws-sdk/client-sfn';
import type { Summary } from '../../../cli/dev/summary';
import { RUN_TYPESCRIPT } from '../../support/run-typescript';

const ROOT = path.join(__dirname, '../../..');

/** A stack in a process of its own. */
export interface Started {
  readonly summary: Summary;
  readonly sfn: SFN;
  /** Sends the signal to the process itself and resolves when it has ended. */
  end(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly ms: number }>;
}

/** How a process ended that did not get to be a stack. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const running = new Set<ChildProcess>();

/** Starts a stack as `npm start` does, on a free port, and resolves when it is ready. */
export async function start(...args: readonly string[]): Promise<Started> {
  const child = run('--port', '0', '--json', ...args);
  const summary = JSON.parse(await firstLine(child)) as Summary;
  const sfn = new SFN({
    endpoint: summary.endpoint,
    region: summary.region,
    credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
  });
  const end: Started['end'] = async signal => {
    const since = performance.now();
    const ended = once(child, 'close');
    process.kill(summary.pid, signal);
    const [code] = (await ended) as [number | null];
    sfn.destroy();
    return { code, ms: performance.now() - since };
  };
  return { summary, sfn, end };
}

/** Runs `npm start` to its end. */
export async function runToEnd(...args: readonly string[]): Promise<Ended> {
  const child = run(...args);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', chunk => {
      output[name] += String(chunk);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** Resolves to an execution that has ended. */
export async function endOf({ sfn }: Started, executionArn: string | undefined) {
  for (;;) {
    const description = await sfn.describeExecution({ executionArn });
    if (description.status !== 'RUNNING') return description;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

/** Ends what a failed test has left behind. */
export function cleanUp(): void {
  for (const child of running) child.kill('SIGKILL');
}

function run(...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [...RUN_TYPESCRIPT, 'cli/main.ts', 'dev', ...args], { cwd: ROOT });
  running.add(child);
  child.on('close', () => running.delete(child));
  return child;
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let problems = '';
    child.stdout?.on('data', chunk => {
      text += String(chunk);
      if (text.includes('\n')) resolve(text);
    });
    child.stderr?.on('data', chunk => {
      problems += String(chunk);
    });
    child.on('close', () => reject(new Error(`ended before it was ready: ${problems}`)));
  });
}
