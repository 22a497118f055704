import type { Completion } from '../completion';
import { computeFlow, type FlowInput, flowProblem, leave } from '../data-flow';
import { failedByExpression } from '../evaluation';
import type { Thread } from '../execution';
import type { Turn } from '../turn';

// Pass, Wait, Choice and Succeed end alike: 1. evaluate `Assign` and `Output`; 2. check their size; 3. leave.

/** Leaves a state that has no Retry and no Catch: what fails in its data flow ends the scope. */
export function leaveByFlow(
  turn: Turn,
  thread: Thread,
  source: FlowInput,
  next: string | undefined,
): Completion {
  const computed = computeFlow(turn, thread, source);
  if (computed.kind === 'failed') return failedByExpression(turn, thread, computed);
  const failure = flowProblem(thread, computed.flow);
  return failure ? { kind: 'failed', thread, failure } : leave(turn, thread, computed.flow, next);
}
