import { createHash } from 'node:crypto';
import jsonata from 'jsonata';
import { JavaRandom } from '../../json/java-random';
import { parseJson } from '../../json/syntax';
import { type Depth, requireMemory, type Usage } from './limits';
import { originalOf } from './originals';
import type { EvaluationContext } from './scope';
import { registerTexts, toText } from './texts';

/** What one evaluation carries for the functions it calls. */
export interface EvaluationState {
  readonly evaluationContext: EvaluationContext;
  readonly depth: Depth;
  readonly usage: Usage;
}

/** The name under which each evaluation binds its `EvaluationState`; no expression can spell it. */
export const STATE = '\u0000';

/**
 * Makes an expression's functions the service's: six more, no `$eval`, time and randomness from the
 * evaluation context, numbers in texts rounded to 15 significant digits.
 *
 * A signature is what gives the service's texts for wrong arguments, so functions check only what it cannot
 * say.
 */
export function registerFunctions(expression: jsonata.Expression): void {
  expression.assign('eval', undefined);
  registerTexts(expression, focus => stateOf(focus).usage);
  expression.registerFunction('clone', clone, '<(oa)-:o>');
  expression.registerFunction('distinct', distinct, '<x:x>');
  expression.registerFunction('now', now, '<s?s?:s>');
  expression.registerFunction('millis', millis, '<:n>');
  expression.registerFunction('toMillis', toMillis, '<s-s?:n>');
  expression.registerFunction('random', random, '<n?:n>');
  expression.registerFunction('shuffle', shuffle, '<a:a>');
  expression.registerFunction('uuid', uuid, '<:s>');
  expression.registerFunction('hash', hash, '<ss?:s>');
  expression.registerFunction('parse', parse, '<s?:x>');
  expression.registerFunction('range', range, '<nnn?:a<n>>');
  // Without a signature: one that asks for an array would wrap a scalar instead of rejecting it.
  expression.registerFunction('partition', partition);
}

function stateOf(focus: jsonata.Focus): EvaluationState {
  return focus.environment.lookup(STATE);
}

/** A copy through a text, as the package makes it; nothing of nothing. */
function clone(value: unknown): unknown {
  const text = toText(value);
  return text === undefined ? undefined : JSON.parse(text);
}

// The package's formatting is reachable only from within an expression.
const FORMAT_TIME = jsonata('$fromMillis($time, $picture, $zone)');

function now(this: jsonata.Focus, picture?: string, zone?: string): string | Promise<string> {
  const time = stateOf(this).evaluationContext.now;
  if (picture === undefined && zone === undefined) return new Date(time).toISOString();
  return FORMAT_TIME.evaluate(undefined, { time, picture, zone });
}

/** The package's own, with the parts of a time that a picture leaves out taken from the time of the evaluation. */
function toMillis(this: jsonata.Focus, text?: string, picture?: string): unknown {
  const environment = { timestamp: new Date(stateOf(this).evaluationContext.now) };
  return originalOf('toMillis').implementation.call({ environment }, text, picture);
}

function millis(this: jsonata.Focus): number {
  return stateOf(this).evaluationContext.now;
}

function random(this: jsonata.Focus, seed?: number): number {
  if (seed === undefined) return stateOf(this).evaluationContext.random();
  return new JavaRandom(seed).nextDouble();
}

/** The package's own way to shuffle, with randomness that can be given. */
function shuffle(this: jsonata.Focus, items?: readonly unknown[]): unknown[] | undefined {
  if (items === undefined) return undefined;
  const shuffled: unknown[] = [];
  for (const [index, item] of items.entries()) {
    const position = Math.floor(stateOf(this).evaluationContext.random() * (index + 1));
    if (position !== index) shuffled[index] = shuffled[position];
    shuffled[position] = item;
  }
  return shuffled;
}

function uuid(this: jsonata.Focus): string {
  return stateOf(this).evaluationContext.uuid();
}

