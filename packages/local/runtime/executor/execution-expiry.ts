import { type Execution, expiryOf, isExpired } from '../../engine/index';
import type { Clock } from '../time/clock';

/**
 * Ends Standard executions that have been open for a year: one timer for all of them, as hardly any gets that old.
 */
export class ExecutionExpiry {
  readonly #clock: Clock;
  readonly #running: () => Iterable<Execution>;
  readonly #expired: (executionArn: string) => void;
  #due = Number.POSITIVE_INFINITY;
  #cancel: () => void = () => undefined;

  /** `expired` is called with each of the `running` executions that has been open for a year. */
  constructor(clock: Clock, running: () => Iterable<Execution>, expired: (executionArn: string) => void) {
    this.#clock = clock;
    this.#running = running;
    this.#expired = expired;
  }

  /** Watches an execution, which is among the running ones by now. */
  watch(execution: Execution): void {
    if (execution.kind !== 'STANDARD') return;
    const due = expiryOf(execution);
    if (due < this.#due) this.#arm(due);
  }

  close(): void {
    this.#cancel();
    this.#due = Number.POSITIVE_INFINITY;
  }

  #arm(due: number): void {
    this.#cancel();
    this.#due = due;
    this.#cancel = this.#clock.at(due, () => this.#check(), true);
  }

  #check(): void {
    this.#due = Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    for (const execution of [...this.#running()]) {
      if (isExpired(execution, now)) this.#expired(execution.arn);
      else this.watch(execution);
    }
  }
}
