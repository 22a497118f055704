import { KEY_NUMBER_MAX, KEY_TEXT_MAX } from './record';
import { sha256 } from './sha256';

/**
 * A key in its one text form, or the statement that the value is none, and why where that is known.
 *
 * @example
 * const key = keyText(['shop-1', 42]);
 * if (key.kind === 'key') console.log(key.text);
 */
export type KeyText =
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'missing'; readonly because?: string };

/**
 * The one text form of a key, so that no two different keys share a text: the parts, joined by commas.
 *
 * | key | text |
 * |---|---|
 * | non-empty text | itself, with `~` in front of each `~`, `,` and `#` in it |
 * | whole number up to 2^53 - 1 | `#` and its digits |
 * | non-empty list of these | their texts, with commas between: `shop-1,#4711`. A list of one is that one |
 * | any of these above 400 characters | its first 400 characters, and its SHA-256 |
 *
 * Everything else is `missing`: null, empty, fractional, boolean, object, a nested list, text with half a surrogate
 * pair (which UTF-8 cannot tell from another). `state-machine/jsonata/key.ts` computes the same in the workflow.
 *
 * @example
 * keyText(['order-7', 1]) // { kind: 'key', text: 'order-7,#1' }
 */
export function keyText(value: unknown): KeyText {
  // `every` passes over the holes of a list, which are missing parts.
  const parts: readonly unknown[] = Array.isArray(value) ? Array.from(value) : [value];
  if (parts.length === 0 || !parts.every(isPart)) return { kind: 'missing' };
  return { kind: 'key', text: shortened(parts.map(escaped).join(',')) };
}

/** Whether a text is like that of a key above 400 characters: its first 400, and a hash. */
export function isShortened(text: string): boolean {
  return SHORTENED.test(text);
}

const SHORTENED = new RegExp(`^.{${KEY_TEXT_MAX}}[0-9a-f]{64}$`, 'su');

/** The parts that a key's text was made of; undefined for a text that does not hold the whole key, or is not a key's. */
export function partsIn(text: string): readonly (string | number)[] | undefined {
  if (Array.from(text).length > KEY_TEXT_MAX) return undefined;
  const written = text.match(/(?:~[~,#]|[^~,])+/g) ?? [];
  const parts = written.map(part =>
    part.startsWith('#') ? Number(part.slice(1)) : part.replace(/~([~,#])/g, '$1'),
  );
  const key = keyText(parts);
  return key.kind === 'key' && key.text === text ? parts : undefined;
}

/**
 * The partition key of the record: the key's text within its scope, the workflow's name.
 *
 * @example
 * recordKey('ChargePayment', 'order-7') // 'ChargePayment#order-7'
 */
export function recordKey(scope: string, text: string): string {
  return `${scope}#${text}`;
}

function escaped(part: string | number): string {
  return typeof part === 'number' ? `#${part}` : part.replace(/[~,#]/g, '~$&');
}

function isPart(value: unknown): value is string | number {
  if (typeof value === 'string') return value !== '' && isWellFormed(value);
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= KEY_NUMBER_MAX;
}

/** True for text that UTF-8 can tell from any other: none of its characters is half a surrogate pair. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function shortened(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= KEY_TEXT_MAX) return text;
  return `${characters.slice(0, KEY_TEXT_MAX).join('')}${sha256(text)}`;
}
