import {
  type AttributeType,
  type AttributeValue,
  compare,
  elementsOf,
  type Item,
  isEqual,
  isType,
  textOf,
  typeOf,
} from './attribute-value';
import { type Path, pathText, valueAt } from './document-path';
import { RequestError } from './request-error';
import { Tokens, type Words } from './tokens';

/** Whether an item meets a condition. An absent item is one without attributes. */
export type Condition = (item: Item) => boolean;

interface Operand {
  /** Undefined for a value of the request, or a size. */
  readonly path?: Path;
  /** The value of a request; undefined for what only the item tells. */
  readonly given?: AttributeValue;
  readonly of: (item: Item) => AttributeValue | undefined;
}

/**
 * The condition in a `ConditionExpression` or `FilterExpression`. `onPath` gets each document path in it.
 *
 * @throws RequestError where DynamoDB would reject it
 */
export function parseCondition(text: string, words: Words, onPath?: (path: Path) => void): Condition {
  const tokens = new Tokens(text, onPath);
  const condition = parseOr(tokens, words);
  tokens.expectEnd();
  return condition;
}

function parseOr(tokens: Tokens, words: Words): Condition {
  const left = parseAnd(tokens, words);
  if (!tokens.takeIf('OR')) return left;
  tokens.countOperator();
  const right = parseOr(tokens, words);
  return item => left(item) || right(item);
}

function parseAnd(tokens: Tokens, words: Words): Condition {
  const left = parseNot(tokens, words);
  if (!tokens.takeIf('AND')) return left;
  tokens.countOperator();
  const right = parseAnd(tokens, words);
  return item => left(item) && right(item);
}

/** What stands in parentheses: a pair around nothing but another pair is rejected. */
const ENCLOSED = new WeakSet<Condition>();

/** The rejection of `((a))`. */
function redundantParentheses(): RequestError {
  return new RequestError('The expression has redundant parentheses;');
}

function parseNot(tokens: Tokens, words: Words): Condition {
  if (tokens.takeIf('NOT')) {
    tokens.countOperator();
    const inner = parseNot(tokens, words);
    return item => !inner(item);
  }
  if (tokens.takeIf('(')) {
    const inner = parseOr(tokens, words);
    tokens.expect(')');
    if (ENCLOSED.has(inner)) throw redundantParentheses();
    ENCLOSED.add(inner);
    return inner;
  }
  const test = tokens.isAtFunction && tokens.next !== 'size' ? parseTest(tokens, words) : undefined;
  return test ?? parseComparison(tokens, words);
}

function parseOperand(tokens: Tokens, words: Words): Operand {
  if (tokens.next.startsWith(':')) {
    const given = words.value(tokens.take());
    return { given, of: () => given };
  }
  if (tokens.isAtFunction) return parseSize(tokens, words);
  const path = tokens.path(words);
  return { path, of: item => valueAt(item, path) };
}

function parseSize(tokens: Tokens, words: Words): Operand {
  const name = tokens.take();
  if (name !== 'size') throw unknownFunction(name);
  tokens.countOperator();
  tokens.expect('(');
  if (tokens.isAtFunction) throw misused(tokens.take());
  const operand = parseOperand(tokens, words);
  let count = 1;
  for (; tokens.takeIf(','); count += 1) parseOperand(tokens, words);
  tokens.expect(')');
  if (count > 1) throw wrongCount(name, count);
  const type = operand.given && typeOf(operand.given);
  if (type === 'N' || type === 'BOOL' || type === 'NULL') throw wrongType('operator or function: size', type);
  return { of: item => sizeOf(operand.of(item)) };
}

/** Functions that stand where a condition does, and those that only updates have. */
const NOT_OPERANDS = [
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
];
const OF_UPDATES = ['if_not_exists', 'list_append'];

function unknownFunction(name: string): RequestError {
  if (NOT_OPERANDS.includes(name)) return misused(name);
  if (!OF_UPDATES.includes(name)) return new RequestError(`Invalid function name; function: ${name}`);
  return new RequestError(`The function is not allowed in a condition expression; function: ${name}`);
}

