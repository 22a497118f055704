import { type Failure, TIMEOUT_ERROR } from './completion';
import type { Execution, Machine, Timer } from './execution';
import type { Turn } from './turn';

// States Language, "Timeouts": `TimeoutSeconds` of a Task and of the whole machine.

/** The failure of whatever takes too long. It has no cause. */
export const TIMED_OUT: Failure = { kind: 'failed', error: TIMEOUT_ERROR };

/** Asks for a timer at `due`, epoch milliseconds. */
export function setTimer(turn: Turn, timerId: string, due: number): Timer {
  const timer: Timer = { timerId, due };
  turn.effects.push({ kind: 'setTimer', ...timer });
  return timer;
}

/** The timer that bounds the whole execution, or undefined when its machine sets no limit. */
export function executionTimer(machine: Machine, execution: Execution): Timer | undefined {
  const { timeoutSeconds } = machine.definition;
  if (timeoutSeconds === undefined) return undefined;
  const due = execution.startedAt + timeoutSeconds * 1000;
  return { timerId: `execution@${execution.redriveCount}`, due };
}
