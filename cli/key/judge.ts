import { STATUS } from '../../state-machine/contract/index';
import type { DeadOwner } from '../owner';
import type { Situation } from './inspect';
import { isGone, isParked, type SeenRecord } from './record';

/** What the next delivery does, if it has the same payload and finds everything as it is now. */
export type NextDelivery =
  /** Begins anew, as if there were no record. */
  | 'claims'
  | 'returnsResult'
  | 'returnsFailure'
  /** Runs the step, as the next attempt. */
  | 'takesOver'
  /** Brings the owner back where it stopped. */
  | 'redrives'
  /** Finishes the record of an owner that has succeeded without doing so. */
  | 'finishes'
  /** At most once: leaves it to a person. */
  | 'parks'
  | 'isRefused';

/** The workflow's own judgement, as `state-machine/flow` has it. Pure. */
export function nextDelivery(situation: Situation): NextDelivery {
  const { record, workflow, now } = situation;
  if (record === undefined || isGone(record, now)) return 'claims';
  if (record.status === STATUS.completed) return 'returnsResult';
  if (isParked(record, workflow)) return 'isRefused';
  if (record.status === STATUS.failed) return workflow.returnsStoredFailure ? 'returnsFailure' : 'takesOver';
  return record.status === STATUS.inProgress ? ofUnfinished(situation, record) : 'isRefused';
}

function ofUnfinished({ workflow, owner, place, now }: Situation, { leaseExpiry }: SeenRecord): NextDelivery {
  const takesOver = workflow.isAtMostOnce ? 'parks' : 'takesOver';
  if (leaseExpiry !== undefined) return leaseExpiry < now ? takesOver : 'isRefused';
  // An Express workflow asks nobody: without a lease its key is in progress until somebody frees it.
  if (workflow.type === 'EXPRESS') return 'isRefused';
  switch (owner.kind) {
    case 'succeeded':
      return 'finishes';
    case 'unknown':
      return takesOver;
    case 'dead':
      return ofDead(owner, workflow.isAtMostOnce, place);
    default:
      return 'isRefused';
  }
}

function ofDead(owner: DeadOwner, isAtMostOnce: boolean, place: Situation['place']): NextDelivery {
  if (owner.hasGivenUp) return 'takesOver';
  if (!isAtMostOnce) return owner.isRedrivable ? 'redrives' : 'takesOver';
  const isOutside = place === 'before' || place === 'after';
  if (isOutside && owner.isRedrivable) return 'redrives';
  return place === 'before' ? 'takesOver' : 'parks';
}

/** The same as a sentence about an unfinished or parked record, with what a person can do. */
export function nextInWords(next: NextDelivery, { attempt }: SeenRecord): string {
  switch (next) {
    case 'claims':
      return 'the next delivery claims the key anew';
    case 'returnsResult':
      return 'the next delivery gets the result';
    case 'returnsFailure':
      return 'the next delivery gets the same failure';
    case 'takesOver':
      return `the next delivery takes over, and runs the step as attempt ${attempt + 1}`;
    case 'redrives':
      return 'the next delivery redrives the owner; `onceflow redrive` does it now';
    case 'finishes':
      return "the next delivery finishes the record: the owner's output is the result";
    case 'parks':
      return 'the next delivery parks the key: find out what the step did; if it may run again: `onceflow release`';
    case 'isRefused':
      return 'deliveries are refused until a person frees the key: find out what the step did; then `onceflow release`';
  }
}
