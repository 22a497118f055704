import { isWellFormed, type KeyText, quoted } from './idempotency-key';
import { KEY_NUMBER_MAX } from './record';
import { sha256 } from './sha256';

/** The hash by which a record knows its payload again: equal for equal documents, whatever the order of their keys. */
export function payloadHash(payload: unknown): string {
  return sha256(canonicalJson(payload));
}

/**
 * The key of an event that is known by its payload: the payload's hash, which is 64 hexadecimal digits. Missing where
 * events would share it that have nothing in common: null, a boolean, an empty text, list or object; and for a document
 * that cannot be hashed. `state-machine/jsonata/key.ts` computes the same in the workflow.
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
 * The one text of a JSON document: object keys sorted by UTF-16 code units, arrays in order, no white space.
 *
 * Injective up to key order: `"1"` and `1` differ, and so do any two numbers (see {@link canonicalNumber}).
 * `state-machine/jsonata/payload.ts` computes the same in the workflow.
 *
 * @throws RangeError for what is no JSON value (undefined, functions, infinite numbers), for a whole number beyond
 * 2^53 - 1, with its place as a JSON Pointer, and for half a surrogate pair
 */
export function canonicalJson(value: unknown): string {
  return write(value, '#');
}

function write(value: unknown, at: string): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quotedText(value);
  if (typeof value === 'number') return canonicalNumber(value, at);
  if (Array.isArray(value)) return `[${value.map((item, index) => write(item, `${at}/${index}`)).join(',')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    const written = members.map(
      ([name, member]) => `${quotedText(name)}:${write(member, `${at}/${step(name)}`)}`,
    );
    return `{${written.join(',')}}`;
  }
  throw new RangeError(`a payload is a JSON document; got ${typeof value}`);
}

/** A member's name as a JSON Pointer has it (RFC 6901). */
function step(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function quotedText(text: string): string {
  if (isWellFormed(text)) return quoted(text);
  throw new RangeError('a payload cannot hold text with half a surrogate pair');
}

/** What is said of a number that is rejected. */
export const TOO_LARGE = 'a whole number beyond 2^53 - 1';
/** The same before its place. */
export const TOO_LARGE_AT = `${TOO_LARGE} at `;
/** What is said behind either of them. */
export const TOO_LARGE_REMEDY = '; send it as text';

/**
/**
 * A number's canonical text: all digits of a whole number; of a fraction the odd whole number, and the power of two
 * that it is divided by: `0.1` is `3602879701896397/2^55`. No two numbers share a text, and nothing of it is rounded.
 *
 * Every double from 2^53 on is whole, and several whole numbers are parsed as one of them. So these are rejected.
 */
function canonicalNumber(value: number, at: string): string {
  if (!Number.isFinite(value)) throw new RangeError(`a payload cannot hold the number ${value}`);
  if (Math.abs(value) > KEY_NUMBER_MAX) throw new RangeError(`${TOO_LARGE_AT}${at}${TOO_LARGE_REMEDY}`);
  if (Number.isInteger(value)) return String(value);
  let [numerator, power] = [value, 0];
  for (; !Number.isInteger(numerator); power += 1) numerator *= 2;
  return `${numerator}/2^${power}`;
}
