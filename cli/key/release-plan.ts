import { STATUS } from '../../state-machine/contract/index';
import { type JudgedKey, judgeNextDelivery, type NextDelivery, type Owner } from './judge';
import { isGone, isParked, isReleased, isUnfinished, type KeyRecord, RELEASING } from './record';

/** How a key is to be released. */
export interface ReleaseOptions {
  /** Also where deliveries can still redrive the owner, and where an Express owner has no lease. */
  readonly isForced: boolean;
  /** True to forget the key altogether, payload and attempts included. */
  readonly isDeleted: boolean;
}

/** What a release comes to. */
export type ReleasePlan =
  /** It would not be safe, or there is nothing to release. */
  | { readonly kind: 'refused'; readonly reason: ReleaseRefusal }
  /** The next delivery runs the step as it is. */
  | { readonly kind: 'free'; readonly reason: 'expired' | 'failed' | 'releasedBefore' }
  | ReadyRelease;

/** Why a key is not released. */
export type ReleaseRefusal =
  | 'noRecord'
  | 'completed'
  | 'unknownStatus'
  /** Another workflow's. Forced and deleted, it is gone. */
  | 'foreign'
  | 'ownerAlive'
  | 'ownerSucceeded'
  | 'ownerMayStillWork'
  | 'ownerNotVisibleYet'
  /** The owner can go on where it stopped, which repeats less. Forced, it is released. */
  | 'redriveIsBetter'
  | 'leaseRunning'
  /** Nobody can ask about the owner, and it has no lease. Forced, it is released. */
  | 'noLease';

/** A release that can be made, and what it does. */
export interface ReadyRelease {
  readonly kind: 'ready';
  readonly record: KeyRecord;
  readonly owner: Owner;
  readonly action: 'markReleased' | 'delete';
  /** True where a delivery may be about to redrive the owner: the record is reserved first. */
  readonly isReservedFirst: boolean;
  /** The attempt that the next delivery runs the step as. */
  readonly nextAttempt: number;
  /** Whether the step may have had its effect: it has ended, may have run, or has certainly not begun. */
  readonly stepBefore: 'ran' | 'mayHaveRun' | 'notBegun';
  /** True where the owner, if anybody redrove it later, would run its step beside the next owner. */
  readonly mustNotBeRedriven: boolean;
}

/** Plans the release of a key. Pure: the conditions of the writes hold it against everybody else. */
export function planRelease(key: JudgedKey, options: ReleaseOptions): ReleasePlan {
  const { record, now } = key;
  if (record === undefined) return refused('noRecord');
  if (isGone(record, now)) return { kind: 'free', reason: 'expired' };
  const isTakenFromOthers = options.isForced && options.isDeleted;
  if (judgeNextDelivery(key) === 'isForeign' && !isTakenFromOthers) return refused('foreign');
  if (record.status === STATUS.completed) return refused('completed');
  if (record.status === STATUS.failed) return planForFailed(key, record, options);
  if (isUnfinished(record)) return planForUnfinished(key, record, options);
  return refused('unknownStatus');
}

function planForFailed(key: JudgedKey, record: KeyRecord, options: ReleaseOptions): ReleasePlan {
  const { workflow, owner } = key;
  const parked = isParked(record, workflow);
  if (owner.kind === 'alive') return refused('ownerAlive');
  if (!parked && !workflow.returnsStoredFailure && !options.isDeleted) {
    return { kind: 'free', reason: isReleased(record) ? 'releasedBefore' : 'failed' };
  }
  if (parked && owner.kind === 'mayStillWork') return refused('ownerMayStillWork');
  return ready(key, record, options, false);
}

function planForUnfinished(key: JudgedKey, record: KeyRecord, options: ReleaseOptions): ReleasePlan {
  switch (key.owner.kind) {
    case 'alive':
      return refused('ownerAlive');
    case 'succeeded':
      return refused('ownerSucceeded');
    case 'mayStillWork':
      return refused('ownerMayStillWork');
    case 'notVisibleYet':
      return refused('ownerNotVisibleYet');
    case 'unknown':
      return ready(key, record, options, false);
    case 'express':
      return planForLease(key, record, options);
    case 'dead': {
      const next = nextAtWork(key, record);
      // A delivery that has asked before may be about to redrive it still.
      if (next === 'redrivesExhausted') return ready(key, record, options, true);
      if (next !== 'redrives') return ready(key, record, options, false);
      // Whoever reserved the record before knew that a redrive is better.
      if (options.isForced || record.status === RELEASING) return ready(key, record, options, true);
      return refused('redriveIsBetter');
    }
  }
}

/** What a delivery does, also one that had read the record before it was reserved. */
function nextAtWork(key: JudgedKey, record: KeyRecord): NextDelivery {
  return judgeNextDelivery({ ...key, record: { ...record, status: STATUS.inProgress } });
}

// An Express execution can be neither asked about nor redriven; its lease bounds both it and its step.
function planForLease(key: JudgedKey, record: KeyRecord, options: ReleaseOptions): ReleasePlan {
  const { leaseExpiry } = record;
  if (leaseExpiry === undefined) {
    return options.isForced ? ready(key, record, options, false) : refused('noLease');
  }
  return leaseExpiry >= key.now ? refused('leaseRunning') : ready(key, record, options, false);
}

function ready(
  { workflow, owner, stoppedAt }: JudgedKey,
  record: KeyRecord,
  { isDeleted }: ReleaseOptions,
  isReservedFirst: boolean,
): ReadyRelease {
  const isDelete = isDeleted || workflow.returnsStoredFailure;
  const hasRun = stoppedAt === 'after' && isUnfinished(record);
  const isUncertain = isParked(record, workflow) || (isUnfinished(record) && stoppedAt !== 'before');
  return {
    kind: 'ready',
    record,
    owner,
    action: isDelete ? 'delete' : 'markReleased',
    isReservedFirst,
    nextAttempt: isDelete ? 1 : record.attempt + 1,
    stepBefore: hasRun ? 'ran' : isUncertain ? 'mayHaveRun' : 'notBegun',
    mustNotBeRedriven: owner.kind === 'dead' && owner.isRedrivable && stoppedAt === 'within',
  };
}

function refused(reason: ReleaseRefusal): ReleasePlan {
  return { kind: 'refused', reason };
}
