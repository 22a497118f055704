import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import {
  GAVE_UP,
  HAS_SUCCEEDED,
  IS_NOT_VISIBLE_YET,
  IS_REDRIVABLE,
  IS_RUNNING,
  type JudgedOwner,
  OWNER_NOT_FOUND,
  stepEndsBy,
  visibleBy,
} from '../../state-machine/contract/conditions';
import { attributeIn, type EpochMs, ERROR, RECORD } from '../../state-machine/contract/index';
import {
  judge,
  ownerRules,
  REFUSALS_MAX,
  type RecordVerdict,
  recordRules,
} from '../../state-machine/contract/judgement';
import {
  AFTER_THE_STEP,
  BEFORE_THE_STEP,
  FAILS_AFTER_THE_STEP,
  REFUSALS_BEFORE_THE_STEP,
  RESULTS_AFTER_THE_STEP,
  RESULTS_BEFORE_THE_STEP,
  SENDS_AFTER_THE_STEP,
  SENDS_BEFORE_THE_STEP,
  SENDS_OF_RESULTS,
  STATE,
} from '../../state-machine/contract/state-names';
import type { Variant } from '../../state-machine/contract/variant';
import type { Workflow } from '../aws/workflow';
import { type StateVisit, visitsIn } from './history';
import type { KeyState, OwnerState } from './key-state';
import { isParked, isUnfinished, type KeyRecord } from './record';

/** A key, and what follows from what was read of it. */
export interface JudgedKey extends Pick<KeyState, 'workflow' | 'key' | 'recordKey' | 'record' | 'now'> {
  readonly owner: Owner;
  /** Where a dead owner of an unfinished or parked record stopped; undefined where that says nothing. */
  readonly stoppedAt: StoppedAt | undefined;
  readonly nextDelivery: NextDelivery;
}

/** Judges a key as the workflow does. Pure. */
export function judgeKey(state: KeyState): JudgedKey {
  const { workflow, key, recordKey, record, now } = state;
  const owner = judgeOwner(state);
  const stoppedAt = judgeStop(state, owner);
  const nextDelivery = judgeNextDelivery({ workflow, record, now, owner, stoppedAt });
  return { workflow, key, recordKey, record, now, owner, stoppedAt, nextDelivery };
}

/** How the execution that a record names is, judged as the workflow does. Times in epoch milliseconds. */
export type Owner =
  | { readonly kind: 'alive'; readonly status: string }
  /** Its record has been written before, or is about to be seen so. */
  | { readonly kind: 'succeeded' }
  /** Dead for so short a time that the step it called may still be working. */
  | {
      readonly kind: 'mayStillWork';
      readonly status: string;
      readonly error?: string | undefined;
      readonly until: number;
    }
  | DeadOwner
  /** Step Functions knows no such execution, and it would by now. Also where there is no record. */
  | { readonly kind: 'unknown' }
  /** Step Functions knows no such execution; it may have been started a moment ago. */
  | { readonly kind: 'notVisibleYet'; readonly until: number }
  /** An Express execution: nobody can ask about it. */
  | { readonly kind: 'express' };

/** An execution that has ended without finishing its record, or after having failed. */
export interface DeadOwner {
  readonly kind: 'dead';
  readonly status: string;
  readonly error: string | undefined;
  readonly isRedrivable: boolean;
  readonly redriveCount: number;
  /** True where it gave its claim up before the step: a redrive would only end it again. */
  readonly hasGivenUp: boolean;
}

/** How the owner is, at the time of the reading, by the conditions of the workflow. */
export function judgeOwner({
  workflow,
  record,
  owner: seen,
  now,
}: Pick<KeyState, 'workflow' | 'record' | 'owner' | 'now'>): Owner {
  if (record === undefined || seen === undefined) return { kind: 'unknown' };
  if (seen.isExpress) return { kind: 'express' };
  const { claimedAt } = record;
  const owner = judgedOwnerOf(seen.description);
  const known = { record: { status: undefined, claimedAt }, owner, now };
  const { status, error, redriveCount = 0 } = owner;
  if (IS_NOT_VISIBLE_YET.holds(known)) return { kind: 'notVisibleYet', until: visibleBy({ claimedAt }) };
  if (status === OWNER_NOT_FOUND) return { kind: 'unknown' };
  if (IS_RUNNING.holds(known)) return { kind: 'alive', status };
  if (HAS_SUCCEEDED.holds(known)) return { kind: 'succeeded' };
  const gracePeriod = gracePeriodOf(workflow, record);
  // Without a time of its end, it may have ended just now.
  const until = stepEndsBy(known, gracePeriod) ?? now + gracePeriod * 1000;
  // One that has parked its own record had waited for the end of its step before.
  const hasParkedItself = status === 'FAILED' && error === ERROR.inDoubt;
  if (now < until && !hasParkedItself) return { kind: 'mayStillWork', status, error, until };
  const isRedrivable = IS_REDRIVABLE.holds(known);
  return { kind: 'dead', status, error, redriveCount, isRedrivable, hasGivenUp: GAVE_UP.holds(known) };
}

