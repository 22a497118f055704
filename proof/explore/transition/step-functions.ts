import type { Execution } from '../../../packages/local/engine/index';
import { isJsonObject, type JsonObject } from '../../../packages/local/json/json';
import { isoTime } from '../../../packages/local/language/index';
import type { JobResult } from '../../../packages/local/runtime/calls/service';
import { redriveProblem } from '../../../packages/local/runtime/executions/redrivability';
import { NAME_TAKEN_MS } from '../../../packages/local/runtime/executions/standard-starts';
import { type Call, currentState, type Earlier, type ExecutionState } from '../model/execution-state';
import { type ModelState, withExecution } from '../model/model-state';
import type { StateSpace } from '../model/state-space';

/** The model after a request to Step Functions, and its answer. */
export interface Served {
  readonly model: ModelState;
  readonly result: JobResult;
}

/** Milliseconds for which DescribeExecution may not know of a change yet: what the definition allows for. */
export const STALE_MS = 15 * 60 * 1000;

/** Milliseconds after its end after which Step Functions deletes an execution. */
export const DELETED_AFTER_MS = 90 * 24 * 60 * 60 * 1000;

/** In place of an error: the execution was deleted, with its state machine. */
export const DELETED = 'deleted with its state machine';

/** Whether an execution was deleted before its 90 days were over: Step Functions does not know it any more. */
export function isDeleted({ end }: Execution): boolean {
  return end?.error === DELETED;
}

/** Milliseconds for which a client token stands for its redrive. */
const TOKEN_MS = 15 * 60 * 1000;

/**
 * The index of the last execution with this ARN: a name may be used again. Undefined where there is none, or where it
 * has ended so long ago that Step Functions has deleted it.
 */
export function indexOfArn(space: StateSpace, model: ModelState, arn: unknown): number | undefined {
  const index = model.executions.findLastIndex(state => {
    const { execution } = space.workflow.get(state);
    if (isDeleted(execution)) return false;
    return execution.arn === arn && (!execution.end || model.now < execution.end.at + DELETED_AFTER_MS);
  });
  return index < 0 ? undefined : index;
}

/** The index of the execution with this ARN that was deleted with its state machine; undefined where there is none. */
export function indexOfDeleted(space: StateSpace, model: ModelState, arn: unknown): number | undefined {
  const index = model.executions.findLastIndex(state => {
    const { execution } = space.workflow.get(state);
    return execution.arn === arn && isDeleted(execution);
  });
  return index < 0 ? undefined : index;
}

/** DescribeExecution as it should be. */
export function describe(space: StateSpace, model: ModelState, call: Call): JobResult {
  const index = indexOfArn(space, model, call.arguments['ExecutionArn']);
  const state = index === undefined ? undefined : space.workflow.get(model.executions[index] ?? 0);
  if (!state) return unknownExecution();
  return description(state, state.execution, model.now);
}

/** What DescribeExecution may still say of an execution, by a word for it: how it was a while ago. */
export function staleDescriptions(space: StateSpace, model: ModelState, call: Call): [string, JobResult][] {
  const index = indexOfArn(space, model, call.arguments['ExecutionArn']);
  const state = index === undefined ? undefined : space.workflow.get(model.executions[index] ?? 0);
  if (!state) return [];
  const { redriveCount, startedAt, redrivenAt, end } = state.execution;
  const running: Earlier = { status: 'RUNNING', redriveCount, end: null };
  const isLate = (since: number | undefined | null) =>
    typeof since === 'number' && model.now < since + STALE_MS;
  const stale: [string, JobResult][] = [];
  if (isLate(end?.at)) stale.push(['running', description(state, running, model.now)]);
  if (state.before && isLate(redrivenAt)) stale.push(['before', description(state, state.before, model.now)]);
  if (redriveCount === 0 && isLate(startedAt)) stale.push(['unknown', unknownExecution()]);
  return stale;
}

