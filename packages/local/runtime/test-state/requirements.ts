import { isJsonObject, type JsonObject } from '../../json/json';
import { parseJson } from '../../json/syntax';
import { describeProblems, type State } from '../../language/index';
import type { ServiceTable } from '../calls/service';
import { StatesError } from '../requests/errors';
import type { StateConfiguration, TestStateRequest } from './request';

/** The surroundings of a mock, in the words of messages. */
const CONFIGURED: readonly (readonly [keyof StateConfiguration, string])[] = [
  ['retrierRetryCount', 'RetrierRetryCount'],
  ['errorCausedByState', 'ErrorCausedByState'],
  ['mapIterationFailureCount', 'MapIterationFailureCount'],
  ['mapItemReaderData', 'MapItemReaderData'],
];

/** @throws StatesError `ValidationException` for what only a request with a mock may have, or one without */
export function requireMock({
  mock,
  context,
  stateConfiguration = {},
  revealSecrets,
}: TestStateRequest): void {
  if (mock) {
    if (revealSecrets) throw invalid('TestState does not support RevealSecrets when a mock is specified.');
    return;
  }
  const configured = CONFIGURED.find(([member]) => stateConfiguration[member] !== undefined)?.[1];
  const lacking = configured ?? (context === undefined ? undefined : 'Context');
  if (lacking === undefined) return;
  throw invalid(`TestState does not support ${lacking} when a mock is not specified.`);
}

/** @throws StatesError `ValidationException` for a Map whose reader has nothing to read */
export function requireReaderData(state: State, { stateConfiguration }: TestStateRequest): void {
  const isRead = state.kind === 'map' && state.distributed?.reader !== undefined;
  if (!isRead || stateConfiguration?.mapItemReaderData !== undefined) return;
  throw invalid('ItemReader data must be specified when testing a Map state with ItemReader specified.');
}

/**
 * @throws StatesError `InvalidDefinition` for a state that is tested with a mock alone, or that calls what is not
 * there; `ValidationException` for a Task without a role
 */
export function requireUnmocked(state: State, { roleArn }: TestStateRequest, services: ServiceTable): void {
  if (state.kind === 'map' || state.kind === 'parallel') {
    throw unsupported(
      'Map or Parallel states. Supported state types include: [Task, Wait, Pass, Succeed, Fail, Choice]',
    );
  }
  if (state.kind !== 'task') return;
  const { arn, integration, pattern } = state.resource;
  if (pattern === 'sync' || pattern === 'callback') {
    throw unsupported("'.sync' or '.waitForTaskToken' integration patterns.");
  }
  if (pattern === 'activity') throw unsupported('Activity tasks.');
  if (roleArn === undefined) throw invalid('RoleArn must be specified when testing a Task state');
  if (services.has(integration)) return;
  const message = `Resource ${arn} is not supported by the local engine yet: give the state a mock`;
  const location = `/States/${state.name}/Resource`;
  throw new StatesError(
    'InvalidDefinition',
    describeProblems([{ code: 'NOT_SUPPORTED_LOCALLY', message, location }]),
  );
}

/** The variables in a text, none where there is none. @throws StatesError `ValidationException` for any other text */
export function readVariables(text = '{}'): JsonObject {
  const parsed = parseJson(text);
  if (parsed.kind === 'json' && isJsonObject(parsed.value)) return parsed.value;
  throw invalid('Variables must be a JSON object');
}

function unsupported(what: string): StatesError {
  return new StatesError('InvalidDefinition', `TestState API does not support ${what}`);
}

function invalid(message: string): StatesError {
  return new StatesError('ValidationException', message);
}
