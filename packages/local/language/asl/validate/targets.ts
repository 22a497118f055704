import type { JsonObject } from '../../../json/json';
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
  const targets = new Map(scope.states.map(state => [state.name, targetsOf(state)]));
  const start = startOf(scope);
  for (const found of [start, ...targets.values()]) {
    for (const { name, location } of found) {
      if (targets.has(name)) continue;
      problems.add('MISSING_TRANSITION_TARGET', `Missing 'Next' target: ${name}`, location);
    }
  }
  if (!scope.states.some(isTerminal)) {
    // Without an end the service does not look for unreachable states.
    problems.add('MISSING_END_STATE', 'Workflow has no terminal state', scope.location || null);
    return;
  }
  const reached = reachedFrom(start, targets);
  for (const state of scope.states.filter(({ name }) => !reached.has(name))) {
    problems.add('MISSING_TRANSITION_TARGET', `State "${state.name}" is not reachable.`, state.location);
  }
}

interface Target {
  readonly name: string;
  readonly location: string;
}

function startOf({ fields, location }: RawScope): Target[] {
  const found: Target[] = [];
  addTarget(found, fields, 'StartAt', location);
  return found;
}

/** The states that a state leads to, and where it says so. */
export function targetsOf(state: RawState): Target[] {
  const { fields, location } = state;
  const found: Target[] = [];
  addTarget(found, fields, 'Next', location);
  for (const list of LISTS)
    for (const item of objectsIn(state, list)) addTarget(found, item.fields, 'Next', item.location);
  addTarget(found, fields, 'Default', location);
  return found;
}

const LISTS = ['Choices', 'Catch'] as const;

function addTarget(found: Target[], fields: JsonObject, field: string, location: string): void {
  const name = fields[field];
  if (typeof name === 'string') found.push({ name, location: `${location}/${field}` });
}

/** Whether a state may end its scope: to the service one of an unknown `Type` may, one without a `Type` may not. */
function isTerminal({ fields, type }: RawState): boolean {
  return (fields['End'] === true && has(fields, 'Type')) || type === 'Succeed' || type === 'Fail';
}

function reachedFrom(
  start: readonly Target[],
  targets: ReadonlyMap<string, readonly Target[]>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = start.map(({ name }) => name);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const next = targets.get(name);
    if (!next || reached.has(name)) continue;
    reached.add(name);
    for (const target of next) pending.push(target.name);
  }
  return reached;
}
