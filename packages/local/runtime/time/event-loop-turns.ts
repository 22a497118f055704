/** Calls in one turn of the event loop; each takes some tenths of a millisecond. */
const CALLS_MAX = 50;

/**
 * Makes calls at once, but so many only in one turn of the event loop: the others follow in the next turns, in the same
 * order.
 *
 * Services within this process answer without any input or timer in between. Calls that follow such answers, as those
 * of a machine that starts itself, would otherwise never end the turn, and no other request would be answered. Calls
 * are counted and not timed, so that a seed determines the order of everything.
 */
export class EventLoopTurns {
  readonly #waiting: (() => void)[] = [];
  #calls = 0;

  /** Makes the call now, or behind all that wait already. */
  run(call: () => void): void {
    if (this.#calls === 0) this.#begin();
    if (this.#waiting.length > 0 || this.#calls >= CALLS_MAX) this.#waiting.push(call);
    else this.#make(call);
  }

  #begin(): void {
    // Input and timers come before it.
    setImmediate(() => {
      this.#calls = 0;
      if (this.#waiting.length === 0) return;
      this.#begin();
      for (const call of this.#waiting.splice(0, CALLS_MAX)) this.#make(call);
    });
  }

  #make(call: () => void): void {
    this.#calls += 1;
    call();
  }
}
