import type { Clock } from './clock';

/** The longest delay `setTimeout` takes in milliseconds; a longer one would fire at once. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/**
 * The clock of the machine, but for going back: where that is set back, this one goes on from where it was until the
 * other has caught up. What is due in a second would otherwise be due in an hour and a second. `close` cancels what is
 * still to come, so that it does not keep the process alive.
 */
export class RealClock implements Clock {
  readonly isReal = true;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** A time, and what the timer that never goes back said then. */
  #seen = { now: Date.now(), ticks: performance.now() };

  now(): number {
    const ticks = performance.now();
    const reached = this.#seen.now + Math.floor(ticks - this.#seen.ticks);
    const machine = Date.now();
    if (machine < reached) return reached;
    this.#seen = { now: machine, ticks };
    return machine;
  }

  /** Goes on from a time that an earlier process has seen, where the machine's clock is behind that. */
  startFrom(time: number): void {
    if (time > this.now()) this.#seen = { now: time, ticks: performance.now() };
  }

  at(due: number, action: () => void, isInBackground = false): () => void {
    let timer: NodeJS.Timeout;
    const arm = () => {
      const delayMs = Math.min(Math.max(0, due - this.now()), DELAY_MS_MAX);
      timer = setTimeout(fire, delayMs);
      if (isInBackground) timer.unref();
      this.#timers.add(timer);
    };
    const fire = () => {
      this.#timers.delete(timer);
      // Timers may come a moment early, and a long delay is waited for in parts.
      if (this.now() < due) arm();
      else action();
    };
    arm();
    return () => {
      this.#timers.delete(timer);
      clearTimeout(timer);
    };
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
