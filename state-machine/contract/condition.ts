import * as jsonata from './jsonata';
import type { JudgedOwner, JudgedRecord } from './judged';
import type { EpochMs } from './time';

// A condition is data. Two interpreters read it: `evaluate` over facts, for the command line and the tests, and
// `toJsonata` over the variables of the workflow. A comparison with a missing side is false in both.

/** The delivery whose execution judges. */
export interface Delivery {
  /** Of whoever asks from outside: the ARN of the state machine. */
  readonly executionArn?: string | undefined;
  readonly claimId?: string | undefined;
  readonly payloadHash?: string | undefined;
  /** How many writes of the execution have been rejected so far. */
  readonly rejections: number;
}

/** What is known when a record, or its owner, is judged. Without a `delivery` anybody asks who owns no record. */
export interface Facts {
  readonly record: JudgedRecord | undefined;
  readonly owner?: JudgedOwner | undefined;
  readonly now: EpochMs;
  readonly delivery?: Delivery | undefined;
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
  /** What only the execution that judges knows: facts have none. */
  | { readonly is: 'variable'; readonly jsonata: string }
  /** Parts of a text, between separators. */
  | { readonly is: 'parts'; readonly of: Value; readonly by: string; readonly at: readonly number[] }
  | { readonly is: 'sum'; readonly of: readonly Value[] }
  | { readonly is: 'product'; readonly of: Value; readonly by: number }
  /** The greatest of those that there are. */
  | { readonly is: 'max'; readonly of: readonly Value[] };

/** How an attribute is read: as its text, as the digits of a number, as that number, or as a time in epoch ms. */
type Form = 'text' | 'digits' | 'number' | 'time';

/** What holds, or does not, of the facts. */
export type Condition =
  | { readonly is: 'always' }
  | { readonly is: 'exists'; readonly value: Value }
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

export const sum = (...of: readonly Given[]): Value => ({ is: 'sum', of: of.map(asValue) });

/** The greatest of the values that there are. */
export const max = (...of: readonly Given[]): Value => ({ is: 'max', of: of.map(asValue) });

/** A value so many times. */
export const times = (of: Value, by: number): Value => ({ is: 'product', of, by });

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
    case 'variable':
      return undefined;
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
    case 'product': {
      const factor = found(value.of, facts);
      return factor === undefined ? undefined : Number(factor) * value.by;
    }
    case 'max': {
      const there = value.of.flatMap(one => found(one, facts) ?? []);
      return there.length === 0 ? undefined : Math.max(...there.map(Number));
    }
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

/** A condition as JSONata over the variables of the workflow: `record`, `owner`, `payloadHash`, `rejections`. */
export function toJsonata(condition: Condition): string {
  switch (condition.is) {
    case 'always':
      return 'true';
    case 'exists':
      return condition.value.is === 'delivery' && condition.value.isThere
        ? 'true'
        : `$exists(${written(condition.value)})`;
    case 'eq':
      return `${written(condition.left)} = ${written(condition.right)}`;
    case 'before':
      return `${written(condition.left)} < ${written(condition.right)}`;
    case 'notAfter':
      // A bound reads better behind what it is for.
      return condition.left.is === 'constant'
        ? `${written(condition.right)} >= ${written(condition.left)}`
        : `${written(condition.left)} <= ${written(condition.right)}`;
    case 'isIn':
      return `${written(condition.value)} in [${condition.list.map(written).join(', ')}]`;
    case 'matches':
      return `$contains(${written(condition.value)}, /${condition.pattern.source}/)`;
    case 'all':
      return joined(condition.of, 'and');
    case 'any':
      return joined(condition.of, 'or');
    case 'not':
      return `$not(${toJsonata(condition.of)})`;
  }
}

/** Conditions with one word between; in brackets those that have another word in them. */
function joined(conditions: readonly Condition[], word: 'and' | 'or'): string {
  const texts = conditions.flatMap(condition => {
    const text = toJsonata(condition);
    if (text === 'true') return [];
    return condition.is === 'any' && word === 'and' ? `(${text})` : text;
  });
  return texts.length === 0 ? 'true' : texts.join(` ${word} `);
}

function written(value: Value): string {
  switch (value.is) {
    case 'constant':
      return typeof value.value === 'number' ? String(value.value) : jsonata.literal(value.value);
    case 'now':
      return value.in === 'ms' ? '$millis()' : '$floor($millis() / 1000)';
    case 'record':
      return attribute(`$record.${jsonata.fieldName(value.called ?? value.name)}`, value.as);
    case 'owner':
      return value.as === 'time' ? `$toMillis($owner.${value.name})` : `$owner.${value.name}`;
    case 'delivery':
    case 'variable':
      return value.jsonata;
    case 'failure':
      return "$parse($record.error.S).(Error & ' ' & Cause)";
    case 'error':
      return '$parse($record.error.S).Error';
    case 'parts': {
      const [first, ...others] = value.at;
      const index = others.length === 0 ? String(first) : `[${value.at.join(', ')}]`;
      return `$split(${written(value.of)}, ${jsonata.literal(value.by)})[${index}]`;
    }
    case 'sum':
      return value.of.map(written).join(' + ');
    case 'product':
      return `${written(value.of)} * ${value.by}`;
    case 'max':
      return `$max([${value.of.map(written).join(', ')}])`;
  }
}

function attribute(path: string, as: Form): string {
  if (as === 'text') return `${path}.S`;
  if (as === 'digits') return `${path}.N`;
  return as === 'number' ? `$number(${path}.N)` : `$toMillis(${path}.S)`;
}
