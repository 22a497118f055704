import type { Execution } from '../engine/execution';
import { isLifeOver, lifeEnd } from '../engine/timeout';
import type { Clock } from './clock';

/**
 * Looks after the year that a Standard execution has: one timer for all of them, as hardly any ever comes to its end.
 */
export class LifeWatch {
  readonly #clock: Clock;
  readonly #running: () => Iterable<Execution>;
  readonly #over: (executionArn: string) => void;
  #due = Number.POSITIVE_INFINITY;
  #cancel: () => void = () => undefined;

  /** `over` is told of each execution among the `running` ones whose year is over. */
  constructor(clock: Clock, running: () => Iterable<Execution>, over: (executionArn: string) => void) {
    this.#clock = clock;
    this.#running = running;
    this.#over = over;
  }

  /** Takes an execution on, which is among the running ones by now. */
  watch(execution: Execution): void {
    if (execution.kind !== 'STANDARD') return;
    const due = lifeEnd(execution);
    if (due < this.#due) this.#arm(due);
  }

  close(): void {
    this.#cancel();
    this.#due = Number.POSITIVE_INFINITY;
  }

  #arm(due: number): void {
    this.#cancel();
    this.#due = due;
    this.#cancel = this.#clock.at(due, () => this.#look(), true);
  }

  #look(): void {
    this.#due = Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    for (const execution of [...this.#running()]) {
      if (isLifeOver(execution, now)) this.#over(execution.arn);
      else this.watch(execution);
    }
  }
}
