import { setTimeout } from 'node:timers/promises';
import type { EpochMs } from '../state-machine/contract/time';

/** How time passes: for tests, which do not wait. */
export interface Time {
  /** The time of day, for comparison with a record's expiry. */
  now(): EpochMs;
  /** Milliseconds of a clock that is never set: waiting does not end early or late when the time of day jumps. */
  elapsed(): number;
  /** @throws what Node's timers throw when the signal aborts */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** The machine's own time. */
export const REAL_TIME: Time = {
  now: () => Date.now() as EpochMs,
  elapsed: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};

/** How long a caller is still willing to wait. */
export class Patience {
  readonly #time: Time;
  readonly #until: number;
  readonly #signal: AbortSignal | undefined;

  constructor(time: Time, waitUpToMs: number, signal: AbortSignal | undefined) {
    this.#time = time;
    this.#until = time.elapsed() + waitUpToMs;
    this.#signal = signal;
  }

  /** Waits for the delay, never beyond the end. False when the end has come: the next look is the last. */
  async pause(delayMs: number): Promise<boolean> {
    const restMs = Math.max(0, this.#until - this.#time.elapsed());
    if (restMs > 0) await this.#time.sleep(Math.min(delayMs, restMs), this.#signal);
    return delayMs < restMs;
  }
}

/** The first delay in milliseconds: a short workflow has ended by then, or will soon have. */
const FIRST_DELAY_MS = 100;

/** Growing delays, each between half of its bound and all of it: callers who came together do not stay together. */
export class Backoff {
  readonly #boundMaxMs: number;
  #boundMs = FIRST_DELAY_MS;

  constructor(boundMaxMs: number) {
    this.#boundMaxMs = boundMaxMs;
  }

  nextMs(): number {
    const delayMs = this.#boundMs * (0.5 + Math.random() / 2);
    this.#boundMs = Math.min(this.#boundMs * 2, this.#boundMaxMs);
    return delayMs;
  }
}
