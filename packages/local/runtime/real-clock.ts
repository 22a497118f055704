import type { Clock } from './clock';

/** The longest delay `setTimeout` takes in milliseconds; a longer one would fire at once. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/**
 * The clock of the machine. `close` cancels what is still to come, so that it does not keep the process
 * alive.
 */
export class RealClock implements Clock {
  readonly isReal = true;
  readonly #timers = new Set<NodeJS.Timeout>();

  now(): number {
    return Date.now();
  }

  at(due: number, action: () => void, isInBackground = false): () => void {
    let timer: NodeJS.Timeout;
    const arm = () => {
      const delayMs = Math.min(Math.max(0, due - Date.now()), DELAY_MS_MAX);
      timer = setTimeout(fire, delayMs);
      if (isInBackground) timer.unref();
      this.#timers.add(timer);
    };
    const fire = () => {
      this.#timers.delete(timer);
      // Timers may come a moment early, and a long delay is waited for in parts.
      if (Date.now() < due) arm();
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
