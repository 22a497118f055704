/**
 * A point in time in milliseconds since 1970. Branded, so that seconds cannot be passed for it.
 *
 * @example
 * const now = Date.now() as EpochMs;
 */
export type EpochMs = number & { readonly unit: 'ms' };

/**
 * A point in time in whole seconds since 1970, the unit of DynamoDB's TTL.
 *
 * @example
 * const expiry = Math.floor(Date.now() / 1000) as EpochSeconds;
 */
export type EpochSeconds = number & { readonly unit: 's' };

/**
 * The second in which this millisecond lies.
 *
 * @example
 * toEpochSeconds(1_999 as EpochMs) // 1
 */
export function toEpochSeconds(time: EpochMs): EpochSeconds {
  return Math.floor(time / 1000) as EpochSeconds;
}

/**
 * Whether a record no longer counts at this time: from the very second of its expiry on.
 *
 * TTL deletion may lag by days, so every reader of a record asks this before it believes the record.
 *
 * @example
 * isExpired(record.expiry, now) // the record counts as absent
 */
export function isExpired(expiry: EpochSeconds | undefined, now: EpochMs): boolean {
  return expiry !== undefined && expiry <= toEpochSeconds(now);
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A length of time in milliseconds in words, as exact as a reader needs: `80 ms`, `4.2 s`, `3 min 20 s`, `89 d 23 h`.
 * The rest is cut off, never rounded up: a day that is not over is not counted.
 */
export function duration(ms: number): string {
  const time = Math.max(0, ms);
  if (time < SECOND) return `${Math.round(time)} ms`;
  if (time < 10 * SECOND) return `${Math.floor(time / 100) / 10} s`;
  if (time < MINUTE) return `${Math.floor(time / SECOND)} s`;
  if (time < HOUR) return inTwoUnits(time, [MINUTE, 'min'], [SECOND, 's']);
  if (time < 2 * DAY) return inTwoUnits(time, [HOUR, 'h'], [MINUTE, 'min']);
  return inTwoUnits(time, [DAY, 'd'], [HOUR, 'h']);
}

type Unit = readonly [ms: number, name: string];

function inTwoUnits(time: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((time % large) / small);
  return `${Math.floor(time / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}
