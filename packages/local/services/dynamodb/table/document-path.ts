import { isJsonObject, type Json } from '../../../json/json';
import type { AttributeValue, Item } from './attribute-value';
import { RequestError } from './request-error';

/** The place of a value in an item: an attribute, then members of maps (texts) and elements of lists (numbers). */
export type Path = readonly [string, ...(string | number)[]];

/** The value at a path; undefined where there is none. */
export function valueAt(item: Item, path: Path): AttributeValue | undefined {
  let value: Json | undefined = { M: item };
  for (const piece of path) {
    if (!isJsonObject(value)) return undefined;
    const { M, L }: { readonly M?: Json; readonly L?: Json } = value;
    if (typeof piece === 'number') value = Array.isArray(L) ? (L[piece] as Json | undefined) : undefined;
    else value = isJsonObject(M) && Object.hasOwn(M, piece) ? M[piece] : undefined;
  }
  return isJsonObject(value) ? value : undefined;
}

/**
 * The item with another value at a path, or, for undefined, with none. An element beyond the end of a list is added
 * at its end, in the order in which they are set.
 *
 * @throws RequestError where there is nothing that could hold the value
 */
export function withValueAt(item: Item, path: Path, value: AttributeValue | undefined): Item {
  const changed = changedWithin({ M: item }, path, value)['M'];
  return (isJsonObject(changed) ? changed : {}) as Item;
}

function changedWithin(
  container: AttributeValue | undefined,
  [piece, ...rest]: readonly (string | number)[],
  value: AttributeValue | undefined,
): AttributeValue {
  if (typeof piece === 'number') {
    const list = container?.['L'];
    if (!Array.isArray(list)) throw invalidPath();
    const elements = [...list] as AttributeValue[];
    if (rest.length > 0) elements[piece] = changedWithin(elements[piece], rest, value);
    else if (value === undefined) elements.splice(piece, 1);
    else elements[Math.min(piece, elements.length)] = value;
    return { L: elements };
  }
  const map = container?.['M'];
  if (!isJsonObject(map) || piece === undefined) throw invalidPath();
  if (rest.length > 0) {
    const before = Object.hasOwn(map, piece) ? (map[piece] as AttributeValue) : undefined;
    return { M: { ...map, [piece]: changedWithin(before, rest, value) } };
  }
  if (value !== undefined) return { M: { ...map, [piece]: value } };
  const { [piece]: _, ...others } = map;
  return { M: others };
}

function invalidPath(): RequestError {
  return new RequestError('The document path provided in the update expression is invalid for update');
}

/** A path as error messages show it. */
export function pathText(path: Path): string {
  return `[${path.map(piece => (typeof piece === 'number' ? `[${piece}]` : piece)).join(', ')}]`;
}

/** Whether one place is the other, or within it. */
export function areNested(one: readonly unknown[], two: readonly unknown[]): boolean {
  return one.every((piece, index) => index >= two.length || piece === two[index]);
}

/** @throws RequestError where two paths of one expression overlap, or differ in what they take a value for */
export function requireApart(paths: readonly Path[]): void {
  for (const [index, two] of paths.entries()) {
    for (const one of paths.slice(0, index)) requireTwoApart(one, two);
  }
}

function requireTwoApart(one: Path, two: Path): void {
  for (const [index, piece] of one.entries()) {
    const other = two[index];
    if (other === undefined) break;
    if (typeof other !== typeof piece) throw notApart('conflict', one, two);
    if (other !== piece) return;
  }
  throw notApart('overlap', one, two);
}

function notApart(how: string, one: Path, two: Path): RequestError {
  const paths = `path one: ${pathText(one)}, path two: ${pathText(two)}`;
  const remedy = 'must remove or rewrite one of these paths';
  return new RequestError(`Two document paths ${how} with each other; ${remedy}; ${paths}`);
}
