import type { Json } from '../json/json';
import {
  type Data,
  dataOf,
  type Field,
  type ParallelState,
  type PathField,
  type TaskState,
} from '../language/index';
import { evaluateAs, evaluateField, evaluateNumber, evaluateSeconds, type Typed } from './evaluation';
import type { Thread } from './execution';
import { pathNumber, pathSeconds, pathText } from './path-values';
import { effectiveInput, evaluatePathField } from './paths';
import type { Turn } from './turn';

// Each state computes its fields in its own language: expressions are in evaluation.ts, paths in paths.ts and
// path-values.ts. Here the states ask for the values, whatever the language.

/** A field that stands at `location`, as failures of JSONata states name it. */
export interface Located {
  readonly field: Field;
  readonly location: string;
}

/** True for a field of a JSONPath state that is not a literal. */
export function isPathField(field: Field): field is PathField {
  const { kind } = field;
  return kind === 'query' || kind === 'payload' || kind === 'rule';
}

/** What a Task and the branches of a Parallel work on: `Arguments`, `Parameters`, or the input of the state. */
export function argumentsOf(
  turn: Turn,
  { arguments: field, paths }: TaskState | ParallelState,
  thread: Thread,
): Typed<Data> {
  if (field) {
    const args = fieldValue(turn, thread, { field, location: 'Arguments' });
    return args.kind === 'failed' ? args : { kind: 'value', value: dataOf(args.value) };
  }
  return paths ? effectiveInput(turn, thread, paths) : { kind: 'value', value: thread.input };
}

export function fieldValue(turn: Turn, thread: Thread, { field, location }: Located): Typed<Json> {
  if (isPathField(field)) return evaluatePathField(turn, thread, field);
  return evaluateField(turn, thread, { template: field, location });
}

/** The value of a field that must give a text. */
export function fieldText(turn: Turn, thread: Thread, { field, location }: Located): Typed<string> {
  if (isPathField(field)) return pathText(turn, thread, field);
  return evaluateAs(turn, thread, { template: field, location }, 'string');
}

/** The value of a field that must give a boolean. */
export function fieldCondition(turn: Turn, thread: Thread, { field, location }: Located): Typed<boolean> {
  if (!isPathField(field)) return evaluateAs(turn, thread, { template: field, location }, 'boolean');
  const held = evaluatePathField(turn, thread, field);
  return held.kind === 'failed' ? held : { kind: 'value', value: held.value === true };
}

/** The value of a field of whole seconds. */
export function fieldSeconds(turn: Turn, thread: Thread, { field, location }: Located): Typed<number> {
  if (isPathField(field)) return pathSeconds(turn, thread, field);
  return evaluateSeconds(turn, thread, field, location);
}

/** The value of a field that must give a number from 0 on. */
export function fieldNumber(
  turn: Turn,
  thread: Thread,
  { field, location }: Located,
  range: { readonly min?: number; readonly max: number; readonly isInteger: boolean },
): Typed<number> {
  if (isPathField(field)) return pathNumber(turn, thread, field, range);
  return evaluateNumber(turn, thread, { template: field, location }, range);
}
