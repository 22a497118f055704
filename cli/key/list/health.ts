import { type EpochMs, STATUS } from '../../../state-machine/contract/index';
import type { Workflow } from '../../aws/workflow';
import { isGone, isHeld, isUnfinished, type KeyRecord, sinceWhen } from '../record';

/** The states of a row in a list of keys, the most urgent first. A row is a key or a rejected delivery. */
export const KEY_HEALTHS = [
  'held',
  'overdue',
  'failed',
  // Of a delivery, never of a key: the record of its key belongs to another delivery, or there is none.
  'rejected',
  'released',
  'inProgress',
  'unknown',
  'completed',
  'expired',
] as const;

/** What an operator needs to know of a row: the state of its key, or `rejected` for a rejected delivery. */
export type KeyHealth = (typeof KEY_HEALTHS)[number];

/** A row of a list that is ordered by urgency: a key, or a rejected delivery. */
export interface Ranked {
  readonly health: KeyHealth;
  /** When it got its status, epoch milliseconds; null if unknown, which sorts as the oldest. */
  readonly since: number | null;
}

/** What a start and the retries of its first writes can take, in addition to the time of the step. */
const MARGIN_MS = 60_000;

/**
 * The state of a key, by its record alone: onceflow asks Step Functions about its owner only when an operator
 * opens the key. A key that is in progress for longer than its step can take is overdue. Never `rejected`.
 */
export function healthOf(record: KeyRecord, workflow: Workflow, now: EpochMs): KeyHealth {
  if (isGone(record, now)) return 'expired';
  if (isHeld(record, workflow)) return 'held';
  if (isUnfinished(record)) {
    const stepMs = Math.max(workflow.stepTimeoutMs, (record.stepTimeout ?? 0) * 1000);
    const since = sinceWhen(record);
    return since !== undefined && now - since <= stepMs + MARGIN_MS ? 'inProgress' : 'overdue';
  }
  if (record.status === STATUS.completed) return 'completed';
  if (record.status === STATUS.released) return 'released';
  return record.status === STATUS.failed ? 'failed' : 'unknown';
}

/** Orders keys by urgency: those that are not done oldest first, the others newest first. */
export function byUrgency(one: Ranked, other: Ranked): number {
  const isDone = one.health === 'completed' || one.health === 'expired';
  const byHealth = KEY_HEALTHS.indexOf(one.health) - KEY_HEALTHS.indexOf(other.health);
  const byAge = (one.since ?? 0) - (other.since ?? 0);
  return byHealth || (isDone ? -byAge : byAge);
}
