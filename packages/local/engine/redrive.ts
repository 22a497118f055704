import { movedThread } from './advance';
import type { Completion } from './completion';
import type { Execution, Redrive, Thread } from './execution';
import type { HistoryEvent } from './history';
import { afterChild, enterState, runOn, stateOf } from './run';
import { runIterations } from './states/map';
import { runBranches } from './states/parallel';
import { liveChildren } from './threads';
import type { Turn } from './turn';

// Redriving executions, which the States Language leaves to the service:
// https://docs.aws.amazon.com/step-functions/latest/dg/redrive-executions.html
//
// 1. The execution runs again, with its end forgotten and the redrive counted.
// 2. A thread that had left its state goes on to the next one: what is done is not done again.
// 3. Any other thread begins its state again, with the input and variables it had and no retries counted. The entry
//    is not recorded again.
// 4. Within a Parallel or Map, only the threads that have not ended go on, and those that never started start.

/** Redrives that an execution remembers (service rule for client tokens). */
const REDRIVES_MAX = 10;

/** An execution that is about to go on where it has failed, timed out or was stopped. */
export function reopened(execution: Execution, redrive: Redrive): Execution {
  return {
    ...execution,
    status: 'RUNNING',
    end: null,
    redriveCount: execution.redriveCount + 1,
    redrivenAt: redrive.at,
    redrives: [...execution.redrives, redrive].slice(-REDRIVES_MAX),
  };
}

/** The last redrive, if it was accepted and saved and the history does not have it yet. */
export function pendingRedrive(
  { redriveCount, redrives }: Execution,
  history: readonly HistoryEvent[],
): Redrive | undefined {
  if (redriveCount === 0) return undefined;
  const recorded = history.filter(({ type }) => type === 'ExecutionRedriven').length;
  return recorded < redriveCount ? redrives.at(-1) : undefined;
}

/** What `reopened` was given, as far as going on takes: how the execution had ended is forgotten. */
export function beforeRedrive(execution: Execution): Execution {
  const redrives = execution.redrives.slice(0, -1);
  const redrivenAt = redrives.at(-1)?.at ?? null;
  return {
    ...execution,
    status: 'ABORTED',
    redriveCount: execution.redriveCount - 1,
    redrivenAt,
    redrives,
  };
}

/**
 * Begins the state again that a thread was in, with the input and variables it was entered with and no retries
 * counted. Of a Parallel and a Map only those threads go on that have not come to their end.
 *
 * As on the service the entry is not recorded again: the new attempt follows the old entry.
 */
export function redriveThread(turn: Turn, thread: Thread): Completion {
  const { waits } = thread;
  // Step 2.
  if (waits?.kind === 'pause') {
    return runOn(turn, {
      kind: 'left',
      thread: movedThread(thread, thread.previousEventId, null),
      next: waits.next,
    });
  }
  const state = stateOf(turn, thread.state);
  turn.beginStep();
  turn.transitions += 1;
  // Step 3.
  const fresh: Thread = { ...thread, previousEventId: thread.enteredEventId, retries: [], retryCount: 0 };
  const children = liveChildren(thread);
  if (children.length === 0) return runOn(turn, enterState(turn, state, { ...fresh, waits: null }));

  // Step 4.
  let parent: Thread = fresh;
  for (const { index, thread: child } of children) {
    // A thread that never entered its first state is run below, as it would have been.
    if (child.state === '') continue;
    const completion = redriveThread(turn, child);
    const after = afterChild(turn, parent, { index, completion });
    if (after.kind !== 'waiting' || liveChildren(after.thread).length === 0) return runOn(turn, after);
    parent = after.thread;
  }
  if (state.kind === 'parallel') return runOn(turn, runBranches(turn, state, parent));
  if (state.kind === 'map') return runOn(turn, runIterations(turn, state, parent));
  throw new Error(`state '${state.name}' is a ${state.kind} and has no threads within it`);
}
