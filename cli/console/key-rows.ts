import type { KeyRow, Standing } from '@onceflow/console';
import { type EpochMs, STATUS } from '../../state-machine/contract/index';
import { failureOf, isGone, isParked, isUnfinished, type KeyRecord } from '../key/record';
import { sinceWhen } from '../key/scan-records';
import { ownerNameIn } from '../text';
import type { Workflow } from '../workflow';

/** A start, and what retries of its first writes may take, beside the time of the step. */
const MARGIN_MS = 60_000;

/** Those that need a person first. */
const ORDER: readonly Standing[] = [
  'inDoubt',
  'overdue',
  'failed',
  'underWay',
  'unknown',
  'completed',
  'expired',
];

/** Rows of the list of keys: by how they stand; those that are not done oldest first, the others newest first. */
export function rowsOf(records: readonly KeyRecord[], workflow: Workflow, now: EpochMs): readonly KeyRow[] {
  const rows = records.map(record => rowOf(record, workflow, now));
  const rank = new Map(ORDER.map((standing, index) => [standing, index]));
  const isDone = ({ standing }: KeyRow) => standing === 'completed' || standing === 'expired';
  return rows.sort((one, other) => {
    const byStanding = (rank.get(one.standing) ?? 0) - (rank.get(other.standing) ?? 0);
    const byAge = (one.since ?? 0) - (other.since ?? 0);
    return byStanding || (isDone(one) ? -byAge : byAge);
  });
}

function rowOf(record: KeyRecord, workflow: Workflow, now: EpochMs): KeyRow {
  return {
    key: record.recordKey.slice(`${workflow.scope}#`.length),
    status: record.status,
    standing: standingOf(record, workflow, now),
    attempt: record.attempt,
    since: sinceWhen(record) ?? null,
    owner: ownerNameIn(record.owner, workflow.stateMachineArn),
    error: isUnfinished(record) ? '' : (failureOf(record)?.error ?? ''),
  };
}

/**
 * How a key stands, by its record alone: whether an owner lives is asked only where a person looks at the key. One that
 * is under way for longer than its step may take is overdue.
 */
function standingOf(record: KeyRecord, workflow: Workflow, now: EpochMs): Standing {
  if (isGone(record, now)) return 'expired';
  if (isParked(record, workflow)) return 'inDoubt';
  if (isUnfinished(record)) {
    const stepMs = Math.max(workflow.stepTimeoutMs, (record.stepTimeout ?? 0) * 1000);
    const since = sinceWhen(record);
    return since !== undefined && now - since <= stepMs + MARGIN_MS ? 'underWay' : 'overdue';
  }
  if (record.status === STATUS.completed) return 'completed';
  return record.status === STATUS.failed ? 'failed' : 'unknown';
}
