import { type Completion, errorDetails, matches, whereIn } from '../../engine/index';
import type { State } from '../../language/index';
import type { Inspection } from './inspection';
import type { ErrorDetails, InspectionData, TestStateAnswer, TestStateRequest } from './request';
import type { TestedState } from './test-run';

/** The answer of TestState for a state that came out so. */
export function answerOf(request: TestStateRequest, state: State, tested: TestedState): TestStateAnswer {
  const inspected =
    request.inspectionLevel === undefined || request.inspectionLevel === 'INFO'
      ? {}
      : { inspectionData: inspectionData(request, state, tested) };
  return { ...outcomeOf(tested, state), ...inspected };
}

function outcomeOf(
  { completion, inspection }: TestedState,
  state: State,
): Omit<TestStateAnswer, 'inspectionData'> {
  const { failure, catcher } = inspection;
  switch (completion.kind) {
    case 'left': {
      const { thread, next } = completion;
      const left = { output: thread.input.text, ...(next !== undefined && { nextState: next }) };
      if (!failure || catcher === undefined) return { status: 'SUCCEEDED', ...left };
      return { status: 'CAUGHT_ERROR', ...left, ...said(failure, completion) };
    }
    case 'failed':
      return { status: 'FAILED', ...said(completion.failure, completion) };
    case 'waiting':
      if (failure && completion.thread.waits?.kind === 'retry') {
        return { status: 'RETRIABLE', ...said(failure, completion) };
      }
      throw new Error(`state '${state.name}' is not at its end`);
    case 'full':
      throw new Error(`state '${state.name}' has filled a history`);
    default:
      return completion satisfies never;
  }
}

/** Error and cause. If a state failed on its own, the cause does not repeat which state it was. */
function said(failure: Parameters<typeof errorDetails>[0], { thread }: Completion) {
  const { error, cause } = errorDetails(failure);
  const place = whereIn(thread);
  const reason = cause?.startsWith(place) ? cause.slice(place.length) : cause;
  return { ...(error !== undefined && { error }), ...(reason !== undefined && { cause: reason }) };
}

function inspectionData(request: TestStateRequest, state: State, tested: TestedState): InspectionData {
  const { variables } = tested.completion.thread;
  const details = detailsOf(state, tested);
  return {
    input: request.input ?? '{}',
    ...shown(tested.inspection.data, state),
    ...(Object.keys(variables).length > 0 && { variables: JSON.stringify(variables) }),
    ...(Object.keys(details).length > 0 && { errorDetails: details }),
  };
}

/** As recorded, a Parallel shows nothing of what comes before its branches. */
function shown(data: Inspection['data'], { kind }: State): Inspection['data'] {
  if (kind !== 'parallel') return data;
  const { afterInputPath: _input, afterParameters: _parameters, ...rest } = data;
  return rest;
}

const MS_PER_SECOND = 1000;

function detailsOf(state: State, { completion, inspection, endedAt }: TestedState): ErrorDetails {
  const { failure, catcher } = inspection;
  if (!failure || !('retry' in state)) return {};
  const retrier = state.retry.findIndex(({ errorEquals }) => matches(errorEquals, failure));
  const waits = completion.kind === 'waiting' ? completion.thread.waits : null;
  const backoff = waits?.kind === 'retry' ? (waits.timer.due - endedAt) / MS_PER_SECOND : undefined;
  return {
    ...(retrier >= 0 && { retryIndex: retrier }),
    ...(backoff !== undefined && { retryBackoffIntervalSeconds: Math.max(0, Math.round(backoff)) }),
    ...(catcher !== undefined && { catchIndex: catcher }),
  };
}
