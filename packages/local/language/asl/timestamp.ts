/** Epoch milliseconds as the service writes times into the context object: ISO 8601, milliseconds, `Z`. */
export function isoTime(epochMs: number): string {
  const known = ISO_TIMES.get(epochMs);
  if (known !== undefined) return known;
  if (ISO_TIMES.size >= ISO_TIMES_MAX) ISO_TIMES.clear();
  const text = new Date(epochMs).toISOString();
  ISO_TIMES.set(epochMs, text);
  return text;
}

/** Much happens within the same milliseconds; the bound is for how much longer it goes on. */
const ISO_TIMES_MAX = 1000;
const ISO_TIMES = new Map<number, string>();

// Seconds may be left out and the fraction may have up to nine digits, as in Java's extended offset
// date-time.
const OFFSET_DATE_TIME =
  /^([+-]?\d{4,9})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Epoch milliseconds of an ISO 8601 date-time with offset, or undefined when the text is not one.
 *
 * Stricter than `Date.parse`: the offset is required and no field may be out of its range (hour 25, 30
 * February).
 */
export function parseOffsetDateTime(text: string): number | undefined {
  const match = OFFSET_DATE_TIME.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(part => Number(part ?? 0));
  const offsetMs = parseOffset(match[8] ?? 'Z');
  if (offsetMs === undefined || hour > 23 || minute > 59 || second > 59) return undefined;

  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // An impossible day rolls over into another month.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const fractionMs = Number(`0.${match[7] ?? '0'}`) * 1000;
  date.setUTCHours(hour, minute, second, Math.floor(fractionMs));
  return date.getTime() - offsetMs;
}

/** The form a literal `Timestamp` in a definition must have: a `T`, and `Z` for the offset. */
export function isLiteralTimestamp(text: string): boolean {
  return text.endsWith('Z') && parseOffsetDateTime(text) !== undefined;
}

function parseOffset(offset: string): number | undefined {
  if (offset === 'Z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(4, 6));
  if (hours > 18 || minutes > 59 || (hours === 18 && minutes > 0)) return undefined;
  const offsetMs = (hours * 60 + minutes) * 60_000;
  return offset.startsWith('-') ? -offsetMs : offsetMs;
}
