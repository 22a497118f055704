// Constants of the linear congruential generator in the documentation of java.util.Random.
const MULTIPLIER = 0x5deece66dn;
const INCREMENT = 0xbn;
const MASK = (1n << 48n) - 1n;

/** The numbers of `java.util.Random`, which the service draws on where a seed is given. */
export class JavaRandom {
  #state: bigint;

  /** A fraction of the seed is cut off. */
  constructor(seed: number) {
    this.#state = (BigInt(Math.trunc(seed)) ^ MULTIPLIER) & MASK;
  }

  /** Uniform in [0, 1). */
  nextDouble(): number {
    const high = this.#next(26);
    const low = this.#next(27);
    return Number((high << 27n) + low) / 2 ** 53;
  }

  /** Uniform in [0, bound), for a whole bound from 1 to 2 ** 31 - 1. */
  nextInt(bound: number): number {
    const size = BigInt(bound);
    if ((size & (size - 1n)) === 0n) return Number((size * this.#next(31)) >> 31n);
    for (;;) {
      const bits = this.#next(31);
      const value = bits % size;
      // The last numbers, of which there are not enough for every value, are thrown again.
      if (bits - value + size - 1n < 1n << 31n) return Number(value);
    }
  }

  #next(bits: number): bigint {
    this.#state = (this.#state * MULTIPLIER + INCREMENT) & MASK;
    return this.#state >> BigInt(48 - bits);
  }
}
