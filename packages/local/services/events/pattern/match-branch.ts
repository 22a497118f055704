import type { Branch } from './branches';
import { type EventField, joinMemberships, type Membership } from './event-fields';
import type { FieldMatcher } from './field-matcher';

/**
 * True when the fields match every path of the branch, with values that can stand together.
 *
 * Two values stand together unless they lie in different elements of one array: of an event with
 * `"people": [{"first": "Anna", "last": "Smith"}, {"first": "Peter", "last": "Jones"}]` the branch
 * `first: Anna, last: Jones` matches nothing. "Absent" means absent from the elements chosen so far.
 */
export function matchesBranch(branch: Branch, fields: ReadonlyMap<string, readonly EventField[]>): boolean {
  const paths = [...branch.keys()].sort();
  const arraysAfter = arraysOfLaterPaths(paths, fields);

  let chosen: readonly Membership[] = [new Map()];
  for (const [position, path] of paths.entries()) {
    const values = fields.get(path) ?? [];
    const matchers = branch.get(path) ?? [];
    const next = chosen.flatMap(soFar => extensions(soFar, matchers, values));
    chosen = distinct(next, arraysAfter[position] ?? new Set());
    if (chosen.length === 0) return false;
  }
  return true;
}

function extensions(
  soFar: Membership,
  matchers: readonly FieldMatcher[],
  values: readonly EventField[],
): readonly Membership[] {
  const reachable: { readonly value: EventField['value']; readonly joined: Membership }[] = [];
  for (const { value, membership } of values) {
    const joined = joinMemberships(soFar, membership);
    if (joined) reachable.push({ value, joined });
  }
  const passing = reachable.filter(({ value }) =>
    matchers.some(matcher => matcher.kind === 'value' && matcher.test(value)),
  );
  const isAbsent = reachable.length === 0 && matchers.some(matcher => matcher.kind === 'absent');
  return isAbsent ? [soFar] : passing.map(({ joined }) => joined);
}

/** For each path, the arrays that later paths lead through. Choices in other arrays no longer matter. */
function arraysOfLaterPaths(
  paths: readonly string[],
  fields: ReadonlyMap<string, readonly EventField[]>,
): readonly ReadonlySet<number>[] {
  const later: ReadonlySet<number>[] = [];
  let arrays: ReadonlySet<number> = new Set();
  for (const path of [...paths].reverse()) {
    later.unshift(arrays);
    const own = (fields.get(path) ?? []).flatMap(({ membership }) => [...membership.keys()]);
    arrays = new Set([...arrays, ...own]);
  }
  return later;
}

/** Drops what no longer matters and what is then the same, so independent arrays do not multiply. */
function distinct(memberships: readonly Membership[], arrays: ReadonlySet<number>): readonly Membership[] {
  const byKey = new Map<string, Membership>();
  for (const membership of memberships) {
    const relevant = [...membership].filter(([array]) => arrays.has(array)).sort(([a], [b]) => a - b);
    byKey.set(relevant.join(';'), new Map(relevant));
  }
  return [...byKey.values()];
}
