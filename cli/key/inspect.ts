import { recordKey } from '../../state-machine/contract/index';
import { isOfPlace } from '../arns';
import { describe, historyOf } from '../aws/executions';
import type { WorkflowAccess } from '../aws/workflow';
import { findExecutions, type Search } from './find-executions';
import type { Key } from './input/key';
import type { KeyState, OwnerState } from './key-state';
import { readRecord } from './read-record';
import { isHeld, isUnfinished, type KeyRecord } from './record';

/**
 * Reads all there is to know about a key: its record, the record's owner, and, where a search is asked for, every
 * execution of the key within its bounds, with their histories. Each is as it was at the moment of its reading.
 *
 * @throws Refusal where AWS does not answer, or the item under the key is no record
 */
export async function inspectKey(access: WorkflowAccess, key: Key, search?: Search): Promise<KeyState> {
  const { aws, workflow } = access;
  const fullKey = recordKey(workflow.scope, key.text);
  const record = await readRecord(access, fullKey);
  const now = aws.time.now();
  const isSearchable = search !== undefined && workflow.type === 'STANDARD';
  // About any other owner nobody can be asked here.
  const asked = record && isOfPlace(record.owner, workflow.stateMachineArn) ? record.owner : undefined;
  const wanted = { text: key.text, recordKey: fullKey, owner: asked };
  const executions = isSearchable ? await findExecutions(access, wanted, search) : undefined;
  const found = executions?.executions.find(({ executionArn }) => executionArn === record?.owner);
  const owner =
    record === undefined
      ? undefined
      : found === undefined
        ? await readOwner(access, record)
        : { isExpress: false, description: found.description, history: found.events };
  return { workflow, key, recordKey: fullKey, record, owner, executions, now };
}

/**
 * What Step Functions knows of a record's owner now. The history is read only of a dead owner whose record waits for
 * somebody: that is where it matters at which state the owner stopped.
 *
 * @throws Refusal
 */
async function readOwner({ aws, workflow }: WorkflowAccess, record: KeyRecord): Promise<OwnerState> {
  const { owner } = record;
  if (!isOfPlace(owner, workflow.stateMachineArn)) {
    return { isExpress: false, description: undefined, history: undefined };
  }
  if (owner.split(':')[5] === 'express') {
    return { isExpress: true, description: undefined, history: undefined };
  }
  const description = await describe(aws, owner);
  const hasEndedBadly =
    description !== undefined && /^(?:FAILED|ABORTED|TIMED_OUT)$/.test(description.status ?? '');
  const isWaiting = isUnfinished(record) || isHeld(record, workflow);
  const history = hasEndedBadly && isWaiting ? await historyOf(aws, owner) : undefined;
  return { isExpress: false, description, history };
}
