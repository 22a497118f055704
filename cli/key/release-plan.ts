import { type EpochMs, STATUS } from '../../state-machine/contract/index';
import type { Owner } from '../owner';
import { HELD, isUnfinished } from '../release/held';
import { executionNameIn } from '../text';
import { age, dateTime } from '../time-text';
import type { Situation } from './inspect';
import { nextDelivery } from './judge';
import { isGone, isParked, isReleased, type SeenRecord } from './record';

/** What the person wants. */
export interface Wishes {
  readonly isForced: boolean;
  /** True to forget the key altogether, payload and attempts included. */
  readonly isDeleted: boolean;
}

/** What a release comes to. Sentences are for a person. */
export type Plan =
  /** It would not be safe, or there is nothing that it could be about. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The next delivery runs the step as it is. */
  | { readonly kind: 'free'; readonly reason: string }
  | {
      readonly kind: 'ready';
      readonly record: SeenRecord;
      readonly action: 'markReleased' | 'delete';
      /** True where a delivery may be about to redrive the owner: the record is held back first. */
      readonly isHeldFirst: boolean;
      readonly effects: readonly string[];
      readonly dangers: readonly string[];
    };

/** Judges what may become of a key. Pure: the conditions of the writes hold it against everybody else. */
export function planOf(situation: Situation, wishes: Wishes): Plan {
  const { record, now } = situation;
  if (record === undefined) return refused('there is no record of this key: nothing holds it');
  if (record.status === STATUS.completed && !isGone(record, now)) {
    return refused(
      'the step has succeeded, and duplicates get its result: there is nothing to free. A new run needs a new key',
    );
  }
  if (isGone(record, now)) {
    return { kind: 'free', reason: `the record has expired (${age((record.expiry ?? 0) * 1000, now)})` };
  }
  if (record.status === STATUS.failed) return planForFailed(situation, record, wishes);
  if (isUnfinished(record)) return planForUnfinished(situation, record, wishes);
  return refused(`its status is ${record.status}, which this version does not know`);
}

function planForFailed(situation: Situation, record: SeenRecord, wishes: Wishes): Plan {
  const { workflow, owner } = situation;
  const parked = isParked(record, workflow);
  if (owner.kind === 'alive') return refused(livesSentence(record, owner.status));
  if (!parked && !workflow.returnsStoredFailure && !wishes.isDeleted) {
    const what = isReleased(record) ? 'it has been released before' : 'its step has failed';
    const next = `the next delivery runs it again as attempt ${record.attempt + 1}`;
    return { kind: 'free', reason: `${what}, and ${next}` };
  }
  if (parked && owner.kind === 'mayStillWork') return refused(stillWorksSentence(record, owner));
  return ready(situation, record, wishes, false);
}

function planForUnfinished(situation: Situation, record: SeenRecord, wishes: Wishes): Plan {
  const { owner, now } = situation;
  const name = executionNameIn(record.owner);
  switch (owner.kind) {
    case 'alive':
      return refused(livesSentence(record, owner.status));
    case 'succeeded':
      return refused(
        `its owner ${name} has succeeded: the record is about to say so, or the next delivery finishes it; look again`,
      );
    case 'mayStillWork':
      return refused(stillWorksSentence(record, owner));
    case 'notVisibleYet':
      return refused(
        `Step Functions does not know its owner ${name} yet; if it still does not at ` +
          `${dateTime(owner.until)}, the key can be released`,
      );
    case 'unknown':
      return ready(situation, record, wishes, false);
    case 'express':
      return planForLease(situation, record, wishes, now);
    case 'dead': {
      if (!isRedrivenByDeliveries(situation, record)) return ready(situation, record, wishes, false);
      // Whoever held the record back before had been told.
      if (wishes.isForced || record.status === HELD) return ready(situation, record, wishes, true);
      return refused(
        `its owner ${name} ended ${owner.status}, but can go on where it stopped: \`onceflow redrive\` is better, ` +
          'as it repeats nothing but a step that was cut off. The next delivery does the same. --force releases the key ' +
          'all the same',
      );
    }
  }
}

/** Whether a delivery may redrive the owner, also one that had read the record before it was held back. */
function isRedrivenByDeliveries(situation: Situation, record: SeenRecord): boolean {
  return nextDelivery({ ...situation, record: { ...record, status: STATUS.inProgress } }) === 'redrives';
}

// An Express execution can be neither asked about nor redriven; its lease bounds both it and its step.
function planForLease(situation: Situation, record: SeenRecord, wishes: Wishes, now: EpochMs): Plan {
  const { leaseExpiry } = record;
  if (leaseExpiry === undefined) {
    return wishes.isForced
      ? ready(situation, record, wishes, false)
      : refused('its owner is an Express execution without a lease, which nobody can ask about; see --force');
  }
  if (leaseExpiry >= now) {
    return refused(
      `its owner is an Express execution, which may be working until ` +
        `${dateTime(leaseExpiry)} (${age(leaseExpiry, now)})`,
    );
  }
  return ready(situation, record, wishes, false);
}

function ready(
  { workflow, owner, place }: Situation,
  record: SeenRecord,
  wishes: Wishes,
  isHeldFirst: boolean,
): Plan {
  const isDeleted = wishes.isDeleted || workflow.returnsStoredFailure;
  const name = executionNameIn(record.owner);
  const canRunBeside = owner.kind === 'dead' && owner.isRedrivable && place === 'within';
  const isUncertain = isParked(record, workflow) || (isUnfinished(record) && place !== 'before');
  return {
    kind: 'ready',
    record,
    action: isDeleted ? 'delete' : 'markReleased',
    isHeldFirst,
    effects: isDeleted
      ? [
          'deletes the record: the next delivery runs the step, with any payload',
          'attempts begin at 1 again, so that an attempt is no fencing token across this release',
        ]
      : [
          `marks the record as released: the next delivery with the same payload runs the step as attempt ${record.attempt + 1}`,
        ],
    dangers: [
      ...(isUncertain ? [place === 'after' && isUnfinished(record) ? RAN_BEFORE : MAY_HAVE_RUN] : []),
      ...(canRunBeside
        ? [
            `from now on do not redrive ${name}: it was cut off in its step, and would run it beside the next owner`,
          ]
        : []),
    ],
  };
}

const RAN_BEFORE =
  'the step has run to its end before: whoever releases the key has found out that it may run again';
const MAY_HAVE_RUN =
  'the step may have had its effect before: whoever releases the key has found out that it may run again';

function refused(reason: string): Plan {
  return { kind: 'refused', reason };
}

function livesSentence({ owner, attempt }: SeenRecord, status: string): string {
  const name = executionNameIn(owner);
  return `its owner lives: ${name} (attempt ${attempt}) is ${status}. Stop it first, or wait for its end`;
}

function stillWorksSentence(
  { owner }: SeenRecord,
  { status, until }: Owner & { kind: 'mayStillWork' },
): string {
  return (
    `its owner ${executionNameIn(owner)} ended ${status} so short a time ago that the step it called may still be ` +
    `working, until ${dateTime(until)}; try again then, or pass a smaller --step-timeout if you know better`
  );
}
