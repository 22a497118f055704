export { duration } from '../../../state-machine/contract/time';

/** A moment in UTC, to the second or the millisecond. */
export function moment(at: number, { ms = false } = {}): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '?';
  const text = date.toISOString().replace('T', ' ');
  return ms ? text : text.replace(/\.\d+Z$/, 'Z');
}

/** The time of day in UTC, to the millisecond. */
export function timeOfDay(at: number): string {
  return moment(at, { ms: true }).slice(11, 23);
}

/** How often: `once`, `3 times`. */
export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** JSON text on several lines; what is none stays as it is. */
export function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

/** A name of at most so many characters: what is too long is cut in its middle, as names often differ at their ends. */
export function cutInTheMiddle(name: string, max: number): string {
  const letters = [...name];
  if (letters.length <= max) return name;
  const end = Math.floor((max - 1) / 2);
  return `${letters.slice(0, max - 1 - end).join('')}…${letters.slice(-end).join('')}`;
}

/** What no eye sees, or what turns the text around it: controls, marks of direction, spaces without a width. */
const UNSEEN = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** A key as it is; in quotes, with the numbers of invisible characters, if it would look like another or like none. */
export function visible(key: string): string {
  const text = key.replace(UNSEEN, unseen => `\\u${unseen.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return text === key && key.trim() === key ? key : `"${text}"`;
}
