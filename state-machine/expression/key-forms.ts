import { isWellFormed } from '../contract/idempotency-key';
import { type AstNode, isChanged, isConstant } from './syntax';

/** A form that a key or a part of it can have. */
export interface Form {
  /** How it is written. */
  readonly example: string;
  /** Why two events that differ in it have two keys, and one event one; with `meets`: what is given up. */
  readonly because: string;
  /** What stands behind the value that a call is about. @default - nothing */
  readonly takes?: (behind: readonly AstNode[]) => boolean;
  /** Two values that differ and of which it makes `value`, or one like it: the form is accepted with a warning. */
  readonly meets?: (value: unknown, behind: readonly AstNode[]) => readonly [unknown, unknown];
  /** A value of which it makes `value`. @default - the first that meet */
  readonly from?: (value: unknown, behind: readonly AstNode[]) => unknown;
  /** The form that must be around it. @default - none */
  readonly within?: string;
  /** It is the same for all events, so that another part must be of the event. */
  readonly isShared?: true;
}

/** The table of forms: what is not here ends synthesis. */
export type KeyForms = Readonly<Record<string, Form>>;

const isText = (node: AstNode | undefined) => node?.type === 'string' && node.value !== '';
/** More would make an example too long to read. */
const PLACE_MAX = 1000;
const isWhole = (node: AstNode | undefined) => node?.type === 'number' && Number.isSafeInteger(node.value);
const isPlace = (node: AstNode | undefined) => isWhole(node) && Math.abs(Number(node?.value)) <= PLACE_MAX;
const valueIn = (node: AstNode | undefined) => node?.value as never;
const numberOf = (value: unknown) => (typeof value === 'number' ? value : 7);
/** Years to seconds of a time, in characters. */
const PARTS_OF_A_TIME = [4, 7, 10, 13, 16, 19];
const TIME = '2026-11-28T09:30:00';
const LATER = '2027-12-29T10:45:30';

/** A constant that can be a key: what `isPart` of the contract accepts. */
export function isKeyConstant({ type, value }: AstNode): boolean {
  if (type === 'string') return value !== '' && isWellFormed(String(value));
  return type === 'number' && Number.isSafeInteger(value);
}

