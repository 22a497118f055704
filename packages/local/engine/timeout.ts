import { type Failure, TIMEOUT_ERROR } from './completion';
import type { Execution, Machine, Timer } from './execution';
import type { Turn } from './turn';

// `TimeoutSeconds` and `HeartbeatSeconds` of a Task: https://states-language.net/spec.html#task-state
// `TimeoutSeconds` of the machine: https://states-language.net/spec.html#toplevelfields
// The longest time of an execution: https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
//
// 1. An attempt fails with States.Timeout once its seconds are over; also when a heartbeat is missed, which can be
//    matched as States.HeartbeatTimeout, too.
// 2. An execution is timed out once the machine's seconds are over, counted from its start or its last redrive; an
//    Express one after five minutes at the latest.
// 3. A Standard execution is timed out a year after its start, redrives included.

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
