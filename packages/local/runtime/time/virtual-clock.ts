import { type Clock, TIME_MAX } from './clock';
import { isBefore, type ScheduledAction, TimerQueue } from './timer-queue';

/**
 * A clock that stands until it is moved. Times are epoch milliseconds.
 *
 * Moving it goes from deadline to deadline: each action runs when `now()` is exactly its due time, actions of
 * one time in the order in which they were asked for. Work that an action begins and that goes on later (a
 * promise) is not waited for; `drive.ts` moves a clock together with a runtime and does wait.
 *
 * @example
 * const clock = new VirtualClock();
 * const stack = await startLocal({ assembly: 'cdk.out', clock });
 */
export class VirtualClock implements Clock {
  #now: number;
  #sequence = 0;
  readonly #queue = new TimerQueue();
  readonly #background = new TimerQueue();

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  at(due: number, action: () => void, isInBackground = false): () => void {
    const scheduled: ScheduledAction = { due: Math.max(due, this.#now), sequence: this.#sequence, action };
    this.#sequence += 1;
    if (due > this.#now) {
      const queue = isInBackground ? this.#background : this.#queue;
      queue.add(scheduled);
      return () => queue.remove(scheduled);
    }
    return runNext(action);
  }

  /** The time of the next action that is not in the background, or undefined when none is left. */
  nextDue(): number | undefined {
    return this.#queue.first()?.due;
  }

  advanceBy(ms: number): void {
    this.advanceTo(this.#now + ms);
  }

  /** @throws RangeError for a time that has passed, or is after `TIME_MAX`: nothing has run then */
  advanceTo(time: number): void {
    this.requireAhead(time);
    for (let next = this.#takeUntil(time); next; next = this.#takeUntil(time)) {
      this.#now = next.due;
      next.action();
    }
    this.#now = time;
  }

  /** @throws RangeError for a time that `advanceTo` does not take */
  requireAhead(time: number): void {
    if (time >= this.#now && time <= TIME_MAX) return;
    throw new RangeError(`the clock is at ${this.#now} and cannot go to ${time}`);
  }

  #takeUntil(time: number): ScheduledAction | undefined {
    const [first, background] = [this.#queue.first(), this.#background.first()];
    const queue = background && (!first || isBefore(background, first)) ? this.#background : this.#queue;
    const next = queue.first();
    return next && next.due <= time ? queue.take() : undefined;
  }
}

// Not within the call: the caller gets the function that cancels it first.
function runNext(action: () => void): () => void {
  let isCancelled = false;
  queueMicrotask(() => {
    if (!isCancelled) action();
  });
  return () => {
    isCancelled = true;
  };
}