function misused(name: string): RequestError {
  const what = 'The function is not allowed to be used this way in an expression; function';
  return new RequestError(`${what}: ${name}`);
}

function wrongCount(name: string, count: number): RequestError {
  const what = 'Incorrect number of operands for operator or function; operator or function';
  return new RequestError(`${what}: ${name}, number of operands: ${count}`);
}

function sizeOf(value: AttributeValue | undefined): AttributeValue | undefined {
  if (!value) return undefined;
  const type = typeOf(value);
  const content = value[type];
  if (type === 'S') return { N: String(String(content).length) };
  if (type === 'B') return { N: String(Buffer.from(String(content), 'base64').length) };
  if (typeof content !== 'object' || content === null) return undefined;
  return { N: String(Object.keys(content).length) };
}

function parseComparison(tokens: Tokens, words: Words): Condition {
  const left = parseOperand(tokens, words);
  tokens.countOperator();
  if (tokens.takeIf('BETWEEN')) {
    const low = parseOperand(tokens, words);
    tokens.expect('AND');
    const high = parseOperand(tokens, words);
    for (const { given } of [left, low, high]) requireOrdered('BETWEEN', given);
    requireRange(low.given, high.given);
    return item =>
      ordered(left, low, item, sign => sign >= 0) && ordered(left, high, item, sign => sign <= 0);
  }
  if (tokens.takeIf('IN')) return parseIn(left, tokens, words);
  const operator = tokens.take();
  const right = parseOperand(tokens, words);
  requireDistinct(operator, left, right);
  if (operator === '=') return item => areEqual(left.of(item), right.of(item));
  if (operator === '<>') return item => !areEqual(left.of(item), right.of(item));
  const fits = ORDERS[operator];
  if (!fits) throw tokens.error();
  for (const { given } of [left, right]) requireOrdered(operator, given);
  return item => ordered(left, right, item, fits);
}

/** Values that IN may compare with. */
const IN_OPERANDS_MAX = 100;

function parseIn(left: Operand, tokens: Tokens, words: Words): Condition {
  tokens.expect('(');
  const choices = [parseOperand(tokens, words)];
  while (tokens.takeIf(',')) choices.push(parseOperand(tokens, words));
  tokens.expect(')');
  if (choices.length > IN_OPERANDS_MAX) {
    const what = 'The IN operator is provided with too many operands; number of operands';
    throw new RequestError(`${what}: ${choices.length}`);
  }
  return item => choices.some(choice => areEqual(left.of(item), choice.of(item)));
}

const ORDERS: Readonly<Record<string, (sign: number) => boolean>> = {
  '<': sign => sign < 0,
  '<=': sign => sign <= 0,
  '>': sign => sign > 0,
  '>=': sign => sign >= 0,
};

function ordered(a: Operand, b: Operand, item: Item, fits: (sign: number) => boolean): boolean {
  const [left, right] = [a.of(item), b.of(item)];
  const sign = left && right && compare(left, right);
  return sign !== undefined && fits(sign);
}

// An absent value equals nothing, and differs from everything.
function areEqual(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  return a !== undefined && b !== undefined && isEqual(a, b);
}

const OPERANDS: Readonly<Record<string, number>> = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
};

function parseTest(tokens: Tokens, words: Words): Condition {
  const name = tokens.take();
  if (OPERANDS[name] === undefined) throw unknownFunction(name);
  tokens.countOperator();
  tokens.expect('(');
  const operands = [parseOperand(tokens, words)];
  while (tokens.takeIf(',')) operands.push(parseOperand(tokens, words));
  tokens.expect(')');
  const [first, second] = operands;
  if (!first || operands.length !== OPERANDS[name]) {
    throw wrongCount(name, operands.length);
  }
  if (second) requireDistinct(name, first, second);
  return testOf(name, first, second ?? first);
}

