import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { type AttributeValue, readValue, requireName } from './attribute-value';
import type { Path } from './document-path';
import { RequestError } from './request-error';
import { RESERVED_WORDS } from './reserved-words';

/** The names and values that the expressions of one request refer to, and which of them they have used. */
export class Words {
  readonly #names: Readonly<Record<string, Json>>;
  readonly #values = new Map<string, AttributeValue>();
  readonly #unusedNames: Set<string>;
  readonly #unusedValues: Set<string>;

  /** @throws RequestError where a value is rejected, or a word is none */
  constructor(request: JsonObject) {
    const names = membersOf(request, 'ExpressionAttributeNames', '#');
    const values = membersOf(request, 'ExpressionAttributeValues', ':');
    this.#names = names;
    for (const name of Object.values(names)) requireName(String(name));
    this.#unusedNames = new Set(Object.keys(names));
    this.#unusedValues = new Set(Object.keys(values));
    for (const [word, value] of Object.entries(values)) this.#values.set(word, readNamed(word, value));
  }

  name(word: string): string {
    if (!word.startsWith('#')) {
      if (!RESERVED_WORDS.has(word.toUpperCase())) return word;
      throw new RequestError(`Attribute name is a reserved keyword; reserved keyword: ${word}`);
    }
    const name = this.#names[word];
    if (typeof name !== 'string') {
      const what = 'An expression attribute name used in the document path is not defined';
      throw new RequestError(`${what}; attribute name: ${word}`);
    }
    this.#unusedNames.delete(word);
    return name;
  }

  value(word: string): AttributeValue {
    const value = this.#values.get(word);
    if (!value) {
      const what = 'An expression attribute value used in expression is not defined';
      throw new RequestError(`${what}; attribute value: ${word}`);
    }
    this.#unusedValues.delete(word);
    return value;
  }

  /** @throws RequestError where a name or value was given for nothing */
  requireAllUsed(): void {
    const unused = (what: string, words: Set<string>) => {
      if (words.size === 0) return;
      throw new RequestError(
        `Value provided in ${what} unused in expressions: keys: {${[...words].join(', ')}}`,
      );
    };
    unused('ExpressionAttributeNames', this.#unusedNames);
    unused('ExpressionAttributeValues', this.#unusedValues);
  }
}

const WORD = { '#': /^#[0-9a-zA-Z_]+$/, ':': /^:[0-9a-zA-Z_]+$/ } as const;

function membersOf(request: JsonObject, member: string, sign: '#' | ':'): JsonObject {
  const words = request[member];
  if (!isJsonObject(words)) return {};
  if (Object.keys(words).length === 0) throw new RequestError(`${member} must not be empty`);
  const wrong = Object.keys(words).find(word => !WORD[sign].test(word));
  if (wrong === undefined) return words;
  throw new RequestError(`${member} contains invalid key: Syntax error; key: "${wrong}"`);
}

function readNamed(word: string, value: Json): AttributeValue {
  try {
    return readValue(value);
  } catch (error) {
    const reason = error instanceof RequestError ? error.message : String(error);
    throw new RequestError(`ExpressionAttributeValues contains invalid value: ${reason} for key ${word}`);
  }
}

/** Bytes that the text of an expression may have. */
const EXPRESSION_BYTES_MAX = 4096;

/** Operators and functions that an expression may have. */
const OPERATORS_MAX = 300;

/** Names and indexes that one document path may have, and digits of an index. */
const LEVELS_MAX = 32;
const INDEX_DIGITS_MAX = 9;

/** The tokens of one expression, taken one after another. */
export class Tokens {
  readonly #split: Split;
  readonly #onPath: (path: Path) => void;
  #next = 0;
  #operators = 0;

  /** `onPath` gets each document path that is taken. */
  constructor(text: string, onPath: (path: Path) => void = () => undefined) {
    if (text === '') throw new RequestError('The expression can not be empty;');
    if (Buffer.byteLength(text) > EXPRESSION_BYTES_MAX) {
      throw new RequestError(
        `Expression size has exceeded the maximum allowed size; expression size: ${Buffer.byteLength(text)}`,
      );
    }
    this.#onPath = onPath;
    this.#split = split(text);
  }

  /** The next token; empty at the end. */
  get next(): string {
    return this.#split.tokens[this.#next] ?? '';
  }

  take(): string {
    const token = this.next;
    if (token === '') throw this.error();
    this.#next += 1;
    return token;
  }

  /** Takes the next token if it is this one; keywords in any case. */
  takeIf(token: string): boolean {
    if ((this.#split.keywords[this.#next] ?? '') !== token) return false;
    this.#next += 1;
    return true;
  }

  expect(token: string): void {
    if (!this.takeIf(token)) throw this.error();
  }

  expectEnd(): void {
    if (this.next !== '') throw this.error();
  }

  /** Counts an operator or function that was taken. @throws RequestError where that is one too many */
  countOperator(): void {
    this.#operators += 1;
    if (this.#operators <= OPERATORS_MAX) return;
    const what = 'The expression contains too many operators; operator count';
    throw new RequestError(`${what}: ${this.#operators}`);
  }

  /** Whether a function's name comes next. */
  get isAtFunction(): boolean {
    return this.#split.areWords[this.#next] === true && this.#split.tokens[this.#next + 1] === '(';
  }

  error(): RequestError {
    const near = this.#split.tokens.slice(Math.max(0, this.#next - 1), this.#next + 2).join(' ');
    return new RequestError(`Syntax error; token: "${this.next || '<EOF>'}", near: "${near}"`);
  }

  path(words: Words): Path {
    const pieces: (string | number)[] = [];
    const first = this.#name(words);
    while (this.next === '.' || this.next === '[') pieces.push(this.#piece(words));
    if (pieces.length >= LEVELS_MAX) {
      const what = 'The document path has too many nesting elements; nesting levels';
      throw new RequestError(`${what}: ${pieces.length + 1}`);
    }
    const path: Path = [first, ...pieces];
    this.#onPath(path);
    return path;
  }

  #piece(words: Words): string | number {
    if (this.takeIf('.')) return this.#name(words);
    this.expect('[');
    const index = this.take();
    if (!/^\d+$/.test(index)) throw this.error();
    this.expect(']');
    if (index.length > INDEX_DIGITS_MAX) {
      throw new RequestError(`List index is not within the allowable range; index: [${index}]`);
    }
    return Number(index);
  }

  #name(words: Words): string {
    const isNamed = this.#split.areWords[this.#next] === true || /^#\w+$/.test(this.next);
    if (!isNamed) throw this.error();
    return words.name(this.take());
  }
}

interface Split {
  readonly tokens: readonly string[];
  /** The same in capitals. */
  readonly keywords: readonly string[];
  /** Which of them are names or keywords, written out. */
  readonly areWords: readonly boolean[];
}

/** The tokens of a text; the same text, as requests bring it again and again, is split once. */
function split(text: string): Split {
  const known = SPLIT.get(text);
  if (known) return known;
  if (SPLIT.size >= SPLIT_MAX) SPLIT.clear();
  const tokens = text.match(/[#:]?\w+|<=|>=|<>|\S/g) ?? [];
  const found: Split = {
    tokens,
    keywords: tokens.map(token => token.toUpperCase()),
    areWords: tokens.map(token => /^[a-z]\w*$/i.test(token)),
  };
  SPLIT.set(text, found);
  return found;
}

/** Expressions come from definitions and programs, so there are few; the bound is for those that are made up anew. */
const SPLIT_MAX = 1000;
const SPLIT = new Map<string, Split>();
