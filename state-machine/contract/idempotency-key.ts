import { KEY_NUMBER_MAX, KEY_TEXT_MAX, LONG_KEY_PREFIX_LENGTH } from './record';
import { sha256 } from './sha256';

/** A key in its one text form, or the statement that the value is none, and why where that is known. */
export type KeyText =
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'missing'; readonly because?: string };

/**
 * The one text form of a key, so that no two different keys share a text.
 *
 * | value | text |
 * |---|---|
 * | non-empty string | itself; behind `string:` if it begins like one of the forms below |
 * | whole number up to 2^53 - 1 | `number:` and its digits |
 * | non-empty array of these | `["a",1]`, strings quoted with `\` and `"` escaped |
 * | any of these above 400 characters | `long:`, its first 64 characters, `:`, its SHA-256 |
 *
 * Everything else is `missing`: null, empty, fractional, boolean, object, a nested array, text with half a surrogate
 * pair (which UTF-8 cannot tell from another). `state-machine/jsonata/key.ts` computes the same in the workflow.
 */
export function keyText(value: unknown): KeyText {
  const text = Array.isArray(value) ? compositeText(value) : scalarText(value);
  return text === undefined ? { kind: 'missing' } : { kind: 'key', text: shortened(text) };
}

/** The partition key of the record: the key's text within its scope, the workflow's name. */
export function recordKey(scope: string, text: string): string {
  return `${scope}#${text}`;
}

function scalarText(value: unknown): string | undefined {
  if (!isPart(value)) return undefined;
  if (typeof value === 'number') return `number:${value}`;
  return /^(string:|number:|long:|\[)/.test(value) ? `string:${value}` : value;
}

function compositeText(parts: readonly unknown[]): string | undefined {
  if (parts.length === 0 || !parts.every(isPart)) return undefined;
  return `[${parts.map(part => (typeof part === 'number' ? String(part) : quoted(part))).join(',')}]`;
}

function isPart(value: unknown): value is string | number {
  if (typeof value === 'string') return value !== '' && isWellFormed(value);
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= KEY_NUMBER_MAX;
}

/** True for text that UTF-8 can tell from any other: none of its characters is half a surrogate pair. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** Text in double quotes. Escapes only what ends or escapes a quotation, so every implementation writes the same. */
export function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function shortened(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= KEY_TEXT_MAX) return text;
  return `long:${characters.slice(0, LONG_KEY_PREFIX_LENGTH).join('')}:${sha256(text)}`;
}
