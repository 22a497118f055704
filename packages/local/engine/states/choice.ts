import type { ChoiceState } from '../../language/index';
import { type Completion, failureIn, RUNTIME_ERROR } from '../completion';
import { failedByExpression } from '../evaluation';
import type { Thread } from '../execution';
import { fieldCondition } from '../fields';
import type { Turn } from '../turn';
import { leaveByFlow } from './leaving';

// Choice State: https://states-language.net/spec.html#choice-state
//
// 1. Evaluate the `Condition` of each rule in the order of the text; in JSONPath, what it compares. It must give a
//    boolean; where it does not, the scope fails, since a Choice has neither Retry nor Catch.
// 2. By the first rule whose condition is true, leave with the rule's `Assign` and `Output`, to its `Next`.
// 3. Without such a rule and without a `Default`, fail: on the service with States.Runtime, not with the
//    States.NoChoiceMatched of the specification.
// 4. Else leave with the state's own `Assign` and `Output`, to `Default`.

/**
 * Leaves by the first rule that holds, with that rule's data flow; else by the default, with the state's own.
 */
export function enterChoice(turn: Turn, state: ChoiceState, thread: Thread): Completion {
  // Steps 1 and 2.
  for (const [index, rule] of state.rules.entries()) {
    const prefix = `Choices[${index}]/`;
    const field = { field: rule.condition, location: `${prefix}Condition` };
    const condition = fieldCondition(turn, thread, field);
    if (condition.kind === 'failed') return failedByExpression(turn, thread, condition);
    if (condition.value) {
      return leaveByFlow(turn, thread, { flow: rule, prefix }, rule.next);
    }
  }
  // Step 3.
  if (state.default === undefined) return { kind: 'failed', thread, failure: noMatch(thread) };
  // Step 4.
  return leaveByFlow(turn, thread, { flow: state, prefix: '' }, state.default);
}

function noMatch(thread: Thread) {
  const reason = 'Failed to transition out of the state. The state does not point to a next state.';
  return failureIn(thread, RUNTIME_ERROR, reason);
}
