import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { type FieldMatcher, fieldMatcher } from './field-matcher';
import type { PatternPosition } from './position';

/** Fields that must all match: dotted path of the field -> matchers of which one must pass. */
export type Branch = ReadonlyMap<string, readonly FieldMatcher[]>;

/** AWS's bound on what the `$or`s of one pattern may multiply to. */
const BRANCHES_MAX = 1_000;

const OR = '$or';

/** Names that mean an operator, so that an `$or` of operators (instead of fields) is noticed. */
const RESERVED_IN_OR = new Set(
  (
    'exactly equals-ignore-case prefix suffix anything-but exists wildcard numeric cidr html = < <= > >= regex ' +
    'not-wildcard not-equals-ignore-case date-after date-on-or-after date-before date-on-or-before in-date-range ' +
    'ip-address-in-range ip-address-not-in-range'
  ).split(' '),
);

/**
 * The branches of a pattern: an event matches the pattern when it matches one of them.
 *
 * A pattern without `$or` has one branch. `$or` multiplies the branches so far by its alternatives. If a path is named
 * twice (in a branch of an `$or` and outside, or through dotted names) the later one replaces the earlier, as in
 * EventBridge's matcher. Problems go to `position`; the branches mean nothing if there was one.
 */
export function patternBranches(pattern: Json, position: PatternPosition): readonly Branch[] {
  if (isJsonObject(pattern)) return objectBranches([new Map()], pattern, { path: '', position, inOr: false });
  position.problem('Filter is not an object');
  return [];
}

interface Context {
  readonly path: string;
  readonly position: PatternPosition;
  readonly inOr: boolean;
}

function objectBranches(
  branches: readonly Branch[],
  object: JsonObject,
  context: Context,
): readonly Branch[] {
  const members = Object.entries(object);
  if (members.length === 0) context.position.problem('Empty objects are not allowed');
  return members.reduce((soFar, member) => memberBranches(soFar, member, context), branches);
}

function memberBranches(
  branches: readonly Branch[],
  [name, value]: readonly [string, Json],
  { path, position: outer, inOr }: Context,
): readonly Branch[] {
  const position = outer.inside(name);
  if (name === OR) return orBranches(branches, value, { path, position, inOr: true });
  if (inOr && RESERVED_IN_OR.has(name)) {
    position.problem(`${name} is Ruler reserved fieldName which cannot be used inside ${OR}.`);
    return branches;
  }

  // EventBridge joins names with dots and forgets where they were: {"a.b": …} and {"a": {"b": …}} are one field.
  const fieldPath = path === '' ? name : `${path}.${name}`;
  if (isJsonObject(value)) return objectBranches(branches, value, { path: fieldPath, position, inOr });
  if (!Array.isArray(value)) {
    position.problem(`"${name}" must be an object or an array`);
    return branches;
  }
  const matchers = fieldMatchers(value, position);
  return branches.map(branch => new Map(branch).set(fieldPath, matchers));
}

function fieldMatchers(elements: readonly Json[], position: PatternPosition): readonly FieldMatcher[] {
  if (elements.length === 0) position.problem('Empty arrays are not allowed');
  return elements.flatMap((element, index) => fieldMatcher(element, position.inside(index)) ?? []);
}

function orBranches(branches: readonly Branch[], value: Json, context: Context): readonly Branch[] {
  const { position } = context;
  if (!Array.isArray(value)) {
    position.problem(`It must be an Array followed with ${OR}.`);
    return branches;
  }
  if (value.length < 2) position.problem(`There must have at least 2 Objects in ${OR} relationship.`);

  const forked: Branch[] = [];
  for (const [index, alternative] of value.entries()) {
    const inner = position.inside(index);
    if (!isJsonObject(alternative)) {
      inner.problem(`Only JSON object is allowed in array of ${OR} relationship.`);
      continue;
    }
    forked.push(...objectBranches(branches, alternative, { ...context, position: inner }));
    if (forked.length > BRANCHES_MAX) {
      position.problem(`${OR} multiplies to more than ${BRANCHES_MAX} combinations; use fewer alternatives.`);
      return branches;
    }
  }
  return forked;
}
