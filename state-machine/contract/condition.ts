import type { JudgedOwner, JudgedRecord, Known } from './judged';
import type { EpochMs } from './time';

// A condition is data. Two interpreters read it: `evaluate` over facts, for the command line and the tests, and
// `toJsonata` over the variables of the workflow. A comparison with a missing side is false in both.

/** The delivery whose execution judges. */
export interface Delivery {
  /** For a question from outside: the ARN of the state machine. */
  readonly executionArn?: string | undefined;
  readonly claimId?: string | undefined;
  readonly payloadHash?: string | undefined;
  /** How many writes of the execution have been rejected so far. */
  readonly rejections: number;
}

/** The facts with which a record, or its owner, is judged. Without a `delivery` the caller does not own a record. */
export interface Facts {
  readonly record: JudgedRecord | undefined;
  readonly owner?: JudgedOwner | undefined;
  readonly now: EpochMs;
  readonly delivery?: Delivery | undefined;
  /** What the machine that judges has found out besides. */
  readonly known?: Known | undefined;
}

export type Value =
  | { readonly is: 'constant'; readonly value: string | number }
  /** The time in milliseconds, or in whole seconds. */
  | { readonly is: 'now'; readonly in: 'ms' | 's' }
  /** An attribute of the record; `called` is its name in the table, if that is another. */
  | {
      readonly is: 'record';
      readonly name: keyof JudgedRecord;
      readonly as: Form;
      readonly called?: string;
    }
  | { readonly is: 'owner'; readonly name: keyof JudgedOwner; readonly as: Form }
  /** `jsonata` is where the workflow has it; `isThere`: always. */
  | {
      readonly is: 'delivery';
      readonly name: keyof Delivery;
      readonly jsonata: string;
      readonly isThere?: boolean;
    }
  /** The name of the error that the record holds as JSON text, a space, and its cause. */
  | { readonly is: 'failure' }
  /** That name alone. */
  | { readonly is: 'error' }
  /** A variable of the machine that judges, or the place of such a value; without `jsonata` it has the same name. */
  | { readonly is: 'known'; readonly name: keyof Known; readonly jsonata?: string }
  /** Parts of a text, between separators. */
  | { readonly is: 'parts'; readonly of: Value; readonly by: string; readonly at: readonly number[] }
  | { readonly is: 'sum'; readonly of: readonly Value[] }
  | { readonly is: 'difference'; readonly of: Value; readonly less: Value }
  | { readonly is: 'product'; readonly of: Value; readonly by: Value }
  /** The greatest of those that exist. */
  | { readonly is: 'max'; readonly of: readonly Value[] }
  /** The least of those that exist. */
  | { readonly is: 'min'; readonly of: readonly Value[] }
  | { readonly is: 'power'; readonly base: number; readonly exponent: Value }
  /** Without `otherwise`, and if the condition does not hold: missing. */
  | { readonly is: 'if'; readonly when: Condition; readonly gives: Value; readonly otherwise?: Value }
  /** A value that an expression uses several times: it is computed once, as a variable of this name. */
  | { readonly is: 'named'; readonly name: string; readonly value: Value };

/** How an attribute is read: as its text, as the digits of a number, as that number, or as a time in epoch ms. */
export type Form = 'text' | 'digits' | 'number' | 'time';

/** What holds, or does not, of the facts. */
export type Condition =
  | { readonly is: 'always' }
  | { readonly is: 'exists'; readonly value: Value }
  /** A known fact is true. */
  | { readonly is: 'holds'; readonly name: keyof Known; readonly jsonata?: string }
  | { readonly is: 'eq'; readonly left: Value; readonly right: Value }
  | { readonly is: 'before'; readonly left: Value; readonly right: Value }
  | { readonly is: 'notAfter'; readonly left: Value; readonly right: Value }
  | { readonly is: 'isIn'; readonly value: Value; readonly list: readonly Value[] }
  | { readonly is: 'matches'; readonly value: Value; readonly pattern: RegExp }
  | { readonly is: 'all'; readonly of: readonly Condition[] }
  | { readonly is: 'any'; readonly of: readonly Condition[] }
  | { readonly is: 'not'; readonly of: Condition };

