import { isJsonObject, type Json, type JsonObject } from '../json/json';
import type { Evaluated, Failed } from './evaluation';
import { parsePath } from './path';
import type { Path } from './syntax';

/** A path that names one place: `$`, `$.a.b[0]`. */
export interface ReferencePath {
  readonly steps: readonly ReferenceStep[];
  /** As a path to select with. */
  readonly path: Path;
}

/** One step of a reference path. */
export type ReferenceStep =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'item'; readonly index: number };

/** A reference path, or why the text is none. */
export type ParsedReferencePath =
  | { readonly kind: 'referencePath'; readonly referencePath: ReferencePath }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Reads a reference path: one that can lead to a single place only, of the state's input. */
export function parseReferencePath(text: string): ParsedReferencePath {
  const parsed = parsePath(text);
  if (parsed.kind === 'invalid') return parsed;
  const { path } = parsed;
  if (path.root.kind !== 'input') return { kind: 'invalid', reason: "a reference path begins with '$.'" };
  const steps: ReferenceStep[] = [];
  for (const step of path.steps) {
    const isPlace = step.kind === 'member' || (step.kind === 'item' && step.index >= 0);
    if (!isPlace || path.then !== undefined) {
      return { kind: 'invalid', reason: 'a reference path consists of names and indices only' };
    }
    steps.push(step);
  }
  return { kind: 'referencePath', referencePath: { steps, path } };
}

/**
 * The document with `value` at the place of the reference path (`ResultPath`): what is there is replaced, objects that
 * are missing on the way are made. `null` discards the value. The document itself is never changed.
 *
 * States.ResultPathMatchFailure where a step meets something that is neither object nor array, or an item is not there.
 */
export function place(referencePath: ReferencePath | null, document: Json, value: Json): Evaluated {
  if (referencePath === null) return { kind: 'value', value: document };
  return placeAt(referencePath.steps, document, value);
}

function placeAt(steps: readonly ReferenceStep[], document: Json | undefined, value: Json): Evaluated {
  const [step, ...rest] = steps;
  if (step === undefined) return { kind: 'value', value };
  if (step.kind === 'item') {
    if (!Array.isArray(document) || step.index >= document.length)
      return noPlace(String(step.index), document);
    const placed = placeAt(rest, document[step.index], value);
    return placed.kind === 'failed'
      ? placed
      : { kind: 'value', value: document.with(step.index, placed.value) };
  }
  if (document !== undefined && !isJsonObject(document)) return noPlace(step.name, document);
  const object = document ?? {};
  const placed = placeAt(rest, Object.hasOwn(object, step.name) ? object[step.name] : undefined, value);
  return placed.kind === 'failed'
    ? placed
    : { kind: 'value', value: withMember(object, step.name, placed.value) };
}

/** Unlike a spread with a computed name, keeps a member called `__proto__`. */
function withMember(object: JsonObject, name: string, value: Json): JsonObject {
  const entries = new Map(Object.entries(object));
  return Object.fromEntries(entries.set(name, value));
}

function noPlace(step: string, document: Json | undefined): Failed {
  const cause = `Unable to apply step "${step}" to input ${JSON.stringify(document === undefined ? {} : document)}`;
  return { kind: 'failed', error: 'States.ResultPathMatchFailure', cause };
}
