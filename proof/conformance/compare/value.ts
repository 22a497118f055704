import { isJsonObject } from '../../../packages/local/json/json';
import { type Difference, pointer } from './difference';
import type { Ignored } from './ignored';
import { isValueOf, type Placeholders } from './placeholders';

/** What two values are compared under. */
export interface Terms {
  readonly placeholders: Placeholders;
  readonly isIgnored: Ignored;
  /** Whether a member may be there although the recording lacks it. @default - none may */
  readonly isAddition?: (member: string) => boolean;
}

/** The place in the compared value: its pointer, and the name of the nearest member, by which times are recognized. */
export interface Location {
  readonly path: string;
  readonly member: string;
}

/**
 * The first difference of a value from what was recorded.
 *
 * The order of members means nothing; members without value count as absent. A recorded object may be the JSON text of
 * it, and JSON text is compared by what it says.
 */
export function compareValue(
  terms: Terms,
  expected: unknown,
  actual: unknown,
  location: Location = ROOT,
): Difference | undefined {
  if (terms.isIgnored(location.path)) return undefined;
  if (typeof expected === 'string') return compareText(terms, expected, actual, location);
  if (typeof expected !== 'object' || expected === null) {
    return Object.is(expected, actual) || expected === actual
      ? undefined
      : differing(location, 'differs', expected, actual);
  }
  const found = typeof actual === 'string' ? parsed(actual)?.value : actual;
  if (Array.isArray(expected)) {
    return Array.isArray(found)
      ? compareArray(terms, expected, found, location)
      : differing(location, 'is not an array', expected, actual);
  }
  return isJsonObject(found)
    ? compareObject(terms, expected, found, location)
    : differing(location, 'is not an object', expected, actual);
}

/** Where a comparison begins. */
const ROOT: Location = { path: '', member: '' };

/** A difference at this location. */
export function differing(
  location: Location,
  message: string,
  expected?: unknown,
  actual?: unknown,
): Difference {
  return { path: location.path || '/', message, expected, actual };
}

function compareText(
  terms: Terms,
  expected: string,
  actual: unknown,
  location: Location,
): Difference | undefined {
  if (isWildcard(expected, location.member)) return undefined;
  const pattern = terms.placeholders.patternOf(expected);
  if (pattern?.whole !== undefined) return compareWhole(terms, pattern.whole, actual, location);
  if (actual === expected) return undefined;
  if (typeof actual !== 'string') return differing(location, 'is not a text', expected, actual);
  const match = pattern?.expression.exec(actual);
  if (match) return bindAll(terms, pattern?.names ?? [], match.slice(1), { location, expected, actual });
  return compareJsonText(terms, expected, actual, location);
}

function compareWhole(
  terms: Terms,
  name: string,
  actual: unknown,
  location: Location,
): Difference | undefined {
  if (actual === undefined || !isValueOf(name, actual)) {
    return differing(location, `does not fit ${name}`, name, actual);
  }
  const text = typeof actual === 'string' ? actual : JSON.stringify(actual);
  return bindAll(terms, [name], [text], { location, expected: name, actual });
}

function bindAll(
  terms: Terms,
  names: readonly string[],
  texts: readonly string[],
  {
    location,
    expected,
    actual,
  }: { readonly location: Location; readonly expected: string; readonly actual: unknown },
): Difference | undefined {
  for (const [index, name] of names.entries()) {
    if (terms.placeholders.bind(name, texts[index] ?? '')) continue;
    return differing(location, `${name} was ${terms.placeholders.valueOf(name)} before`, expected, actual);
  }
  return undefined;
}

/** Spaces and the order of members in a JSON text are not part of what it says. */
function compareJsonText(
  terms: Terms,
  expected: string,
  actual: string,
  location: Location,
): Difference | undefined {
  const wanted = /^\s*[[{"\-\d]/.test(expected) ? parsed(expected) : undefined;
  const found = wanted && parsed(actual);
  if (wanted && found) {
    const bindings = terms.placeholders.save();
    const difference = compareValue(terms, wanted.value, found.value, location);
    if (!difference) return undefined;
    terms.placeholders.restore(bindings);
  }
  return differing(location, 'differs', expected, actual);
}

function compareArray(
  terms: Terms,
  expected: readonly unknown[],
  actual: readonly unknown[],
  { path, member }: Location,
): Difference | undefined {
  for (let index = 0; index < Math.max(expected.length, actual.length); index += 1) {
    const location = { path: pointer(path, index), member };
    if (terms.isIgnored(location.path)) continue;
    if (index >= actual.length) return differing(location, 'is missing', expected[index]);
    if (index >= expected.length) return differing(location, 'is too many', undefined, actual[index]);
    const difference = compareValue(terms, expected[index], actual[index], location);
    if (difference) return difference;
  }
  return undefined;
}

function compareObject(
  terms: Terms,
  expected: object,
  actual: Readonly<Record<string, unknown>>,
  { path }: Location,
): Difference | undefined {
  const rest = new Map(Object.entries(actual).filter(([, value]) => value !== undefined));
  for (const [member, wanted] of Object.entries(expected)) {
    const location = { path: pointer(path, member), member };
    const name = nameIn(rest, member, expected, terms);
    const found = rest.get(name);
    const isMissing = !rest.delete(name);
    if (terms.isIgnored(location.path)) continue;
    if (isMissing) return differing(location, 'is missing', wanted);
    const difference = compareValue(terms, wanted, found, location);
    if (difference) return difference;
  }
  for (const [member, found] of rest) {
    const location = { path: pointer(path, member), member };
    const isFine = terms.isIgnored(location.path) || terms.isAddition?.(member);
    if (!isFine) return differing(location, 'is too many', undefined, found);
  }
  return undefined;
}

/** The name that a recorded name, which may hold placeholders, has in the answer. */
function nameIn(rest: ReadonlyMap<string, unknown>, member: string, expected: object, terms: Terms): string {
  const pattern = rest.has(member) ? undefined : terms.placeholders.patternOf(member);
  const fitting = [...rest.keys()].find(
    name => pattern?.expression.test(name) && !Object.hasOwn(expected, name),
  );
  return fitting ?? member;
}

/** What the recorder wrote over values that differ in every run: any value is as good. */
function isWildcard(text: string, member: string): boolean {
  if (text === 'datetime' || text === 'date') return true;
  if (text === 'timestamp') return /timestamp|time$|date$/i.test(member);
  return SELF_NAMED.has(text) && text.toLowerCase() === member.toLowerCase();
}

const SELF_NAMED: ReadonlySet<string> = new Set([
  'RequestId',
  'X-Amzn-Trace-Id',
  'x-amz-apigw-id',
  'x-amz-crc32',
  'x-amzn-RequestId',
  'x-amzn-requestid',
]);

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
