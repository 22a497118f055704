import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { follow, missing, type Selected } from './follow';
import { readPath } from './parse-path';
import { NotReadable, Reader } from './reader';
import { Search } from './search';
import { normalizedPath, type Path, type PathFunction, type Root } from './syntax';

/** A path that can be selected with, or why the text is none. */
export type ParsedPath =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Reads a path of the States Language: `$.a[0]`, `$$.Execution.Id`, `$name.b`, with all that Jayway JsonPath has. */
export function parsePath(text: string): ParsedPath {
  const reader = new Reader(text);
  try {
    const path = readPath(reader);
    // Jayway takes the space behind a path away.
    reader.match(SPACE_AT_END);
    if (reader.isAtEnd) return { kind: 'path', path };
    return { kind: 'invalid', reason: reader.unexpected('expected a step').message };
  } catch (error) {
    if (error instanceof NotReadable) return { kind: 'invalid', reason: error.message };
    throw error;
  }
}

const SPACE_AT_END = /\s+$/y;

/** What paths begin at. */
export interface Roots {
  /** `$`. */
  readonly input: Json;
  /** `$$`. */
  readonly context: JsonObject;
  /** `$name`. */
  readonly variables: JsonObject;
}

/**
 * What a path leads to. A definite path leads to one value or to nothing; any other to a list, which is empty where
 * nothing is found, as on the service. Values share structure with the roots.
 *
 * A search that visits more than a million values, or compares a hundred million, is given up, as if nothing were
 * there.
 */
export function select(path: Path, roots: Roots): Selected {
  const root = rootOf(path.root, roots);
  if (root.kind === 'missing') return root;
  const found = path.isDefinite ? follow(path.steps, root.value) : new Search(root.value).along(path.steps);
  if (path.then === undefined || found.kind === 'missing') return found;
  return apply(path.then, found.value, normalizedPath(path.steps));
}

function rootOf(root: Root, roots: Roots): Selected {
  if (root.kind === 'input') return { kind: 'value', value: roots.input };
  if (root.kind === 'context') return { kind: 'value', value: roots.context };
  const { variables } = roots;
  if (!Object.hasOwn(variables, root.name)) return missing(`The variable $${root.name} has no value`);
  return { kind: 'value', value: variables[root.name] ?? null };
}

function apply(name: PathFunction, value: Json, path: string): Selected {
  if (name === 'length') {
    if (Array.isArray(value)) return { kind: 'value', value: value.length };
    if (isJsonObject(value)) return { kind: 'value', value: Object.keys(value).length };
    return missing(`No results for path: ${path}.length()`);
  }
  const numbers = Array.isArray(value) ? value.filter(item => typeof item === 'number') : [];
  if (numbers.length === 0)
    return missing('Aggregation function attempted to calculate value using empty array');
  const sum = numbers.reduce((total, number) => total + number, 0);
  const values = {
    sum,
    avg: sum / numbers.length,
    min: numbers.reduce((least, number) => Math.min(least, number)),
    max: numbers.reduce((most, number) => Math.max(most, number)),
  };
  return { kind: 'value', value: values[name] };
}
