import { isJsonObject, type JsonObject } from '../../json/json';
import { parseJson } from '../../json/syntax';
import {
  type Definition,
  describeProblems,
  parseDefinition,
  type RawState,
  rawMachine,
  type State,
  targetsOf,
} from '../../language/index';
import type { ServiceTable } from '../calls/service';
import { StatesError } from '../requests/errors';
import type { TestStateRequest } from './request';

/** The one state that is tested, in a definition that it can be run in. */
export interface StateUnderTest {
  readonly definition: Definition;
  readonly state: State;
  readonly language: RawState['language'];
}

/** What the service calls a state that is tested, whatever its name. */
export const TESTED_NAME = 'StateName';

/**
 * The state that a request tests: its whole definition, or the state of that name, also within a Map or Parallel.
 *
 * @throws StatesError `InvalidDefinition` with every problem of the text; `ValidationException` for an unknown name
 */
export function stateUnderTest(request: TestStateRequest, services: ServiceTable): StateUnderTest {
  const { stateName, definition: text } = request;
  const rules = { isTested: true, knows: (integration: string) => services.has(integration) };
  const machine = stateName === undefined ? machineAround(text) : text;
  const parsed = parseDefinition(machine, rules);
  if (parsed.kind === 'problems') {
    throw new StatesError('InvalidDefinition', describeProblems(parsed.problems));
  }
  const { definition } = parsed;
  const { errorCausedByState: cause = TESTED_NAME } = request.stateConfiguration ?? {};
  const state = definition.states.get(stateName ?? TESTED_NAME);
  if (!state || (cause !== TESTED_NAME && !definition.states.has(cause))) {
    throw new StatesError('ValidationException', 'State not found in definition');
  }
  return { definition, state, language: languageOf(machine, state.name) };
}

/** The language of a state in a text that has been checked. */
function languageOf(text: string, stateName: string): RawState['language'] {
  const fields: unknown = JSON.parse(text);
  const { states } = rawMachine(fields as JsonObject);
  return states.find(({ name }) => name === stateName)?.language ?? 'JSONPath';
}

/**
 * A machine that consists of one state. The states it leads to are not there, and are not asked for: each is a Succeed
 * here. A text that is not an object is returned as it is.
 */
function machineAround(text: string): string {
  const parsed = parseJson(text);
  if (parsed.kind !== 'json' || !isJsonObject(parsed.value)) return text;
  const tested = { [TESTED_NAME]: parsed.value };
  const targets = rawMachine({ States: tested }).states.slice(0, 1).flatMap(targetsOf);
  const others = Object.fromEntries(targets.map(({ name }) => [name, { Type: 'Succeed' }]));
  return JSON.stringify({ StartAt: TESTED_NAME, States: { ...others, ...tested } });
}
