import type { Clock } from './clock';

/** Counts work in progress: signals being applied and calls in flight. */
export class Activity {
  #count = 0;
  #waiting: (() => void)[] = [];

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
   * An answer that never comes, for a call whose answer is to be lost. The call does not count as work any
   * more.
   */
  lose(): Promise<never> {
    this.end();
    return new Promise(() => {});
  }
}