/** The forms of keys. The first five accept without a warning. */
export const KEY_FORMS: KeyForms = {
  name: {
    example: '$states.input.detail.orderId',
    because: 'the member as it is; a value that is not a key is rejected when the event comes',
    from: (value, [name]) => ({ [String(name?.value)]: value }),
  },
  constant: {
    example: "'price-updated'",
    because: 'the same for every event, so that another part must be of the event',
    isShared: true,
  },
  optional: {
    example: "$exists($states.input.detail.version) ? $states.input.detail.version : '1'",
    because: 'the constant stands for a missing member, in a part beside one that every event has',
  },
  $parse: {
    example: '$parse($states.input.body).orderId',
    because: 'the members of a JSON text are those of the event',
    within: 'name',
    from: value => JSON.stringify(value),
  },
  $base64decode: {
    example: '$parse($base64decode($states.input.data)).orderId',
    because: 'the text within is what $parse reads',
    within: '$parse',
    from: value => Buffer.from(String(value)).toString('base64'),
  },
  fallback: {
    example: '$exists($states.input.a) ? $states.input.a : $states.input.b',
    because:
      'one value can come from either member; if an event gets the first one later, it gets another key',
  },
  tested: {
    example: "$states.input.v ? $states.input.v : '1'",
    because: 'the constant stands for several values',
  },
  index: {
    example: '$states.input.Records[0].id',
    because: 'the other items do not count',
    takes: ([at]) => isPlace(at),
    meets: (value, [at]) => {
      const [index, other] = [Number(at?.value), otherThan(value)];
      return index < 0
        ? [listWith(value, index, []), listWith(value, index, [other])]
        : [listWith(value, index, []), [...listWith(value, index, []), other]];
    },
  },
  filter: {
    example: "$states.input.headers[name = 'X-Id'].value",
    because: 'items that the filter leaves out do not count, nor do items without the member',
    takes: ([test]) => matchOf(test) !== undefined,
    meets: (value, [test]) => [itemsWith(value, test), [...itemsWith(value, test), matchOf(test)]],
  },
  $lowercase: {
    example: '$lowercase($states.input.detail.email)',
    because: 'upper and lower case are one',
    meets: value => [String(value).toUpperCase(), String(value).toLowerCase()],
  },
  $uppercase: {
    example: '$uppercase($states.input.detail.code)',
    because: 'upper and lower case are one',
    meets: value => [String(value).toLowerCase(), String(value).toUpperCase()],
  },
  $trim: {
    example: '$trim($states.input.detail.name)',
    because: 'blanks around a text do not count',
    meets: value => [`${value} `, value],
  },
  $substring: {
    example: '$substring($states.input.detail.at, 0, 10)',
    because: 'the rest of the text does not count',
    takes: ([start, length, ...more]) =>
      more.length === 0 &&
      isPlace(start) &&
      (length === undefined
        ? valueIn(start) > 0
        : valueIn(start) === 0 && isWhole(length) && PARTS_OF_A_TIME.includes(valueIn(length))),
    meets: (value, [start, length]) =>
      length === undefined
        ? [`${'1'.repeat(valueIn(start))}${value}`, `${'2'.repeat(valueIn(start))}${value}`]
        : /^\d+$/.test(String(value))
          ? [
              `${String(value).padStart(valueIn(length), '0')}1`,
              `${String(value).padStart(valueIn(length), '0')}2`,
            ]
          : [`${TIME}Z`, `${TIME.slice(0, valueIn(length))}${LATER.slice(valueIn(length)) || '.5'}Z`],
  },
  $substringBefore: {
    example: "$substringBefore($states.input.detail.key, '/')",
    because: 'what is behind does not count',
    takes: ([separator, ...more]) => isText(separator) && more.length === 0,
    meets: (value, [separator]) =>
      fillers(separator).map(end => `${without(value, separator)}${separator?.value}${end}`) as [
        string,
        string,
      ],
  },
  $substringAfter: {
    example: "$substringAfter($states.input.detail.key, '/')",
    because: 'what is before does not count',
    takes: ([separator, ...more]) => isText(separator) && more.length === 0,
    meets: (value, [separator]) =>
      fillers(separator).map(start => `${start}${separator?.value}${value}`) as [string, string],
  },
  $split: {
    example: "$split($states.input.taskArn, '/')[-1]",
    because: 'the other parts of the text do not count',
    // The index that follows comes last.
    takes: ([separator, at, ...more]) => isText(separator) && isPlace(at) && more.length === 0,
    meets: (value, [separator, at]) => {
      const parts = (other: string) => {
        const index = Number(at?.value);
        const size = index < 0 ? -index + 1 : index + 2;
        const all = Array<unknown>(size).fill(other);
        all[index < 0 ? size + index : index] = without(value, separator);
        return all.join(String(separator?.value));
      };
      const [one, other] = fillers(separator);
      return [parts(one), parts(other)];
    },
  },
  $hash: {
    example: "$hash($states.input.detail.url, 'SHA-256')",
    because: 'an empty text has a hash, so all events with one share it',
    takes: ([name, ...more]) => more.length === 0 && /^SHA-(?:256|384|512)$/.test(valueIn(name) ?? ''),
    meets: () => ['', ''],
    // A hash cannot be turned round: in an example it stands for its value.
    from: value => value,
  },
  $number: {
    example: '$number($states.input.detail.id)',
    because: 'several texts are one number',
    meets: value => [`0${numberOf(value)}`, `${numberOf(value)}`],
  },
  $floor: {
    example: '$floor($states.input.detail.at / 3600)',
    because: 'what is behind the point does not count',
    meets: value => [numberOf(value) + 0.25, numberOf(value) + 0.5],
  },
  $toMillis: {
    example: '$toMillis($states.input.detail.at)',
    because: 'several texts are one moment',
    meets: () => [`${TIME}Z`, '2026-11-28T10:30:00+01:00'],
  },
  $fromMillis: {
    example: "$fromMillis($toMillis($states.input.detail.at), '[Y0001]-[M01]-[D01]')",
    because: 'what the picture leaves out does not count, nor do parts of a millisecond',
    takes: behind => behind.length < 3 && behind.every(isText),
    meets: () => [1_795_858_200_000.25, 1_795_858_200_000.5],
  },
  '+': {
    example: '$states.input.detail.version + 1',
    because: 'a sum of numbers is rounded',
    takes: ([by]) => isWhole(by) && valueIn(by) !== 0,
    meets: () => [0, 1e-20],
  },
  '-': {
    example: '$states.input.detail.version - 1',
    because: 'a sum of numbers is rounded',
    takes: ([by]) => isWhole(by) && valueIn(by) !== 0,
    meets: () => [0, 1e-20],
  },
  '/': {
    example: '$floor($states.input.detail.at / 3600)',
    because: 'the period of a time in which it is',
    within: '$floor',
    takes: ([by]) => isWhole(by) && valueIn(by) > 0,
    from: (value, [by]) => numberOf(value) * valueIn(by),
  },
};

