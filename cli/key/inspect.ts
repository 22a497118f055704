import type { EpochMs } from '../../state-machine/contract/index';
import type { Aws } from '../aws/aws';
import { type Owner, ownerOf, type Place, placeOf } from '../owner';
import { isUnfinished } from '../release/held';
import type { Workflow } from '../workflow';
import { isParked, readRecord, type SeenRecord } from './record';

/** What is known of a key at one moment: what a release or a redrive is judged by, and what a person is told. */
export interface Situation {
  readonly workflow: Workflow;
  readonly record: SeenRecord | undefined;
  readonly owner: Owner;
  /** Where a dead owner of an unfinished or parked record stopped; undefined where nobody was asked, or can be. */
  readonly place: Place | undefined;
  readonly now: EpochMs;
}

/** What a key and its owner look like now. @throws Refusal where AWS does not answer */
export async function situationOf(aws: Aws, workflow: Workflow, recordKey: string): Promise<Situation> {
  const record = await readRecord(aws, workflow.table, recordKey);
  const now = aws.time.now();
  if (record === undefined) return { workflow, record, owner: { kind: 'unknown' }, place: undefined, now };
  const owner = await ownerOf(aws, workflow, record);
  const isOpen = isUnfinished(record) || isParked(record, workflow);
  const place = isOpen && owner.kind === 'dead' ? await placeOf(aws, workflow, record.owner) : undefined;
  return { workflow, record, owner, place, now };
}