const HASHES = new Map([
  ['SHA-1', 'sha1'],
  ['SHA-384', 'sha384'],
  ['SHA-256', 'sha256'],
  ['SHA-512', 'sha512'],
  ['MD5', 'md5'],
]);

function hash(text?: string, algorithm?: string): string | undefined {
  if (text === undefined || algorithm === undefined) return undefined;
  const name = HASHES.get(algorithm);
  if (name) return createHash(name).update(text, 'utf8').digest('hex');
  const known = [...HASHES.keys()].join(', ');
  throw { code: 'D3137', message: `Hash algorithm '${algorithm}' must be one of ${known}` };
}

function parse(text?: string): unknown {
  if (text === undefined) return undefined;
  const parsed = parseJson(text);
  if (parsed.kind === 'invalid') throw { code: 'D3137', message: 'Invalid JSON' };
  return parsed.value;
}

/** Elements `$range` makes on the service before it runs out of memory. */
const RANGE_ELEMENTS_MAX = 360_145;

function range(start?: number, end?: number, step?: number): number[] | undefined {
  if (start === undefined || end === undefined || step === undefined) return undefined;
  const [from, to, by] = [Math.trunc(start), Math.trunc(end), Math.trunc(step)];
  if (by === 0) return undefined;
  const count = Math.floor((to - from) / by) + 1;
  requireMemory(count, RANGE_ELEMENTS_MAX);
  const numbers = Array.from({ length: Math.max(0, count) }, (_, index) => from + index * by);
  // A sequence, as on the service: one element collapses to itself, none to nothing.
  return Object.assign(numbers, { sequence: true });
}

// A partial application reads the names of its parameters, and a list of more is none.
function partition(items: unknown, size: unknown, more: unknown): unknown[][] | undefined {
  if (more !== undefined) throw { code: 'T0410', index: 3 };
  if (size !== undefined && typeof size !== 'number') throw { code: 'T0410', index: 2 };
  if (items === undefined) return undefined;
  if (!Array.isArray(items)) throw { code: 'T0412', index: 1 };
  const width = Math.trunc(size ?? items.length);
  if (width < 0) throw { code: 'D3137', message: 'Second argument must be zero or greater' };
  if (width === 0 || items.length === 0) return undefined;
  const count = Math.ceil(items.length / width);
  return Array.from({ length: count }, (_, index) => items.slice(index * width, (index + 1) * width));
}

/**
 * `$distinct`, as the package answers it: the first of all items that are equal. The package compares each item with
 * all that it has selected, which takes very long for some thousand objects, and nothing could stop it meanwhile.
 */
function distinct(this: jsonata.Focus, items: unknown): unknown {
  if (!Array.isArray(items) || items.length <= 1) return items;
  const isSequence = (items as { sequence?: boolean }).sequence === true;
  const { createSequence } = this as unknown as { createSequence(): unknown[] };
  const selected = isSequence ? createSequence() : [];
  const seen = new Set<unknown>();
  for (const item of items) {
    const key = keyOf(item);
    if (seen.has(key)) continue;
    seen.add(key);
    selected.push(item);
  }
  return selected;
}

/** The same for items that are equal. A text of an object never is one of a text: that has quotation marks. */
function keyOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null ? (textOf(item) ?? item) : scalarKey(item);
}

function scalarKey(item: unknown): unknown {
  return typeof item === 'string' ? JSON.stringify(item) : item;
}

/** JSON with the members in order of their names; undefined with a function in it, which is equal to itself only. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return listText(value);
  if ('_jsonata_function' in value || '_jsonata_lambda' in value) return undefined;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const texts: string[] = [];
  for (const [name, member] of members) {
    const text = textOf(member);
    if (text === undefined) return undefined;
    texts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${texts.join(',')}}`;
}

function listText(items: readonly unknown[]): string | undefined {
  const texts: string[] = [];
  for (const item of items) {
    const text = textOf(item);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return `[${texts.join(',')}]`;
}
