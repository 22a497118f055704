import { ERROR, STATUS } from '../../../state-machine/contract/index';
import type { JudgedKey } from '../judge';
import { type EndedOwner, OWNER_REJECTIONS } from '../judge-owner';
import { heldFor, isGone, isUnfinished, type KeyRecord } from '../record';

/** What a redrive of a key's owner comes to. */
export type RedrivePlan =
  | { readonly kind: 'rejected'; readonly reason: RedriveRejection }
  | { readonly kind: 'ready'; readonly record: KeyRecord; readonly owner: EndedOwner };

/** Why an owner is not redriven. */
export type RedriveRejection =
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
  | (typeof OWNER_REJECTIONS)[keyof typeof OWNER_REJECTIONS]
  /** It ended in a Fail state before its step, and would end there again. */
  | 'ownerHasGivenUp'
  | 'ownerTooOld'
  /** At most once: the step would run again. Forced, it is redriven. */
  | 'interruptedInStep';

/** Plans the redrive of a key's owner, under the conditions of recovery. Pure. */
export function planRedrive(key: JudgedKey, { isForced }: { readonly isForced: boolean }): RedrivePlan {
  const { record, owner, now, workflow } = key;
  if (record === undefined) return rejected('noRecord');
  if (isGone(record, now)) return rejected('expired');
  if (key.nextDelivery === 'foreignRecord') return rejected('foreign');
  if (record.status === STATUS.releasing) return rejected('reserved');
  if (record.status === STATUS.released) return rejected('released');
  if (heldFor(record, workflow) === ERROR.inDoubt) return rejected('inDoubt');
  const isHeld = record.status === STATUS.held;
  if (!isUnfinished(record) && !isHeld && !isResultElsewhere(record) && !key.isResultUnsent)
    return rejected('nothingToFinish');
  if (owner.kind !== 'ended') return rejected(OWNER_REJECTIONS[owner.kind]);
  if (owner.hasGivenUp) return rejected('ownerHasGivenUp');
  if (!owner.isRedrivable) return rejected('ownerTooOld');
  if (workflow.isAtMostOnce && key.stoppedAt === 'within' && !isForced) return rejected('interruptedInStep');
  return { kind: 'ready', record, owner };
}

// Only the owner's output has it, and that only when the owner has succeeded.
function isResultElsewhere({ status, result, resultLocation }: KeyRecord): boolean {
  return status === STATUS.completed && result === null && resultLocation === undefined;
}

function rejected(reason: RedriveRejection): RedrivePlan {
  return { kind: 'rejected', reason };
}
