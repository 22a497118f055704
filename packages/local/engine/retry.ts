import type { Retrier } from '../language/index';
import { type Failure, RUNTIME_ERROR, TIMEOUT_ERROR } from './completion';

// Retrying after error: https://states-language.net/spec.html#retrying-after-error
//
// 1. Find the first retrier whose `ErrorEquals` covers the error.
// 2. Without one, or where it has made `MaxAttempts` retries in this visit of the state, do not retry.
// 3. Else retry after `IntervalSeconds` times `BackoffRate` for each retry it has made, at most `MaxDelaySeconds`,
//    with `JitterStrategy` FULL a random part of that.

/** Seconds no delay exceeds: the longest `MaxDelaySeconds`, and about the life of an execution. */
const DELAY_SECONDS_MAX = 31_622_400;

/** Try again after a delay, with the retries of each retrier then; or do not. */
export type RetryDecision =
  | { readonly kind: 'retry'; readonly delayMs: number; readonly retries: readonly number[] }
  | { readonly kind: 'no' };

/**
 * Whether a failed state is tried again, and after how many milliseconds.
 *
 * The first retrier that matches the error decides; when its own retries are used up, no later one is asked.
 * `retries` are the retries of this visit for each retrier, before and after.
 */
export function decideRetry(
  failure: Pick<Failure, 'error' | 'alias'>,
  retriers: readonly Retrier[],
  retries: readonly number[],
  random: () => number,
): RetryDecision {
  // Step 1.
  const index = retriers.findIndex(retrier => matches(retrier.errorEquals, failure));
  const retrier = retriers[index];
  const used = retries[index] ?? 0;
  // Step 2.
  if (!retrier || used >= retrier.maxAttempts) return { kind: 'no' };
  // Step 3.
  const after = retriers.map((_, i) => (retries[i] ?? 0) + (i === index ? 1 : 0));
  return { kind: 'retry', delayMs: delayMs(retrier, used, random), retries: after };
}

/**
 * Whether a list of error names covers a failure.
 *
 * `States.ALL` covers whatever can be caught at all, `States.TaskFailed` all of that but timeouts; nothing
 * covers `States.Runtime`.
 */
export function matches(
  errorEquals: readonly string[],
  { error, alias }: Pick<Failure, 'error' | 'alias'>,
): boolean {
  if (error === RUNTIME_ERROR) return false;
  if (errorEquals.includes('States.ALL')) return true;
  if (errorEquals.includes('States.TaskFailed') && error !== TIMEOUT_ERROR) return true;
  return [error, alias].some(name => name !== undefined && errorEquals.includes(name));
}

function delayMs(retrier: Retrier, used: number, random: () => number): number {
  // The rate's power leaves the numbers after a thousand retries or so; no interval stays none for all that.
  const grown = retrier.intervalSeconds === 0 ? 0 : retrier.intervalSeconds * retrier.backoffRate ** used;
  const seconds = Math.min(grown, retrier.maxDelaySeconds ?? DELAY_SECONDS_MAX, DELAY_SECONDS_MAX);
  return Math.round(seconds * 1000 * (retrier.jitter === 'FULL' ? random() : 1));
}
