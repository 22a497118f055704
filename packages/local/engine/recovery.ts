import type { MapState, ParallelState, TaskState } from '../asl/definition';
import { catchFailure } from './catch';
import { type Completion, type Failure, RUNTIME_ERROR } from './completion';
import type { Thread } from './execution';
import { decideRetry } from './retry';
import { waitId } from './threads';
import { setTimer } from './timeout';
import type { Turn } from './turn';

// Errors: https://states-language.net/spec.html#errors
// What a state with Retry and Catch does after a failure.
//
// 1. Where a retrier tries again (retry.ts), wait for its delay, which counts as a state transition.
// 2. Else record that the state has failed, where it has an event for that, and look for a catcher (catch.ts).

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
  // What cannot be caught leaves no other trace, as recorded.
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
