import type { EpochMs } from '../state-machine/contract/index';
import { usage } from './program/rejection';
import { dateTime, durationIn } from './text';

/** A point in time as an operator gives it: so many milliseconds ago, or a time in epoch milliseconds. */
export type Moment = { readonly ago: number } | { readonly at: number };

/** The range that an operator asks for; absent is without a bound. */
export interface AskedRange {
  readonly since?: Moment | undefined;
  readonly until?: Moment | undefined;
}

/** From `since` to `until`, both in epoch milliseconds and both within. */
export interface TimeRange {
  readonly since: number;
  readonly until: number;
}

export const ALL_TIME: TimeRange = { since: 0, until: Number.MAX_SAFE_INTEGER };

/** A day, in milliseconds. */
export const DAY_MS = 24 * 3600 * 1000;
/** A hundred years, in days: beyond, there are no dates. */
export const DAYS_MAX = 36_525;

/** `2h`, or a time such as `2026-11-20T09:00Z`, with a date alone at its midnight in UTC; undefined for all else. */
export function momentIn(text: string): Moment | undefined {
  const ago = durationIn(text);
  if (ago !== undefined) return ago <= DAYS_MAX * DAY_MS ? { ago } : undefined;
  const isTime = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z?)?$/.test(text.trim());
  const at = isTime
    ? Date.parse(
        text
          .trim()
          .replace(' ', 'T')
          .replace(/(:\d\d(?:\.\d+)?)$/, '$1Z'),
      )
    : Number.NaN;
  return Number.isNaN(at) ? undefined : { at };
}

/** What it takes, as in `--since takes ...`. */
export const MOMENT_WORDS =
  'a length of time such as 90s, 5m, 1h or 7d, or a time such as 2026-11-20T09:00Z (UTC)';

/** The range that is asked for, by AWS's clock. @throws Rejection if it ends before it begins */
export function rangeAt(now: EpochMs, { since, until }: AskedRange): TimeRange {
  const range = { since: timeOf(now, since) ?? ALL_TIME.since, until: timeOf(now, until) ?? ALL_TIME.until };
  if (range.since <= range.until) return range;
  throw usage(
    `--until ${dateTime(range.until)} is before --since ${dateTime(range.since)}; --since must come first`,
  );
}

/** Whether a time is within; one that is not known may be any. */
export function isWithin(at: number | undefined, { since, until }: TimeRange): boolean {
  return at === undefined || (at >= since && at <= until);
}

function timeOf(now: EpochMs, moment: Moment | undefined): number | undefined {
  if (moment === undefined) return undefined;
  return 'at' in moment ? moment.at : now - moment.ago;
}
