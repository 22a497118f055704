import { errorDetails, type Failure } from '../../engine/index';
import { isJsonObject } from '../../json/json';
import { parseJson } from '../../json/syntax';
import type { Data, State } from '../../language/index';
import { StatesError } from '../requests/errors';
import { mockProblem } from './mock-schema';
import type { MockInput } from './request';

/** What stands for the work of a state. */
export type Mock = { readonly kind: 'result'; readonly result: Data } | Failure;

/** A state that a mock can stand in for. */
export type MockableState = Extract<State, { kind: 'task' | 'map' | 'parallel' }>;

/** The state where a mock can stand in for it. @throws StatesError `ValidationException` where it cannot */
export function requireMockable(state: State): MockableState {
  if (state.kind === 'task' || state.kind === 'map' || state.kind === 'parallel') return state;
  const type = state.kind.charAt(0).toUpperCase() + state.kind.slice(1);
  throw invalid(`State type '${type}' is not supported when a mock is specified`);
}

/** The mock of a request. @throws StatesError `ValidationException` for one that the state could not have */
export function readMock(state: MockableState, mock: MockInput): Mock {
  const { result, errorOutput } = mock;
  if (result !== undefined && errorOutput !== undefined) {
    throw invalid('A test mock should have only one of the following fields: [result, errorOutput].');
  }
  if (result !== undefined) return { kind: 'result', result: readResult(state, result, mock) };
  if (errorOutput === undefined) {
    throw invalid('A test mock should have one of the following fields: [result, errorOutput].');
  }
  if (errorOutput.error === undefined) {
    throw invalid('An error was not specified in the mocked error output.');
  }
  return { kind: 'failed', ...errorDetails(errorOutput) };
}

function readResult(state: MockableState, text: string, { fieldValidationMode = 'STRICT' }: MockInput): Data {
  const parsed = parseJson(text);
  if (parsed.kind !== 'json') throw invalid('Mocked result must be valid JSON');
  const { value } = parsed;
  switch (state.kind) {
    case 'task': {
      const problem = mockProblem(state.resource, value, fieldValidationMode);
      if (problem !== undefined) throw invalid(problem);
      break;
    }
    case 'parallel':
      if (!Array.isArray(value)) throw invalid('Mocked result must be an array.');
      if (value.length !== state.branches.length) {
        throw invalid('Mocked result must contain the same number of items as number of Parallel branches.');
      }
      break;
    case 'map':
      if (state.distributed?.writer) {
        if (!isJsonObject(value)) throw invalid('Mocked result must be a JSON object.');
      } else if (!Array.isArray(value)) throw invalid('Mocked result must be an array.');
      break;
    default:
      return state satisfies never;
  }
  return { value, text };
}

function invalid(message: string): StatesError {
  return new StatesError('ValidationException', message);
}
