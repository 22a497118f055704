import { isJsonObject, type Json } from '../json/json';

/** Where two JSON values differ; what one of them does not have is undefined. */
export interface Difference {
  /** The members that lead there, from the value as a whole. */
  readonly path: readonly (string | number)[];
  readonly recorded: Json | undefined;
  readonly replayed: Json | undefined;
}

/** Every difference of two values, the smallest parts in which they differ. The order of members means nothing. */
export function differencesOf(
  recorded: Json | undefined,
  replayed: Json | undefined,
  path: Difference['path'] = [],
): readonly Difference[] {
  if (recorded === replayed) return [];
  if (Array.isArray(recorded) && Array.isArray(replayed) && recorded.length === replayed.length)
    return recorded.flatMap((item, index) => differencesOf(item, replayed[index], [...path, index]));
  if (isJsonObject(recorded) && isJsonObject(replayed)) {
    const names = new Set([...Object.keys(recorded), ...Object.keys(replayed)]);
    return [...names].flatMap(name =>
      differencesOf(memberOf(recorded, name), memberOf(replayed, name), [...path, name]),
    );
  }
  return [{ path, recorded, replayed }];
}

/** The value at a path; undefined where there is none. */
export function valueAt(value: Json | undefined, path: Difference['path']): Json | undefined {
  let at = value;
  for (const name of path) {
    if (Array.isArray(at)) at = at[Number(name)];
    else at = isJsonObject(at) ? memberOf(at, String(name)) : undefined;
  }
  return at;
}

function memberOf(object: { readonly [name: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