/** A constant; a value as it is. */
type Given = Value | string | number;

const asValue = (given: Given): Value =>
  typeof given === 'object' ? given : { is: 'constant', value: given };

export const ALWAYS: Condition = { is: 'always' };

/** What never holds. */
export const NEVER: Condition = { is: 'not', of: ALWAYS };

export const exists = (value: Value): Condition => ({ is: 'exists', value });

export const eq = (left: Given, right: Given): Condition => ({
  is: 'eq',
  left: asValue(left),
  right: asValue(right),
});

export const before = (left: Given, right: Given): Condition => ({
  is: 'before',
  left: asValue(left),
  right: asValue(right),
});

export const notAfter = (left: Given, right: Given): Condition => ({
  is: 'notAfter',
  left: asValue(left),
  right: asValue(right),
});

export const isIn = (value: Value, list: readonly Given[]): Condition => ({
  is: 'isIn',
  value,
  list: list.map(asValue),
});

export const matches = (value: Value, pattern: RegExp): Condition => ({ is: 'matches', value, pattern });

export const all = (...of: readonly Condition[]): Condition => ({ is: 'all', of });

export const any = (...of: readonly Condition[]): Condition => ({ is: 'any', of });

export const negated = (of: Condition): Condition => ({ is: 'not', of });

export const sum = (...of: readonly Given[]): Value =>
  folded(of, numbers => numbers.reduce((a, b) => a + b, 0)) ?? { is: 'sum', of: of.map(asValue) };

/** A value without another one. */
export const minus = (of: Given, less: Given): Value =>
  folded([of, less], ([a = 0, b = 0]) => a - b) ?? { is: 'difference', of: asValue(of), less: asValue(less) };

/** The greatest of the values that there are. */
export const max = (...of: readonly Given[]): Value => ({ is: 'max', of: of.map(asValue) });

/** The least of the values that exist. */
export const min = (...of: readonly Given[]): Value =>
  folded(of, numbers => Math.min(...numbers)) ?? { is: 'min', of: of.map(asValue) };

export const power = (base: number, exponent: Value): Value => ({ is: 'power', base, exponent });

/** One value if a condition holds, else another one, or none. */
export const either = (when: Condition, gives: Given, otherwise?: Given): Value => ({
  is: 'if',
  when,
  gives: asValue(gives),
  ...(otherwise !== undefined && { otherwise: asValue(otherwise) }),
});

export const named = (name: string, value: Value): Value => ({ is: 'named', name, value });

/** What the machine that judges has found out, as a value. */
export const known = (name: keyof Known, jsonata?: string): Value => ({
  is: 'known',
  name,
  ...(jsonata !== undefined && { jsonata }),
});

/** True if what the machine that judges has found out is true. */
export const holds = (name: keyof Known, jsonata?: string): Condition => ({
  is: 'holds',
  name,
  ...(jsonata !== undefined && { jsonata }),
});

/** A value, multiplied. */
export const times = (of: Given, by: Given): Value =>
  folded([of, by], ([a = 1, b = 1]) => a * b) ?? { is: 'product', of: asValue(of), by: asValue(by) };

/** The constant that constants make; undefined for others, and for numbers that only a deployment knows. */
function folded(given: readonly Given[], compute: (numbers: readonly number[]) => number): Value | undefined {
  const values = given.map(asValue);
  const numbers = values.flatMap(one =>
    one.is === 'constant' && Number.isSafeInteger(one.value) ? [Number(one.value)] : [],
  );
  return numbers.length === values.length ? asValue(compute(numbers)) : undefined;
}

/** Parts of a text, counted from 0, or from -1 backwards. */
export const parts = (of: Given, by: string, ...at: readonly number[]): Value => ({
  is: 'parts',
  of: asValue(of),
  by,
  at,
});

