import { dataOf } from '../asl/data';
import type { Catcher } from '../asl/definition';
import type { JsonObject } from '../json/json';
import type { Completion, Failure } from './completion';
import { computeFlow, flowProblem, leave } from './data-flow';
import { failedByExpression } from './evaluation';
import type { Thread } from './execution';
import { matches } from './retry';
import type { Turn } from './turn';

// Fallback states: https://states-language.net/spec.html#fallback-states
//
// 1. Find the first catcher whose `ErrorEquals` covers the error. Without one, the scope fails.
// 2. Evaluate the catcher's `Assign` and `Output` with `$states.errorOutput`; without an `Output` the output is the
//    error output. Where one of them fails or is too large, the scope fails: no catcher catches itself.
// 3. Leave to the catcher's `Next`.

/**
 * Leaves a failed state by the first catcher that covers the error, or ends the scope with the failure.
 *
 * Only the catcher's own data flow counts. What fails within it ends the scope: no catcher catches itself.
 */
export function catchFailure(
  turn: Turn,
  thread: Thread,
  catchers: readonly Catcher[],
  failure: Failure,
): Completion {
  // Step 1.
  const index = catchers.findIndex(catcher => matches(catcher.errorEquals, failure));
  const catcher = catchers[index];
  if (!catcher) return { kind: 'failed', thread, failure };

  turn.context.caught?.(index);
  // Step 2.
  const errorOutput = errorOutputOf(failure);
  const result = dataOf(errorOutput);
  const source = { flow: catcher, prefix: `Catch[${index}]/`, result, offer: { errorOutput } };
  const computed = computeFlow(turn, thread, source);
  if (computed.kind === 'failed') return failedByExpression(turn, thread, computed);
  const problem = flowProblem(thread, computed.flow);
  if (problem) return { kind: 'failed', thread, failure: problem };
  // Step 3.
  return leave(turn, thread, computed.flow, catcher.next);
}

/** `$states.errorOutput`. A failure without cause shows an empty one; one that says nothing shows nulls. */
function errorOutputOf({ error, cause }: Failure): JsonObject {
  if (error === undefined && cause === undefined) return { Error: null, Cause: null };
  return { Error: error ?? null, Cause: cause ?? '' };
}
