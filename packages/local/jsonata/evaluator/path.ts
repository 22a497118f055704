import { NATIVES } from './natives';
import { isTrue } from './operators';
import { type Code, type Frame, GIVE_UP, isSequence, plain, type Sequence, sequenceOf } from './run';

/** A step of a path with its predicates. */
export interface Step {
  readonly code: Code;
  readonly filters: readonly Filter[];
  /** True for a variable: as the first step it does not look into a list that is the context. */
  readonly isVariable: boolean;
}

/** A predicate: an index into the list, or a condition for each item. */
export type Filter =
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'condition'; readonly code: Code };

/** Follows the steps, each from all that the one before has found. */
export function pathCode(steps: readonly Step[]): Code {
  const [first] = steps;
  return (input, frame) => {
    let found: readonly unknown[] = Array.isArray(input) && !first?.isVariable ? input : [input];
    for (const [index, step] of steps.entries()) {
      const next = takeStep(step, found, frame, index === steps.length - 1);
      if (next.length === 0) return isSequence(next) ? undefined : next;
      found = next;
    }
    return found;
  };
}

/** Narrows a value down. What it selects is a sequence, as in the interpreter. */
export function applyFilter(filter: Filter, value: unknown, frame: Frame): unknown {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (filter.kind === 'index') {
    const item = items[filter.index < 0 ? items.length + filter.index : filter.index];
    if (item === undefined) return sequenceOf();
    return Array.isArray(item) ? item : sequenceOf(item);
  }
  const selected = sequenceOf();
  frame.run.spend(items.length);
  for (const [index, item] of items.entries()) {
    const result = filter.code(item, frame);
    const indices = typeof result === 'number' ? [result] : result;
    if (isListOfNumbers(indices)) {
      for (const position of indices) {
        const at = Math.floor(position);
        if ((at < 0 ? items.length + at : at) === index) selected.push(item);
      }
    } else if (isTrue(result)) selected.push(item);
  }
  return selected;
}

/** The member of an object, or those of all objects in a list. */
export function nameCode(name: string): Code {
  return (input, frame) => {
    if (typeof input !== 'object' || input === null) return undefined;
    if ('_jsonata_lambda' in input || '_jsonata_function' in input) throw GIVE_UP;
    if (!Array.isArray(input)) {
      return Object.hasOwn(input, name) ? plain((input as Record<string, unknown>)[name]) : undefined;
    }
    frame.run.spend(input.length);
    return NATIVES.get('lookup')?.implementation.call(FOCUS, input, name);
  };
}

const FOCUS = { createSequence: (...items: unknown[]) => sequenceOf(...items) };

function takeStep(step: Step, input: readonly unknown[], frame: Frame, isLast: boolean): readonly unknown[] {
  const found: unknown[] = [];
  frame.run.spend(input.length);
  for (const item of input) {
    let value = step.code(item, frame);
    for (const filter of step.filters) value = applyFilter(filter, value, frame);
    if (value !== undefined) found.push(value);
  }
  const [only] = found;
  if (isLast && found.length === 1 && Array.isArray(only) && !isSequence(only)) return only;
  const flat: Sequence = sequenceOf();
  for (const value of found) {
    if (Array.isArray(value)) for (const inner of value) flat.push(inner);
    else flat.push(value);
  }
  return flat;
}

function isListOfNumbers(value: unknown): value is readonly number[] {
  if (!Array.isArray(value) || !value.every(item => typeof item === 'number')) return false;
  if (!value.every(Number.isFinite)) throw GIVE_UP;
  return true;
}
