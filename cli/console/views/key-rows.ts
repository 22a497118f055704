import type { KeyRow } from '@onceflow/console';
import type { EpochMs } from '../../../state-machine/contract/index';
import { ownerNameIn } from '../../arns';
import type { Workflow } from '../../aws/workflow';
import { failureOf } from '../../key/failure';
import { byUrgency, healthOf } from '../../key/list/health';
import { isUnfinished, type KeyRecord, sinceWhen } from '../../key/record';

/** Rows of the list of keys: by how they stand; those that are not done oldest first, the others newest first. */
export function rowsOf(records: readonly KeyRecord[], workflow: Workflow, now: EpochMs): readonly KeyRow[] {
  return records.map(record => rowOf(record, workflow, now)).sort(byUrgency);
}

function rowOf(record: KeyRecord, workflow: Workflow, now: EpochMs): KeyRow {
  return {
    workflow: workflow.name,
    executionArn: null,
    key: record.recordKey.slice(`${workflow.scope}#`.length),
    status: record.status,
    health: healthOf(record, workflow, now),
    attempt: record.attempt,
    since: sinceWhen(record) ?? null,
    owner: ownerNameIn(record.owner, workflow.stateMachineArn),
    error: isUnfinished(record) ? '' : (failureOf(record)?.error ?? ''),
  };
}
