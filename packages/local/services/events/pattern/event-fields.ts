import { isJsonObject, type Json } from '../../../json/json';
import { isScalar, type Scalar } from './position';

/** Which arrays of the event a value lies in, and in which of their elements: array number -> index. */
export type Membership = ReadonlyMap<number, number>;

/** One value of an event. A path has several when it leads through an array. */
export interface EventField {
  readonly value: Scalar;
  readonly membership: Membership;
}

/**
 * The values of an event by the dotted path of their names, for the paths of interest only.
 *
 * Arrays add nothing to a path, so an array of scalars is a field with several values, and an empty array is not a
 * field. A scalar is not a member of the array it stands in, only of those further out: two scalars of one array never
 * contradict each other. (EventBridge's matcher works the same way.)
 */
export function eventFields(
  event: Json,
  paths: ReadonlySet<string>,
): ReadonlyMap<string, readonly EventField[]> {
  const wanted = withPrefixes(paths);
  const fields = new Map<string, EventField[]>();
  let arrays = 0;

  const collect = (value: Json, path: string, membership: Membership): void => {
    if (isScalar(value)) {
      if (!paths.has(path)) return;
      const known = fields.get(path) ?? [];
      known.push({ value, membership });
      fields.set(path, known);
    } else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        const memberPath = path === '' ? name : `${path}.${name}`;
        if (wanted.has(memberPath)) collect(member, memberPath, membership);
      }
    } else {
      const array = arrays;
      arrays += 1;
      for (const [index, element] of value.entries()) {
        collect(element, path, isScalar(element) ? membership : new Map(membership).set(array, index));
      }
    }
  };
  collect(event, '', new Map());
  return fields;
}

/** Joins two memberships, or undefined where they name different elements of the same array. */
export function joinMemberships(one: Membership, other: Membership): Membership | undefined {
  if (other.size === 0) return one;
  const joined = new Map(one);
  for (const [array, index] of other) {
    if ((joined.get(array) ?? index) !== index) return undefined;
    joined.set(array, index);
  }
  return joined;
}

function withPrefixes(paths: ReadonlySet<string>): ReadonlySet<string> {
  const prefixes = new Set(paths);
  for (const path of paths) {
    for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
      prefixes.add(path.slice(0, dot));
    }
  }
  return prefixes;
}
