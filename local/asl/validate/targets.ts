import type { Json } from '../json';
import type { Problems } from '../problems';
import { objectsIn, type RawMachine, type RawState } from '../raw';

// States Language, "Transitions" and "Terminal State".

/** Checks that transitions lead somewhere, that every state is reached, and that the machine can end. */
export function validateTargets(machine: RawMachine, problems: Problems): void {
  const names = new Set(machine.states.map(state => state.name));
  for (const target of [startOf(machine), ...machine.states.flatMap(targetsOf)]) {
    if (!names.has(target.name)) {
      problems.add('MISSING_TRANSITION_TARGET', `Missing 'Next' target: ${target.name}`, target.location);
    }
  }
  if (!machine.states.some(isTerminal)) {
    // Without an end the service does not look for unreachable states.
    problems.add('MISSING_END_STATE', 'Workflow has no terminal state', null);
    return;
  }
  const reached = reachedFrom(startOf(machine).name, machine);
  for (const state of machine.states.filter(({ name }) => !reached.has(name))) {
    problems.add('MISSING_TRANSITION_TARGET', `State "${state.name}" is not reachable.`, state.location);
  }
}

interface Target {
  readonly name: string;
  readonly location: string;
}

function startOf(machine: RawMachine): Target {
  return { name: String(machine.fields['StartAt']), location: '/StartAt' };
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

function isTerminal(state: RawState): boolean {
  return state.fields['End'] === true || state.type === 'Succeed' || state.type === 'Fail';
}

function reachedFrom(start: string, machine: RawMachine): ReadonlySet<string> {
  const byName = new Map(machine.states.map(state => [state.name, state]));
  const reached = new Set<string>();
  const pending = [start];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const state = byName.get(name);
    if (!state || reached.has(name)) continue;
    reached.add(name);
    pending.push(...targetsOf(state).map(next => next.name));
  }
  return reached;
}
