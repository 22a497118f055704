import { isJsonObject } from '../../../json/json';
import {
  type AttributeType,
  type AttributeValue,
  elementsOf,
  type Item,
  longName,
  textOf,
  typeOf,
} from './attribute-value';
import { decimalText, negated, parseDecimal, plus } from './decimal';
import { areNested, type Path, requireApart, valueAt, withValueAt } from './document-path';
import { RequestError } from './request-error';
import { Tokens, type Words } from './tokens';

/** What an `UpdateExpression` does, and to which paths. */
export interface Update {
  readonly paths: readonly Path[];
  /** Those of the paths whose value the update sets or removes whatever the item has there. */
  readonly blind: readonly Path[];
  /** Whether it makes an item where there is none: not if it only removes. */
  readonly makesItem: boolean;
  /** The item after it. @throws RequestError where the item does not allow it */
  readonly applied: (item: Item) => Item;
}

interface Action {
  readonly path: Path;
  /** From the item as it was before the whole update; undefined removes. */
  readonly valueFrom: (before: Item) => AttributeValue | undefined;
}

type Source = (item: Item) => AttributeValue;

const SECTIONS = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;

/** The update in an `UpdateExpression`. @throws RequestError where DynamoDB would reject it */
export function parseUpdate(text: string, words: Words): Update {
  let taken: Path[] = [];
  const tokens = new Tokens(text, path => taken.push(path));
  const actions: Action[] = [];
  const blind: Path[] = [];
  const used = new Set<string>();
  while (tokens.next !== '') {
    const section = SECTIONS.find(name => tokens.takeIf(name));
    if (!section) throw tokens.error();
    if (used.has(section)) {
      throw new RequestError(`The "${section}" section can only be used once in an update expression;`);
    }
    used.add(section);
    do {
      taken = [];
      const action = parseAction(section, tokens, words);
      const goesByItem = section === 'ADD' || section === 'DELETE';
      const operands = taken.slice(1);
      if (!goesByItem && !operands.some(other => areNested(other, action.path))) blind.push(action.path);
      actions.push(action);
    } while (tokens.takeIf(','));
  }
  const paths = actions.map(({ path }) => path);
  requireApart(paths);
  const makesItem = used.has('SET') || used.has('ADD');
  return { paths, blind, makesItem, applied: item => apply(actions, item) };
}

// Every operand is the item's as it was. Assignments to lists go by their index, so that values beyond the end are
// added in that order. Removals from lists go last to first, so that indexes stay right.
function apply(actions: readonly Action[], before: Item): Item {
  const changes = actions.map(({ path, valueFrom }) => ({ path, value: valueFrom(before) }));
  const removals = changes
    .filter(({ value }) => value === undefined)
    .sort((a, b) => lastIndex(b) - lastIndex(a));
  const settings = changes.flatMap(({ path, value }) => (value ? [{ path, value }] : []));
  // Most of them set an attribute as a whole: all of those at once. No other path of the update is within one of them.
  const whole = settings.filter(({ path }) => path.length === 1);
  const parts = settings.filter(({ path }) => path.length > 1).sort((a, b) => lastIndex(a) - lastIndex(b));
  const item: Item = { ...before, ...Object.fromEntries(whole.map(({ path, value }) => [path[0], value])) };
  return [...parts, ...removals].reduce((after, { path, value }) => withValueAt(after, path, value), item);
}

function lastIndex({ path }: { readonly path: Path }): number {
  const last = path[path.length - 1];
  return typeof last === 'number' ? last : -1;
}

function parseAction(section: (typeof SECTIONS)[number], tokens: Tokens, words: Words): Action {
  const path = tokens.path(words);
  switch (section) {
    case 'SET':
      tokens.expect('=');
      return { path, valueFrom: parseSource(tokens, words) };
    case 'REMOVE':
      return { path, valueFrom: () => undefined };
    case 'ADD': {
      const added = givenFor(section, tokens, words);
      return { path, valueFrom: item => afterAdd(valueAt(item, path), added) };
    }
    case 'DELETE': {
      const deleted = givenFor(section, tokens, words);
      return { path, valueFrom: item => afterDelete(valueAt(item, path), deleted) };
    }
  }
}

function givenFor(section: 'ADD' | 'DELETE', tokens: Tokens, words: Words): AttributeValue {
  if (!tokens.next.startsWith(':')) throw tokens.error();
  const value = words.value(tokens.take());
  const type = typeOf(value);
  if (isSet(type) || (section === 'ADD' && type === 'N')) return value;
  const what = 'Incorrect operand type for operator or function; operator';
  throw new RequestError(`${what}: ${section}, operand type: ${longName(type)}`);
}

