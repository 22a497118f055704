import { isWellFormed, type KeyText } from './idempotency-key';
import { sha256 } from './sha256';

/**
 * The hash by which a record knows its payload again: equal for equal documents, whatever the order of their keys.
 *
 * @example
 * payloadHash({ amount: 12.5 }) // 64 hexadecimal digits
 */
export function payloadHash(payload: unknown): string {
  return sha256(canonicalText(payload));
}

/**
 * The key of an event that is known by its payload: the payload's hash, which is 64 hexadecimal digits. Missing where
 * events would share it that have nothing in common: null, a boolean, an empty text, list or object; and for a document
 * that cannot be hashed. `state-machine/jsonata/key.ts` computes the same in the workflow.
 *
 * @example
 * payloadKeyText({}) // { kind: 'missing' }
 */
export function payloadKeyText(payload: unknown): KeyText {
  if (!saysSomething(payload)) return { kind: 'missing' };
  try {
    return { kind: 'key', text: payloadHash(payload) };
  } catch (error) {
    return { kind: 'missing', ...(error instanceof RangeError && { because: error.message }) };
  }
}

function saysSomething(payload: unknown): boolean {
  if (typeof payload === 'object' && payload !== null) return Object.keys(payload).length > 0;
  return typeof payload === 'number' || (typeof payload === 'string' && payload !== '');
}

/**
 * The one text of a JSON document: a line for each value in it, sorted by UTF-16 code units, with commas between.
 *
 * A line is the path to the value, and what is there: `/"items"/0=1`. A member's name is in double quotes, with each
 * `"`
 * in it doubled; so is a text. An object or a list has a line of its own, which ends with `{` or `[`; null has nothing
 * behind its `=`. Injective up to the order of members: `"1"` and `1` differ, and so do any two numbers (see
 * {@link canonicalNumber}). `state-machine/jsonata/payload.ts` computes the same in the workflow.
 *
 * @throws RangeError for a value that is not JSON (undefined, functions, infinite numbers), for a whole number beyond
 * 2^53 - 1, with its place as a JSON Pointer, and for half a surrogate pair
 *
 * @example
 * canonicalText({ b: 1, a: 2 }) === canonicalText({ a: 2, b: 1 }) // true
 */
export function canonicalText(value: unknown): string {
  return lines(value, '', '#').sort().join(',');
}

function lines(value: unknown, path: string, pointer: string): string[] {
  if (Array.isArray(value)) {
    return [`${path}[`, ...value.flatMap((item, at) => lines(item, `${path}/${at}`, `${pointer}/${at}`))];
  }
  if (typeof value !== 'object' || value === null) return [`${path}=${scalar(value, pointer)}`];
  const within = Object.entries(value).flatMap(([name, member]) =>
    lines(member, `${path}/${quoted(name)}`, `${pointer}/${step(name)}`),
  );
  return [`${path}{`, ...within];
}

function scalar(value: unknown, pointer: string): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return canonicalNumber(value, pointer);
  throw new RangeError(`a payload is a JSON document; got ${typeof value}`);
}

/** A member's name as a JSON Pointer has it (RFC 6901). */
function step(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function quoted(text: string): string {
  if (isWellFormed(text)) return `"${text.replaceAll('"', '""')}"`;
  throw new RangeError('a payload cannot hold text with half a surrogate pair');
}

/** The message about a rejected number. */
export const TOO_LARGE = 'a whole number beyond 2^53 - 1';
/** The same before its place. */
export const TOO_LARGE_AT = `${TOO_LARGE} at `;
/** The end of both messages. */
export const TOO_LARGE_REMEDY = '; send it as text';

/** The base in which fractions are written: their digits are whole numbers that a double holds. */
const BASE = 2 ** 53;

/**
 * A number's canonical text: its sign, and its digits in base 2^53 as decimal numbers with points between. `12` is
 * `12`, `12.5` is `12.4503599627370496`. No two numbers share a text, and nothing of it is rounded: each step takes
 * whole digits off, and shifts what is left.
 *
 * Every double from 2^53 on is whole, and several whole numbers are parsed as one of them. So these are rejected.
 */
function canonicalNumber(value: number, pointer: string): string {
  if (!Number.isFinite(value)) throw new RangeError(`a payload cannot hold the number ${value}`);
  if (Math.abs(value) >= BASE) throw new RangeError(`${TOO_LARGE_AT}${pointer}${TOO_LARGE_REMEDY}`);
  let rest = Math.abs(value);
  let text = value < 0 ? '-' : '';
  for (; !Number.isInteger(rest); rest = (rest - Math.floor(rest)) * BASE) text += `${Math.floor(rest)}.`;
  return text + rest;
}
