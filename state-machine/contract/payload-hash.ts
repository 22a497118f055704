import { isWellFormed, type KeyText, quoted } from './idempotency-key';
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
  } catch {
    return { kind: 'missing' };
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
 * @throws RangeError for what is no JSON value (undefined, functions, infinite numbers), and for half a surrogate pair
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quotedText(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${quotedText(name)}:${canonicalJson(member)}`).join(',')}}`;
  }
  throw new RangeError(`a payload is a JSON document; got ${typeof value}`);
}

function quotedText(text: string): string {
  if (isWellFormed(text)) return quoted(text);
  throw new RangeError('a payload cannot hold text with half a surrogate pair');
}

/**
 * A number's canonical text: all digits of a whole number up to 2^53 - 1; of any other the odd whole number, and the
 * power of two that it is divided by: `0.1` is `3602879701896397/2^55`. No two numbers share a text, and nothing of it
 * is rounded.
 */
export function canonicalNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (!Number.isFinite(value)) throw new RangeError(`a payload cannot hold the number ${value}`);
  let [numerator, power] = [value, 0];
  for (; !Number.isInteger(numerator); power += 1) numerator *= 2;
  for (; Number.isInteger(numerator / 2); power -= 1) numerator /= 2;
  return `${numerator}/2^${power}`;
}
