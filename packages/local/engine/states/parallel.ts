import { dataOf, isTooLarge } from '../../asl/data';
import type { ParallelState } from '../../asl/definition';
import { childThread } from '../advance';
import { abortFailed, abortState, failAlone, failTogether, succeedTogether, takeIn } from '../children';
import { type Completion, tooLarge } from '../completion';
import { evaluateField } from '../evaluation';
import type { Child, Thread } from '../execution';
import { recover } from '../recovery';
import { childrenOf, isUnbegun, liveChildren } from '../threads';
import type { Turn } from '../turn';

// States Language, "Parallel State".

/** Begins all branches: on entry, and again for each retry. */
export async function attemptParallel(turn: Turn, state: ParallelState, thread: Thread): Promise<Completion> {
  const template = state.arguments;
  const args = template && (await evaluateField(turn, thread, { template, location: 'Arguments' }));
  if (args?.kind === 'failed') return failAlone(turn, state, thread, args);
  const input = args ? dataOf(args.value) : thread.input;
  if (isTooLarge(input.text)) return recover(turn, state, thread, tooLarge(thread.state));

  const started = turn.appendTo(thread, 'ParallelStateStarted', {});
  const branches = state.branches.map((_, index): Child => {
    return { kind: 'live', thread: childThread(started, { index, input }) };
  });
  return runBranches(turn, state, { ...started, waits: { kind: 'branches', branches } });
}

/** Goes on with the branches that stand before their first state. */
export async function runBranches(turn: Turn, state: ParallelState, thread: Thread): Promise<Completion> {
  let parent = thread;
  for (const { index, thread: branch } of liveChildren(thread)) {
    if (!isUnbegun(branch)) continue;
    const completion = await turn.runThread(turn, branch, state.branches[index] ?? '');
    const after = await branchCame(turn, state, parent, { index, completion });
    if (after.kind !== 'waiting' || after.thread.waits?.kind !== 'branches') return after;
    parent = after.thread;
  }
  return { kind: 'waiting', thread: parent };
}

/** Goes on after one branch has come to something. */
export async function branchCame(
  turn: Turn,
  state: ParallelState,
  parent: Thread,
  branch: { readonly index: number; readonly completion: Completion },
): Promise<Completion> {
  const came = takeIn(parent, branch.index, branch.completion);
  switch (came.kind) {
    case 'closed':
      return came.completion;
    case 'failed':
      abortFailed(turn, came.failed);
      abortSiblings(turn, came.thread, branch.index);
      return failTogether(turn, state, came.thread, came.failure);
    case 'open': {
      const isLast = came.isDone && childrenOf(came.thread.waits).every(child => child.kind === 'done');
      return isLast ? succeedTogether(turn, state, came.thread) : { kind: 'waiting', thread: came.thread };
    }
    default: {
      const never: never = came;
      return never;
    }
  }
}

function abortSiblings(turn: Turn, parent: Thread, failed: number): void {
  for (const { index, thread } of liveChildren(parent)) {
    if (index !== failed) abortState(turn, thread, parent.previousEventId);
  }
}
