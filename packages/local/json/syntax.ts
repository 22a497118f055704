import { JSON_DEPTH_MAX, tooDeepAt } from './depth';
import type { Json } from './json';

/** A position in a text, right after what has been read. */
export interface TextPosition {
  /** Counts from 1. */
  readonly line: number;
  /** Counts from 1. */
  readonly column: number;
}

/** The value of a text, or what is wrong with it, and where. */
export type ParsedJson =
  | { readonly kind: 'json'; readonly value: Json }
  | ({ readonly kind: 'invalid'; readonly message: string } & TextPosition);

/**
 * Parses JSON text; a text that is not JSON, or that nests deeper than JSON_DEPTH_MAX, is described in the words of the
 * service's parser (Jackson).
 */
export function parseJson(text: string): ParsedJson {
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== undefined) {
    const message = `Document nesting depth (${JSON_DEPTH_MAX + 1}) exceeds the maximum allowed (${JSON_DEPTH_MAX})`;
    return { kind: 'invalid', message, ...positionAt(text, tooDeep + 1) };
  }
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch {
    // Node reports neither position nor token reliably, so the text is read again to find them.
    const { message, at } = firstError(text);
    return { kind: 'invalid', message, ...positionAt(text, at) };
  }
}

/** Where a text ceases to be JSON. For messages: Node's own quote the text, which may be a secret. */
export function firstErrorIn(text: string): string {
  const { line, column } = positionAt(text, firstError(text).at);
  return `line ${line}, column ${column}`;
}

function positionAt(text: string, at: number): TextPosition {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma' | 'end';

interface SyntaxError {
  readonly message: string;
  /** Index of the first character after what the parser has read. */
  readonly at: number;
}

const VALUES = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/u;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/u;
const WORD = /[A-Za-z_$][\w$]*/u;
const MARK = /[{}[\]:,]/u;
const TOKEN = new RegExp(
  `\\s*(?:(${STRING.source})|(${NUMBER.source})|(${WORD.source})|(${MARK.source}))`,
  'uy',
);

function firstError(text: string): SyntaxError {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  for (let at = 0; ; ) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) return unreadable(text, at, expected);
    const start = TOKEN.lastIndex - match[0].trimStart().length;
    at = TOKEN.lastIndex;
    const [, string, number, word, mark] = match;
    const isValue = string !== undefined || number !== undefined;
    if (word !== undefined && !['null', 'true', 'false'].includes(word) && takesValue(expected)) {
      return { message: `Unrecognized token '${word}': was expecting ${VALUES}`, at };
    }
    const next = step(
      expected,
      isValue || word !== undefined ? 'value' : (mark ?? ''),
      string !== undefined,
      open,
    );
    if (next === undefined) return unexpected(text, start, expected);
    expected = next;
  }
}

/** What may follow the token, or undefined when the token may not stand here. */
function step(
  expected: Expected,
  token: string,
  isString: boolean,
  open: ('{' | '[')[],
): Expected | undefined {
  if (expected === 'colon') return token === ':' ? 'value' : undefined;
  if (takesValue(expected) && (token === '{' || token === '[')) {
    open.push(token);
    return token === '{' ? 'name or }' : 'value or ]';
  }
  const closes = (token === '}' && open.at(-1) === '{') || (token === ']' && open.at(-1) === '[');
  if (closes && (expected === 'comma' || expected === 'name or }' || expected === 'value or ]')) {
    open.pop();
    return open.length > 0 ? 'comma' : 'end';
  }
  if (takesValue(expected)) return token === 'value' ? (open.length > 0 ? 'comma' : 'end') : undefined;
  if (expected === 'comma') return token === ',' ? (open.at(-1) === '{' ? 'name' : 'value') : undefined;
  return expected !== 'end' && isString ? 'colon' : undefined;
}

function takesValue(expected: Expected): boolean {
  return expected === 'value' || expected === 'value or ]';
}

function unreadable(text: string, from: number, expected: Expected): SyntaxError {
  const start = from + text.slice(from).search(/\S|$/);
  if (start === text.length) return { message: 'Unexpected end-of-input', at: start };
  if (text[start] === '"' && expected !== 'comma' && expected !== 'colon') {
    return { message: 'Unexpected end-of-input or illegal character in a JSON String', at: text.length };
  }
  return unexpected(text, start, expected);
}

function unexpected(text: string, start: number, expected: Expected): SyntaxError {
  const char = text[start] ?? '';
  const message = `Unexpected character ('${char}' (code ${char.charCodeAt(0)})): ${wanted(expected)}`;
  return { message, at: start + 1 };
}

function wanted(expected: Expected): string {
  switch (expected) {
    case 'value':
    case 'value or ]':
      return `expected a valid value ${VALUES}`;
    case 'name':
    case 'name or }':
      return 'was expecting double-quote to start field name';
    case 'colon':
      return 'was expecting a colon to separate field name and value';
    case 'comma':
      return 'was expecting comma to separate entries';
    case 'end':
      return 'was expecting the end of the text';
    default:
      return expected satisfies never;
  }
}
