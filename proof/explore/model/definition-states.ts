import { isJsonObject, type Json, type JsonObject } from '../../../packages/local/json/json';
import { type Definition, rawMachine } from '../../../packages/local/language/index';

/** The states of a definition as they are written, those within others too: a name is used once. */
export function statesOf(json: JsonObject): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(rawMachine(json).states.map(({ name, fields }) => [name, fields]));
}

/** The number of functions in the chain that is the business step; undefined if the step is not a chain. */
export function functionsOfChain(json: JsonObject): number | undefined {
  const step = statesOf(json)['Business step'];
  if (step?.['Type'] !== 'Parallel') return undefined;
  const resources = Object.values(statesOf({ States: { step } })).map(({ Resource }) => String(Resource));
  return resources.filter(resource => resource.endsWith(':lambda:invoke')).length;
}

const TASK_MS_DEFAULT = 60_000;

/** For how long the business step may work, and the timeout of the Task that calls it: in a chain the first one. */
export function stepTimesOf(json: JsonObject): { readonly taskMs: number; readonly stepMs: number } {
  const states = statesOf(json);
  const step = states['Business step'] ?? {};
  if (step['Type'] !== 'Parallel') {
    const taskMs = milliseconds(step['TimeoutSeconds']);
    return { taskMs, stepMs: taskMs };
  }
  const task = Object.values(statesOf({ States: { step } })).find(({ Type }) => Type === 'Task');
  return {
    taskMs: milliseconds(task?.['TimeoutSeconds']),
    stepMs: milliseconds(states['Let the step end']?.['Seconds']),
  };
}

function milliseconds(seconds: Json | undefined): number {
  return typeof seconds === 'number' ? seconds * 1000 : TASK_MS_DEFAULT;
}

/**
 * For each state the variables that it mentions, or a state that it may lead to, unless they are assigned anew on every
 * way there. All others decide nothing any more. A Fail state's cause is for people, so what only a cause mentions does
 * not count.
 */
export function liveVariablesOf({ states }: Definition, json: JsonObject): Map<string, Set<string>> {
  const raw = statesOf(json);
  const live = new Map<string, Set<string>>();
  for (const name of states.keys()) {
    const { Cause: _cause, ...decides } = raw[name] ?? {};
    const words = JSON.stringify(decides).matchAll(/\$(\w+)/g);
    live.set(name, new Set([...words].map(([, word = '']) => word)));
  }
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    for (const name of states.keys()) {
      const own = live.get(name) ?? new Set();
      const before = own.size;
      for (const { next, assigned } of exits(raw[name] ?? {}))
        for (const word of live.get(next) ?? []) if (!assigned.includes(word)) own.add(word);
      isGrowing ||= own.size > before;
    }
  }
  return live;
}

/** The states that a state may lead to, each with the variables that are assigned on the way. */
function exits(state: JsonObject) {
  const { Catch: catchers = [], Choices: rules = [], Next, Default: next = Next } = state;
  const others = [catchers, rules].flatMap(list => (Array.isArray(list) ? list.filter(isJsonObject) : []));
  return [{ Next: next, Assign: state['Assign'] }, ...others].map(({ Next: to, Assign: assign = {} }) => ({
    next: String(to),
    assigned: isJsonObject(assign ?? null) ? Object.keys(assign as JsonObject) : [],
  }));
}
