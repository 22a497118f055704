import type { Progress } from './search';

/**
 * How long an exploration still takes, by how its levels grow or shrink: as if each level were by as much smaller than
 * the one before as the last one was. As they shrink faster towards the end, it is rather less.
 */
export class Estimate {
  #depth = -1;
  #size = 0;
  #ratio = 1;

  /** Seconds left after so many; undefined while the levels still grow. */
  secondsLeft({ depth, waiting, states }: Progress, seconds: number): number | undefined {
    if (depth > this.#depth) {
      this.#ratio = this.#size > 0 ? waiting / this.#size : 1;
      this.#size = waiting;
      this.#depth = depth;
    }
    const explored = states - waiting;
    if (this.#ratio >= 1 || explored <= 0) return undefined;
    return (waiting / (1 - this.#ratio)) * (seconds / explored);
  }
}
