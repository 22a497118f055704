import { PRICES } from '../program/prices';

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

/** What a verification takes at most, without the step's time: counted on the local runtime, and rounded up. */
const TAKEN = {
  transitions: 400,
  expressExecutions: 10,
  writes: 200,
  reads: 100,
  invocations: 100,
  apiRequests: 10,
};

/** What it costs at most, in US dollars. */
export function costAtMost(): number {
  return (
    TAKEN.transitions * PRICES.standardTransition +
    TAKEN.expressExecutions * (PRICES.expressExecution + PRICES.expressGbSecond) +
    TAKEN.writes * PRICES.writeRequestUnit +
    TAKEN.reads * PRICES.readRequestUnit +
    TAKEN.invocations * (PRICES.invocation + 10 * PRICES.lambdaGbSecond) +
    TAKEN.apiRequests * PRICES.apiRequest
  );
}

/** What so many transitions cost, in US dollars. */
export const dollarsOf = (transitions: number) => transitions * PRICES.standardTransition;
