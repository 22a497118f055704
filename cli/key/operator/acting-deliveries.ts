import { STATE } from '../../../state-machine/contract/state-names';
import { describe, historyOf, listExecutions } from '../../aws/executions';
import type { WorkflowAccess } from '../../aws/workflow';
import { each } from '../../concurrency';
import { Rejection } from '../../program/rejection';
import { claimedKeysIn } from '../claimed-keys';
import { historyIn } from '../history';
import type { KeyRecord } from '../record';

/**
 * States in which a delivery to a team's own state machine acts on the record as it has read it before. In all others
 * it reads the record again first.
 */
const ACTS_ON_WHAT_IT_READ: ReadonlySet<string> = new Set([
  STATE.read,
  STATE.whatDoesRecordSay,
  STATE.returnOwnersResult,
  STATE.readResult,
  STATE.askAboutOwner,
  STATE.isOwnerRunning,
  STATE.redrive,
]);

/** So many running executions are checked. */
const RUNNING_MAX = 500;

/**
 * ARNs of running deliveries that may still act on a record that they read before now, such as by redriving its owner.
 *
 * @throws Rejection if more executions are running than can be checked
 */
export async function findActingDeliveries(access: WorkflowAccess, record: KeyRecord): Promise<string[]> {
  return stillActing(access, record, await runningOthers(access, record));
}

/** Those of the deliveries that may still act on the record. @throws Rejection */
export async function stillActing(
  access: WorkflowAccess,
  record: KeyRecord,
  arns: readonly string[],
): Promise<string[]> {
  const isActing = await each(arns, arn => isActingOn(access, record, arn));
  return arns.filter((_, index) => isActing[index]);
}

async function runningOthers(
  { aws, workflow: { stateMachineArn } }: WorkflowAccess,
  { owner }: KeyRecord,
): Promise<string[]> {
  const arns: string[] = [];
  // In this order: what is about to go on when the first list is made may be running when the second is.
  for (const status of ['PENDING_REDRIVE', 'RUNNING'] as const) {
    const listing = { stateMachineArn, since: 0, namesMax: RUNNING_MAX, status };
    const { items, isCutOff } = await listExecutions(aws, listing);
    if (isCutOff) {
      throw new Rejection(
        `nothing was released, because more than ${RUNNING_MAX} executions are running, and each of them might be about to ` +
          'redrive the owner. Try again when fewer executions run',
      );
    }
    arns.push(...items.flatMap(({ executionArn }) => executionArn ?? []));
  }
  return arns.filter(arn => arn !== owner);
}

async function isActingOn(
  { aws, workflow }: WorkflowAccess,
  { recordKey }: KeyRecord,
  arn: string,
): Promise<boolean> {
  const events = (await historyOf(aws, arn)) ?? [];
  const { keys } = claimedKeysIn(events, workflow);
  if (keys.size > 0 && !keys.has(recordKey)) return false;
  const last = historyIn(events, workflow.prefix).visits.at(-1);
  if (last === undefined || !ACTS_ON_WHAT_IT_READ.has(last.name)) return false;
  const status = (await describe(aws, arn))?.status;
  return status === 'RUNNING' || status === 'PENDING_REDRIVE';
}
