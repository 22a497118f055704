import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PROGRAMS } from './programs';

/** A process under the keeper's eyes. */
export interface Kept {
  /** Has it watched closely, because it is about to do something. */
  wake(): void;
  /**
   * To be called when it has ended: ends what it has left behind. Resolves to whether the keeper has ended it, for its
   * memory.
   */
  release(): Promise<boolean>;
}

interface Entry {
  readonly bytesMax: number;
  released?: (isOverLimit: boolean) => void;
}

/** All that is kept, by its process ID. */
const entries = new Map<number, Entry>();
let keeper: ChildProcess | undefined;

/**
 * Watches a process that is the first of its group. It ends, with all processes that it has started, when they have
 * more resident memory than `bytesMax`, and when this process is gone, whatever they do meanwhile.
 *
 * The keeper is a process of its own, because this one may be busy for long, or end without a word. There is one for
 * all stacks. It ends when nothing is kept, and is replaced when it is lost.
 */
export function keep(pid: number, bytesMax: number): Kept {
  const entry: Entry = { bytesMax };
  entries.set(pid, entry);
  tell(`+${pid} ${bytesMax}`);
  return {
    wake: () => tell('!'),
    release: () =>
      new Promise(resolve => {
        entry.released = resolve;
        tell(`-${pid}`);
      }),
  };
}

function tell(line: string): void {
  keeper ??= startKeeper();
  keeper.stdin?.write(`${line}\n`);
}

function startKeeper(): ChildProcess {
  const started = spawn(process.execPath, [path.join(PROGRAMS, 'keeper.js')], {
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'ignore'],
    // Not ended by a key press in a terminal, before this process is.
    detached: true,
    windowsHide: true,
  });
  const { stdin, stdout } = started;
  for (const part of [started, stdin, stdout]) (part as { unref?(): void } | null)?.unref?.();
  stdin?.on('error', () => undefined);
  for (const [pid, { bytesMax }] of entries) stdin?.write(`+${pid} ${bytesMax}\n`);
  if (stdout) {
    createInterface(stdout).on('line', line => {
      const [pid, isOverLimit] = line.split(' ');
      released(Number(pid), isOverLimit === '1');
    });
  }
  started.on('error', lost);
  started.on('exit', lost);
  return started;

  function lost(): void {
    if (keeper !== started) return;
    keeper = undefined;
    for (const [pid, entry] of [...entries]) if (entry.released) released(pid, false);
    if (entries.size > 0 && started.pid !== undefined) keeper = startKeeper();
  }
}

function released(pid: number, isOverLimit: boolean): void {
  const entry = entries.get(pid);
  entries.delete(pid);
  entry?.released?.(isOverLimit);
}