/** Two characters that are not in a separator. */
function fillers(separator: AstNode | undefined): readonly [string, string] {
  const [one = '', other = ''] = [...'12xyzabc'].filter(each => !String(separator?.value).includes(each));
  return [one, other];
}

/** A text without a separator in it. */
function without(value: unknown, separator: AstNode | undefined): string {
  return String(value).replaceAll(valueIn(separator), '') || '7';
}

function otherThan(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/7/, '8'));
}

/** A list with the value at its place, and `others` before it. */
function listWith(value: unknown, index: number, others: readonly unknown[]): unknown[] {
  const around = Array<unknown>(index < 0 ? -index - 1 : index).fill({});
  return index < 0 ? [...others, value, ...around] : [...around, value];
}

/** An item that a filter such as `name = 'x'` takes. */
export function matchOf(test: AstNode | undefined): Readonly<Record<string, unknown>> | undefined {
  const [name, constant] = [test?.lhs as AstNode | undefined, test?.rhs];
  const [step, ...more] = name?.steps ?? [];
  if (test?.type !== 'binary' || test.value !== '=' || name?.type !== 'path' || step?.type !== 'name')
    return undefined;
  if ([test, name, step, constant ?? {}].some(isChanged)) return undefined;
  if (more.length > 0 || !constant || !isConstant(constant)) return undefined;
  return { [String(step.value)]: constant.value };
}

function itemsWith(value: unknown, test: AstNode | undefined): readonly unknown[] {
  return [value]
    .flat()
    .map(one => (typeof one === 'object' && one !== null ? { ...one, ...matchOf(test) } : matchOf(test)));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
export const isTrue = (value: unknown) => (isObject(value) ? Object.keys(value).length > 0 : Boolean(value));
export type Given = () => unknown;
export const NOTHING: Given = () => undefined;
/** @throws RangeError for values of two types, of which JSONata gives an error */
const compared = (by: (one: never, other: never) => boolean) => (one: Given, other: Given) => {
  const values = [one(), other()];
  if (values.includes(undefined)) return undefined;
  if (typeof values[0] !== typeof values[1] || !/^(?:string|number)$/.test(typeof values[0]))
    throw new RangeError();
  return by(values[0] as never, values[1] as never);
};
const ifThere =
  <T>(by: (one: unknown) => T) =>
  (one: Given) =>
    one() === undefined ? undefined : by(one());
/** The type of a value that an event is tried with. */
const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
/** As JSONata has them. */
export const RESULTS: Readonly<Record<string, (one: Given, other: Given) => unknown>> = {
  and: (one, other) => isTrue(one()) && isTrue(other()),
  or: (one, other) => isTrue(one()) || isTrue(other()),
  '=': (one, other) => one() !== undefined && one() === other(),
  '!=': (one, other) => one() !== undefined && other() !== undefined && one() !== other(),
  '<': compared((one, other) => one < other),
  '>': compared((one, other) => one > other),
  '<=': compared((one, other) => one <= other),
  '>=': compared((one, other) => one >= other),
  in: (one, list) => one() !== undefined && [list()].flat().includes(one()),
  $contains: (one, other) => {
    if (one() === undefined) return undefined;
    if (typeof one() !== 'string' || typeof other() !== 'string') throw new RangeError();
    return String(one()).includes(String(other()));
  },
  $exists: one => one() !== undefined,
  $not: ifThere(one => !isTrue(one)),
  $boolean: ifThere(isTrue),
  $type: ifThere(typeOf),
};
