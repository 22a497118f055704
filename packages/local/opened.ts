import { RealClock } from './runtime/real-clock';

/** What was opened so far, to be closed in the opposite order. */
export class Opened {
  readonly #closers: (() => void | Promise<void>)[] = [];

  add(close: () => void | Promise<void>): void {
    this.#closers.unshift(close);
  }

  /** A clock that stops with the stack: no timer keeps the process alive then. */
  clock(): RealClock {
    const clock = new RealClock();
    this.add(() => clock.close());
    return clock;
  }

  /** Closes everything once. */
  async close(): Promise<void> {
    for (const close of this.#closers.splice(0)) await close();
  }
}
