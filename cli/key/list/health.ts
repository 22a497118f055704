import { type EpochMs, STATUS } from '../../../state-machine/contract/index';
import type { Workflow } from '../../aws/workflow';
import { isGone, isHeld, isUnfinished, type KeyRecord, sinceWhen } from '../record';

/** How urgent a key is, the most urgent first. */
export const KEY_HEALTHS = [
  'held',
  'overdue',
  'failed',
  'rejected',
  'released',
  'underWay',
  'unknown',
  'completed',
  'expired',
] as const;

/** How a key stands, or a delivery of it that was rejected, for an operator who searches what is stuck. */
export type KeyHealth = (typeof KEY_HEALTHS)[number];

/** A key among others. */
export interface Ranked {
  readonly health: KeyHealth;
  /** When it got its status, epoch milliseconds; null where it does not say, so that it may be as old as any. */
  readonly since: number | null;
}

/** A start, and what retries of its first writes may take, beside the time of the step. */
const MARGIN_MS = 60_000;

/**
 * How a key stands, by its record alone: about an owner is asked only when an operator opens the key. A key that is
 * under way for longer than its step may take is overdue.
 */
export function healthOf(record: KeyRecord, workflow: Workflow, now: EpochMs): KeyHealth {
  if (isGone(record, now)) return 'expired';
  if (isHeld(record, workflow)) return 'held';
  if (isUnfinished(record)) {
    const stepMs = Math.max(workflow.stepTimeoutMs, (record.stepTimeout ?? 0) * 1000);
    const since = sinceWhen(record);
    return since !== undefined && now - since <= stepMs + MARGIN_MS ? 'underWay' : 'overdue';
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
