import { isJsonObject, type Json, type JsonObject } from '../../packages/local/json/json';

/** What `#name` and `:value` stand for in one request. */
export interface Words {
  name(word: string): string;
  value(word: string): Json;
}

/** Whether an item fulfils a condition. */
export type Condition = (item: JsonObject, words: Words) => boolean;

/** The condition that a `ConditionExpression` writes. @throws where it uses more than the bench knows */
export const parseCondition = remembered((text): Condition => {
  const tokens = new Tokens(text);
  const condition = parseOr(tokens);
  tokens.expectEnd();
  return condition;
});

/** One assignment of a `SET`. */
export interface Assignment {
  readonly name: string;
  readonly value: string;
  /** For `if_not_exists` of the attribute itself: an item that has it keeps it. */
  readonly isDefault: boolean;
}

/** What an `UpdateExpression` sets and removes. @throws where it uses more than the bench knows */
export const parseUpdate = remembered(
  (text): { readonly sets: readonly Assignment[]; readonly removes: readonly string[] } => {
    const [, set = '', remove = ''] = /^(?:SET (.*?))?(?: ?REMOVE (.*))?$/.exec(text) ?? unknown(text);
    // A comma within a function's parentheses separates nothing.
    const sets =
      set === '' ? [] : set.split(/, (?![^(]*\))/).map(assignment => parseAssignment(assignment, text));
    return { sets, removes: list(remove) };
  },
);

const ASSIGNMENT = /^(#?\w+) = (?:(:\w+)|if_not_exists\(\1, (:\w+)\))$/;

function parseAssignment(assignment: string, text: string): Assignment {
  const [, name, value, byDefault] = ASSIGNMENT.exec(assignment) ?? unknown(text);
  return { name: name ?? '', value: value ?? byDefault ?? '', isDefault: byDefault !== undefined };
}

/** A definition has few expressions, and makes them again in every execution. */
function remembered<Parsed>(parse: (text: string) => Parsed): (text: string) => Parsed {
  const known = new Map<string, Parsed>();
  return text => {
    const parsed = known.get(text) ?? parse(text);
    known.set(text, parsed);
    return parsed;
  };
}

class Tokens {
  readonly #tokens: string[];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = text.match(/[#:]?\w+|<=|[=()]|\S/g) ?? [];
  }

  /** Takes the next token if it is this one. */
  takeIf(token: string): boolean {
    const isNext = this.#tokens[0] === token;
    if (isNext) this.#tokens.shift();
    return isNext;
  }

  take(): string {
    return this.#tokens.shift() ?? unknown(this.#text);
  }

  expect(token: string): void {
    if (!this.takeIf(token)) unknown(this.#text);
  }

  expectEnd(): void {
    if (this.#tokens.length > 0) unknown(this.#text);
  }
}

function parseOr(tokens: Tokens): Condition {
  const left = parseAnd(tokens);
  if (!tokens.takeIf('OR')) return left;
  const right = parseOr(tokens);
  return (item, words) => left(item, words) || right(item, words);
}

function parseAnd(tokens: Tokens): Condition {
  const left = parseTerm(tokens);
  if (!tokens.takeIf('AND')) return left;
  const right = parseAnd(tokens);
  return (item, words) => left(item, words) && right(item, words);
}

function parseTerm(tokens: Tokens): Condition {
  if (tokens.takeIf('(')) {
    const inner = parseOr(tokens);
    tokens.expect(')');
    return inner;
  }
  if (tokens.takeIf('attribute_not_exists')) {
    tokens.expect('(');
    const name = tokens.take();
    tokens.expect(')');
    return (item, words) => item[words.name(name)] === undefined;
  }
  const [name, operator, value] = [tokens.take(), tokens.take(), tokens.take()];
  if (operator === '=') return (item, words) => isEqual(item[words.name(name)], words.value(value));
  if (operator !== '<=') return unknown(operator);
  return (item, words) => numberOf(item[words.name(name)]) <= numberOf(words.value(value));
}

/** Numbers are compared as numbers and texts as texts, as attribute values of one type are. */
function isEqual(a: Json | undefined, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** NaN where there is no number: no comparison with it holds, as none with a missing attribute does. */
function numberOf(value: Json | undefined): number {
  return isJsonObject(value) && typeof value['N'] === 'string' ? Number(value['N']) : Number.NaN;
}

function list(text: string): string[] {
  return text === '' ? [] : text.split(', ');
}

function unknown(text: string): never {
  throw new Error(`the bench's table does not know the expression: ${text}`);
}
