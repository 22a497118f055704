import type { Aws } from '../aws/aws';
import { Refusal } from '../refusal';
import { HELD } from '../release/held';
import { whileHeld } from '../release/hold';
import { executionNameIn } from '../text';
import type { Workflow } from '../workflow';
import { situationOf } from './inspect';
import { isSame, readRecord, type SeenRecord } from './record';
import { type Plan, planOf, type Wishes } from './release-plan';
import { deleteRecord, markReleased, releasedError } from './write';

/**
 * Does what was planned, and only if the record and its owner are still as they were seen.
 *
 * `token` is this release's own. Never frees a key whose owner lives: the owner is asked about again when the person
 * has said yes, and, where deliveries could redrive it, once more after the record was held back.
 *
 * @throws Refusal where something has changed; nothing is released then
 */
export async function release(
  aws: Aws,
  workflow: Workflow,
  plan: Plan & { kind: 'ready' },
  wishes: Wishes,
  token: string,
): Promise<void> {
  const { recordKey } = plan.record;
  const situation = await situationOf(aws, workflow, recordKey);
  const now = planOf(situation, wishes);
  if (now.kind !== 'ready' || !isSame(now.record, plan.record)) {
    throw new Refusal(`nothing was released: ${now.kind === 'ready' ? CHANGED : now.reason}`);
  }
  const error = releasedError(now.record, token);
  const write = (record: SeenRecord) => written(aws, workflow, record, now.action, error);
  if (now.isHeldFirst) await whileHeld(aws, workflow, now.record, situation.owner, error, write);
  else await write(now.record);
}

async function written(
  aws: Aws,
  workflow: Workflow,
  record: SeenRecord,
  action: 'markReleased' | 'delete',
  error: string,
): Promise<void> {
  const isWritten =
    action === 'delete'
      ? await deleteRecord(aws, workflow, record)
      : await markReleased(aws, workflow, record, error);
  if (!isWritten) await requireOwnWrite(aws, workflow, record, action === 'delete' ? undefined : error);
}

const CHANGED = 'the record has changed meanwhile; look at it with `onceflow show`';

/** A write that was refused by what it had written itself, its first answer lost, has been made. */
async function requireOwnWrite(
  aws: Aws,
  { table }: Workflow,
  { recordKey, owner, attempt }: SeenRecord,
  error: string | undefined,
): Promise<void> {
  const record = await readRecord(aws, table, recordKey);
  const isOwn =
    error === undefined ? record === undefined : record?.error === error && record.status !== HELD;
  if (isOwn) return;
  const isOthers = record !== undefined && (record.owner !== owner || record.attempt !== attempt);
  throw new Refusal(
    isOthers
      ? `the record has another owner now: ${executionNameIn(record.owner)}, attempt ${record.attempt}, ` +
          record.status
      : `nothing was released: ${CHANGED}`,
  );
}
