import { ERROR, STATUS } from '../../../state-machine/contract/index';
import type { JudgedKey } from '../judge';
import { type DeadOwner, OWNER_REFUSALS } from '../judge-owner';
import { heldFor, isGone, isUnfinished, type KeyRecord } from '../record';

/** What a redrive of a key's owner comes to. */
export type RedrivePlan =
  | { readonly kind: 'refused'; readonly reason: RedriveRefusal }
  | { readonly kind: 'ready'; readonly record: KeyRecord; readonly owner: DeadOwner };

/** Why an owner is not redriven. */
export type RedriveRefusal =
  | 'noRecord'
  | 'expired'
  /** Another workflow owns the record: what its execution does is that one's. */
  | 'foreign'
  /** A release has reserved the record. */
  | 'reserved'
  /** The next delivery takes the record over: its owner must not resume beside that. */
  | 'released'
  /** At most once: the step may have run. An operator releases the key. */
  | 'inDoubt'
  /** The record is finished. */
  | 'nothingToFinish'
  | (typeof OWNER_REFUSALS)[keyof typeof OWNER_REFUSALS]
  /** It ended in a Fail state before its step, and would end there again. */
  | 'ownerHasGivenUp'
  | 'ownerTooOld'
  /** At most once: the step would run again. Forced, it is redriven. */
  | 'interruptedInStep';

/** Plans the redrive of a key's owner, under the conditions of recovery. Pure. */
export function planRedrive(key: JudgedKey, { isForced }: { readonly isForced: boolean }): RedrivePlan {
  const { record, owner, now, workflow } = key;
  if (record === undefined) return refused('noRecord');
  if (isGone(record, now)) return refused('expired');
  if (key.nextDelivery === 'isForeign') return refused('foreign');
  if (record.status === STATUS.releasing) return refused('reserved');
  if (record.status === STATUS.released) return refused('released');
  if (heldFor(record, workflow) === ERROR.inDoubt) return refused('inDoubt');
  const isHeld = record.status === STATUS.held;
  if (!isUnfinished(record) && !isHeld && !isResultElsewhere(record) && !key.isResultUnsent)
    return refused('nothingToFinish');
  if (owner.kind !== 'dead') return refused(OWNER_REFUSALS[owner.kind]);
  if (owner.hasGivenUp) return refused('ownerHasGivenUp');
  if (!owner.isRedrivable) return refused('ownerTooOld');
  if (workflow.isAtMostOnce && key.stoppedAt === 'within' && !isForced) return refused('interruptedInStep');
  return { kind: 'ready', record, owner };
}

// Only the owner's output has it, and that only when the owner has succeeded.
function isResultElsewhere({ status, result, resultLocation }: KeyRecord): boolean {
  return status === STATUS.completed && result === null && resultLocation === undefined;
}

function refused(reason: RedriveRefusal): RedrivePlan {
  return { kind: 'refused', reason };
}