function isSet(type: AttributeType): boolean {
  return type === 'SS' || type === 'NS' || type === 'BS';
}

function afterAdd(before: AttributeValue | undefined, added: AttributeValue): AttributeValue {
  if (!before) return added;
  const type = typeOf(added);
  if (typeOf(before) !== type) throw wrongOperand();
  if (type === 'N') return sum(before, added, 1);
  const [has, more] = [elementsOf(before, type) ?? [], elementsOf(added, type) ?? []];
  return { [type]: [...new Set([...has, ...more])] };
}

function afterDelete(
  before: AttributeValue | undefined,
  deleted: AttributeValue,
): AttributeValue | undefined {
  if (!before) return undefined;
  const type = typeOf(deleted);
  if (typeOf(before) !== type) throw wrongOperand();
  const gone = new Set(elementsOf(deleted, type));
  const left = (elementsOf(before, type) ?? []).filter(element => !gone.has(element));
  return left.length === 0 ? undefined : { [type]: left };
}

function parseSource(tokens: Tokens, words: Words): Source {
  const left = parseOperand(tokens, words);
  const sign = tokens.takeIf('+') ? 1 : tokens.takeIf('-') ? -1 : undefined;
  if (sign === undefined) return left.of;
  const right = parseOperand(tokens, words);
  for (const { given } of [left, right]) requireType(sign === 1 ? '+' : '-', given, 'N');
  return item => sum(left.of(item), right.of(item), sign);
}

interface Operand {
  readonly given?: AttributeValue;
  readonly of: Source;
}

function parseOperand(tokens: Tokens, words: Words): Operand {
  if (tokens.takeIf('(')) {
    const inner = parseSource(tokens, words);
    tokens.expect(')');
    return { of: inner };
  }
  if (tokens.next.startsWith(':')) {
    const given = words.value(tokens.take());
    return { given, of: () => given };
  }
  if (tokens.isAtFunction) return parseFunction(tokens, words);
  const path = tokens.path(words);
  return { of: item => valueAt(item, path) ?? missing() };
}

function parseFunction(tokens: Tokens, words: Words): Operand {
  const name = tokens.take();
  tokens.expect('(');
  if (name === 'if_not_exists') {
    if (tokens.next.startsWith(':')) {
      const what = 'Operator or function requires a document path; operator or function';
      throw new RequestError(`${what}: ${name}`);
    }
    const path = tokens.path(words);
    tokens.expect(',');
    const { of } = parseOperand(tokens, words);
    tokens.expect(')');
    return { of: item => valueAt(item, path) ?? of(item) };
  }
  if (name !== 'list_append') throw new RequestError(`Invalid function name; function: ${name}`);
  const first = parseListOperand(tokens, words);
  tokens.expect(',');
  const second = parseListOperand(tokens, words);
  tokens.expect(')');
  for (const { given } of [first, second]) requireType(name, given, 'L');
  return { of: item => ({ L: [...listOf(first.of(item)), ...listOf(second.of(item))] }) };
}

function parseListOperand(tokens: Tokens, words: Words): Operand {
  if (tokens.next !== 'list_append') return parseOperand(tokens, words);
  throw new RequestError(
    'The function is not allowed to be used this way in an expression; function: list_append',
  );
}

function listOf(value: AttributeValue) {
  return elementsOf(value, 'L') ?? raise(wrongOperand());
}

function sum(left: AttributeValue, right: AttributeValue, sign: 1 | -1): AttributeValue {
  const [a, b] = [textOf(left, 'N'), textOf(right, 'N')];
  if (a === undefined || b === undefined) throw wrongOperand();
  const second = parseDecimal(b);
  return { N: decimalText(plus(parseDecimal(a), sign === 1 ? second : negated(second))) };
}

function requireType(operator: string, given: AttributeValue | undefined, wanted: AttributeType): void {
  if (!isJsonObject(given) || typeOf(given) === wanted) return;
  const what = 'Incorrect operand type for operator or function; operator or function';
  throw new RequestError(`${what}: ${operator}, operand type: ${typeOf(given)}`);
}

function missing(): never {
  throw new RequestError('The provided expression refers to an attribute that does not exist in the item');
}

function wrongOperand(): RequestError {
  return new RequestError('An operand in the update expression has an incorrect data type');
}

function raise(error: RequestError): never {
  throw error;
}
