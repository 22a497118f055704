import type { Execution } from '../engine/execution';
import { HISTORY_EVENTS_MAX } from '../engine/history';
import { expiryOf } from '../engine/timeout';

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