/** In seconds. The owner may have run another definition than there is now: the longer of the two times counts. */
function gracePeriodOf({ stepTimeoutMs, isStepTimeoutGiven }: Workflow, { stepTimeout }: KeyRecord): number {
  return isStepTimeoutGiven ? stepTimeoutMs / 1000 : Math.max(stepTimeoutMs / 1000, stepTimeout ?? 0);
}

function judgedOwnerOf(description: DescribeExecutionOutput | undefined): JudgedOwner {
  if (description === undefined) return { status: OWNER_NOT_FOUND };
  const { status = 'RUNNING', stopDate, error, redriveCount, redriveStatus } = description;
  return { status, stopDate: stopDate?.getTime() as EpochMs | undefined, error, redriveCount, redriveStatus };
}

/** Where a dead owner stopped, seen from the business step. `within` also where nobody can tell. */
export type StoppedAt = 'before' | 'within' | 'after';

function judgeStop(
  { workflow, record, owner }: Pick<KeyState, 'workflow' | 'record' | 'owner'>,
  { kind }: Owner,
): StoppedAt | undefined {
  if (record === undefined || kind !== 'dead') return undefined;
  if (!isUnfinished(record) && !isParked(record, workflow)) return undefined;
  return stoppedAt(visitsOf(owner, workflow));
}

function visitsOf(owner: OwnerState | undefined, { prefix }: Workflow): readonly StateVisit[] {
  return owner?.history === undefined ? [] : visitsIn(owner.history, prefix);
}

/** Where an execution that stayed in these states stopped. */
export function stoppedAt(visits: readonly StateVisit[]): StoppedAt {
  const last = visits.at(-1);
  if (!last?.isOurs) return 'within';
  if (last.name === STATE.step) return last.exitedAt === undefined ? 'within' : 'after';
  if (BEFORE.has(last.name)) return 'before';
  return AFTER.has(last.name) ? 'after' : 'within';
}

const BEFORE: ReadonlySet<string> = new Set([
  ...BEFORE_THE_STEP,
  ...SENDS_BEFORE_THE_STEP,
  ...RESULTS_BEFORE_THE_STEP,
  ...REFUSALS_BEFORE_THE_STEP,
]);
const AFTER: ReadonlySet<string> = new Set([
  ...AFTER_THE_STEP,
  ...SENDS_AFTER_THE_STEP,
  ...RESULTS_AFTER_THE_STEP,
  ...SENDS_OF_RESULTS,
  ...FAILS_AFTER_THE_STEP,
]);

/** What the next delivery does, if it has the same payload and finds everything as it is now. */
export type NextDelivery =
  /** Begins anew, as if there were no record. */
  | 'claims'
  | 'returnsResult'
  /** Ends with `Idempotency.ResultUnavailable`: the step has run, and its result cannot be read from here. */
  | 'lacksResult'
  | 'returnsFailure'
  /** Runs the step, as the next attempt. */
  | 'takesOver'
  /** Brings the owner back where it stopped. */
  | 'redrives'
  /** Ends with `Idempotency.RedrivesExhausted`: the owner has been redriven as often as deliveries may. */
  | 'redrivesExhausted'
  /** Finishes the record of an owner that has succeeded without doing so. */
  | 'finishes'
  /** At most once: leaves it to a person. */
  | 'parks'
  | 'isRefused'
  /** Ends with `Idempotency.ForeignRecord`: the record is another workflow's. */
  | 'isForeign';

