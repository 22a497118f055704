import type { Clock } from './clock';
import { type Entry, TimerQueue } from './timer-queue';

/**
 * A clock that stands until it is moved. Times are epoch milliseconds.
 *
 * Moving it goes from deadline to deadline: each action runs when `now()` is exactly its due time, actions of
 * one time in the order in which they were asked for. Work that an action begins and that goes on later (a
 * promise) is not waited for; `local/runtime/drive.ts` moves a clock together with a runtime and does wait.
 */
export class VirtualClock implements Clock {
  #now: number;
  #sequence = 0;
  readonly #queue = new TimerQueue();

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  at(due: number, action: () => void): () => void {
    const entry: Entry = { due: Math.max(due, this.#now), sequence: this.#sequence, action };
    this.#sequence += 1;
    if (due > this.#now) {
      this.#queue.add(entry);
      return () => this.#queue.remove(entry);
    }
    return soon(action);
  }

  /** The time of the next action, or undefined when none is left. */
  nextDue(): number | undefined {
    return this.#queue.first()?.due;
  }

  advanceBy(ms: number): void {
    this.advanceTo(this.#now + ms);
  }

  advanceTo(time: number): void {
    if (!(time >= this.#now)) throw new RangeError(`the clock is at ${this.#now} and cannot go to ${time}`);
    for (let next = this.#queue.first(); next && next.due <= time; next = this.#queue.first()) {
      this.#queue.take();
      this.#now = next.due;
      next.action();
    }
    this.#now = time;
  }
}

// Not within the call: whoever asks has to get the function that cancels it first.
function soon(action: () => void): () => void {
  let isCancelled = false;
  queueMicrotask(() => {
    if (!isCancelled) action();
  });
  return () => {
    isCancelled = true;
  };
}