/** What DescribeExecution may say as well of an execution that was redriven: that it has not gone on yet. */
export function pendingRedrive(space: StateSpace, model: ModelState, call: Call): JobResult | undefined {
  if (call.resource !== 'aws-sdk:sfn:describeExecution') return undefined;
  const index = indexOfArn(space, model, call.arguments['ExecutionArn']);
  const state = index === undefined ? undefined : space.workflow.get(model.executions[index] ?? 0);
  if (state?.execution.status !== 'RUNNING' || state.execution.redriveCount === 0) return undefined;
  const answer = description(state, state.execution, model.now);
  if (answer.kind !== 'succeeded' || !isJsonObject(answer.output)) return undefined;
  return { ...answer, output: { ...answer.output, Status: 'PENDING_REDRIVE' } };
}

/** What DescribeExecution may say as well where it is asked for no data: how an execution has ended, and no error. */
export function untoldError(call: Call, result: JobResult): JobResult | undefined {
  if (call.resource !== 'aws-sdk:sfn:describeExecution') return undefined;
  if (call.arguments['IncludedData'] !== 'METADATA_ONLY') return undefined;
  if (result.kind !== 'succeeded' || !isJsonObject(result.output)) return undefined;
  const { Error: error, ...rest } = result.output;
  return error === undefined ? undefined : { ...result, output: rest };
}

function description({ execution }: ExecutionState, seen: Earlier, now: number): JobResult {
  const { status, redriveCount, end } = seen;
  const isRedrivable = redriveProblem({ ...execution, status, end }, now) === undefined;
  const output: JsonObject = {
    Status: status,
    ...(end && { StopDate: isoTime(end.at) }),
    ...(end?.error !== undefined && { Error: end.error }),
    ...(end?.output && { Output: end.output.text }),
    RedriveCount: redriveCount,
    RedriveStatus: isRedrivable ? 'REDRIVABLE' : 'NOT_REDRIVABLE',
  };
  return { kind: 'succeeded', output };
}

/**
 * GetExecutionHistory, in the order and with as much on a page as is asked for: how the execution has ended, and the
 * last state that it has entered. After a redrive, newest first, that is on the second page, behind what the redrive
 * has written. Oldest first it is on no page that is near. Events with their data are more than an answer may have.
 */
export function historyOf(space: StateSpace, model: ModelState, call: Call): JobResult {
  const index = indexOfArn(space, model, call.arguments['ExecutionArn']);
  const state = index === undefined ? undefined : space.workflow.get(model.executions[index] ?? 0);
  if (!state) return unknownExecution();
  const { ReverseOrder, MaxResults, IncludeExecutionData } = call.arguments;
  if (IncludeExecutionData !== false || Number(MaxResults ?? HISTORY_PAGE) > EVENTS_MAX) return TOO_MUCH;
  if (ReverseOrder !== true) return { kind: 'succeeded', output: { Events: [STARTED_EVENT] } };
  const { end, redriveCount, status } = state.execution;
  // What a redrive writes comes behind all that was there.
  const first = redriveCount * 3;
  const ended = end ? [{ Id: first + 3, Type: END_EVENTS[status] ?? null, Timestamp: isoTime(end.at) }] : [];
  const isFirstPage = call.arguments['NextToken'] === undefined;
  if (redriveCount > 0 && isFirstPage) {
    const redriven = { Id: first + 2, Type: 'ExecutionRedriven', ExecutionRedrivenEventDetails: {} };
    return { kind: 'succeeded', output: { Events: [...ended, redriven], NextToken: 'further-back' } };
  }
  const name = currentState(state);
  const details: JsonObject =
    name === ''
      ? { Type: 'TaskStateExited', StateExitedEventDetails: { Name: 'the last one' } }
      : { Type: 'TaskStateEntered', StateEnteredEventDetails: { Name: name } };
  const moved = { Id: redriveCount > 0 ? first + 1 : first + 2, ...details };
  return { kind: 'succeeded', output: { Events: [...(isFirstPage ? ended : []), moved] } };
}

