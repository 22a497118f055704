import { errorDetails, type Failure, RUNTIME_ERROR } from './completion';
import { release } from './effects';
import type { Execution, ExecutionEnd, ExecutionStatus, Thread } from './execution';
import { HISTORY_EVENTS_MAX } from './history';
import { keepAbortedRuns } from './map-runs';
import { atRest } from './threads';
import { executionTimer, expiryOf, TIMED_OUT } from './timeout';
import type { Turn } from './turn';

/** Ends the execution with the output its root thread holds. */
export function succeed(turn: Turn, thread: Thread): Execution {
  const output = thread.input;
  turn.append('ExecutionSucceeded', thread.previousEventId, { output: output.text });
  return end(turn, 'SUCCEEDED', { at: turn.context.now, output }, null);
}

/** Ends the execution with a failure that nothing has caught. */
export function fail(turn: Turn, thread: Thread, failure: Failure): Execution {
  turn.append('ExecutionFailed', thread.previousEventId, errorDetails(failure));
  return end(turn, 'FAILED', { at: turn.context.now, ...errorDetails(failure) }, thread);
}

/**
 * Ends the execution because its machine's `TimeoutSeconds` are over. The description of it names no error.
 */
export function timeOut(turn: Turn): Execution {
  // As on the service, an end that comes from outside follows no event.
  turn.append('ExecutionTimedOut', 0, errorDetails(TIMED_OUT));
  // Exactly the start plus the limit, even when the timer came a moment late.
  const limit = executionTimer(turn.machine, turn.execution)?.due ?? turn.context.now;
  const at = turn.execution.kind === 'STANDARD' ? Math.min(limit, expiryOf(turn.execution)) : limit;
  return end(turn, 'TIMED_OUT', { at }, turn.execution.root);
}

/** Ends the execution because it was stopped (StopExecution). */
export function abort(turn: Turn, reason: { readonly error?: string; readonly cause?: string }): Execution {
  turn.append('ExecutionAborted', 0, errorDetails(reason));
  return end(turn, 'ABORTED', { at: turn.context.now, ...errorDetails(reason) }, turn.execution.root);
}

/**
 * Events an Express execution may have in one instant, while the clock stands still.
 *
 * The service needs no such limit, as its clock never stands still. A virtual clock does, and a loop of states that
 * wait for nothing would never reach its timeout. No real clock stands still for as many events.
 */
const INSTANT_EVENTS_MAX = 500_000;

/**
 * True when the history has no room for an end after the events of the turn. That of an Express execution is full when
 * it has very many events without any time passing.
 */
export function isHistoryFull(turn: Turn): boolean {
  const { lastEventId, execution } = turn;
  if (execution.kind === 'STANDARD') return lastEventId >= HISTORY_EVENTS_MAX;
  return (
    lastEventId - execution.eventIdBeforeAdvance >= INSTANT_EVENTS_MAX &&
    execution.lastAdvancedAt === turn.context.now
  );
}

/**
 * Ends the execution because its history is full: the last possible event says so, the step before it is
 * undone.
 */
export function failByHistory(turn: Turn, thread: Thread): Execution {
  if (turn.execution.kind !== 'STANDARD') {
    const cause = `The execution came to ${INSTANT_EVENTS_MAX} events in no time. Check for an infinite loop`;
    return fail(turn, thread, { kind: 'failed', error: RUNTIME_ERROR, cause });
  }
  const cause = `The execution reached the maximum number of history events (${HISTORY_EVENTS_MAX}).`;
  turn.undoStep(HISTORY_EVENTS_MAX - 1);
  // What the undone step asked for was never asked for.
  const stopped = { ...atRest(thread), previousEventId: HISTORY_EVENTS_MAX - 1 };
  return fail(turn, stopped, { kind: 'failed', error: RUNTIME_ERROR, cause });
}

function end(
  turn: Turn,
  status: Exclude<ExecutionStatus, 'RUNNING'>,
  end: ExecutionEnd,
  root: Thread | null,
): Execution {
  const timer = executionTimer(turn.machine, turn.execution);
  turn.effects.push(...release(root));
  keepAbortedRuns(turn, root);
  if (timer) turn.effects.push({ kind: 'cancelTimer', timerId: timer.timerId });
  turn.effects.push({ kind: 'ended', status, end });
  return { ...turn.executionWith(root && atRest(root)), status, end };
}
