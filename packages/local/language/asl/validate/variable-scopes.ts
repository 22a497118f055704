import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { isDistributed } from '../distributed-map';
import type { Problems } from '../problems';
import { objectsIn, type RawMachine, type RawScope, type RawState } from '../raw';

// Variable scope: https://states-language.net/spec.html#variable-scope
// An inner scope reads the variables of the scopes around it and must not set them.

/**
 * Checks that no branch and no iteration sets a variable that may have a value when its state is entered.
 *
 * What the state itself or a later one sets does not count: the inner scope is gone by then, and the service
 * accepts it.
 */
export function validateVariableScopes(machine: RawMachine, problems: Problems): void {
  const [root] = machine.scopes;
  if (root) checkScope(root, new Set(), problems);
}

function checkScope(scope: RawScope, outer: ReadonlySet<string>, problems: Problems): void {
  const ways = scope.states.flatMap(waysOutOf);
  for (const { names, location } of ways) {
    for (const name of names.filter(variable => outer.has(variable))) {
      const message = `The variable name '${name}' was already defined in a parent scope.`;
      problems.add('INVALID_VARIABLE_NAME', message, location);
    }
  }
  for (const state of scope.states) {
    const known = state.inner.length > 0 ? new Set([...outer, ...definedAt(state, ways)]) : outer;
    // An execution of its own sees no variable of another.
    for (const inner of state.inner)
      checkScope(inner, isDistributed(inner.fields) ? new Set() : known, problems);
  }
}

/** One way out of a state, and the variables it sets. */
interface Way {
  readonly from: string;
  readonly to: string | undefined;
  readonly names: readonly string[];
  readonly location: string;
}

function waysOutOf(state: RawState): Way[] {
  const way = (fields: JsonObject, next: Json | undefined, location: string): Way => ({
    from: state.name,
    to: typeof next === 'string' ? next : undefined,
    names: assignedIn(fields),
    location: `${location}/Assign`,
  });
  const own = state.fields;
  return [
    way(own, own['Next'] ?? own['Default'], state.location),
    ...[...objectsIn(state, 'Choices'), ...objectsIn(state, 'Catch')].map(({ fields, location }) =>
      way(fields, fields['Next'], location),
    ),
  ];
}

/** Variables that some way to the state sets. */
function definedAt({ name }: RawState, ways: readonly Way[]): readonly string[] {
  const defined: string[] = [];
  const seen = new Set<string>();
  const pending = [name];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    for (const { from, names } of ways.filter(({ to }) => to === at)) {
      defined.push(...names);
      pending.push(from);
    }
  }
  return defined;
}

function assignedIn(fields: JsonObject): readonly string[] {
  const assign = fields['Assign'];
  return isJsonObject(assign) ? Object.keys(assign).map(name => name.replace(/\.\$$/, '')) : [];
}
