import { duration } from '../state-machine/contract/time';

export { duration };

/** How much of a cause, a result or an error is quoted within a sentence, in characters. */
export const QUOTED_MAX = 160;

/** Text of others, safe for a terminal: what would move the cursor or change its colors is written as an escape. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}|[\u2028\u2029]/gu, character => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** A key in a message, as lists write it: its own quotes are not escaped, so that it can be pasted. */
export function quoted(key: string): string {
  return `"${printable(key)}"`;
}

/** The beginning of a text, printable and on one line, at most so many characters. */
export function shortened(text: string, charactersMax: number): string {
  const characters = Array.from(printable(text));
  return characters.length <= charactersMax
    ? characters.join('')
    : `${characters.slice(0, charactersMax - 1).join('')}…`;
}

/** `1 execution`, `2 executions`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** How long ago, or in how long. Both in epoch milliseconds. */
export function age(at: number, now: number): string {
  return at <= now ? `${duration(now - at)} ago` : `in ${duration(at - now)}`;
}

/** A point in time in UTC, to the second: `2026-11-20 09:00:41Z`. A value that is not a time is left as it is. */
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
  const factor = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 }[unit ?? ''];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

/** The JSON value of a text, or the text itself if it is not JSON; undefined for none. */
export function valueOfText(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