/** What the next delivery does, by the rules of the workflow. */
export function judgeNextDelivery(
  key: Pick<JudgedKey, 'workflow' | 'record' | 'now' | 'owner' | 'stoppedAt'>,
): NextDelivery {
  const { workflow, now } = key;
  const delivery = { executionArn: workflow.stateMachineArn, refusals: 0 };
  // Whether the time of the step is over has been judged with the owner, as a person may know it better.
  const record = key.record && { ...key.record, claimedAt: undefined };
  const { verdict } = judge(recordRules(variantOf(workflow)), { record, now, delivery });
  return verdict === 'askAboutOwner' ? ofOwner(key) : OF_RECORD[verdict];
}

// Whoever asks here has been refused nothing, and compares no payload.
const OF_RECORD: Readonly<Record<Exclude<RecordVerdict, 'askAboutOwner'>, NextDelivery>> = {
  claim: 'claims',
  giveUp: 'isRefused',
  refuseForeign: 'isForeign',
  refusePayload: 'isRefused',
  returnResult: 'returnsResult',
  readResult: 'returnsResult',
  returnOwnersResult: 'returnsResult',
  resultUnavailable: 'lacksResult',
  refuseInDoubt: 'isRefused',
  returnFailure: 'returnsFailure',
  takeOver: 'takesOver',
  park: 'parks',
  inProgress: 'isRefused',
};

function ofOwner({
  workflow,
  owner,
  stoppedAt,
  now,
}: Pick<JudgedKey, 'workflow' | 'owner' | 'stoppedAt' | 'now'>): NextDelivery {
  const known = ownerAsSeen(owner);
  if (known === undefined) return 'isRefused';
  // A record that says no more than this one says is asked again and again.
  const delivery = { refusals: REFUSALS_MAX };
  const rules = ownerRules(variantOf(workflow));
  const { verdict } = judge(rules, { record: undefined, owner: known, now, delivery });
  switch (verdict) {
    case 'takeOver':
      return 'takesOver';
    case 'letStepEnd':
      return workflow.isAtMostOnce ? 'parks' : 'takesOver';
    case 'redrive':
      return 'redrives';
    case 'redrivesExhausted':
      return 'redrivesExhausted';
    case 'finalizeForOwner':
      return 'finishes';
    case 'locateOwner':
      return owner.kind === 'dead' ? ofStop(stoppedAt, owner, workflow) : 'parks';
    default:
      return 'isRefused';
  }
}

/**
 * An owner as a delivery sees it when the time that its step may take is over; undefined for one that deliveries leave
 * alone. How long that time is has been judged before, as a person may know it better.
 */
function ownerAsSeen(owner: Owner): JudgedOwner | undefined {
  switch (owner.kind) {
    case 'succeeded':
      return { status: 'SUCCEEDED' };
    case 'unknown':
      return { status: OWNER_NOT_FOUND };
    case 'dead':
      // Whoever asks here is told everything: an owner without an error has none.
      return {
        ...owner,
        error: owner.error ?? '',
        redriveStatus: owner.isRedrivable ? 'REDRIVABLE' : 'NOT_REDRIVABLE',
      };
    default:
      return undefined;
  }
}

function ofStop(
  stoppedAt: StoppedAt | undefined,
  { isRedrivable, redriveCount }: DeadOwner,
  { maxRedrives }: Workflow,
): NextDelivery {
  const isOutside = stoppedAt === 'before' || stoppedAt === 'after';
  if (isOutside && isRedrivable && redriveCount < maxRedrives) return 'redrives';
  if (stoppedAt === 'before') return 'takesOver';
  return isOutside && isRedrivable ? 'redrivesExhausted' : 'parks';
}

function variantOf(workflow: Workflow): Variant {
  const { type, isAtMostOnce, returnsStoredFailure, prefix, stepTimeoutMs } = workflow;
  const { formerStateMachines, maxRedrives, schema, storesResults } = workflow;
  return {
    formerStateMachines,
    maxRedrives,
    hasPayload: false,
    isAtMostOnce,
    returnsStoredFailure,
    isExpress: type === 'EXPRESS',
    isPart: prefix !== '',
    storesResults,
    stepTimeoutSeconds: stepTimeoutMs / 1000,
    timeToLiveAttribute: attributeIn(schema, RECORD.expiry),
  };
}
