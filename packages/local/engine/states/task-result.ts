import type { Json } from '../../json/json';
import { type Data, dataOf, isTooLarge, type TaskState } from '../../language/index';
import { type Completion, type Failure, tooLarge } from '../completion';
import { computeFlow, flowProblem, leave } from '../data-flow';
import { evaluationFailed } from '../evaluation';
import type { TaskWaiting, Thread } from '../execution';
import { recover } from '../recovery';
import { setTimer } from '../timeout';
import type { Turn } from '../turn';
import { recordFailed, recordSubmitted, recordSucceeded, recordTimedOut } from './task-events';

// Task State: https://states-language.net/spec.html#task-state
// The results of an attempt.
//
// 1. Submitted (a job or a callback): record it and go on waiting. A heartbeat starts its timer anew.
// 2. Succeeded: a result that is too large is a failure. Else record it and evaluate `Assign` and `Output`; without an
//    `Output` the output is the result. If one of them fails or is too large, the state retries, catches or fails;
//    otherwise it is left.
// 3. Failed: record it, then retry, catch or fail.
// 4. Timed out (States.Timeout, also for a missed heartbeat): record it, then retry, catch or fail.

/** Goes on waiting: the call was accepted, and its result comes later. */
export function taskSubmitted(
  turn: Turn,
  state: TaskState,
  thread: Thread & { readonly waits: TaskWaiting },
  output: Json,
): Thread {
  const submitted = recordSubmitted(turn, state, thread, dataOf(output));
  return { ...submitted, waits: { ...thread.waits, isSubmitted: true } };
}

/** Goes on waiting for as long again as a heartbeat may take. Leaves no event. */
export function taskHeartbeat(turn: Turn, thread: Thread & { readonly waits: TaskWaiting }): Thread {
  const { heartbeat } = thread.waits;
  if (!heartbeat) return thread;
  const { timerId, seconds } = heartbeat;
  turn.effects.push({ kind: 'cancelTimer', timerId });
  const timer = setTimer(turn, timerId, turn.context.now + seconds * 1000);
  return { ...thread, waits: { ...thread.waits, heartbeat: { ...timer, seconds } } };
}

/** Goes on with a result. */
export function taskSucceeded(turn: Turn, state: TaskState, thread: Thread, result: Data): Completion {
  if (isTooLarge(result.text)) return taskFailed(turn, state, thread, tooLarge(state.resource.service));
  turn.context.inspect?.('result', result);
  const succeeded = recordSucceeded(turn, state, thread, result);
  if (!state.paths && !state.assign && !state.output)
    return leave(turn, succeeded, { output: result }, state.next);
  const source = { flow: state, prefix: '', result, offer: { result: result.value } };
  const computed = computeFlow(turn, succeeded, source);
  if (computed.kind === 'failed') {
    const failed = evaluationFailed(turn, succeeded, computed);
    return recover(turn, state, failed.thread, failed.failure);
  }
  const problem = flowProblem(succeeded, computed.flow);
  if (problem) return recover(turn, state, succeeded, problem);
  return leave(turn, succeeded, computed.flow, state.next);
}

/** Goes on after the integration, or the attempt as a whole, failed. */
export function taskFailed(turn: Turn, state: TaskState, thread: Thread, failure: Failure): Completion {
  return recover(turn, state, recordFailed(turn, state, thread, failure), failure);
}

/** Goes on after the attempt took too long, or was not heard of for too long. */
export function taskTimedOut(turn: Turn, state: TaskState, thread: Thread, failure: Failure): Completion {
  return recover(turn, state, recordTimedOut(turn, state, thread, failure), failure);
}
