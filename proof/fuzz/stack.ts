import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Summary } from '../../cli/dev/summary';

/** A stack in a process of its own, as `onceflow dev` starts it. */
export interface StackProcess {
  readonly summary: Summary;
  /** Undefined while it runs. */
  readonly exitCode: () => number | string | undefined;
  /** The last of what it wrote to its error output. */
  readonly complaints: () => string;
  /** Bytes of memory that the process has now. */
  readonly residentBytes: () => number;
  /** Kills it, as a crash would; nothing where it has ended. */
  kill(): Promise<void>;
  /** Ends it as Ctrl-C does; how it ended, or `hangs` where it had to be killed. */
  end(): Promise<number | string>;
}

/** What the sources are loaded by. */
const LOADER = require.resolve('tsx/cjs');
/** The command of the app that requests are sent to. */
export const FUZZED_APP = `node --require ${JSON.stringify(LOADER)} ${JSON.stringify(path.join(__dirname, 'app.ts'))}`;
const MAIN = path.join(__dirname, '../../cli/main.ts');
/** How long a stack may take to end, in milliseconds. */
const END_MS_MAX = 30_000;
const COMPLAINT_CHARACTERS = 4_000;

/** Starts a stack. @throws Error with the stack's message, if the stack does not start */
export async function startStack(assembly: string, state: string | undefined): Promise<StackProcess> {
  const args = ['--require', LOADER, MAIN, 'dev', '--assembly', assembly, '--port', '0', '--json'];
  if (state !== undefined) args.push('--state', state);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', chunk => {
    complaints = `${complaints}${String(chunk)}`.slice(-COMPLAINT_CHARACTERS);
  });
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'close')]);
  if (typeof line !== 'string') throw new Error(`the stack did not start: ${complaints.trim()}`);
  return {
    summary: JSON.parse(line) as Summary,
    exitCode: () => child.exitCode ?? child.signalCode ?? undefined,
    complaints: () => complaints.trim(),
    residentBytes: () => residentBytesOf(child),
    kill: () => kill(child),
    end: () => end(child),
  };
}

function residentBytesOf({ pid }: ChildProcess): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    // Not a Linux, or it has ended.
    return 0;
  }
}

async function end(child: ChildProcess): Promise<number | string> {
  const ended = child.exitCode ?? child.signalCode;
  if (ended !== null) return ended;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'hangs'>(resolve => {
    timer = setTimeout(() => resolve('hangs'), END_MS_MAX);
  });
  const how = await Promise.race([closed, late]);
  clearTimeout(timer);
  if (how !== 'hangs') return child.exitCode ?? child.signalCode ?? 'unknown';
  await kill(child);
  return 'hangs';
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
