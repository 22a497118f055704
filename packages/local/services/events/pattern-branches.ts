import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import type { PatternPlace } from './pattern-place';
import { type FieldMatcher, fieldMatcher } from './pattern-value';

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
 * A pattern without `$or` has one branch. `$or` multiplies the branches so far by its alternatives. Where a path is
 * named twice (in a branch of an `$or` and outside, or through dotted names) the later one replaces the earlier, as
 * in EventBridge's matcher. Problems go to `place`; the branches mean nothing if there was one.
 */
export function patternBranches(pattern: Json, place: PatternPlace): readonly Branch[] {
  if (isJsonObject(pattern)) return objectBranches([new Map()], pattern, { path: '', place, inOr: false });
  place.problem('Filter is not an object');
  return [];
}

interface Context {
  readonly path: string;
  readonly place: PatternPlace;
  readonly inOr: boolean;
}

function objectBranches(
  branches: readonly Branch[],
  object: JsonObject,
  context: Context,
): readonly Branch[] {
  const members = Object.entries(object);
  if (members.length === 0) context.place.problem('Empty objects are not allowed');
  return members.reduce((soFar, member) => memberBranches(soFar, member, context), branches);
}

function memberBranches(
  branches: readonly Branch[],
  [name, value]: readonly [string, Json],
  { path, place: outer, inOr }: Context,
): readonly Branch[] {
  const place = outer.inside(name);
  if (name === OR) return orBranches(branches, value, { path, place, inOr: true });
  if (inOr && RESERVED_IN_OR.has(name)) {
    place.problem(`${name} is Ruler reserved fieldName which cannot be used inside ${OR}.`);
    return branches;
  }

  // EventBridge joins names with dots and forgets where they were: {"a.b": …} and {"a": {"b": …}} are one field.
  const fieldPath = path === '' ? name : `${path}.${name}`;
  if (isJsonObject(value)) return objectBranches(branches, value, { path: fieldPath, place, inOr });
  if (!Array.isArray(value)) {
    place.problem(`"${name}" must be an object or an array`);
    return branches;
  }
  const matchers = fieldMatchers(value, place);
  return branches.map(branch => new Map(branch).set(fieldPath, matchers));
}

function fieldMatchers(elements: readonly Json[], place: PatternPlace): readonly FieldMatcher[] {
  if (elements.length === 0) place.problem('Empty arrays are not allowed');
  return elements.flatMap((element, index) => fieldMatcher(element, place.inside(index)) ?? []);
}

function orBranches(branches: readonly Branch[], value: Json, context: Context): readonly Branch[] {
  const { place } = context;
  if (!Array.isArray(value)) {
    place.problem(`It must be an Array followed with ${OR}.`);
    return branches;
  }
  if (value.length < 2) place.problem(`There must have at least 2 Objects in ${OR} relationship.`);

  const forked: Branch[] = [];
  for (const [index, alternative] of value.entries()) {
    const inner = place.inside(index);
    if (!isJsonObject(alternative)) {
      inner.problem(`Only JSON object is allowed in array of ${OR} relationship.`);
      continue;
    }
    forked.push(...objectBranches(branches, alternative, { ...context, place: inner }));
    if (forked.length > BRANCHES_MAX) {
      place.problem(`${OR} multiplies to more than ${BRANCHES_MAX} combinations; use fewer alternatives.`);
      return branches;
    }
  }
  return forked;
}
