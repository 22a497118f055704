/** How long work may go on before input, timers and whoever else waits have their turn, in milliseconds. */
const TURN_MS_MAX = 10;

/**
 * Does work at once as long as a turn of the event loop is short, and in the next turn when it has become long.
 *
 * Services within this process answer without any input or timer in between. Work that follows such answers, as in a
 * machine that starts itself, would otherwise never end the turn, and nobody else would be answered.
 */
export class EventLoopTurns {
  readonly #waiting: (() => void)[] = [];
  #began: number | undefined;

  /** Does the work now, or behind all that waits already. */
  run(work: () => void): void {
    if (this.#began === undefined) this.#begin();
    if (this.#waiting.length === 0 && !this.#isLong()) work();
    else this.#waiting.push(work);
  }

  #begin(): void {
    this.#began = performance.now();
    // Input and timers come before it.
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#began = undefined;
    if (this.#waiting.length === 0) return;
    this.#begin();
    while (!this.#isLong()) {
      const work = this.#waiting.shift();
      if (!work) return;
      work();
    }
  }

  #isLong(): boolean {
    return performance.now() - (this.#began ?? 0) >= TURN_MS_MAX;
  }
}
