import { STATUS } from '../../../state-machine/contract/index';
import { REDRIVE_FUNCTION_MS, REDRIVE_WITHIN_MS } from '../../../state-machine/contract/recovery-timing';
import { executionNameIn } from '../../arns';
import { describe } from '../../aws/executions';
import type { WorkflowAccess } from '../../aws/workflow';
import { Rejection } from '../../program/rejection';
import { judgeOwner } from '../judge-owner';
import { readRecord } from '../read-record';
import type { KeyRecord } from '../record';
import { findActingDeliveries, stillActing } from './acting-deliveries';
import { type Completion, completedBy, completedError } from './completion';
import type { ReadyRelease } from './release-plan';
import { releasedError, reservationOf, reservedError, reservedInWords } from './reservation';
import { KeyWriter } from './write';

/** DescribeExecution and ListExecutions may not show at once what has just begun. */
const LISTED_WITHIN_MS = 5_000;

/**
 * When a record has been reserved for so long, no redrive of its owner can arrive any more, and one that has arrived is
 * visible. Recovery redrives only within a minute after it has read a record; its function takes some seconds more.
 */
export const RESERVED_FOR_MS = REDRIVE_WITHIN_MS + REDRIVE_FUNCTION_MS + LISTED_WITHIN_MS;

/** The same in a team's own state machine, whose deliveries redrive owners themselves, and are looked for. */
const SETTLED_WITHIN_MS = REDRIVE_FUNCTION_MS + LISTED_WITHIN_MS;
const POLL_EVERY_MS = 2_000;
/** Such deliveries get so long to do what they are about to do. */
const PATIENCE_MS = 60_000;
const PROGRESS_EVERY_MS = 5_000;

export interface Releasing {
  /** This release's own: it tells its writes from those of every other. */
  readonly token: string;
  /** Who releases: the record says so while it is reserved. */
  readonly by: string;
  /** Gets the reason for which the release waits. */
  readonly progress: (text: string) => void;
}

/**
 * Releases a key as it was planned, and only if record and owner are still as they were read.
 *
 * Never frees a key whose owner runs: if a redrive may be on its way, the owner is asked about once more while the
 * record is reserved.
 *
 * @throws Rejection if something has changed; nothing is released then
 */
export async function release(
  access: WorkflowAccess,
  plan: ReadyRelease,
  releasing: Releasing,
): Promise<void> {
  const free = (record: KeyRecord) => freeRecord(access, record, plan, releasing.token);
  if (plan.isReservedFirst) await withReservation(access, plan, releasing, free);
  else await free(plan.record);
}

async function freeRecord(
  access: WorkflowAccess,
  record: KeyRecord,
  { action, completion }: ReadyRelease,
  token: string,
): Promise<void> {
  const writer = new KeyWriter(access);
  const isDelete = action === 'delete';
  const at = new Date(access.aws.time.now()).toISOString();
  const error = completion ? completedError(record, completion, at, token) : releasedError(record, token);
  const write = () => {
    if (completion) return writer.complete(record, completion, { token, error });
    return isDelete ? writer.delete(record) : writer.markReleased(record, error);
  };
  if (await write()) return;
  // A write whose condition failed by what it has written itself, its first answer lost, has been made.
  const current = await readRecord(access, record.recordKey);
  const isOwn = isDelete ? current === undefined : current?.error === error;
  if (isOwn) return;
  const isOthers =
    current !== undefined && (current.owner !== record.owner || current.attempt !== record.attempt);
  if (!isOthers || completedBy(current) !== undefined) throw changed(current, completion);
  const name = executionNameIn(current.owner);
  throw new Rejection(
    `the record has another owner now: ${name}, attempt ${current.attempt}, ${current.status}`,
  );
}

/**
 * Does the work on a record that is reserved, when no redrive can arrive any more that was decided before. The owner is
 * as it was planned for when the work begins.
 *
 * If the work is not done, the record gets its status back: after a rejection, an error, and Ctrl-C. A process that is
 * killed leaves it reserved, and another release goes on from there. An owner that was redriven meanwhile finishes a
 * reserved record as ever.
 *
 * @throws Rejection if the owner was redriven, deliveries are still about to redrive it, or the work was rejected
 */
