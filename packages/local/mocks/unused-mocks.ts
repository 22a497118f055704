import { notKnown } from '../assembly/likeness';
import { isJsonObject, type Json } from '../json/json';
import { parseJson } from '../json/syntax';
import { isNameOf } from './mocks';
import { type MockTable, withoutPattern } from './read-mocks';

/** A state machine as mocks call it. */
interface Machine {
  readonly name: string;
  readonly logicalId: string;
  readonly definitionText: string;
}

interface Task {
  readonly machine: Machine;
  readonly state: string;
  readonly resource: string;
}

/**
 * What of the mocks answers no call of these state machines, a sentence each: a name with a typing error answers
 * nothing, or it is of another state machine.
 */
export function unusedMocks(
  { answers, testCases }: MockTable,
  machines: readonly Machine[],
): readonly string[] {
  const tasks = machines.flatMap(machine => tasksOf(machine, definitionOf(machine.definitionText)));
  const names = [...new Set(tasks.flatMap(({ state, resource }) => [state, resource]))];
  const isUsed = (key: string) => tasks.some(task => namesOf(task).includes(key) || isOfMachine(key, task));
  const unused = [...answers.keys()].filter(key => !isUsed(key));
  const sentences = unused.map(
    key => `Answers.${key} ${notKnown(key, 'a state that calls, or a resource,', names)}`,
  );
  for (const [machineAndCase, states] of testCases) {
    const name = machineAndCase.slice(0, machineAndCase.lastIndexOf('#'));
    const own = tasks.filter(({ machine }) => isNameOf(name, machine.name));
    if (!machines.some(machine => isNameOf(name, machine.name))) {
      const known = machines.map(machine => machine.name);
      sentences.push(`StateMachines.${name} ${notKnown(name, 'a state machine', known)}`);
      continue;
    }
    const known = own.map(({ state }) => state);
    const unknown = [...states.keys()].filter(state => !known.includes(state));
    sentences.push(
      ...unknown.map(
        state => `StateMachines.${name}: ${state} ${notKnown(state, 'a state that calls', known)}`,
      ),
    );
  }
  return [...new Set(sentences)];
}

function namesOf({ state, resource }: Task): readonly string[] {
  return [state, resource];
}

function isOfMachine(key: string, { machine, state }: Task): boolean {
  return key.endsWith(`/${state}`) && isNameOf(key.slice(0, -state.length - 1), machine.name);
}

/** The states of a definition that call something, those within Map and Parallel included. */
function tasksOf(machine: Machine, value: Json): readonly Task[] {
  if (Array.isArray(value)) return value.flatMap(item => tasksOf(machine, item as Json));
  if (!isJsonObject(value)) return [];
  const { States: states } = value;
  const own = isJsonObject(states)
    ? Object.entries(states).flatMap(([state, content]) => {
        const resource = isJsonObject(content) ? content['Resource'] : undefined;
        return typeof resource === 'string' ? [{ machine, state, resource: withoutPattern(resource) }] : [];
      })
    : [];
  return [...own, ...Object.values(value).flatMap(member => tasksOf(machine, member))];
}

function definitionOf(text: string): Json {
  const parsed = parseJson(text);
  return parsed.kind === 'json' ? parsed.value : null;
}
