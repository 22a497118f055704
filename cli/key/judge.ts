import { type JudgedOwner, OWNER_NOT_FOUND } from '../../state-machine/contract/conditions';
import {
  judge,
  ownerRules,
  REFUSALS_MAX,
  type RecordVerdict,
  recordRules,
  type Variant,
} from '../../state-machine/contract/judgement';
import type { Owner } from '../owner';
import type { Workflow } from '../workflow';
import type { Situation } from './inspect';
import type { SeenRecord } from './record';

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

/** What the workflow's own judgement says of a key. Pure. */
export function nextDelivery(situation: Situation): NextDelivery {
  const { record, workflow, now } = situation;
  const { verdict } = judge(recordRules(variantOf(workflow)), { record, now });
  if (verdict !== 'askAboutOwner') return OF_RECORD[verdict];
  return ofOwner(situation);
}

// Who asks here has been refused nothing, and compares no payload.
const OF_RECORD: Readonly<Record<Exclude<RecordVerdict, 'askAboutOwner'>, NextDelivery>> = {
  claim: 'claims',
  giveUp: 'isRefused',
  refusePayload: 'isRefused',
  returnResult: 'returnsResult',
  returnOwnersResult: 'returnsResult',
  resultUnavailable: 'returnsResult',
  refuseInDoubt: 'isRefused',
  returnFailure: 'returnsFailure',
  takeOver: 'takesOver',
  park: 'parks',
  inProgress: 'isRefused',
};

function ofOwner({ workflow, owner, place, now }: Situation): NextDelivery {
  const known = judgedOwner(owner);
  if (known === undefined) return 'isRefused';
  // A record that says no more than this one says is asked again and again.
  const delivery = { refusals: REFUSALS_MAX };
  const { verdict } = judge(ownerRules(variantOf(workflow)), {
    record: undefined,
    owner: known,
    now,
    delivery,
  });
  switch (verdict) {
    case 'takeOver':
      return 'takesOver';
    case 'redrive':
      return 'redrives';
    case 'finalizeForOwner':
      return 'finishes';
    case 'locateOwner':
      return owner.kind === 'dead' ? ofPlace(place, owner.isRedrivable) : 'parks';
    default:
      return 'isRefused';
  }
}

// What the owner that was judged before had been when it was asked about; undefined: deliveries leave it alone.
function judgedOwner(owner: Owner): JudgedOwner | undefined {
  switch (owner.kind) {
    case 'succeeded':
      return { status: 'SUCCEEDED' };
    case 'unknown':
      return { status: OWNER_NOT_FOUND };
    case 'dead':
      return { ...owner, redriveStatus: owner.isRedrivable ? 'REDRIVABLE' : 'NOT_REDRIVABLE' };
    default:
      return undefined;
  }
}

function ofPlace(place: Situation['place'], isRedrivable: boolean): NextDelivery {
  const isOutside = place === 'before' || place === 'after';
  if (isOutside && isRedrivable) return 'redrives';
  return place === 'before' ? 'takesOver' : 'parks';
}

function variantOf({ type, isAtMostOnce, returnsStoredFailure, prefix, stepTimeoutMs }: Workflow): Variant {
  return {
    hasPayload: false,
    isAtMostOnce,
    returnsStoredFailure,
    isExpress: type === 'EXPRESS',
    isPart: prefix !== '',
    stepTimeoutSeconds: stepTimeoutMs / 1000,
  };
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
