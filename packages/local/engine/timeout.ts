import { type Failure, TIMEOUT_ERROR } from './completion';
import type { Execution, Machine, Timer } from './execution';
import type { Turn } from './turn';

// States Language, "Timeouts": `TimeoutSeconds` and `HeartbeatSeconds` of a Task, and the limit of the whole
// execution.

/** The failure of whatever takes too long. It has no cause. */
export const TIMED_OUT: Failure = { kind: 'failed', error: TIMEOUT_ERROR };

/** The failure of a task that has not been heard of for too long: events call it a timeout, too. */
export const HEARTBEAT_MISSED: Failure = { ...TIMED_OUT, alias: 'States.HeartbeatTimeout' };

/** Seconds an Express execution may take (service quota). */
const EXPRESS_SECONDS_MAX = 300;

/** Asks for a timer at `due`, epoch milliseconds. */
export function setTimer(turn: Turn, timerId: string, due: number): Timer {
  const timer: Timer = { timerId, due };
  turn.effects.push({ kind: 'setTimer', ...timer });
  return timer;
}

/** Milliseconds an execution may be open, redrives included (service quota: one year). */
const OPEN_MS_MAX = 365 * 24 * 60 * 60 * 1000;

/** The timer that says that the year of a Standard execution is over. Not an effect: every execution has it. */
export const EXPIRY_TIMER = 'life';

/** Epoch milliseconds of the end of a Standard execution's year. */
export function expiryOf({ startedAt }: Pick<Execution, 'startedAt'>): number {
  return startedAt + OPEN_MS_MAX;
}

/** Whether an execution has been open for as long as it may. An Express one ends by its own limit, long before. */
export function isExpired(execution: Pick<Execution, 'startedAt' | 'kind'>, now: number): boolean {
  return execution.kind === 'STANDARD' && now >= expiryOf(execution);
}

/**
 * The timer that bounds the whole execution, or undefined when nothing does. A redrive begins it anew.
 */
export function executionTimer(machine: Machine, execution: Execution): Timer | undefined {
  const seconds = Math.min(
    machine.definition.timeoutSeconds ?? Number.POSITIVE_INFINITY,
    execution.kind === 'STANDARD' ? Number.POSITIVE_INFINITY : EXPRESS_SECONDS_MAX,
  );
  if (seconds === Number.POSITIVE_INFINITY) return undefined;
  const due = (execution.redrivenAt ?? execution.startedAt) + seconds * 1000;
  return { timerId: `execution@${execution.redriveCount}`, due };
}
