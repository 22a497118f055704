import { type Clock, TIME_MAX } from './clock';

/** The longest delay `setTimeout` takes in milliseconds; a longer one would fire at once. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/**
 * The clock of the machine, which never goes back: if the machine's clock is set back, this one continues until the
 * other has caught up. A deadline in a second would otherwise come in an hour and a second. `close` cancels what is
 * still to come, so that it does not keep the process alive.
 */
export class RealClock implements Clock {
  readonly isReal = true;
  readonly #waiting = new Set<Waiting>();
  /** A time, and what the timer that never goes back said then. */
  #seen = Date.now();
  #seenAt = performance.now();
  readonly #report: (problem: Error) => void;

  /** `report` receives an action that has thrown: the other actions still run. @default - a warning of the process */
  constructor(report: (problem: Error) => void = problem => process.emitWarning(problem)) {
    this.#report = report;
  }

  now(): number {
    const ticks = performance.now();
    const reached = this.#seen + Math.floor(ticks - this.#seenAt);
    const machine = Date.now();
    if (machine < reached) return reached;
    this.#seen = machine;
    this.#seenAt = ticks;
    return machine;
  }

  /** Continues from a time that an earlier process has seen, if it is later than now and not after `TIME_MAX`. */
  startFrom(time: number): void {
    if (!(time > this.now() && time <= TIME_MAX)) return;
    this.#seen = time;
    this.#seenAt = performance.now();
  }

  /**
   * Lets time pass at once, as a machine does that has slept: what is due by then runs next, what was due first first.
   * What that begins and waits for again waits in full.
   *
   * @throws RangeError for a time that is not a number, has passed, or is after `TIME_MAX`
   */
  skip(ms: number): void {
    const time = this.now() + ms;
    if (!(ms >= 0 && time <= TIME_MAX)) throw new RangeError(`the clock cannot skip ${ms} ms`);
    this.startFrom(time);
    const waiting = [...this.#waiting].sort((one, other) => one.due - other.due);
    for (const { rearm } of waiting) rearm();
  }

  at(due: number, action: () => void, isInBackground = false): () => void {
    let timer: NodeJS.Timeout;
    const arm = () => {
      const delayMs = Math.min(Math.max(0, due - this.now()), DELAY_MS_MAX);
      timer = setTimeout(fire, delayMs);
      if (isInBackground) timer.unref();
    };
    const cancel = () => {
      clearTimeout(timer);
      this.#waiting.delete(waiting);
    };
    const fire = () => {
      // Timers may come a moment early, and a long delay is waited for in parts.
      if (this.now() < due) return arm();
      this.#waiting.delete(waiting);
      try {
        action();
      } catch (error) {
        this.#report(new Error(`an action of the clock broke: ${error}`, { cause: error }));
      }
    };
    const rearm = () => {
      clearTimeout(timer);
      arm();
    };
    const waiting: Waiting = { due, cancel, rearm };
    this.#waiting.add(waiting);
    arm();
    return cancel;
  }

  close(): void {
    for (const { cancel } of this.#waiting) cancel();
  }
}

/** An action whose time has not come. */
interface Waiting {
  readonly due: number;
  readonly cancel: () => void;
  readonly rearm: () => void;
}
