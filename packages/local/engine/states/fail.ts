import type { FailState, Field } from '../../language/index';
import type { Completion, Failure } from '../completion';
import { failedByExpression, type Typed } from '../evaluation';
import type { Thread } from '../execution';
import { fieldText } from '../fields';
import type { Turn } from '../turn';

// Fail State: https://states-language.net/spec.html#fail-state
//
// 1. Evaluate `Error`, then `Cause`. Each must give a string; where one does not, the scope fails with that.
// 2. The scope fails with the two.

/** Ends the scope with the state's error. What the state does not say stays absent. */
export function enterFail(turn: Turn, state: FailState, thread: Thread): Completion {
  const error = evaluateText(turn, thread, state.error, 'Error');
  if (error?.kind === 'failed') return failedByExpression(turn, thread, error);
  const cause = evaluateText(turn, thread, state.cause, 'Cause');
  if (cause?.kind === 'failed') return failedByExpression(turn, thread, cause);
  const failure: Failure = {
    kind: 'failed',
    ...(error && { error: error.value }),
    ...(cause && { cause: cause.value }),
  };
  return { kind: 'failed', thread, failure };
}

function evaluateText(
  turn: Turn,
  thread: Thread,
  field: Field | undefined,
  location: string,
): Typed<string> | undefined {
  return field && fieldText(turn, thread, { field, location });
}
