/** A cron expression of EventBridge: minutes, hours, day of month, month, day of week, year; all in UTC. */
export type CompiledCron =
  | { readonly kind: 'cron'; next(after: number): number | undefined }
  | { readonly kind: 'invalid'; readonly message: string };

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names that stand for numbers, the first for `min`. */
  readonly names?: readonly string[];
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const FIELDS: readonly Field[] = [
  { name: 'minutes', min: 0, max: 59 },
  { name: 'hours', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of week', min: 1, max: 7, names: DAYS },
  { name: 'year', min: 1970, max: 2199 },
];

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Every combination of date and day of week that there is comes within a calendar's cycle of 400 years. */
const DAYS_MAX = 146_097;

type Numbers = ReadonlySet<number>;

/** Compiles the six fields. `L`, `W` and `#` are rejected by name. */
export function compileCron(expression: string): CompiledCron {
  // Published templates have a comma behind each field, too.
  const texts = expression.split(/ +/).map(text => text.replace(/,$/, ''));
  if (texts.length !== FIELDS.length) {
    return invalid(`a cron has ${FIELDS.length} fields, got ${texts.length}`);
  }
  // One of both has to leave the choice to the other.
  if ((texts[2] === '?') === (texts[4] === '?')) {
    return invalid('one of day of month and day of week must be `?`, and only one');
  }
  const compiled = FIELDS.map((field, index) => numbersOf(texts[index] ?? '', field));
  const wrong = compiled.find(numbers => typeof numbers === 'string');
  if (typeof wrong === 'string') return invalid(wrong);
  const [minutes, hours, days, months, weekdays, years] = compiled as readonly Numbers[];
  if (!minutes || !hours || !days || !months || !weekdays || !years) return invalid('a field is missing');

  const lastYear = Math.max(...years);
  const isDay = (date: Date) =>
    years.has(date.getUTCFullYear()) &&
    months.has(date.getUTCMonth() + 1) &&
    days.has(date.getUTCDate()) &&
    weekdays.has(date.getUTCDay() + 1);
  const times = [...hours]
    .sort(byNumber)
    .flatMap(hour => [...minutes].sort(byNumber).map(m => hour * 60 + m));
  return {
    kind: 'cron',
    next(after) {
      const from = Math.floor(after / DAY_MS) * DAY_MS;
      for (let day = 0; day < DAYS_MAX; day += 1) {
        const start = from + day * DAY_MS;
        const date = new Date(start);
        if (date.getUTCFullYear() > lastYear) return undefined;
        const time = isDay(date) ? times.find(minute => start + minute * MINUTE_MS > after) : undefined;
        if (time !== undefined) return start + time * MINUTE_MS;
      }
      return undefined;
    },
  };
}

/** The numbers that a field admits, or why it cannot be read. */
function numbersOf(text: string, field: Field): Numbers | string {
  const numbers = new Set<number>();
  for (const part of text.toUpperCase().split(',')) {
    const range = rangeOf(part, field);
    if (range === undefined) return `${field.name} cannot be ${text}; L, W and # are not run locally`;
    for (let number = range.first; number <= range.last; number += range.step) numbers.add(number);
  }
  return numbers;
}

function rangeOf(
  part: string,
  field: Field,
): { readonly first: number; readonly last: number; readonly step: number } | undefined {
  const { name, min, max } = field;
  const mayBeAny = name === 'day of month' || name === 'day of week';
  if (part === '?') return mayBeAny ? { first: min, last: max, step: 1 } : undefined;
  const [, base = '', stepText] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? [];
  const step = stepText === undefined ? 1 : Number(stepText);
  const [from = '', to] = base.split('-');
  const first = from === '*' ? min : numberOf(from, field);
  const last = to !== undefined ? numberOf(to, field) : from === '*' || stepText !== undefined ? max : first;
  if (first === undefined || last === undefined || step < 1 || first > last || base.split('-').length > 2) {
    return undefined;
  }
  return { first, last, step };
}

function numberOf(text: string, { min, max, names }: Field): number | undefined {
  const named = names?.indexOf(text) ?? -1;
  if (named >= 0) return named + min;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : undefined;
}

function byNumber(one: number, other: number): number {
  return one - other;
}

function invalid(message: string): CompiledCron {
  return { kind: 'invalid', message };
}
