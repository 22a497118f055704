import type { ExecutionState } from '../model/execution-state';
import { ORIGIN } from '../model/execution-state';
import type { ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import { isHeardOf } from '../transition/recovery';
import { tellerOf } from '../transition/recovery-requests';

/** An execution that has ended longer ago may soon be forgotten, or be past its redrives: it stays what it is. */
const RECENT_MS = 24 * 60 * 60 * 1000;

/**
 * A state in which everything has ended, as recovery and further deliveries see it, so that what comes of many such
 * states is worked out once. If there is a record, nobody goes on with an execution that neither owns it nor has to
 * tell of it: of such a one recovery is told when and how it has ended, and another one only keeps its name.
 */
export function seenByRecovery(space: StateSpace, quiet: ModelState): ModelState {
  const record = space.recordOf(quiet);
  const { isPart, isExpress } = space.subject.workflow.traits;
  if (!record || isPart || isExpress) return quiet;
  const kept = [record['owner']?.['S'], tellerOf(record)];
  const executions = quiet.executions.map(number => {
    const state = space.workflow.get(number);
    const { arn, end } = state.execution;
    const isRecent = end !== null && end.at + RECENT_MS > quiet.now;
    if (!isRecent || state.before || kept.includes(arn)) return number;
    return space.workflow.numberOf(isHeardOf(state.execution) ? told(state) : named(state, quiet.now));
  });
  return { ...quiet, executions };
}

/** No rule of recovery tells errors apart but those of the workflow itself, of who owns no record. */
function told({ execution: { end, ...execution }, ...state }: ExecutionState): ExecutionState {
  const error = end?.error?.startsWith('Idempotency.') === false ? 'AnError' : end?.error;
  const ended = { at: end?.at ?? 0, ...(error !== undefined && { error }) };
  return { ...state, execution: { ...execution, root: null, end: ended } };
}

function named({ execution: { end, ...execution }, ...state }: ExecutionState, now: number): ExecutionState {
  const ended = { at: now, ...(end?.error !== undefined && { error: end.error }) };
  const bare = { ...execution, root: null, startedAt: ORIGIN, end: ended };
  return { ...state, drawn: 0, execution: bare };
}