/** How many events a page has where nothing is said of it: Step Functions API Reference, "GetExecutionHistory". */
const HISTORY_PAGE = 100;
/** So many events without their data are certainly less than 256 KiB: a name, or a cause, may have many characters. */
const EVENTS_MAX = 5;
const TOO_MUCH: JobResult = { kind: 'failed', error: 'States.DataLimitExceeded', cause: '' };
const STARTED_EVENT: JsonObject = { Id: 1, Type: 'ExecutionStarted', ExecutionStartedEventDetails: {} };

const END_EVENTS: Readonly<Record<string, string>> = {
  SUCCEEDED: 'ExecutionSucceeded',
  FAILED: 'ExecutionFailed',
  TIMED_OUT: 'ExecutionTimedOut',
  ABORTED: 'ExecutionAborted',
};

/** The answer about an execution that Step Functions does not know. */
export function unknownExecution(): JobResult {
  return { kind: 'failed', error: 'Sfn.ExecutionDoesNotExistException', cause: '' };
}

/** RedriveExecution: the same client token within a quarter of an hour is the same redrive. */
export function redrive(space: StateSpace, model: ModelState, request: JsonObject): Served {
  const { ExecutionArn, ClientToken } = request;
  const index = indexOfArn(space, model, ExecutionArn);
  if (index === undefined) return { model, result: unknownExecution() };
  const number = model.executions[index] ?? 0;
  const { execution } = space.workflow.get(number);
  const token = typeof ClientToken === 'string' ? ClientToken : undefined;
  const isAssumed = space.subject.without !== 'client-token';
  const isKnown = execution.redrives.some(
    ({ at, clientToken }) =>
      isAssumed && token !== undefined && clientToken === token && at > model.now - TOKEN_MS,
  );
  const done: JobResult = { kind: 'succeeded', output: { RedriveDate: isoTime(model.now) } };
  if (isKnown) return { model, result: done };
  if (redriveProblem(execution, model.now) !== undefined) {
    return { model, result: { kind: 'failed', error: 'Sfn.ExecutionNotRedrivableException', cause: '' } };
  }
  const signal = { kind: 'redriven' as const, ...(token !== undefined && { clientToken: token }) };
  const after = space.workflow.signalled(number, signal, model.now);
  return { model: withExecution(model, index, after), result: done };
}

/**
 * RedriveExecution by the function that makes this request: the same, but that its errors have their names in the API.
 * Its answer may be lost, and it may come late, as with any request; Lambda may reject it.
 */
export function redriveByFunction(space: StateSpace, model: ModelState, call: Call): Served {
  const { Payload } = call.arguments;
  const { executionArn = null, ...more } = isJsonObject(Payload) ? Payload : {};
  const { clientToken } = more;
  const request = {
    ExecutionArn: executionArn,
    ...(clientToken !== undefined && { ClientToken: clientToken }),
  };
  const { model: after, result } = redrive(space, model, request);
  if (result.kind === 'succeeded') return { model: after, result: { ...result, output: { Payload: {} } } };
  return { model: after, result: { ...result, error: result.error.replace(/^Sfn\.(.*)Exception$/, '$1') } };
}

/** StartExecution by name: a running execution of this name and input is this very start. */
export function start(space: StateSpace, model: ModelState, call: Call): Served {
  const { Name, Input } = call.arguments;
  const name = typeof Name === 'string' ? Name : `unnamed-${model.executions.length}`;
  const input = isJsonObject(Input) ? Input : {};
  const same = model.executions
    .map(state => space.workflow.get(state).execution)
    .find(({ name: taken, end }) => taken === name && (!end || end.at + NAME_TAKEN_MS > model.now));
  if (same?.status === 'RUNNING' && same.input.text === JSON.stringify(input))
    return { model, result: STARTED };
  if (same)
    return {
      model,
      result: { kind: 'failed', error: 'StepFunctions.ExecutionAlreadyExistsException', cause: '' },
    };
  const state = space.workflow.started({ name, input, now: model.now });
  return { model: { ...model, executions: [...model.executions, state] }, result: STARTED };
}

/** The answer about a start. */
export const STARTED: JobResult = { kind: 'succeeded', output: { ExecutionArn: 'started' } };
