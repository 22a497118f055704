import { isJsonObject, type Json, jsonOr } from '../../json/json';
import type { MessageAttributes } from '../message-queues';

/** Whether a subscriber gets a message with these attributes. */
type Matches = (attributes: MessageAttributes) => boolean;

/** Which messages a subscriber gets: a policy as it was given, and what it comes to. */
export interface Filter {
  readonly policy: Json;
  readonly matches: Matches;
}

/** A filter policy that can be applied, or what in it cannot, in words that go behind "its filter policy". */
export type ReadFilterPolicy =
  | { readonly kind: 'filter'; readonly filter: Filter }
  | { readonly kind: 'notBuilt'; readonly reason: string };

/** One condition, on one value of an attribute. */
type Condition = (value: Json) => boolean;

/**
 * Reads a filter policy on the attributes of messages: for each name a list of which one has to hold. Values, `prefix`,
 * `suffix`, `equals-ignore-case`, `anything-but`, `numeric` and `exists` are built.
 */
export function readFilterPolicy(policy: Json): ReadFilterPolicy {
  if (!isJsonObject(policy)) return notBuilt('is not an object');
  const filters: Matches[] = [];
  for (const [name, conditions] of Object.entries(policy)) {
    if (!Array.isArray(conditions) || name === '$or')
      return notBuilt(`has ${name}, which is not a list of conditions`);
    const read: Matches[] = [];
    for (const condition of conditions) {
      const filter = filterOf(name, condition);
      if (!filter) return notBuilt(`has the condition ${JSON.stringify(condition)}, which is not built`);
      read.push(filter);
    }
    filters.push(attributes => read.some(filter => filter(attributes)));
  }
  const matches: Matches = attributes => filters.every(filter => filter(attributes));
  return { kind: 'filter', filter: { policy, matches } };
}

function notBuilt(reason: string): ReadFilterPolicy {
  return { kind: 'notBuilt', reason };
}

function filterOf(name: string, given: Json): Matches | undefined {
  const exists = isJsonObject(given) ? given['exists'] : undefined;
  if (typeof exists === 'boolean') return attributes => Object.hasOwn(attributes, name) === exists;
  const condition = conditionOf(given);
  return condition && (attributes => valuesOf(attributes, name).some(condition));
}

function conditionOf(given: Json): Condition | undefined {
  if (Array.isArray(given)) return undefined;
  if (!isJsonObject(given)) return value => value === given;
  const [[operator, operand] = ['', null], ...others] = Object.entries(given);
  if (others.length > 0 || operand === undefined) return undefined;
  switch (operator) {
    case 'prefix':
      return onText(operand, (value, text) => value.startsWith(text));
    case 'suffix':
      return onText(operand, (value, text) => value.endsWith(text));
    case 'equals-ignore-case':
      return onText(operand, (value, text) => value.toLowerCase() === text.toLowerCase());
    case 'anything-but':
      return anythingBut(operand);
    case 'numeric':
      return Array.isArray(operand) ? numeric(operand) : undefined;
    default:
      return undefined;
  }
}

function onText(operand: Json, holds: (value: string, text: string) => boolean): Condition | undefined {
  if (typeof operand !== 'string') return undefined;
  return value => typeof value === 'string' && holds(value, operand);
}

function anythingBut(operand: Json): Condition | undefined {
  if (Array.isArray(operand)) {
    const isPlain = operand.every(each => typeof each !== 'object');
    return isPlain ? value => !operand.includes(value) : undefined;
  }
  const condition = conditionOf(operand);
  return condition && (value => !condition(value));
}

const COMPARISONS: ReadonlyMap<Json, (value: number, bound: number) => boolean> = new Map([
  ['=', (value: number, bound: number) => value === bound],
  ['<', (value: number, bound: number) => value < bound],
  ['<=', (value: number, bound: number) => value <= bound],
  ['>', (value: number, bound: number) => value > bound],
  ['>=', (value: number, bound: number) => value >= bound],
]);

/** `[">", 0, "<=", 5]`. */
function numeric(operand: readonly Json[]): Condition | undefined {
  const bounds: ((value: number) => boolean)[] = [];
  for (let at = 0; at < operand.length; at += 2) {
    const compare = COMPARISONS.get(operand[at] ?? null);
    const bound = operand[at + 1];
    if (!compare || typeof bound !== 'number') return undefined;
    bounds.push(value => compare(value, bound));
  }
  return value => typeof value === 'number' && bounds.every(holds => holds(value));
}

/** The values of an attribute: several where it is a list, none where it is binary or not there. */
function valuesOf(attributes: MessageAttributes, name: string): readonly Json[] {
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  // State machines may give anything.
  if (typeof attribute !== 'object' || attribute === null || !('StringValue' in attribute)) return [];
  const type = String(attribute.DataType);
  const text = String(attribute.StringValue);
  if (type.startsWith('Number')) return [Number(text)];
  if (!type.startsWith('String.Array')) return [text];
  const list = jsonOr(text, []);
  return Array.isArray(list) ? list : [list];
}
