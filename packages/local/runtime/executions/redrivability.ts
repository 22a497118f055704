import {
  type Execution,
  expiryOf,
  HISTORY_EVENTS_MAX,
  liveChildren,
  type Machine,
  type Thread,
} from '../../engine/index';
import type { StoredExecution } from '../store/store';

/** Milliseconds after its end in which an execution can be redriven (service quota: 14 days). */
const REDRIVABLE_MS = 14 * 24 * 60 * 60 * 1000;

/** Events a redrive needs at least: that it took place, and one more. */
const REDRIVE_EVENTS_MIN = 2;

/** Why an execution cannot be redriven at `now` (epoch milliseconds), in the service's words; undefined when it can. */
export function redriveProblem(
  { status, startedAt, lastEventId, end }: Execution,
  now: number,
): string | undefined {
  if (status === 'RUNNING' || status === 'SUCCEEDED') return `Execution is ${status} and cannot be redriven`;
  if (lastEventId > HISTORY_EVENTS_MAX - REDRIVE_EVENTS_MIN) return 'Execution history event limit exceeded';
  if (now >= expiryOf({ startedAt })) return 'Execution has exceeded the max execution time';
  if (end && now >= end.at + REDRIVABLE_MS) return 'Execution redrivable period exceeded';
  return undefined;
}

/** The same where Map Runs count, which the service goes on with: that is not built here. */
export function storedRedriveProblem(
  { choice, execution }: Pick<StoredExecution, 'choice' | 'execution'>,
  now: number,
): string | undefined {
  const problem = redriveProblem(execution, now);
  if (problem !== undefined) return problem;
  return choice.mapRun || isInMapRun(choice.machine, execution.root) ? MAP_RUN_PROBLEM : undefined;
}

const MAP_RUN_PROBLEM = 'Redriving a Map Run is not supported by the local runtime yet';

/** Whether an execution has ended in a state that would go on with a Map Run. */
function isInMapRun(machine: Machine, thread: Thread | null): boolean {
  if (!thread) return false;
  const state = machine.definition.states.get(thread.state);
  const isDistributed = state?.kind === 'map' && state.distributed !== undefined;
  return isDistributed || liveChildren(thread).some(child => isInMapRun(machine, child.thread));
}
