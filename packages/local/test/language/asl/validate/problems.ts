import type { Json, JsonObject } from '../../../../json/json';
import { parseDefinition } from '../../../../language/asl/parse';

/** A JSONata machine of these states that starts at the first one. */
export function machineOf(states: { readonly [name: string]: Json }, more: JsonObject = {}): JsonObject {
  return { QueryLanguage: 'JSONata', StartAt: Object.keys(states)[0] ?? '', States: states, ...more };
}

/** The problems of a machine: a line for each, as the service would print it. */
export function problemsOf(machine: Json): string[] {
  const parsed = parseDefinition(typeof machine === 'string' ? machine : JSON.stringify(machine));
  if (parsed.kind === 'definition') return [];
  return parsed.problems.map(({ code, message, location }) => `${code}: ${message} at ${location}`);
}

/** The same for a machine of one state X that ends. */
export function problemsIn(state: JsonObject): string[] {
  return problemsOf(machineOf({ X: state, End: { Type: 'Succeed' } }));
}
