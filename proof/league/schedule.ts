/**
 * What happens to one call that an event's processing makes, or to the process that makes it.
 *
 * | kind | meaning |
 * |---|---|
 * | `rejected` | the call is not carried out, and its caller gets an error |
 * | `answerLost` | it is carried out, and its caller gets a broken connection |
 * | `killedBefore`, `killedAfter` | the process ends before the call, or when it has been carried out |
 * | `frozenBefore`, `frozenAfter` | the process is suspended there until others abandon it, then resumes |
 */
export type CallFault = (typeof CALL_FAULTS)[number];

/** All that can happen to one call. */
export const CALL_FAULTS = [
  'rejected',
  'answerLost',
  'killedBefore',
  'killedAfter',
  'frozenBefore',
  'frozenAfter',
] as const;

/** A fault at one call of the event. */
export interface Fault {
  /** Its number among all calls of the event, from 1, or the first call that has the business effect. */
  readonly call: number | 'effect';
  readonly kind: CallFault;
  /** How long the process is suspended, in seconds; 0 for the other faults. */
  readonly seconds: number;
}

/** One delivery of the event, in seconds from the beginning. */
export interface Delivered {
  readonly at: number;
  /** Whether it comes with another payload under the same key. */
  readonly isOther: boolean;
}

/** All that happens to one event. The same schedule is played to each contender. */
export interface Schedule {
  readonly deliveries: readonly Delivered[];
  readonly faults: readonly Fault[];
  /** From when to when the table rejects everything, in seconds from the beginning. */
  readonly outage?: readonly [from: number, to: number];
  /** How long after it has expired an item is deleted, in seconds. */
  readonly deletedAfter: number;
  /** By how much the clock of the first, second, … process is off, in seconds; the last one counts for all others. */
  readonly clocks: readonly number[];
  /** How often the step fails before its effect; undefined is always. */
  readonly failures: number | undefined;
  /** Other events, each delivered once at the same moment and to the same batch. */
  readonly beside: number;
}

/** Nothing happens but one delivery. Expired items go after a day, as DynamoDB promises no more than a few. */
export const CALM: Schedule = {
  deliveries: [{ at: 0, isOther: false }],
  faults: [],
  deletedAfter: 24 * 3600,
  clocks: [0],
  failures: 0,
  beside: 0,
};

/** The schedule as a text without blanks, for a command line. Settings that are equal to {@link CALM} are left out. */
export function textOf(schedule: Schedule): string {
  const { deliveries, faults, outage, deletedAfter, clocks, failures, beside } = schedule;
  const parts = [`at=${deliveries.map(({ at, isOther }) => `${at}${isOther ? 'x' : ''}`).join(',')}`];
  if (faults.length > 0) parts.push(`fault=${faults.map(textOfFault).join(',')}`);
  if (outage) parts.push(`outage=${outage.join(',')}`);
  if (deletedAfter !== CALM.deletedAfter) parts.push(`deleted-after=${deletedAfter}`);
  if (clocks.some(clock => clock !== 0)) parts.push(`clocks=${clocks.join(',')}`);
  if (failures !== 0) parts.push(`failures=${failures ?? 'always'}`);
  if (beside > 0) parts.push(`beside=${beside}`);
  return parts.join('/');
}

function textOfFault({ call, kind, seconds }: Fault): string {
  return `${call}:${kind}${seconds > 0 ? `:${seconds}` : ''}`;
}

/** The schedule of such a text, or what is wrong with it. */
export function scheduleOf(text: string): Schedule | string {
  let schedule: Schedule = CALM;
  for (const part of text.split('/')) {
    const [, name = '', value = ''] = /^([a-z-]+)=(.+)$/.exec(part) ?? [];
    const read = READERS[name];
    if (read === undefined) return `${JSON.stringify(part)} is none of ${Object.keys(READERS).join(', ')}`;
    const members = read(value);
    if (members === undefined) return `${JSON.stringify(part)} cannot be read`;
    schedule = { ...schedule, ...members };
  }
  return schedule;
}

/** The longest that a schedule may say: a year. */
const SECONDS_MAX = 366 * 24 * 3600;
const DELIVERIES_MAX = 20;

const READERS: Readonly<Record<string, (value: string) => Partial<Schedule> | undefined>> = {
  at(value) {
    const found = value.split(',').map(one => /^(\d+(?:\.\d+)?)(x?)$/.exec(one));
    const deliveries = found.flatMap(one => (one ? { at: Number(one[1]), isOther: one[2] === 'x' } : []));
    const isRight = deliveries.length === found.length && deliveries.length <= DELIVERIES_MAX;
    return isRight && deliveries.every(({ at }) => at <= SECONDS_MAX) ? { deliveries } : undefined;
  },
  fault(value) {
    const faults = value.split(',').map(faultOf);
    return faults.every(fault => fault !== undefined) ? { faults } : undefined;
  },
  outage(value) {
    const [from, to, ...more] = numbersIn(value);
    const isRight = from !== undefined && to !== undefined && more.length === 0 && from < to;
    return isRight && to <= SECONDS_MAX ? { outage: [from, to] } : undefined;
  },
  'deleted-after'(value) {
    const [deletedAfter] = numbersIn(value);
    return deletedAfter !== undefined && deletedAfter <= SECONDS_MAX ? { deletedAfter } : undefined;
  },
  clocks(value) {
    const clocks = value.split(',').map(Number);
    return clocks.every(clock => Math.abs(clock) <= SECONDS_MAX) ? { clocks } : undefined;
  },
  failures(value) {
    if (value === 'always') return { failures: undefined };
    return /^\d{1,3}$/.test(value) ? { failures: Number(value) } : undefined;
  },
  beside(value) {
    return /^[0-9]$/.test(value) ? { beside: Number(value) } : undefined;
  },
};

function faultOf(text: string): Fault | undefined {
  const [, call = '', kind = '', seconds = '0'] =
    /^(effect|\d{1,3}):([A-Za-z]+)(?::(\d+))?$/.exec(text) ?? [];
  const known = CALL_FAULTS.find(one => one === kind);
  if (known === undefined || Number(seconds) > SECONDS_MAX) return undefined;
  return { call: call === 'effect' ? call : Number(call), kind: known, seconds: Number(seconds) };
}

function numbersIn(text: string): readonly number[] {
  const numbers = text.split(',').map(one => (/^\d+(?:\.\d+)?$/.test(one) ? Number(one) : Number.NaN));
  return numbers.some(Number.isNaN) ? [] : numbers;
}
