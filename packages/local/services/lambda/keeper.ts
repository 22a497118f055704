import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PROGRAMS } from './programs';

/** A process under the keeper's eyes. */
export interface Kept {
  /** Resolves when the keeper watches it. */
  readonly watched: Promise<void>;
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
  readonly watching: () => void;
  released?: (isOverLimit: boolean) => void;
}

/** Once woken, the keeper watches closely for a second. To wake it for each event would take longer than most handlers. */
const WAKE_MS = 500;

/** All that is kept, by its process ID. */
const entries = new Map<number, Entry>();
let keeper: ChildProcess | undefined;
let wokenAt = 0;

/**
 * Watches a process that is the first of its group. It ends, with all processes that it has started, when they have
 * more resident memory than `bytesMax`, and when this process is gone, whatever they do meanwhile.
 *
 * The keeper is a process of its own, because this one may be busy for long, or end without a word. There is one for
 * all stacks. It ends when nothing is kept, and is replaced when it is lost.
 */
export function keep(pid: number, bytesMax: number): Kept {
  let watching = () => {};
  const watched = new Promise<void>(resolve => {
    watching = resolve;
  });
  const entry: Entry = { bytesMax, watching };
  tell(`+${pid} ${bytesMax}`);
  entries.set(pid, entry);
  return {
    watched,
    wake,
    release: () =>
      new Promise(resolve => {
        entry.released = resolve;
        tell(`-${pid}`);
      }),
  };
}

function wake(): void {
  const now = performance.now();
  if (now - wokenAt < WAKE_MS) return;
  wokenAt = now;
  tell('!');
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
      const [pid, isOverLimit] = line.slice(1).split(' ');
      if (line.startsWith('+')) entries.get(Number(pid))?.watching();
      else released(Number(pid), isOverLimit === '1');
    });
  }
  started.on('error', lost);
  started.on('exit', lost);
  return started;

  function lost(): void {
    if (keeper !== started) return;
    keeper = undefined;
    for (const [pid, entry] of [...entries]) if (entry.released) released(pid, false);
    if (entries.size === 0) return;
    if (started.pid !== undefined) keeper = startKeeper();
    // There is no room for another process. What runs is better not watched than not run.
    else for (const { watching } of entries.values()) watching();
  }
}

function released(pid: number, isOverLimit: boolean): void {
  const entry = entries.get(pid);
  entries.delete(pid);
  entry?.released?.(isOverLimit);
}
