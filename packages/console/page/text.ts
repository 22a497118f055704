const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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

/** JSON text on several lines; what is none stays as it is. */
export function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

/** Steps of 1, 2 or 5 times a power of ten of a unit, so that so many fit into a time. */
export function tickStep(ms: number, count: number): number {
  const raw = Math.max(1, ms / count);
  for (const step of STEPS) if (step >= raw) return step;
  return Math.ceil(raw / (30 * DAY)) * 30 * DAY;
}

const STEPS = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  SECOND,
  2 * SECOND,
  5 * SECOND,
  10 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  30 * DAY,
];
