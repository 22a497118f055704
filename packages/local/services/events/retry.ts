import type { RetryPolicy } from './target/target';

/** The service's defaults. */
const AGE_SECONDS = 86_400;
const ATTEMPTS = 185;
/** EventBridge says that it backs off exponentially and with jitter, not how far. */
const FIRST_DELAY_MS = 1_000;
const DELAY_MS_MAX = 480_000;

/** Why a delivery is not repeated any more, as EventBridge names it. */
export type ExhaustedCondition = 'MaximumRetryAttempts' | 'MaximumEventAgeInSeconds';

/** The next step after an attempt that the target rejected. */
export type RetryDecision =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'exhausted'; readonly condition: ExhaustedCondition };

/**
 * Whether a delivery is repeated, and after how long.
 *
 * `retries` counts the repetitions so far, `ageMs` how long the bus has had the event; `random` is in [0, 1).
 */
export function decideRetry(
  policy: RetryPolicy = {},
  { retries, ageMs, random }: { readonly retries: number; readonly ageMs: number; readonly random: number },
): RetryDecision {
  const { maximumRetryAttempts = ATTEMPTS, maximumEventAgeInSeconds = AGE_SECONDS } = policy;
  if (retries >= maximumRetryAttempts) return { kind: 'exhausted', condition: 'MaximumRetryAttempts' };
  const backoffMs = Math.min(FIRST_DELAY_MS * 2 ** retries, DELAY_MS_MAX);
  const delayMs = Math.ceil(backoffMs * (0.5 + random / 2));
  if (ageMs + delayMs > maximumEventAgeInSeconds * 1000) {
    return { kind: 'exhausted', condition: 'MaximumEventAgeInSeconds' };
  }
  return { kind: 'retry', delayMs };
}
