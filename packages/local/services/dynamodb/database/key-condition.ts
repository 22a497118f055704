import { type AttributeValue, compare, textOf, typeOf } from '../table/attribute-value';
import { requireRange } from '../table/condition';
import type { KeyAttribute, KeySchema } from '../table/key';
import { RequestError } from '../table/request-error';
import { Tokens, type Words } from '../table/tokens';

/** Which items of a table or index a query is about. */
export interface KeyCondition {
  readonly partition: AttributeValue;
  /** Whether a sort key is meant; true for all where the query does not say. */
  admits(sort: AttributeValue): boolean;
  /** Whether the query says anything about the sort key. */
  readonly hasSort: boolean;
}

interface Part {
  readonly name: string;
  readonly operator: string;
  readonly values: readonly AttributeValue[];
}

/** The parts of a `KeyConditionExpression`. @throws RequestError where DynamoDB would reject it for any table */
export function parseKeyCondition(text: string, words: Words): readonly Part[] {
  const tokens = new Tokens(text);
  const parts = parseParts(tokens, words);
  if (tokens.takeIf('OR')) throw invalidOperator('OR');
  tokens.expectEnd();
  if (new Set(parts.map(({ name }) => name)).size < parts.length) {
    throw new RequestError('KeyConditionExpressions must only contain one condition per key');
  }
  if (parts.length > 2) throw new RequestError('Conditions can be of length 1 or 2 only');
  return parts;
}

function parseParts(tokens: Tokens, words: Words): readonly Part[] {
  const parts = parseEnclosed(tokens, words);
  return tokens.takeIf('AND') ? [...parts, ...parseParts(tokens, words)] : parts;
}

/** One part, or all that stand in a pair of parentheses. */
function parseEnclosed(tokens: Tokens, words: Words): readonly Part[] {
  if (!tokens.takeIf('(')) return [parseBare(tokens, words)];
  const parts = parseParts(tokens, words);
  if (tokens.takeIf('OR')) throw invalidOperator('OR');
  tokens.expect(')');
  return parts;
}

const FLIPPED: Readonly<Record<string, string>> = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function parseBare(tokens: Tokens, words: Words): Part {
  if (tokens.next.toUpperCase() === 'NOT') throw invalidOperator('NOT');
  if (tokens.isAtFunction) return parseFunction(tokens, words);
  if (tokens.next.startsWith(':')) {
    const value = words.value(tokens.take());
    const operator = FLIPPED[tokens.take()];
    if (operator === undefined) throw tokens.error();
    return { name: nameFrom(tokens, words), operator, values: [value] };
  }
  const name = nameFrom(tokens, words);
  if (tokens.takeIf('BETWEEN')) {
    const low = valueFrom(tokens, words);
    tokens.expect('AND');
    const high = valueFrom(tokens, words);
    requireRange(low, high);
    return { name, operator: 'BETWEEN', values: [low, high] };
  }
  const operator = tokens.take().toUpperCase();
  if (operator === '<>' || operator === 'IN') throw invalidOperator(operator);
  if (FLIPPED[operator] === undefined) throw tokens.error();
  return { name, operator, values: [valueFrom(tokens, words)] };
}

function parseFunction(tokens: Tokens, words: Words): Part {
  const operator = tokens.take();
  if (operator === 'size') {
    throw new RequestError('KeyConditionExpressions cannot contain nested operations');
  }
  if (operator !== 'begins_with') throw invalidOperator(operator);
  tokens.expect('(');
  const name = nameFrom(tokens, words);
  tokens.expect(',');
  const value = valueFrom(tokens, words);
  tokens.expect(')');
  return { name, operator, values: [value] };
}

function nameFrom(tokens: Tokens, words: Words): string {
  const [name, ...nested] = tokens.path(words);
  if (nested.length === 0) return name;
  throw new RequestError('KeyConditionExpressions cannot have conditions on nested attributes');
}

function valueFrom(tokens: Tokens, words: Words): AttributeValue {
  if (!tokens.next.startsWith(':')) throw tokens.error();
  return words.value(tokens.take());
}

function invalidOperator(operator: string): RequestError {
  return new RequestError(`Invalid operator used in KeyConditionExpression: ${operator}`);
}

/** What the parts mean for a table or an index. @throws RequestError where it has other keys */
export function keyConditionOf(parts: readonly Part[], { partition, sort }: KeySchema): KeyCondition {
  const [, second] = parts;
  const ofPartition = parts.find(({ name }) => name === partition.name);
  if (!ofPartition) {
    throw new RequestError(`Query condition missed key schema element: ${partition.name}`);
  }
  const [value] = ofPartition.values;
  requireType(ofPartition, partition);
  if (ofPartition.operator !== '=' || !value || (second && !sort)) {
    throw new RequestError('Query key condition not supported');
  }
  const ofSort = parts.find(part => part !== ofPartition);
  if (!ofSort || !sort) return { partition: value, admits: () => true, hasSort: false };
  if (ofSort.name !== sort.name) {
    throw new RequestError(`Query condition missed key schema element: ${sort.name}`);
  }
  requireType(ofSort, sort);
  return { partition: value, admits: testOf(ofSort), hasSort: true };
}

function requireType({ operator, values }: Part, { type }: KeyAttribute): void {
  if (values.some(value => typeOf(value) !== type)) {
    const what = 'One or more parameter values were invalid: ';
    throw new RequestError(`${what}Condition parameter type does not match schema type`);
  }
  if (operator === 'begins_with' && type === 'N') {
    const what = 'Incorrect operand type for operator or function; operator or function';
    throw new RequestError(`Invalid KeyConditionExpression: ${what}: begins_with, operand type: N`);
  }
}

function testOf({ operator, values }: Part): (sort: AttributeValue) => boolean {
  const [low = {}, high = {}] = values;
  const sign = (sort: AttributeValue) => compare(sort, low) ?? Number.NaN;
  switch (operator) {
    case '=':
      return sort => sign(sort) === 0;
    case '<':
      return sort => sign(sort) < 0;
    case '<=':
      return sort => sign(sort) <= 0;
    case '>':
      return sort => sign(sort) > 0;
    case '>=':
      return sort => sign(sort) >= 0;
    case 'BETWEEN':
      return sort => sign(sort) >= 0 && (compare(sort, high) ?? Number.NaN) <= 0;
    default:
      return sort => beginsWith(sort, low);
  }
}

function beginsWith(sort: AttributeValue, beginning: AttributeValue): boolean {
  const text = textOf(sort, 'S');
  if (text !== undefined) return text.startsWith(textOf(beginning, 'S') ?? '');
  const first = Buffer.from(textOf(beginning, 'B') ?? '', 'base64');
  return Buffer.from(textOf(sort, 'B') ?? '', 'base64')
    .subarray(0, first.length)
    .equals(first);
}
