/**
 * The first `nextDouble()` of `java.util.Random` with this seed: what the service answers to `$random(seed)`.
 *
 * A fraction of the seed is cut off.
 */
export function javaRandom(seed: number): number {
  const first = step((BigInt(Math.trunc(seed)) ^ MULTIPLIER) & MASK);
  const second = step(first);
  const high = first >> (48n - 26n);
  const low = second >> (48n - 27n);
  return Number((high << 27n) + low) / 2 ** 53;
}

// Constants of the linear congruential generator in the documentation of java.util.Random.
const MULTIPLIER = 0x5deece66dn;
const INCREMENT = 0xbn;
const MASK = (1n << 48n) - 1n;

function step(state: bigint): bigint {
  return (state * MULTIPLIER + INCREMENT) & MASK;
}
