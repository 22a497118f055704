import { expression } from '../contract/jsonata';

// The variable `waitUntil` is the time, in epoch milliseconds, at which a delivery gives up; `waits` counts its looks.

/** True where the time for waiting is over. Before the first wait it never is. */
export const HAS_WAITED = '$exists($waitUntil) and $millis() >= $waitUntil';

/** How many looks a delivery takes at most, about: it bounds what a long wait costs, and its history. */
const LOOKS = 120;

/**
 * Whole seconds until the next look: one, two, four, up to a bound; of each delay the second half is random, so that
 * deliveries which came together do not look together. Never beyond `waitUntil`.
 */
export function secondsToWait(totalMs: number): string {
  const longest = Math.max(MIN_LONGEST_SECONDS, Math.ceil(totalMs / 1000 / LOOKS) * 2);
  return expression(
    `( ${[
      `$left := ($exists($waitUntil) ? $waitUntil - $millis() : ${totalMs}) / 1000`,
      `$grown := $min([$power(2, $min([${WAITS}, 20])), ${longest}])`,
      '$ceil($max([0.001, $min([$grown * (1 + $random()) / 2, $left])]))',
    ].join('; ')} )`,
  );
}

const MIN_LONGEST_SECONDS = 30;

/** When to give up: what was decided before the first wait. */
export function waitUntil(totalMs: number): string {
  return expression(
    `$exists($waitUntil) ? $waitUntil : $toMillis($states.context.State.EnteredTime) + ${totalMs}`,
  );
}

const WAITS = '($exists($waits) ? $waits : 0)';

/** One look more. */
export const WAITS_AFTER = expression(`${WAITS} + 1`);
