import { dataOf, isTooLarge } from '../../asl/data';
import type { Resource, TaskState } from '../../asl/definition';
import type { Json } from '../../asl/json';
import { catchFailure } from '../catch';
import { type Completion, errorDetails, type Failure, tooLarge } from '../completion';
import { computeFlow, flowProblem, leave } from '../data-flow';
import { type EvaluationFailure, evaluateField, evaluateSeconds, evaluationFailed } from '../evaluation';
import { type Thread, waitId } from '../execution';
import { outputDetails } from '../history';
import { decideRetry } from '../retry';
import { setTimer } from '../timeout';
import type { Turn } from '../turn';

// States Language, "Task State", request-response integrations.

/** Begins an attempt: on entry, and again for each retry, with everything evaluated anew. */
export async function attemptTask(turn: Turn, state: TaskState, thread: Thread): Promise<Completion> {
  const call = await evaluateCall(turn, state, thread);
  if (call.kind === 'failed') return failedInside(turn, state, thread, call);
  const parameters = dataOf(call.arguments);
  if (isTooLarge(parameters.text)) return handleFailure(turn, state, thread, tooLarge(thread.state));

  const { resource } = state;
  const seconds = call.timeoutSeconds;
  const scheduled = turn.appendTo(thread, 'TaskScheduled', {
    taskScheduledEventDetails: {
      ...resourceDetails(resource),
      region: regionOf(turn.machine.arn),
      parameters: parameters.text,
      ...(seconds === undefined ? {} : { timeoutInSeconds: seconds }),
    },
  });
  const started = turn.appendTo(scheduled, 'TaskStarted', {
    taskStartedEventDetails: resourceDetails(resource),
  });

  const taskId = waitId('task', thread, scheduled.previousEventId);
  turn.effects.push({
    kind: 'call',
    taskId,
    resource: resource.integration,
    arguments: call.arguments,
    stateName: state.name,
    retryCount: thread.retryCount,
  });
  const timerId = waitId('timeout', thread, scheduled.previousEventId);
  const timeout =
    seconds === undefined ? null : setTimer(turn, timerId, turn.surroundings.now + seconds * 1000);
  return { kind: 'waiting', thread: { ...started, waits: { kind: 'task', taskId, timeout } } };
}

/** Goes on with a result. */
export async function taskSucceeded(
  turn: Turn,
  state: TaskState,
  thread: Thread,
  output: Json,
): Promise<Completion> {
  const result = dataOf(output);
  if (isTooLarge(result.text)) return taskFailed(turn, state, thread, tooLarge(state.resource.service));
  const succeeded = turn.appendTo(thread, 'TaskSucceeded', {
    taskSucceededEventDetails: { ...resourceDetails(state.resource), ...outputDetails(result) },
  });
  const source = { flow: state, prefix: '', fallback: result, offer: { result: output } };
  const computed = await computeFlow(turn, succeeded, source);
  if (computed.kind === 'failed') return failedInside(turn, state, succeeded, computed);
  const problem = flowProblem(succeeded, computed.flow);
  if (problem) return handleFailure(turn, state, succeeded, problem);
  return leave(turn, succeeded, computed.flow, state.next);
}

/** Goes on after the integration, or the attempt as a whole, failed. */
export function taskFailed(
  turn: Turn,
  state: TaskState,
  thread: Thread,
  failure: Failure,
): Promise<Completion> {
  const failed = turn.appendTo(thread, 'TaskFailed', {
    taskFailedEventDetails: { ...resourceDetails(state.resource), ...errorDetails(failure) },
  });
  return handleFailure(turn, state, failed, failure);
}

/** Goes on after the attempt took longer than `TimeoutSeconds`. */
export function taskTimedOut(
  turn: Turn,
  state: TaskState,
  thread: Thread,
  failure: Failure,
): Promise<Completion> {
  const timedOut = turn.appendTo(thread, 'TaskTimedOut', {
    taskTimedOutEventDetails: { ...resourceDetails(state.resource), ...errorDetails(failure) },
  });
  return handleFailure(turn, state, timedOut, failure);
}

type Call =
  | { readonly kind: 'call'; readonly arguments: Json; readonly timeoutSeconds?: number }
  | EvaluationFailure;

async function evaluateCall(turn: Turn, state: TaskState, thread: Thread): Promise<Call> {
  const template = state.arguments ?? { kind: 'constant', value: {} };
  const args = await evaluateField(turn, thread, { template, location: 'Arguments' });
  if (args.kind === 'failed') return args;
  if (!state.timeoutSeconds) return { kind: 'call', arguments: args.value };
  const seconds = await evaluateSeconds(turn, thread, state.timeoutSeconds, 'TimeoutSeconds');
  if (seconds.kind === 'failed') return seconds;
  return { kind: 'call', arguments: args.value, timeoutSeconds: seconds.value };
}

function failedInside(
  turn: Turn,
  state: TaskState,
  thread: Thread,
  problem: EvaluationFailure,
): Promise<Completion> {
  const failed = evaluationFailed(turn, thread, problem);
  return handleFailure(turn, state, failed.thread, failed.failure);
}

/** Retry before Catch, always. */
async function handleFailure(
  turn: Turn,
  state: TaskState,
  thread: Thread,
  failure: Failure,
): Promise<Completion> {
  const decision = decideRetry(failure.error, state.retry, thread.retries, () => turn.surroundings.random());
  if (decision.kind === 'no') return catchFailure(turn, { ...thread, waits: null }, state.catch, failure);
  turn.transitions += 1;
  const due = turn.surroundings.now + decision.delayMs;
  const timer = setTimer(turn, waitId('retry', thread, thread.previousEventId), due);
  const { retries } = decision;
  const waiting: Thread = {
    ...thread,
    retries,
    retryCount: thread.retryCount + 1,
    waits: { kind: 'retry', timer },
  };
  return { kind: 'waiting', thread: waiting };
}

function resourceDetails({ service, operation }: Resource) {
  return { resourceType: service, resource: operation };
}

/** The fourth part of an ARN. */
function regionOf(arn: string): string {
  return arn.split(':')[3] ?? '';
}
