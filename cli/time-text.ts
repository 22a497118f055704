const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time, as exact as a person wants it: `80 ms`, `4.2 s`, `3 min 20 s`, `2 h 5 min`, `89 d`. */
export function duration(ms: number): string {
  const time = Math.max(0, ms);
  if (time < SECOND) return `${Math.round(time)} ms`;
  if (time < 10 * SECOND) return `${Math.floor(time / 100) / 10} s`;
  if (time < MINUTE) return `${Math.floor(time / SECOND)} s`;
  if (time < HOUR) return two(time, MINUTE, 'min', SECOND, 's');
  if (time < 2 * DAY) return two(time, HOUR, 'h', MINUTE, 'min');
  return `${Math.floor(time / DAY)} d`;
}

function two(time: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((time % large) / small);
  return `${Math.floor(time / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

/** How long ago, or in how long. */
export function age(at: number, now: number): string {
  return at <= now ? `${duration(now - at)} ago` : `in ${duration(at - now)}`;
}

/** A point in time in UTC, to the second: `2026-11-20 09:00:41Z`. What is no time is left as it is. */
export function dateTime(at: string | number | Date): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  return date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
}

/** The time of day in UTC, to the second. */
export function timeOfDay(at: string | number | Date): string {
  return dateTime(at).slice(11) || String(at);
}

/** Milliseconds of `90s`, `5m`, `1h`, `7d` or `500ms`; undefined for anything else. */
export function durationIn(text: string): number | undefined {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|min|h|d)$/.exec(text.trim()) ?? [];
  const factor = { ms: 1, s: SECOND, m: MINUTE, min: MINUTE, h: HOUR, d: DAY }[unit ?? ''];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}
