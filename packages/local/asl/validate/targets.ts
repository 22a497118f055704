import type { Json } from '../../json/json';
import type { Problems } from '../problems';
import { has, objectsIn, type RawMachine, type RawScope, type RawState } from '../raw';

// Transitions: https://states-language.net/spec.html#transition

/**
 * Checks that transitions lead somewhere within their own scope, that every state is reached, and that each
 * scope can end.
 */
export function validateTargets(machine: RawMachine, problems: Problems): void {
  for (const scope of machine.scopes) checkScope(scope, problems);
}

function checkScope(scope: RawScope, problems: Problems): void {
  const names = new Set(scope.states.map(state => state.name));
  const start = startOf(scope);
  for (const target of [...start, ...scope.states.flatMap(targetsOf)]) {
    if (!names.has(target.name)) {
      problems.add('MISSING_TRANSITION_TARGET', `Missing 'Next' target: ${target.name}`, target.location);
    }
  }
  if (!scope.states.some(isTerminal)) {
    // Without an end the service does not look for unreachable states.
    problems.add('MISSING_END_STATE', 'Workflow has no terminal state', scope.location || null);
    return;
  }
  const reached = reachedFrom(start, scope);
  for (const state of scope.states.filter(({ name }) => !reached.has(name))) {
    problems.add('MISSING_TRANSITION_TARGET', `State "${state.name}" is not reachable.`, state.location);
  }
}

interface Target {
  readonly name: string;
  readonly location: string;
}

function startOf({ fields, location }: RawScope): Target[] {
  return target(fields['StartAt'], `${location}/StartAt`);
}

function targetsOf(state: RawState): Target[] {
  const lists = ['Choices', 'Catch'].flatMap(list =>
    objectsIn(state, list).flatMap(item => target(item.fields['Next'], `${item.location}/Next`)),
  );
  return [
    ...target(state.fields['Next'], `${state.location}/Next`),
    ...lists,
    ...target(state.fields['Default'], `${state.location}/Default`),
  ];
}

function target(name: Json | undefined, location: string): Target[] {
  return typeof name === 'string' ? [{ name, location }] : [];
}

/** Whether a state may end its scope: to the service one of an unknown `Type` may, one without a `Type` may not. */
function isTerminal({ fields, type }: RawState): boolean {
  return (fields['End'] === true && has(fields, 'Type')) || type === 'Succeed' || type === 'Fail';
}

function reachedFrom(start: readonly Target[], scope: RawScope): ReadonlySet<string> {
  const byName = new Map(scope.states.map(state => [state.name, state]));
  const reached = new Set<string>();
  const pending = start.map(({ name }) => name);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const state = byName.get(name);
    if (!state || reached.has(name)) continue;
    reached.add(name);
    pending.push(...targetsOf(state).map(next => next.name));
  }
  return reached;
}
