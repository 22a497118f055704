import { createHash } from 'node:crypto';
import type { Json } from '../../../json/json';
import { javaText } from '../java-text';
import { INVALID, type IntrinsicFunction, type Result, resultOf } from './result';

/** Characters of a text that is hashed, encoded or decoded, at most (service quota). */
const CHARACTERS_MAX = 10_000;

const HASHES = new Map([
  ['MD5', 'md5'],
  ['SHA-1', 'sha1'],
  ['SHA-256', 'sha256'],
  ['SHA-384', 'sha384'],
  ['SHA-512', 'sha512'],
]);

export const TEXT_FUNCTIONS = {
  // As observed: characters that are no Base64 are passed over.
  'States.Base64Decode': ([text = null]) =>
    isShortText(text) ? resultOf(Buffer.from(text, 'base64').toString('utf8')) : INVALID,

  'States.Base64Encode': ([text = null]) =>
    isShortText(text) ? resultOf(Buffer.from(text, 'utf8').toString('base64')) : INVALID,

  'States.Format': ([template = null, ...values]) =>
    typeof template === 'string' ? format(template, values) : INVALID,

  'States.Hash': ([data = null, algorithm]) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    const name = typeof algorithm === 'string' ? HASHES.get(algorithm) : undefined;
    if (name === undefined || text.length > CHARACTERS_MAX) return INVALID;
    return resultOf(createHash(name).update(text, 'utf8').digest('hex'));
  },

  'States.StringSplit': ([text, delimiters]) => {
    if (typeof text !== 'string' || typeof delimiters !== 'string') return INVALID;
    return resultOf(split(text, new Set(delimiters)));
  },

  'States.UUID': (_values, randomness) => resultOf(randomness.uuid()),
} satisfies { readonly [name: string]: IntrinsicFunction };

function isShortText(value: Json): value is string {
  return typeof value === 'string' && value.length <= CHARACTERS_MAX;
}

/** The parts between any of the delimiters; empty parts are left out, as recorded. */
function split(text: string, delimiters: ReadonlySet<string>): string[] {
  const parts: string[] = [];
  let part = '';
  for (const character of text) {
    if (!delimiters.has(character)) part += character;
    else {
      if (part !== '') parts.push(part);
      part = '';
    }
  }
  return part === '' ? parts : [...parts, part];
}

const PIECE = /\\(?<escaped>[\s\S])|(?<place>\{\})|(?<brace>[{}])|[^\\{}]+|\\/g;

/** The template with a value at each `{}`, as Java prints it; a backslash makes the next character stand for itself. */
function format(template: string, values: readonly Json[]): Result {
  let text = '';
  let count = 0;
  for (const { 0: piece, groups = {} } of template.matchAll(PIECE)) {
    if (groups['brace'] !== undefined) return { kind: 'invalid', problem: UNMATCHED };
    if (groups['place'] === undefined) text += groups['escaped'] ?? piece;
    else {
      text += javaText(values[count] ?? null);
      count += 1;
    }
  }
  return count === values.length ? resultOf(text) : { kind: 'invalid', problem: MISMATCHED };
}

const UNMATCHED = "Invalid template in States.Format: matching '}' not found for '{'.";
const MISMATCHED =
  'Invalid arguments in States.Format: number of arguments do not match the occurrences of {}.';
