import { REDRIVE_REQUEST_MS } from './redrive-request';

// When recovery decides about an owner, and for how long a redrive of it may still be sent. Recovery waits by it, the
// alarms allow for it, and the command line says it.

/** How often recovery acts, and an event is delivered again by all recoveries, before it gives up. */
export const ACTS_MAX = 8;

/** How long after the end of a step, in seconds, recovery decides for the first time. */
export const DELAY_FIRST = 10;

/** The next delay, in seconds; each one after that is twice as long. */
export const DELAY = 60;

/** The longest delay, in seconds. */
export const DELAY_MAX = 3600;

/** Recovery adds up to this part of a delay at random: recoveries of owners that ended together do not ask together. */
export const JITTER = 0.5;

/** How long recovery waits after so many acts, in seconds: ten seconds, a minute, two, and so on up to an hour. */
export function delayAfter(tries: number): number {
  return tries === 0 ? DELAY_FIRST : Math.min(DELAY * 2 ** (tries - 1), DELAY_MAX);
}

/** How long all delays of a recovery are together, in seconds, without jitter. */
export const RECOVERY_SECONDS = Array.from({ length: ACTS_MAX }, (_, tries) => delayAfter(tries)).reduce(
  (sum, one) => sum + one,
  0,
);

/** A redrive of an owner is sent only within this time after its record was read, in milliseconds. */
export const REDRIVE_WITHIN_MS = 60_000;

/** How long the function that redrives may take: a cold start, and its request. In milliseconds. */
export const REDRIVE_FUNCTION_MS = 10_000 + REDRIVE_REQUEST_MS;

/**
 * An event is delivered again only within this time after its record was read, in seconds, or the shortest retention.
 */
export const DELIVER_WITHIN_SECONDS = 3600;
