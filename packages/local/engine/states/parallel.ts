import { isTooLarge, type ParallelState } from '../../language/index';
import { childThread } from '../advance';
import {
  abortFailed,
  abortState,
  childOutcome,
  failByOwnField,
  failWithChild,
  succeedWithChildren,
} from '../children';
import { type Completion, tooLarge } from '../completion';
import type { Child, Thread } from '../execution';
import { argumentsOf } from '../fields';
import { recover } from '../recovery';
import { isUnbegun, liveChildren } from '../threads';
import type { Turn } from '../turn';

// Parallel State: https://states-language.net/spec.html#parallel-state
//
// 1. Evaluate `Arguments` or `Parameters`, the input of every branch; without it that is the state's input. If it fails
//    or is too large, the state retries, catches or fails.
// 2. Start a thread for each branch, all before the first one runs.
// 3. Run each branch until it waits or ends.
// 4. When all have ended, the result is the list of their outputs in the order of `Branches`: leave with `Assign` and
//    `Output`; without an `Output` the output is the result.
// 5. When one fails, abort the others, then retry, catch or fail.

/** Begins all branches: on entry, and again for each retry. */
export function attemptParallel(turn: Turn, state: ParallelState, thread: Thread): Completion {
  // Step 1.
  const args = argumentsOf(turn, state, thread);
  if (args.kind === 'failed') return failByOwnField(turn, state, thread, args);
  const input = args.value;
  if (isTooLarge(input.text)) return recover(turn, state, thread, tooLarge(thread.state));

  // Steps 2 and 3.
  const started = turn.appendTo(thread, 'ParallelStateStarted', {});
  const branches = state.branches.map((_, index): Child => {
    return { kind: 'live', thread: childThread(started, { index, input }) };
  });
  return runBranches(turn, state, { ...started, waits: { kind: 'branches', branches } });
}

/** Runs the branches that have not entered their first state. */
export function runBranches(turn: Turn, state: ParallelState, thread: Thread): Completion {
  let parent = thread;
  for (const { index, thread: branch } of liveChildren(thread)) {
    if (!isUnbegun(branch)) continue;
    const completion = turn.runThread(turn, branch, state.branches[index] ?? '');
    const after = afterBranch(turn, state, parent, { index, completion });
    if (after.kind !== 'waiting' || after.thread.waits?.kind !== 'branches') return after;
    parent = after.thread;
  }
  return { kind: 'waiting', thread: parent };
}

/** Goes on after one branch has completed or waits. */
export function afterBranch(
  turn: Turn,
  state: ParallelState,
  parent: Thread,
  branch: { readonly index: number; readonly completion: Completion },
): Completion {
  const outcome = childOutcome(parent, branch.index, branch.completion);
  switch (outcome.kind) {
    case 'closed':
      return outcome.completion;
    // Step 5.
    case 'failed':
      abortFailed(turn, outcome.failed);
      abortSiblings(turn, outcome.thread, branch.index);
      return failWithChild(turn, state, outcome.thread, outcome.failure);
    // Step 4.
    case 'open': {
      const isLast = outcome.isDone && liveChildren(outcome.thread).length === 0;
      return isLast
        ? succeedWithChildren(turn, state, outcome.thread)
        : { kind: 'waiting', thread: outcome.thread };
    }
    default:
      return outcome satisfies never;
  }
}

function abortSiblings(turn: Turn, parent: Thread, failed: number): void {
  for (const { index, thread } of liveChildren(parent)) {
    if (index !== failed) abortState(turn, thread, parent.previousEventId);
  }
}