export function evaluate(condition: Condition, facts: Facts): boolean {
  switch (condition.is) {
    case 'always':
      return true;
    case 'exists':
      return found(condition.value, facts) !== undefined;
    case 'holds':
      return facts.known?.[condition.name] === true;
    case 'eq': {
      const [left, right] = [found(condition.left, facts), found(condition.right, facts)];
      return left !== undefined && left === right;
    }
    case 'before':
    case 'notAfter': {
      const [left, right] = [found(condition.left, facts), found(condition.right, facts)];
      if (left === undefined || right === undefined) return false;
      return condition.is === 'before' ? left < right : left <= right;
    }
    case 'isIn': {
      const value = found(condition.value, facts);
      return value !== undefined && condition.list.some(one => found(one, facts) === value);
    }
    case 'matches':
      return condition.pattern.test(String(found(condition.value, facts) ?? ''));
    case 'all':
      return condition.of.every(one => evaluate(one, facts));
    case 'any':
      return condition.of.some(one => evaluate(one, facts));
    case 'not':
      return !evaluate(condition.of, facts);
  }
}

/** A value of the facts; undefined if it is missing. A list of parts is their text. */
function found(value: Value, facts: Facts): string | number | undefined {
  switch (value.is) {
    case 'constant':
      return value.value;
    case 'now':
      return value.in === 'ms' ? facts.now : Math.floor(facts.now / 1000);
    case 'record':
      return read(facts.record?.[value.name], value.as);
    case 'owner':
      return read(facts.owner?.[value.name], value.as);
    case 'delivery':
      return facts.delivery?.[value.name];
    case 'known': {
      const its = facts.known?.[value.name];
      return typeof its === 'boolean' ? String(its) : its;
    }
    case 'failure':
      return failureIn(facts.record?.error);
    case 'error':
      return errorIn(facts.record?.error);
    case 'parts': {
      const text = found(value.of, facts);
      const all = text === undefined ? [] : String(text).split(value.by);
      const picked = value.at.map(at => all.at(at));
      return picked.every(part => part !== undefined) ? picked.join(value.by) : undefined;
    }
    case 'sum': {
      const summands = value.of.map(one => found(one, facts));
      return summands.includes(undefined) ? undefined : summands.reduce<number>((a, b) => a + Number(b), 0);
    }
    case 'difference': {
      const [of, less] = [found(value.of, facts), found(value.less, facts)];
      return of === undefined || less === undefined ? undefined : Number(of) - Number(less);
    }
    case 'product': {
      const [factor, by] = [found(value.of, facts), found(value.by, facts)];
      return factor === undefined || by === undefined ? undefined : Number(factor) * Number(by);
    }
    case 'max': {
      const there = value.of.flatMap(one => found(one, facts) ?? []);
      return there.length === 0 ? undefined : Math.max(...there.map(Number));
    }
    case 'min': {
      const there = value.of.flatMap(one => found(one, facts) ?? []);
      return there.length === 0 ? undefined : Math.min(...there.map(Number));
    }
    case 'power': {
      const exponent = found(value.exponent, facts);
      return exponent === undefined ? undefined : value.base ** Number(exponent);
    }
    case 'if': {
      if (evaluate(value.when, facts)) return found(value.gives, facts);
      return value.otherwise && found(value.otherwise, facts);
    }
    case 'named':
      return found(value.value, facts);
  }
}

function read(member: string | number | null | undefined, as: Form): string | number | undefined {
  if (member === undefined || member === null) return undefined;
  if (as === 'text' || as === 'digits') return String(member);
  const number = as === 'time' && typeof member === 'string' ? Date.parse(member) : Number(member);
  return Number.isNaN(number) ? undefined : number;
}

function failureIn(stored: string | undefined): string | undefined {
  const name = errorIn(stored);
  const cause = storedIn(stored)['Cause'];
  return name === undefined ? undefined : `${name} ${typeof cause === 'string' ? cause : ''}`;
}

function errorIn(stored: string | undefined): string | undefined {
  const name = storedIn(stored)['Error'];
  return typeof name === 'string' ? name : undefined;
}

// The workflow fails on a text that is not JSON; none is written.
function storedIn(stored: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(stored ?? '{}') as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
