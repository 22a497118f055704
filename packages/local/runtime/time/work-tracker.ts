import type { Clock } from './clock';

/**
 * Counts work in progress: signals being applied and calls in flight.
 *
 * @example
 * const work = new WorkTracker();
 * const stack = await startLocal({ assembly: 'cdk.out', work });
 */
export class WorkTracker {
  #count = 0;
  #waiting: (() => void)[] = [];
  readonly #expected = new Set<{ readonly what: string }>();
  readonly #recurring = new Set<Recurring>();
  #held = 0;

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /**
   * Resolves when nothing is in progress: only time, a request or a signal from outside changes anything
   * then.
   */
  async idle(): Promise<void> {
    do {
      while (this.#count > 0) await new Promise<void>(resolve => this.#waiting.push(resolve));
      // What just ended may be what others wait for by promises alone, such as the result of a job.
      await new Promise<void>(resolve => setImmediate(resolve));
    } while (this.#count > 0);
  }

  /**
   * Lets clock time pass within a call, e.g. to delay an answer.
   *
   * While it waits the call does not count as work, or a virtual clock would wait for the call and the call
   * for the clock.
   */
  pause(clock: Clock, ms: number): Promise<void> {
    return new Promise(resolve => {
      clock.at(clock.now() + ms, () => {
        this.begin();
        resolve();
      });
      this.end();
    });
  }

  /**
   * Waits within a call for something that takes clock time, such as the end of an execution. As in `pause`, the call
   * does not count as work meanwhile. From anywhere else it must not be used: the clock would not wait for some other
   * call.
   */
  async release<Value>(awaited: Promise<Value>): Promise<Value> {
    // Not a call that is counted: there is nothing to release.
    if (this.#count === 0) return awaited;
    this.end();
    try {
      return await awaited;
    } finally {
      this.begin();
    }
  }

  /** An answer that never comes, for a call whose answer the fault loses. The call does not count as work any more. */
  lose(): Promise<never> {
    this.end();
    return new Promise(() => {});
  }

  /**
   * Announces work that is not done at the moment, but continues when clock time passes: an event that will be
   * delivered again, messages that wait for their function. Returns a function that withdraws it.
   */
  expect(what: string): () => void {
    const expected = { what };
    this.#expected.add(expected);
    return () => this.#expected.delete(expected);
  }

  /** Work that goes on when clock time passes, besides executions. */
  get expected(): readonly string[] {
    return [...this.#expected].map(({ what }) => what);
  }

  /**
   * Keeps something going that never ends on its own, such as a schedule. `start` sets its timer and returns what
   * cancels it; it is called again whenever what recurs goes on after a pause (see `hold`). Returns what stops it for
   * good.
   */
  recur(start: () => () => void): () => void {
    const recurring: Recurring = { start, stop: () => undefined };
    this.#recurring.add(recurring);
    if (this.#held === 0) recurring.stop = start();
    return () => {
      this.#recurring.delete(recurring);
      recurring.stop();
    };
  }

  /** Does work during which nothing recurs, or it would never be at an end. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#held += 1;
    if (this.#held === 1) for (const recurring of this.#recurring) recurring.stop();
    try {
      return await work();
    } finally {
      this.#held -= 1;
      if (this.#held === 0) for (const recurring of this.#recurring) recurring.stop = recurring.start();
    }
  }
}

interface Recurring {
  readonly start: () => () => void;
  stop: () => void;
}
