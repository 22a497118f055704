import { type BilledUnits, listPriceOf } from '../program/prices';

/** How long fresh events took, in milliseconds. */
export interface Latency {
  readonly samples: number;
  readonly p50: number;
  readonly p99: number;
}

/** The percentiles of some durations, by the nearest rank; undefined where there is none. */
export function latencyOf(durations: readonly number[]): Latency | undefined {
  if (durations.length === 0) return undefined;
  const sorted = [...durations].sort((one, two) => one - two);
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { samples: sorted.length, p50: rank(0.5), p99: rank(0.99) };
}

/**
 * What AWS bills for a verification at most, without the step's time: counted on the local runtime, and rounded
 * up. An Express execution takes up to a GB-second, and an invocation up to 10.
 */
const BILLED_AT_MOST: BilledUnits = {
  standardTransition: 400,
  expressExecution: 10,
  expressGbSecond: 10,
  writeRequestUnit: 200,
  readRequestUnit: 100,
  invocation: 100,
  lambdaGbSecond: 1000,
  apiRequest: 10,
};

/** What it costs at most, in US dollars. */
export function costAtMost(): number {
  return listPriceOf(BILLED_AT_MOST);
}

/** What so many transitions cost, in US dollars. */
export const dollarsOf = (transitions: number) => listPriceOf({ standardTransition: transitions });
