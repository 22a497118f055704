/** A point in time in milliseconds since 1970. Branded, so that seconds cannot be passed for it. */
export type EpochMs = number & { readonly unit: 'ms' };

/** A point in time in whole seconds since 1970, the unit of DynamoDB's TTL. */
export type EpochSeconds = number & { readonly unit: 's' };

/** The second in which this millisecond lies. */
export function toEpochSeconds(time: EpochMs): EpochSeconds {
  return Math.floor(time / 1000) as EpochSeconds;
}

/**
 * Whether a record no longer counts at this time: from the very second of its expiry on.
 *
 * TTL deletion may lag by days, so whoever reads a record asks this before believing it.
 */
export function isExpired(expiry: EpochSeconds | undefined, now: EpochMs): boolean {
  return expiry !== undefined && expiry <= toEpochSeconds(now);
}
