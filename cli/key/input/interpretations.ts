import { isShortened, partsIn } from '../../../state-machine/contract/idempotency-key';
import { keyText } from '../../../state-machine/contract/index';
import type { Key } from './key';

/** Combinations of numbers and texts that are tried of a key of several parts. */
const PARTS_MAX = 4;

/**
 * The possible meanings of a key that was typed or pasted, the nearest first. It may be a text, a number or a list. It
 * may have the caller in front that a request by HTTP has. It may lack its scope, or come from an address of the page.
 * It may have the escapes that outputs have, or be parts with blanks or commas between them. Each once, by the text
 * that a record has.
 */
export function interpretationsOf(parts: readonly string[], scope: string): readonly Key[] {
  const found = new Map<string, Key>();
  const add = (value: unknown, form: Key['form'], isGuess = false) => {
    const known = keyText(value);
    if (known.kind === 'key' && !found.has(known.text))
      found.set(known.text, { value, text: known.text, form, isGuess });
  };
  if (parts.length > 1) {
    for (const values of combinations(parts.slice(0, PARTS_MAX))) {
      const hasNumber = values.some(value => typeof value === 'number');
      add([...values, ...parts.slice(PARTS_MAX)], 'json', hasNumber);
    }
    return [...found.values()];
  }
  const [typed = ''] = parts;
  for (const text of new Set([typed, ...unwrapped(typed, scope)])) {
    add(text, 'text');
    if (isNumber(text)) add(Number(text), 'text', true);
    const json = jsonIn(text);
    if (Array.isArray(json) || typeof json === 'string') add(json, 'json');
    if (isRecorded(text) && !found.has(text)) found.set(text, { value: undefined, text, form: 'recorded' });
    add(['anonymous', text], 'json', true);
    const parts = text.split(/[\s,]+/).filter(part => part !== '');
    if (parts.length > 1)
      for (const values of combinations(parts.slice(0, PARTS_MAX))) add(values, 'json', true);
  }
  return [...found.values()];
}

/** The text without what outputs, shells and addresses put around a key. */
function unwrapped(typed: string, scope: string): readonly string[] {
  const texts = [typed.trim()];
  const last = texts[0] ?? '';
  const address = /\/keys\/([^/?#]+)/.exec(last)?.[1];
  if (address !== undefined) texts.push(decoded(address));
  else if (/%[0-9A-Fa-f]{2}/.test(last)) texts.push(decoded(last));
  if (last.includes('\\')) {
    texts.push(String(jsonIn(`"${last.replace(/(?<!\\)"/g, '\\"')}"`) ?? last));
    texts.push(last.replaceAll('\\"', '"'));
  }
  const [, quote, bare] = /^(["'])(.*)\1$/s.exec(last) ?? [];
  if (bare !== undefined) texts.push(quote === '"' ? String(jsonIn(last) ?? bare) : bare);
  const prefix = `${scope}#`;
  return [...texts, ...texts.filter(text => text.startsWith(prefix)).map(text => text.slice(prefix.length))];
}

function combinations(parts: readonly string[]): readonly (readonly (string | number)[])[] {
  const [first, ...more] = parts;
  if (first === undefined) return [[]];
  const number = first.replace(/^#/, '');
  const heads: (string | number)[] = isNumber(number) ? [first, Number(number)] : [first];
  return heads.flatMap(head => combinations(more).map(tail => [head, ...tail]));
}

/** Whether a text is how a record has the parts of a key, and not as they are: escaped, marked, joined or cut. */
function isRecorded(text: string): boolean {
  return isShortened(text) || (/[~,#]/.test(text) && partsIn(text) !== undefined);
}

function isNumber(text: string): boolean {
  return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The JSON value of a text; undefined if the text is not JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
