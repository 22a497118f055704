import type jsonata from 'jsonata';
import { LIST_ITEMS_MAX, requireMemory, TEXT_CHARACTERS_MAX, type Usage } from './limits';
import { type Original, originalOf } from './originals';
import { CONCATENATE } from './rewrite';

// Functions that make texts, each within the memory an expression has. Those that only cut a text are the package's.

/** Registers them; `usageOf` returns what an evaluation has used so far. */
export function registerTexts(
  expression: jsonata.Expression,
  usageOf: (focus: jsonata.Focus) => Usage,
): void {
  const counted = (focus: jsonata.Focus, text: string | undefined) => {
    usageOf(focus).addText(text);
    return text;
  };
  const register = (
    name: string,
    run: (focus: jsonata.Focus, args: unknown[]) => unknown,
    signature: string,
  ) => expression.registerFunction(name, withArity(name, run), signature);
  expression.registerFunction(CONCATENATE, function (this: jsonata.Focus, ...parts: unknown[]) {
    const texts = parts.map(part => toText(part) ?? '');
    const text = concatenated(texts);
    // Only additions count: the longest part is there already.
    usageOf(this).add(text.length - Math.max(...texts.map(({ length }) => length)));
    return text;
  });
  register(
    'string',
    (focus, [value, prettify]) => counted(focus, toText(value, prettify === true)),
    '<x-b?:s>',
  );
  register(
    'pad',
    (focus, [text, width, filler]) => counted(focus, pad(text as string, width as number, filler as string)),
    '<s-ns?:s>',
  );
  register(
    'join',
    (focus, [texts, separator]) => counted(focus, join(texts as string[], separator as string)),
    '<a<s>s?:s>',
  );
  const taken = { length: lengthOf, substring: substringOf } as const;
  for (const [name, run] of Object.entries(taken)) {
    const original = originalOf(name);
    register(name, (focus, args) => run(focus, original, args), original.signature?.definition ?? '');
  }
  for (const name of ['replace', 'split', 'base64encode', 'encodeUrl', 'encodeUrlComponent']) {
    const original = originalOf(name);
    const run = (focus: jsonata.Focus, args: unknown[]) => bounded(focus, original, args, usageOf(focus));
    register(name, run, original.signature?.definition ?? '');
  }
}

/** The package makes a list of all characters, which only a text with some of two units needs. */
const HAS_PAIRS = /[\ud800-\udfff]/;

function lengthOf(focus: jsonata.Focus, original: Original, args: unknown[]): unknown {
  const [text] = args;
  if (typeof text !== 'string' || HAS_PAIRS.test(text)) return original.implementation.apply(focus, args);
  return text.length;
}

function substringOf(focus: jsonata.Focus, original: Original, args: unknown[]): unknown {
  const [text, start, length] = args;
  const isPlain = typeof text === 'string' && typeof start === 'number' && !HAS_PAIRS.test(text);
  if (!isPlain || (length !== undefined && typeof length !== 'number'))
    return original.implementation.apply(focus, args);
  const from = text.length + start < 0 ? 0 : start;
  if (length === undefined) return text.slice(from);
  if (length <= 0) return '';
  return text.slice(from, from >= 0 ? from + length : text.length + from + length);
}

/**
 * A function that callers hand as many arguments as the package's own. A partial application reads their names in its
 * source.
 */
function withArity(name: string, run: (focus: jsonata.Focus, args: unknown[]) => unknown) {
  function registered(this: jsonata.Focus, ...args: unknown[]): unknown {
    return run(this, args);
  }
  const { implementation } = originalOf(name);
  return Object.defineProperties(registered, {
    length: { value: implementation.length },
    toString: { value: () => implementation.toString() },
  });
}

/** `$string` of 2.0.6. Undefined stays undefined, functions are empty texts. */
export function toText(value: unknown, prettify = false): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  if (isFunction(value)) return '';
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw { code: 'D3001', value };
    return String(Number(value.toPrecision(15)));
  }
  const text =
    !prettify && isExact(value, { left: EXACT_PARTS_MAX })
      ? JSON.stringify(value)
      : rounding(value, prettify);
  requireMemory(text.length, TEXT_CHARACTERS_MAX);
  return text;
}

