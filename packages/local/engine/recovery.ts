import type { JsonObject } from '../json/json';
import { type Catcher, dataOf, type MapState, type ParallelState, type TaskState } from '../language/index';
import { type Completion, type Failure, RUNTIME_ERROR } from './completion';
import { computeFlow, flowProblem, leave } from './data-flow';
import { failedByExpression } from './evaluation';
import type { Thread } from './execution';
import { decideRetry, matches } from './retry';
import { waitId } from './threads';
import { setTimer } from './timeout';
import type { Turn } from './turn';

// Errors: https://states-language.net/spec.html#errors
// Fallback states: https://states-language.net/spec.html#fallback-states
// What a state with Retry and Catch does after a failure.
//
// 1. If a retrier tries again (retry.ts), wait for its delay, which counts as a state transition.
// 2. Else record that the state has failed, if it has an event for that, and find the first catcher whose `ErrorEquals`
//    covers the error. Without one, the scope fails.
// 3. Evaluate the catcher's `Assign` and `Output` with `$states.errorOutput`; without an `Output` the output is the
//    error output. If one of them fails or is too large, the scope fails: no catcher catches itself.
// 4. Leave to the catcher's `Next`.

/**
 * Waits for another attempt, or leaves by a catcher, or ends the scope with the failure. Retry before Catch,
 * always.
 *
 * `giveUp` records that no attempt follows, on states that have an event for it.
 */
export function recover(
  turn: Turn,
  state: TaskState | ParallelState | MapState,
  thread: Thread,
  failure: Failure,
  giveUp: (thread: Thread) => Thread = given => given,
): Completion {
  turn.context.failed?.(failure);
  // An error that cannot be caught leaves no other trace, as recorded.
  if (failure.error === RUNTIME_ERROR) return { kind: 'failed', thread, failure };
  const decision = decideRetry(failure, state.retry, thread.retries, () => turn.context.random());
  if (decision.kind === 'no') return catchFailure(turn, giveUp(thread), state.catch, failure);
  turn.transitions += 1;
  const due = turn.context.now + decision.delayMs;
  const timer = setTimer(turn, waitId('retry', thread.previousEventId), due);
  const { retries } = decision;
  const retryCount = thread.retryCount + 1;
  return { kind: 'waiting', thread: { ...thread, retries, retryCount, waits: { kind: 'retry', timer } } };
}

/**
 * Leaves a failed state by the first catcher that covers the error, or ends the scope with the failure.
 *
 * Only the catcher's own data flow counts. What fails within it ends the scope: no catcher catches itself.
 */
function catchFailure(
  turn: Turn,
  thread: Thread,
  catchers: readonly Catcher[],
  failure: Failure,
): Completion {
  const index = catchers.findIndex(catcher => matches(catcher.errorEquals, failure));
  const catcher = catchers[index];
  if (!catcher) return { kind: 'failed', thread, failure };

  turn.context.caught?.(index);
  // Rule 3.
  const errorOutput = errorOutputOf(failure);
  const result = dataOf(errorOutput);
  const source = { flow: catcher, prefix: `Catch[${index}]/`, result, offer: { errorOutput } };
  const computed = computeFlow(turn, thread, source);
  if (computed.kind === 'failed') return failedByExpression(turn, thread, computed);
  const problem = flowProblem(thread, computed.flow);
  if (problem) return { kind: 'failed', thread, failure: problem };
  return leave(turn, thread, computed.flow, catcher.next);
}

/** `$states.errorOutput`. A failure without cause shows an empty one; one that says nothing shows nulls. */
function errorOutputOf({ error, cause }: Failure): JsonObject {
  if (error === undefined && cause === undefined) return { Error: null, Cause: null };
  return { Error: error ?? null, Cause: cause ?? '' };
}
