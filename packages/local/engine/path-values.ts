import type { Json } from '../json/json';
import { type PathField, parseOffsetDateTime, valueAt as placeAt, type Scope } from '../language/index';
import type { EvaluationFailure, Typed } from './evaluation';
import type { Thread } from './execution';
import {
  type Evaluated,
  effectiveInput,
  evaluatePathField,
  pathsOf,
  resultOf,
  runtimeFailure,
  scopeOf,
  selected,
} from './paths';
import type { Turn } from './turn';

// The fields called `...Path`, which take the place of a literal: https://states-language.net/spec.html#path
// Each kind of them says in words of its own why a value cannot be used.

/** A text, as `ErrorPath` and `CausePath` need it. */
export function pathText(turn: Turn, thread: Thread, field: PathField): Typed<string> {
  const found = evaluatePathField(turn, thread, field);
  if (found.kind === 'failed') return found;
  const { value } = found;
  if (typeof value === 'string') return { kind: 'value', value };
  return runtimeFailure(
    `The value of the field '${nameOf(field)}' must be a string but was: ${JSON.stringify(value)}`,
  );
}

/** Whole seconds of a limit (`TimeoutSecondsPath`, `HeartbeatSecondsPath`) or of a wait (`SecondsPath`). */
export function pathSeconds(turn: Turn, thread: Thread, field: PathField): Typed<number> {
  const isWait = nameOf(field) === 'SecondsPath';
  const found = isWait ? parameter(turn, thread, field) : valueAt(turn, thread, field);
  if (found.kind === 'failed') return found;
  const { value } = found;
  const shown = `${textOf(field)} == ${shownValue(value)}`;
  if (typeof value !== 'number' || !Number.isInteger(value))
    return runtimeFailure(`The ${nameOf(field)} parameter cannot be parsed as a long value: ${shown}`);
  if (value < 0)
    return runtimeFailure(`The ${nameOf(field)} parameter references a negative value: ${shown}`);
  return { kind: 'value', value };
}

/** The moment of `TimestampPath`, epoch milliseconds. */
export function pathTime(turn: Turn, thread: Thread, field: PathField): Typed<number> {
  const found = parameter(turn, thread, field);
  if (found.kind === 'failed') return found;
  const at = typeof found.value === 'string' ? parseOffsetDateTime(found.value) : undefined;
  if (at !== undefined) return { kind: 'value', value: at };
  return runtimeFailure(
    `The ${nameOf(field)} parameter does not reference a valid ISO-8601 extended offset date-time format string: ` +
      `${textOf(field)} == ${shownValue(found.value)}`,
  );
}

/** A number of a Map (`MaxConcurrencyPath`), which may be written as a text. */
export function pathNumber(
  turn: Turn,
  thread: Thread,
  field: PathField,
  { min = 0, max, isInteger }: { readonly min?: number; readonly max: number; readonly isInteger: boolean },
): Typed<number> {
  const found = valueAt(turn, thread, field);
  if (found.kind === 'failed') return found;
  const value = numberIn(found.value);
  const isOne =
    value !== undefined && (!isInteger || Number.isInteger(value)) && value >= min && value <= max;
  if (isOne) return { kind: 'value', value };
  const what = isInteger ? 'integer' : 'number';
  return runtimeFailure(
    `The ${nameOf(field)} field refers to value "${shownValue(found.value)}" which is not a valid ${what}: ` +
      textOf(field),
  );
}

/** The list that `ItemsPath` leads to; without one, the state's input must be a list. */
export function pathItems(turn: Turn, thread: Thread, field: PathField | undefined): Typed<readonly Json[]> {
  const paths = pathsOf(turn, thread);
  const input = effectiveInput(turn, thread, paths);
  if (input.kind === 'failed') return input;
  const found: Evaluated = field
    ? itemsAt(field, scopeOf(turn, thread, input.value.value))
    : { kind: 'value', value: input.value.value };
  if (found.kind === 'failed') return found;
  if (Array.isArray(found.value)) return { kind: 'value', value: found.value };
  // As recorded, a path into the context is shown as one within it.
  const path = field ? textOf(field).replace(/^\$\$/, '$') : '$';
  return runtimeFailure(`Reference path "${path}" must point to array.`);
}

function itemsAt(field: PathField, scope: Scope): Evaluated {
  if (field.kind !== 'query' || field.query.kind !== 'path') throw new Error('an unchecked ItemsPath');
  return resultOf(placeAt(field.query.path, scope));
}

/** The value a path leads to. */
function valueAt(turn: Turn, thread: Thread, field: PathField): Evaluated {
  if (field.kind !== 'query' || field.query.kind !== 'path') return evaluatePathField(turn, thread, field);
  const input = effectiveInput(turn, thread, pathsOf(turn, thread));
  return input.kind === 'failed' ? input : selected(field.query, scopeOf(turn, thread, input.value.value));
}

/** The same in the words for what a Wait waits for. */
function parameter(turn: Turn, thread: Thread, field: PathField): Evaluated | EvaluationFailure {
  const found = valueAt(turn, thread, field);
  if (found.kind === 'value') return found;
  return runtimeFailure(`The ${nameOf(field)} parameter does not reference an input value: ${textOf(field)}`);
}

function numberIn(value: Json): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
}

function nameOf(field: PathField): string {
  return field.kind === 'query' ? field.name : '';
}

function textOf(field: PathField): string {
  return field.kind === 'query' ? field.query.text : '';
}

function shownValue(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