async function withReservation(
  access: WorkflowAccess,
  plan: ReadyRelease,
  { token, by, progress }: Releasing,
  work: (reserved: KeyRecord) => Promise<void>,
): Promise<void> {
  const writer = new KeyWriter(access);
  const at = new Date(access.aws.time.now()).toISOString();
  const purpose = plan.completion ? 'complete' : 'release';
  const error = reservedError(plan.record, token, { purpose, by, at });
  const reserved = { ...plan.record, status: STATUS.releasing, error };
  try {
    if (!(await writer.reserve(plan.record, error))) {
      const current = await readRecord(access, reserved.recordKey);
      // A reservation whose condition failed by what it had written itself, its first answer lost, has been made.
      if (current?.error !== error) throw changed(current, plan.completion);
    }
    if (access.workflow.prefix === '') await waitFor(access, RESERVED_FOR_MS, progress);
    else await waitForActingDeliveries(access, reserved, progress);
    await requireOwnerAsBefore(access, plan, reserved);
    await work(reserved);
  } catch (cause) {
    // Also after Ctrl-C, and if an answer was lost: the condition knows whether it is reserved, and by which release.
    const { signal: _, ...aws } = access.aws;
    await new KeyWriter({ ...access, aws }).restore(reserved).catch(() => {
      throw new Rejection(
        `AWS does not answer, and the record might still be reserved (RELEASING). Check it with \`onceflow show\`, ` +
          `and ${purpose} it again`,
      );
    });
    throw cause;
  }
}

/** Nothing was done, because another has written the record: who, and what, if the record says so. */
function changed(current: KeyRecord | undefined, completion: Completion | undefined): Rejection {
  const reservation = current && reservationOf(current);
  const by = current && completedBy(current);
  const what =
    reservation !== undefined
      ? reservedInWords(reservation)
      : by !== undefined
        ? `it was completed by ${by}`
        : 'the record has changed in the meantime; see `onceflow show`';
  return new Rejection(`nothing was ${completion ? 'completed' : 'released'}, because ${what}`);
}

/** Waits so long, and says for how long still. */
async function waitFor({ aws }: WorkflowAccess, ms: number, progress: (text: string) => void): Promise<void> {
  const { time, signal } = aws;
  const until = time.elapsed() + ms;
  for (let left = ms; left > 0; left = until - time.elapsed()) {
    progress(`the record is reserved; waiting ${Math.ceil(left / 1000)} s until no redrive can arrive`);
    await time.sleep(Math.min(left, PROGRESS_EVERY_MS), signal);
  }
}

async function waitForActingDeliveries(
  access: WorkflowAccess,
  reserved: KeyRecord,
  progress: (text: string) => void,
): Promise<void> {
  const { time, signal } = access.aws;
  const until = time.elapsed() + SETTLED_WITHIN_MS + PATIENCE_MS;
  await waitFor(access, SETTLED_WITHIN_MS, progress);
  let acting = await findActingDeliveries(access, reserved);
  while (acting.length > 0) {
    const names = acting.map(executionNameIn).join(', ');
    if (time.elapsed() >= until) {
      throw new Rejection(
        `nothing was released, because ${names} might be about to redrive the owner. Try again in a minute`,
      );
    }
    progress(`waiting for ${names}`);
    await time.sleep(POLL_EVERY_MS, signal);
    acting = await stillActing(access, reserved, acting);
  }
}

async function requireOwnerAsBefore(
  access: WorkflowAccess,
  { owner: before, completion }: ReadyRelease,
  reserved: KeyRecord,
): Promise<void> {
  const { aws, workflow } = access;
  const now = aws.time.now();
  const description = await describe(aws, reserved.owner);
  const seen = { isExpress: false, description, history: undefined };
  const owner = judgeOwner({ workflow, record: reserved, owner: seen, now });
  const isAsBefore =
    owner.kind === 'ended' && before.kind === 'ended'
      ? owner.redriveCount === before.redriveCount
      : owner.kind === 'unknown' && before.kind === 'unknown';
  if (isAsBefore) return;
  throw new Rejection(
    `nothing was ${completion ? 'completed' : 'released'}, because the owner ${executionNameIn(reserved.owner)} was redriven in the meantime; it is ` +
      `${'status' in owner ? owner.status : owner.kind}`,
  );
}
