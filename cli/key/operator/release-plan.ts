import { ERROR, STATUS } from '../../../state-machine/contract/index';
import type { JudgedKey } from '../judge';
import { OWNER_REJECTIONS, type Owner } from '../judge-owner';
import { heldFor, isFailureReturned, isGone, isHeld, isUnfinished, type KeyRecord } from '../record';
import type { Completion } from './completion';
import { beforeReservation, reservationOf } from './reservation';

/** The way in which a key is released. */
export interface ReleaseOptions {
  /** Also if the owner can be redriven, and if an Express owner has no lease. */
  readonly isForced: boolean;
  /** True to forget the key altogether, payload and attempts included. */
  readonly isDeleted: boolean;
  /** The result that the key gets instead: the step has taken effect, and does not run again. */
  readonly completion?: Completion | undefined;
}

/** What a release comes to. */
export type ReleasePlan =
  /** It would not be safe, or there is nothing to release. */
  | { readonly kind: 'rejected'; readonly reason: ReleaseRejection }
  /** The next delivery runs the step as it is. */
  | { readonly kind: 'free'; readonly reason: 'expired' | 'failed' | 'releasedBefore' }
  | ReadyRelease;

/** Why a key is not released. */
export type ReleaseRejection =
  | 'noRecord'
  | 'completed'
  /** A completion: only a key that waits for an operator is completed by hand. */
  | 'notHeld'
  | 'unknownStatus'
  /** Another operator has begun to complete it: the step has taken effect. Forced, it is released. */
  | 'reservedToComplete'
  /** Another workflow's. Forced and deleted, it is gone. */
  | 'foreign'
  | 'ownerRunning'
  | 'ownerSucceeded'
  | 'ownerMayStillWork'
  | 'ownerNotVisibleYet'
  /** The owner can resume where it stopped, which repeats less. Forced, it is released. */
  | 'redriveIsBetter'
  | 'leaseRunning'
  /** Step Functions cannot be asked about the owner, which has no lease. Forced, it is released. */
  | 'noLease';

/** A release that can be made, and what it does. */
export interface ReadyRelease {
  readonly kind: 'ready';
  readonly record: KeyRecord;
  readonly owner: Owner;
  readonly action: 'markReleased' | 'delete' | 'complete';
  readonly completion?: Completion | undefined;
  /** True if the workflow has a success destination, which gets no message of a completion by hand. */
  readonly hasDestination: boolean;
  /** True if a redrive of the owner may be on its way: the record is reserved until that is over. */
  readonly isReservedFirst: boolean;
  /** The attempt that the next delivery runs the step as. */
  readonly nextAttempt: number;
  /** Whether the step may have had its effect: it has ended, may have run, or has certainly not begun. */
  readonly stepBefore: 'ran' | 'mayHaveRun' | 'notBegun';
  /** True if the owner, redriven later, would run its step beside the next owner. */
  readonly mustNotBeRedriven: boolean;
}

/** Plans the release of a key. Pure: the conditions of the writes keep it safe against all others. */
export function planRelease(key: JudgedKey, options: ReleaseOptions): ReleasePlan {
  const { record, now } = key;
  if (record === undefined) return rejected('noRecord');
  if (options.completion !== undefined) return planCompletion(key, record, options);
  if (isGone(record, now)) return { kind: 'free', reason: 'expired' };
  const isTakenFromOthers = options.isForced && options.isDeleted;
  if (key.nextDelivery === 'foreignRecord' && !isTakenFromOthers) return rejected('foreign');
  if (record.status === STATUS.completed) return rejected('completed');
  if (reservationOf(record)?.purpose === 'complete' && !options.isForced)
    return rejected('reservedToComplete');
  if (record.status === STATUS.released && !options.isDeleted)
    return { kind: 'free', reason: 'releasedBefore' };
  if (record.status === STATUS.released) return ready(key, record, options, false);
  if (record.status === STATUS.failed || record.status === STATUS.held)
    return planForFailed(key, record, options);
  if (isUnfinished(record)) return planForUnfinished(key, record, options);
  return rejected('unknownStatus');
}

/**
 * The owner of a held key has ended, or Step Functions does not know it, and its step's time is over. A completion that
 * was killed leaves the record reserved, and another one continues it.
 */