function rounding(value: unknown, prettify: boolean): string {
  // One value in many places counts in each of them.
  let parts = 0;
  const rounded = (_name: string, part: unknown): unknown => {
    parts += 1;
    requireMemory(parts, TEXT_CHARACTERS_MAX);
    return roundNumber(part);
  };
  return JSON.stringify(value, rounded, prettify ? 2 : 0);
}

/** Parts of a value that are looked at before its text is made: most values are small, and of no other numbers. */
const EXACT_PARTS_MAX = 1000;

/** Whether a value is written as it stands: no number needs rounding, and it holds no function. */
function isExact(value: unknown, parts: { left: number }): boolean {
  parts.left -= 1;
  if (parts.left < 0) return false;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 1e15;
  if (typeof value !== 'object' || isFunction(value)) return false;
  if (Array.isArray(value)) return value.every(item => isExact(item, parts));
  for (const name of Object.keys(value)) {
    if (!isExact((value as Record<string, unknown>)[name], parts)) return false;
  }
  return true;
}

/** Texts one behind another. */
function concatenated(parts: readonly string[]): string {
  let characters = 0;
  for (const part of parts) characters += part.length;
  requireMemory(characters, TEXT_CHARACTERS_MAX);
  // Not joined: texts that are added are put together only when they are read.
  let text = '';
  for (const part of parts) text += part;
  return text;
}

function roundNumber(value: unknown): unknown {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw { code: 'D1001', value };
    return Number(value.toPrecision(15));
  }
  return isFunction(value) ? '' : value;
}

function isFunction(value: unknown): boolean {
  if (typeof value === 'function') return true;
  const candidate = value as { _jsonata_function?: unknown; _jsonata_lambda?: unknown } | null | undefined;
  return candidate?._jsonata_function === true || candidate?._jsonata_lambda === true;
}

/** Characters are code points, as everywhere in the language. */
function pad(text: string | undefined, width: number, filler = ' '): string | undefined {
  if (text === undefined) return undefined;
  const missing = Math.abs(Math.trunc(width)) - [...text].length;
  if (!(missing > 0)) return text;
  requireMemory(text.length + missing, TEXT_CHARACTERS_MAX);
  const letters = [...(filler || ' ')];
  const whole = letters.join('').repeat(Math.floor(missing / letters.length));
  const padding = whole + letters.slice(0, missing % letters.length).join('');
  return width > 0 ? text + padding : padding + text;
}

function join(texts: readonly string[] | undefined, separator = ''): string | undefined {
  if (texts === undefined) return undefined;
  const separators = separator.length * Math.max(0, texts.length - 1);
  requireMemory(
    texts.reduce((sum, text) => sum + text.length, separators),
    TEXT_CHARACTERS_MAX,
  );
  return texts.join(separator);
}

/** The result of the package's own function, if the memory suffices: a promise if that function gives a promise. */
function bounded(focus: jsonata.Focus, original: Original, args: unknown[], usage: Usage): unknown {
  const [text, pattern, replacement] = args;
  if (typeof text === 'string' && typeof pattern === 'string' && typeof replacement === 'string') {
    requireReplaceable(text, pattern, replacement);
  }
  const fitting = (result: unknown) => {
    if (typeof result === 'string') usage.addText(result);
    if (Array.isArray(result)) requireMemory(result.length, LIST_ITEMS_MAX);
    return result;
  };
  const result = original.implementation.apply(focus, args);
  return result instanceof Promise ? result.then(fitting) : fitting(result);
}

/** Rejects a replacement that would not fit. A limit of replacements is not looked at unless there are too many. */
export function requireReplaceable(text: string, pattern: string, replacement: string): void {
  const growth = replacement.length - pattern.length;
  const isSmall = text.length + (text.length / Math.max(1, pattern.length)) * growth <= TEXT_CHARACTERS_MAX;
  if (growth <= 0 || isSmall || pattern === '') return;
  requireMemory(text.length + (text.split(pattern).length - 1) * growth, TEXT_CHARACTERS_MAX);
}
