import { describe } from '../aws/executions';
import type { WorkflowAccess } from '../aws/workflow';
import { Refusal } from '../program/refusal';
import { executionNameIn } from '../text';
import { findActingDeliveries, stillActing } from './find-executions';
import { readRecord } from './inspect';
import { judgeOwner } from './judge';
import { type KeyRecord, RELEASING } from './record';
import type { ReadyRelease } from './release-plan';
import { KeyWriter, releasedError } from './write';

/**
 * ListExecutions may not show at once what has just begun, and a delivery that has ended may have left the function at
 * work that redrives: ten seconds of its own, and up to ten of a cold start.
 */
const SETTLED_WITHIN_MS = 23_000;
const LOOK_EVERY_MS = 2_000;
/** Deliveries that act on what they have read get so long to be done with it. */
const PATIENCE_MS = 60_000;
const CHANGED = 'nothing was released: the record has changed meanwhile; look at it with `onceflow show`';

/**
 * Releases a key as it was planned, and only if record and owner are still as they were read.
 *
 * Never frees a key whose owner lives: where deliveries could redrive the owner, it is asked about once more while the
 * record is reserved. `token` is this release's own: it tells its writes from those of every other.
 *
 * @throws Refusal where something has changed; nothing is released then
 */
export async function release(access: WorkflowAccess, plan: ReadyRelease, token: string): Promise<void> {
  const error = releasedError(plan.record, token);
  const free = (record: KeyRecord) => freeRecord(access, record, plan.action, error);
  if (plan.isReservedFirst) await withReservation(access, plan, error, free);
  else await free(plan.record);
}

async function freeRecord(
  access: WorkflowAccess,
  record: KeyRecord,
  action: ReadyRelease['action'],
  error: string,
): Promise<void> {
  const writer = new KeyWriter(access);
  const isDelete = action === 'delete';
  const isWritten = isDelete ? await writer.delete(record) : await writer.markReleased(record, error);
  if (isWritten) return;
  // A write that is refused by what it has written itself, its first answer lost, has been made.
  const current = await readRecord(access, record.recordKey);
  const isOwn = isDelete ? current === undefined : current?.error === error && current.status !== RELEASING;
  if (isOwn) return;
  const isOthers =
    current !== undefined && (current.owner !== record.owner || current.attempt !== record.attempt);
  if (!isOthers) throw new Refusal(CHANGED);
  const name = executionNameIn(current.owner);
  throw new Refusal(
    `the record has another owner now: ${name}, attempt ${current.attempt}, ${current.status}`,
  );
}

/**
 * Does the work on an unfinished record that is reserved, so that no delivery that reads it from now on redrives its
 * owner, when those are done that have read it before. The owner is still dead when the work begins.
 *
 * `error` tells this reservation from every other. Where the work is not done, the record gets its status back: after a
 * refusal, an error, and Ctrl-C. A process that is killed leaves it reserved, and another release goes on from there.
 * An owner that was redriven meanwhile finishes a reserved record as ever.
 *
 * @throws Refusal where the owner was brought back, others are not done with it in time, or the work was refused
 */
async function withReservation(
  access: WorkflowAccess,
  plan: ReadyRelease,
  error: string,
  work: (reserved: KeyRecord) => Promise<void>,
): Promise<void> {
  const writer = new KeyWriter(access);
  const reserved = { ...plan.record, status: RELEASING, error };
  try {
    if (!(await writer.reserve(plan.record, error)) && !(await isReserved(access, reserved))) {
      throw new Refusal(CHANGED);
    }
    await waitForActingDeliveries(access, reserved);
    await requireDeadAsBefore(access, plan, reserved);
    await work(reserved);
  } catch (cause) {
    // Also after Ctrl-C, and where an answer was lost: the condition knows whether it is reserved, and by whom.
    const { signal: _, ...aws } = access.aws;
    await new KeyWriter({ ...access, aws }).restore(reserved).catch(() => {
      throw new Refusal(
        'AWS does not answer, and the record may still be reserved (RELEASING): look at it with `onceflow show`, ' +
          'and release it again',
      );
    });
    throw cause;
  }
}

/** Whether a reservation was refused by what it had written itself, its first answer lost. */
async function isReserved(access: WorkflowAccess, reserved: KeyRecord): Promise<boolean> {
  const current = await readRecord(access, reserved.recordKey);
  return current?.status === RELEASING && current.error === reserved.error;
}

async function waitForActingDeliveries(access: WorkflowAccess, reserved: KeyRecord): Promise<void> {
  const { time, signal } = access.aws;
  const until = time.elapsed() + SETTLED_WITHIN_MS + PATIENCE_MS;
  await time.sleep(SETTLED_WITHIN_MS, signal);
  let acting = await findActingDeliveries(access, reserved);
  while (acting.length > 0) {
    if (time.elapsed() >= until) {
      const names = acting.map(executionNameIn).join(', ');
      throw new Refusal(
        `nothing was released: ${names} may be about to redrive the owner; try again in a minute`,
      );
    }
    await time.sleep(LOOK_EVERY_MS, signal);
    acting = await stillActing(access, reserved, acting);
  }
}

async function requireDeadAsBefore(
  access: WorkflowAccess,
  plan: ReadyRelease,
  reserved: KeyRecord,
): Promise<void> {
  const { aws, workflow } = access;
  const now = aws.time.now();
  const description = await describe(aws, reserved.owner);
  const seen = { isExpress: false, description, history: undefined };
  const owner = judgeOwner({ workflow, record: reserved, owner: seen, now });
  const isAsBefore =
    owner.kind === 'dead' && plan.owner.kind === 'dead' && owner.redriveCount === plan.owner.redriveCount;
  if (isAsBefore) return;
  throw new Refusal(
    `nothing was released: the owner ${executionNameIn(reserved.owner)} was redriven by somebody else`,
  );
}