function testOf(name: string, first: Operand, second: Operand): Condition {
  switch (name) {
    case 'attribute_type': {
      const type = requireTypeName(second.given);
      return item => {
        const value = first.of(item);
        return value !== undefined && typeOf(value) === type;
      };
    }
    case 'begins_with':
      for (const { given } of [first, second]) requireText(given);
      return item => beginsWith(first.of(item), second.of(item));
    case 'contains':
      return item => contains(first.of(item), second.of(item));
    default: {
      if (!first.path) {
        const what = 'Operator or function requires a document path; operator or function';
        throw new RequestError(`${what}: ${name}`);
      }
      const isWanted = name === 'attribute_exists';
      return item => (first.of(item) !== undefined) === isWanted;
    }
  }
}

function beginsWith(value: AttributeValue | undefined, beginning: AttributeValue | undefined): boolean {
  const [text, start] = [textOf(value, 'S'), textOf(beginning, 'S')];
  if (text !== undefined && start !== undefined) return text.startsWith(start);
  const [bytes, first] = [bytesOf(value), bytesOf(beginning)];
  return bytes !== undefined && first !== undefined && bytes.subarray(0, first.length).equals(first);
}

function contains(value: AttributeValue | undefined, part: AttributeValue | undefined): boolean {
  if (!value || !part) return false;
  const [text, piece] = [textOf(value, 'S'), textOf(part, 'S')];
  if (text !== undefined) return piece !== undefined && text.includes(piece);
  const [bytes, some] = [bytesOf(value), bytesOf(part)];
  if (bytes) return some !== undefined && bytes.includes(some);
  const type = typeOf(part);
  if (type === 'S' || type === 'N' || type === 'B') {
    const elements = elementsOf(value, `${type}S`);
    if (elements) return elements.includes(part[type] ?? null);
  }
  return (elementsOf(value, 'L') ?? []).some(element => isEqual(element as AttributeValue, part));
}

function bytesOf(value: AttributeValue | undefined): Buffer | undefined {
  const text = textOf(value, 'B');
  return text === undefined ? undefined : Buffer.from(text, 'base64');
}

/** @throws RequestError where the bounds of BETWEEN are values that nothing lies between */
export function requireRange(low: AttributeValue | undefined, high: AttributeValue | undefined): void {
  if (!low || !high) return;
  const shown = (value: AttributeValue) =>
    `AttributeValue: {${typeOf(value)}:${String(value[typeOf(value)])}}`;
  const bounds = `lower bound operand: ${shown(low)}, upper bound operand: ${shown(high)}`;
  const rule = 'The BETWEEN operator requires';
  if (typeOf(low) !== typeOf(high)) {
    throw new RequestError(`${rule} same data type for lower and upper bounds; ${bounds}`);
  }
  if ((compare(low, high) ?? 0) > 0) {
    throw new RequestError(`${rule} upper bound to be greater than or equal to lower bound; ${bounds}`);
  }
}

function requireDistinct(operator: string, left: Operand, right: Operand): void {
  if (!left.path || !right.path || pathText(left.path) !== pathText(right.path)) return;
  const what = 'The first operand must be distinct from the remaining operands for this operator or function';
  throw new RequestError(`${what}; operator: ${operator}, first operand: ${pathText(left.path)}`);
}

function requireOrdered(operator: string, given: AttributeValue | undefined): void {
  const type = given && typeOf(given);
  if (!type || type === 'S' || type === 'N' || type === 'B') return;
  throw wrongType(`operator: ${operator}`, type);
}

function requireText(given: AttributeValue | undefined): void {
  const type = given && typeOf(given);
  if (type && type !== 'S' && type !== 'B') throw wrongType('operator or function: begins_with', type);
}

function requireTypeName(given: AttributeValue | undefined): AttributeType {
  const name = textOf(given, 'S');
  if (name === undefined) {
    const type = given ? typeOf(given) : '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}';
    throw wrongType('operator or function: attribute_type', type);
  }
  if (isType(name)) return name;
  const valid = '{B,NULL,SS,BOOL,L,BS,N,NS,S,M}';
  throw new RequestError(`Invalid attribute type name found; type: ${name}, valid types: ${valid}`);
}

function wrongType(operator: string, type: string): RequestError {
  return new RequestError(
    `Incorrect operand type for operator or function; ${operator}, operand type: ${type}`,
  );
}
