import { type Data, type Field, isTooLarge, type TaskState } from '../../language/index';
import { movedThread } from '../advance';
import { type Completion, type Failure, failureIn, RUNTIME_ERROR, tooLarge } from '../completion';
import { type EvaluationFailure, evaluationFailed } from '../evaluation';
import type { Heartbeat, Thread, Timer } from '../execution';
import { argumentsOf, fieldSeconds, fieldText } from '../fields';
import { recover } from '../recovery';
import { waitId } from '../threads';
import { setTimer } from '../timeout';
import type { Turn } from '../turn';
import { scheduleActivity } from './activity';
import { recordStart } from './task-events';

// Task State: https://states-language.net/spec.html#task-state
// How an attempt begins; task-result.ts has its results.
//
// 1. Evaluate `Arguments` or `Parameters`; without them a function and an activity get the state's input, and an
//    integration `{}`.
// 2. Evaluate `TimeoutSeconds`, `HeartbeatSeconds` and the `RoleArn` of `Credentials`, in this order.
// 3. If one of them fails, the state retries, catches or fails. The same where the arguments are too large.
// 4. If an integration takes no such arguments, the execution fails without a catch.
// 5. Record that the task is scheduled and started, and call the resource. An activity is offered (activity.ts).
// 6. Set the timers; a heartbeat is expected only of a task with a token.
// 7. Wait for the result.

/** Begins an attempt: on entry, and again for each retry, with everything evaluated anew. */
export function attemptTask(turn: Turn, state: TaskState, entered: Thread): Completion {
  // The attempt is named by its first event, which is the next one.
  const eventId = turn.lastEventId + 1;
  const taskId = waitId('task', eventId);
  const { pattern } = state.resource;
  const hasToken = pattern === 'callback' || pattern === 'sync';
  const thread: Thread = hasToken ? { ...entered, taskId } : entered;
  // Steps 1 and 2.
  const call = evaluateCall(turn, state, thread);
  if (call.kind === 'call') return makeCall(turn, state, thread, { call, eventId, taskId });
  // Step 3.
  const failed = evaluationFailed(turn, thread, call);
  return recover(turn, state, failed.thread, failed.failure);
}

function makeCall(
  turn: Turn,
  state: TaskState,
  thread: Thread,
  { call, eventId, taskId }: { readonly call: Call; readonly eventId: number; readonly taskId: string },
): Completion {
  const { resource } = state;
  const parameters = call.arguments;
  if (isTooLarge(parameters.text)) return recover(turn, state, thread, tooLarge(thread.state));
  if (resource.pattern === 'activity')
    return scheduleActivity(turn, state, thread, { taskId, parameters, attempt: call });

  // Step 4.
  const { integration } = resource;
  const rejection = turn.context.rejectionOf?.(integration, parameters.value, thread.previousEventId);
  if (rejection !== undefined)
    return { kind: 'failed', thread, failure: rejected(state, thread, call, rejection) };

  // Step 5.
  const previousEventId = recordStart(turn, state, thread.previousEventId, {
    parameters,
    attempt: call,
  });
  turn.effects.push({
    kind: 'call',
    taskId,
    resource: resource.integration,
    isCallback: resource.pattern === 'callback',
    arguments:
      resource.pattern === 'function'
        ? { FunctionName: resource.arn, Payload: parameters.value }
        : parameters.value,
    stateName: state.name,
    retryCount: thread.retryCount,
  });
  // Step 6.
  const { timeoutSeconds, heartbeatSeconds } = call;
  const timeout =
    timeoutSeconds === undefined ? null : timerFor(turn, waitId('timeout', eventId), timeoutSeconds);
  // Only the holder of a token can send a heartbeat.
  const heartbeat: Heartbeat | null =
    heartbeatSeconds === undefined || resource.pattern !== 'callback'
      ? null
      : {
          ...timerFor(turn, waitId('heartbeat', eventId), heartbeatSeconds),
          seconds: heartbeatSeconds,
        };
  // Step 7.
  const waits = { kind: 'task' as const, taskId, isSubmitted: false, timeout, heartbeat };
  return { kind: 'waiting', thread: movedThread(thread, previousEventId, waits) };
}

function rejected({ paths }: TaskState, thread: Thread, call: Call, why: string): Failure {
  const given = `The ${paths ? 'Parameters' : 'Arguments'} '${call.arguments.text}'`;
  return failureIn(thread, RUNTIME_ERROR, `${given} could not be used to start the Task: [${why}]`);
}

function timerFor(turn: Turn, timerId: string, seconds: number): Timer {
  return setTimer(turn, timerId, turn.context.now + seconds * 1000);
}

interface Call {
  readonly kind: 'call';
  readonly arguments: Data;
  readonly timeoutSeconds?: number;
  readonly heartbeatSeconds?: number;
  readonly roleArn?: string;
}

/** What the attempt is made with. Most have nothing but arguments. */
function evaluateCall(turn: Turn, state: TaskState, thread: Thread): Call | EvaluationFailure {
  const call = evaluateArguments(turn, state, thread);
  const isAll = !state.timeoutSeconds && !state.heartbeatSeconds && !state.roleArn;
  return call.kind === 'failed' || isAll ? call : evaluateLimits(turn, state, thread, call);
}

function evaluateArguments(turn: Turn, state: TaskState, thread: Thread): Call | EvaluationFailure {
  // An integration is never called with the input, for want of arguments.
  const { pattern } = state.resource;
  if (!state.arguments && pattern !== 'function' && pattern !== 'activity')
    return { kind: 'call', arguments: NOTHING };
  const args = argumentsOf(turn, state, thread);
  if (args.kind === 'failed') return args;
  turn.context.inspect?.(state.paths ? 'afterParameters' : 'afterArguments', args.value);
  return { kind: 'call', arguments: args.value };
}

const NOTHING: Data = { value: {}, text: '{}' };

/** The call with its limits and its role. */
function evaluateLimits(turn: Turn, state: TaskState, thread: Thread, call: Call): Call | EvaluationFailure {
  const timeout = seconds(turn, thread, state.timeoutSeconds, 'TimeoutSeconds');
  if (timeout?.kind === 'failed') return timeout;
  const heartbeat = seconds(turn, thread, state.heartbeatSeconds, 'HeartbeatSeconds');
  if (heartbeat?.kind === 'failed') return heartbeat;
  const role =
    state.roleArn && fieldText(turn, thread, { field: state.roleArn, location: 'Credentials/RoleArn' });
  if (role?.kind === 'failed') return role;
  return {
    ...call,
    ...(timeout && { timeoutSeconds: timeout.value }),
    ...(heartbeat && { heartbeatSeconds: heartbeat.value }),
    ...(role && { roleArn: role.value }),
  };
}

function seconds(turn: Turn, thread: Thread, field: Field | undefined, location: string) {
  return field && fieldSeconds(turn, thread, { field, location });
}
