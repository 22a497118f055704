import { NATIVES } from './natives';
import { isTrue } from './operators';
import {
  asSequence,
  type Code,
  type Frame,
  GIVE_UP,
  isSequence,
  plain,
  resemblesFunction,
  type Sequence,
  sequenceOf,
} from './run';

/** A step of a path with its predicates. */
export interface Step {
  readonly code: Code;
  readonly filters: readonly Filter[];
  /** True for a variable: as the first step it does not look into a list that is the context. */
  readonly isVariable: boolean;
  /** The member that it takes, if it does nothing else. */
  readonly name: string | undefined;
}

/** A predicate: an index into the list, or a condition for each item. */
export type Filter =
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'condition'; readonly code: Code };

/** Follows the steps, each from all that the one before has found. */
export function pathCode(steps: readonly Step[]): Code {
  const [first] = steps;
  const members = membersBehind(steps);
  return (input, frame) => {
    if (members && first) {
      const value = first.code(input, frame);
      const member = memberOf(value, members, frame);
      if (member !== LISTS) return member;
    }
    let found: readonly unknown[] = Array.isArray(input) && !first?.isVariable ? input : [input];
    for (let index = 0; index < steps.length; index += 1) {
      const next = takeStep(steps[index] as Step, found, frame, index === steps.length - 1);
      if (next.length === 0) return isSequence(next) ? undefined : next;
      found = next;
    }
    return found;
  };
}

/** The names behind a variable, if there is nothing else: most paths are so. */
function membersBehind([first, ...rest]: readonly Step[]): readonly string[] | undefined {
  if (!first?.isVariable || first.filters.length > 0 || rest.length === 0) return undefined;
  const names = rest.flatMap(({ name }) => name ?? []);
  return names.length === rest.length ? names : undefined;
}

/** What a path comes to that has a list on its way, or at its end. */
const LISTS = Symbol('lists');

/** The member of a member, as long as each is an object. */
function memberOf(from: unknown, names: readonly string[], frame: Frame): unknown {
  frame.run.visit(names.length);
  let value = from;
  for (const name of names) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) return LISTS;
    value = member(value, name);
  }
  return Array.isArray(value) ? LISTS : value;
}

/** A member of an object that is neither a list nor a function. */
function member(object: object, name: string): unknown {
  if (resemblesFunction(object)) throw GIVE_UP;
  return Object.hasOwn(object, name) ? plain((object as Record<string, unknown>)[name]) : undefined;
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
    if (!Array.isArray(input)) return member(input, name);
    frame.run.spend(input.length);
    return LOOKUP?.implementation.call(FOCUS, input, name);
  };
}

const LOOKUP = NATIVES.get('lookup');
const FOCUS = { createSequence: (...items: unknown[]) => sequenceOf(...items) };

function takeStep(step: Step, input: readonly unknown[], frame: Frame, isLast: boolean): readonly unknown[] {
  const found: unknown[] = [];
  frame.run.spend(input.length);
  for (const item of input) {
    let value = step.code(item, frame);
    for (const filter of step.filters) value = applyFilter(filter, value, frame);
    if (value !== undefined) found.push(value);
  }
  if (!found.some(Array.isArray)) return asSequence(found);
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