function planCompletion(key: JudgedKey, record: KeyRecord, options: ReleaseOptions): ReleasePlan {
  const { workflow, owner, now } = key;
  if (key.nextDelivery === 'foreignRecord') return rejected('foreign');
  if (record.status === STATUS.completed) return rejected('completed');
  const before = { ...record, ...beforeReservation(record) };
  if (isGone(record, now) || !isHeld(before, workflow)) return rejected('notHeld');
  if (owner.kind !== 'ended' && owner.kind !== 'unknown' && owner.kind !== 'express')
    return rejected(OWNER_REJECTIONS[owner.kind]);
  const isReserved = record.status !== STATUS.failed && owner.kind !== 'express';
  return { ...ready(key, record, options, isReserved), action: 'complete', nextAttempt: record.attempt + 1 };
}

function planForFailed(key: JudgedKey, record: KeyRecord, options: ReleaseOptions): ReleasePlan {
  const { workflow, owner } = key;
  if (owner.kind === 'running') return rejected('ownerRunning');
  if (isHeld(record, workflow)) {
    if (owner.kind === 'mayStillWork') return rejected('ownerMayStillWork');
    // Recovery, or an operator, may have read the record before it was held, and be about to redrive the owner.
    return ready(key, record, options, record.status === STATUS.held && owner.kind !== 'express');
  }
  if (!isFailureReturned(record, workflow) && !options.isDeleted) return { kind: 'free', reason: 'failed' };
  // Its owner is behind its step: a redrive only sends the notice that it owes.
  return ready(key, record, options, false);
}

function planForUnfinished(key: JudgedKey, record: KeyRecord, options: ReleaseOptions): ReleasePlan {
  switch (key.owner.kind) {
    case 'unknown':
      return ready(key, record, options, true);
    case 'express':
      return planForLease(key, record, options);
    case 'ended':
      // An operator who reserved the record before knew that a redrive is better.
      if (options.isForced || record.status === STATUS.releasing || !isRedriveBetter(key))
        return ready(key, record, options, true);
      return rejected('redriveIsBetter');
    default:
      return rejected(OWNER_REJECTIONS[key.owner.kind]);
  }
}

/** True if the owner can resume where it stopped. At most once, it must not if that is within its step. */
function isRedriveBetter({ workflow, owner, stoppedAt }: JudgedKey): boolean {
  if (owner.kind !== 'ended' || !owner.isRedrivable || owner.hasGivenUp) return false;
  if (owner.redriveCount >= workflow.maxRedrives) return false;
  return !workflow.isAtMostOnce || stoppedAt === 'before' || stoppedAt === 'after';
}

// An Express execution can be neither asked about nor redriven; its lease bounds both it and its step.
function planForLease(key: JudgedKey, record: KeyRecord, options: ReleaseOptions): ReleasePlan {
  const { leaseExpiry } = record;
  if (leaseExpiry === undefined) {
    return options.isForced ? ready(key, record, options, false) : rejected('noLease');
  }
  return leaseExpiry >= key.now ? rejected('leaseRunning') : ready(key, record, options, false);
}

function ready(
  { workflow, owner, stoppedAt }: JudgedKey,
  record: KeyRecord,
  { isDeleted, completion }: ReleaseOptions,
  isReservedFirst: boolean,
): ReadyRelease {
  const isOpen = isUnfinished(record) || record.status === STATUS.held;
  const held = heldFor(record, workflow);
  const isInDoubt = held === ERROR.inDoubt;
  const hasRun = (isOpen && stoppedAt === 'after') || held === ERROR.resultUnavailable;
  const mayHaveRun = isInDoubt || (isOpen && stoppedAt !== 'before');
  return {
    kind: 'ready',
    record,
    owner,
    action: isDeleted ? 'delete' : 'markReleased',
    completion,
    hasDestination: workflow.sendsResults,
    isReservedFirst,
    nextAttempt: isDeleted ? 1 : record.attempt + 1,
    stepBefore: hasRun && !isInDoubt ? 'ran' : mayHaveRun ? 'mayHaveRun' : 'notBegun',
    mustNotBeRedriven: owner.kind === 'ended' && owner.isRedrivable && stoppedAt === 'within',
  };
}

function rejected(reason: ReleaseRejection): ReleasePlan {
  return { kind: 'rejected', reason };
}
