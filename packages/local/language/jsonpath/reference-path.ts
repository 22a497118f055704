import { isJsonObject, type Json } from '../../json/json';
import type { Failed, PathResult } from './evaluation';
import { parsePath, type Roots, select } from './path';
import { type Path, type Step, stepText } from './syntax';

/** A path that names one place: `$`, `$.a.b[0]`. */
export interface ReferencePath {
  readonly steps: readonly ReferenceStep[];
  /** As a path to select with. */
  readonly path: Path;
}

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
 * States.ReferencePathConflict where a step meets something that is neither object nor array, or an item is not there.
 */
export function insert(referencePath: ReferencePath | null, document: Json, value: Json): PathResult {
  if (referencePath === null) return { kind: 'value', value: document };
  const placed = placeAt(referencePath.steps, document, value);
  return placed.kind === 'value' ? placed : conflictAt(placed.step, document);
}

/**
 * The value of a definite path that stands for a place in a document (`ItemsPath`). States.ReferencePathConflict with
 * the first step that leads to nothing.
 */
export function valueAt(path: Path, roots: Roots): PathResult {
  const found = select(path, roots);
  if (found.kind === 'value') return found;
  const isThere = (count: number) =>
    select({ ...path, steps: path.steps.slice(0, count) }, roots).kind === 'value';
  const document = select({ ...path, steps: [] }, roots);
  if (document.kind === 'missing') return { kind: 'failed', error: 'States.Runtime', cause: found.reason };
  const step = path.steps.find((_, index) => !isThere(index + 1));
  return conflictAt(step === undefined ? '' : nameOf(step), document.value);
}

function nameOf(step: Step): string {
  if (step.kind === 'member') return step.name;
  return step.kind === 'item' ? String(step.index) : stepText(step);
}

function conflictAt(step: string, document: Json): Failed {
  const cause = `Unable to apply step "${step}" to input ${JSON.stringify(document)}`;
  return { kind: 'failed', error: 'States.ReferencePathConflict', cause };
}

/** A document with a value in it, or the step that has no place in it. */
type Placed =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'conflict'; readonly step: string };

function placeAt(steps: readonly ReferenceStep[], document: Json | undefined, value: Json): Placed {
  const [step, ...rest] = steps;
  if (step === undefined) return { kind: 'value', value };
  if (step.kind === 'item') {
    if (!Array.isArray(document) || step.index >= document.length)
      return { kind: 'conflict', step: String(step.index) };
    const placed = placeAt(rest, document[step.index], value);
    return placed.kind === 'conflict'
      ? placed
      : { kind: 'value', value: document.with(step.index, placed.value) };
  }
  if (document !== undefined && !isJsonObject(document)) return { kind: 'conflict', step: step.name };
  const object = document ?? {};
  const placed = placeAt(rest, Object.hasOwn(object, step.name) ? object[step.name] : undefined, value);
  return placed.kind === 'conflict'
    ? placed
    : { kind: 'value', value: { ...object, [step.name]: placed.value } };
}
