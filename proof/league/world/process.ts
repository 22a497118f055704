import { AsyncLocalStorage } from 'node:async_hooks';
import type { VirtualClock, WorkTracker } from '@onceflow/local';
import type { Freeze } from './play';

/** What runs a contender's code for one event: an invocation, with a clock of its own. */
export class Process {
  /** The event that it is at. */
  key: string;
  /** By how much its clock is off, in milliseconds. */
  readonly clockOffset: number;
  #end: () => void = () => undefined;
  /** Resolves when it has been killed. */
  readonly killed = new Promise<void>(resolve => {
    this.#end = resolve;
  });
  /** Whether it was suspended, and so outlives the time that it had. */
  isFrozen = false;
  isDead = false;

  constructor(key: string, clockOffset: number) {
    this.key = key;
    this.clockOffset = clockOffset;
  }

  /** It ends here, and its code is abandoned. */
  end(work: WorkTracker): Promise<never> {
    this.kill();
    return work.lose();
  }

  /** It ends at its next call. */
  kill(): void {
    this.isDead = true;
    this.#end();
  }

  /** Suspends it before or after a call, while the rest of the world goes on. */
  async frozen<Result>(
    work: WorkTracker,
    clock: VirtualClock,
    { isBefore, ms, wakes, make }: Freeze & { readonly make: () => Promise<Result> },
  ): Promise<Result> {
    this.isFrozen = true;
    const made = isBefore ? undefined : await make();
    await work.pause(clock, ms);
    wakes();
    return made ?? make();
  }
}

const current = new AsyncLocalStorage<Process>();

/** The process whose code is running, if it is a contender's. */
export function currentProcess(): Process | undefined {
  return current.getStore();
}

/** Runs code as this process. */
export function runAs<Result>(process: Process, work: () => Result): Result {
  return current.run(process, work);
}

/**
 * While it lasts, `Date.now()` is the time of a clock, with the offset of the process that asks: that is what code from
 * packages goes by. Returns what ends it.
 */
export function replaceDateNow(now: () => number): () => void {
  const real = Date.now;
  Date.now = () => Math.round(now() + (current.getStore()?.clockOffset ?? 0));
  return () => {
    Date.now = real;
  };
}
