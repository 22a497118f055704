import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import { evaluate } from '../../state-machine/contract/condition';
import {
  GAVE_UP,
  HAS_SUCCEEDED,
  IS_NOT_VISIBLE_YET,
  IS_REDRIVABLE,
  IS_RUNNING,
  OWNER_NOT_FOUND,
  stepEndsBy,
  visibleBy,
} from '../../state-machine/contract/conditions';
import { NOTHING_TO_RECOVER } from '../../state-machine/contract/error-names';
import { RECOVERY_SUFFIX } from '../../state-machine/contract/execution-name';
import { attributeIn, type EpochMs, ERROR, RECORD, STATUS } from '../../state-machine/contract/index';
import type { JudgedOwner } from '../../state-machine/contract/judged';
import {
  judge,
  ownerRules,
  REFUSALS_MAX,
  type RecordVerdict,
  recordRules,
  recoveryRules,
} from '../../state-machine/contract/judgement';
import { delayAfter, LOOKS_MAX } from '../../state-machine/contract/recovery-timing';
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
import { isHeld, isUnfinished, type KeyRecord } from './record';

/** A key, and what follows from what was read of it. */
export interface JudgedKey extends Pick<KeyState, 'workflow' | 'key' | 'recordKey' | 'record' | 'now'> {
  readonly owner: Owner;
  /** Where an ended owner of an unfinished or held record stopped; undefined where that says nothing. */
  readonly stoppedAt: StoppedAt | undefined;
  readonly nextDelivery: NextDelivery;
  /** What recovery does about the owner; undefined: nothing, or the workflow has no recovery. */
  readonly nextRecovery: NextRecovery | undefined;
}

/** Judges a key as the workflow does. Pure. */
export function judgeKey(state: KeyState): JudgedKey {
  const { workflow, key, recordKey, record, now } = state;
  const owner = judgeOwner(state);
  const stoppedAt = judgeStop(state, owner);
  const judged = { workflow, record, now, owner, stoppedAt };
  const nextDelivery = judgeNextDelivery(judged);
  const nextRecovery = judgeNextRecovery(judged);
  return { ...judged, key, recordKey, nextDelivery, nextRecovery };
}

/** How the execution that a record names is, judged as the workflow does. Times in epoch milliseconds. */
export type Owner =
  | { readonly kind: 'alive'; readonly status: string }
  /** Its record has been written before, or is about to be seen so. */
  | { readonly kind: 'succeeded' }
  /** It ended so short a time ago that the step it called may still be running. */
  | (EndedOwner & { readonly kind: 'mayStillWork' })
  | DeadOwner
  /** Step Functions knows no such execution, and it would by now. Also where there is no record. */
  | { readonly kind: 'unknown' }
  /** Step Functions knows no such execution; it may have been started a moment ago. */
  | { readonly kind: 'notVisibleYet'; readonly until: number }
  /** An Express execution: nobody can ask about it. */
  | { readonly kind: 'express' };

/** An execution that has ended without success. */
interface EndedOwner {
  readonly status: string;
  readonly error: string | undefined;
  readonly isRedrivable: boolean;
  readonly redriveCount: number;
  /** True if it ended in a Fail state before its step: a redrive would only end it again. */
  readonly hasGivenUp: boolean;
  /** Until when the step that it called may be running, epoch milliseconds. */
  readonly until: number;
}

/** An execution that has ended without finishing its record, or after having failed. Nothing of it runs any more. */
export type DeadOwner = EndedOwner & { readonly kind: 'dead' };

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
  if (evaluate(IS_NOT_VISIBLE_YET, known)) return { kind: 'notVisibleYet', until: visibleBy({ claimedAt }) };
  if (status === OWNER_NOT_FOUND) return { kind: 'unknown' };
  if (evaluate(IS_RUNNING, known)) return { kind: 'alive', status };
  if (evaluate(HAS_SUCCEEDED, known)) return { kind: 'succeeded' };
  const gracePeriod = gracePeriodOf(workflow, record);
  // Without a time of its end, it may have ended just now.
  const until = stepEndsBy(known, gracePeriod) ?? now + gracePeriod * 1000;
  // An execution that holds its own record has waited for the end of its step before.
  const hasHeldItself = status === 'FAILED' && error === ERROR.inDoubt;
  const kind = now < until && !hasHeldItself ? 'mayStillWork' : 'dead';
  const [isRedrivable, hasGivenUp] = [evaluate(IS_REDRIVABLE, known), evaluate(GAVE_UP, known)];
  return { kind, status, error, redriveCount, isRedrivable, hasGivenUp, until };
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

/** Where an ended owner stopped, seen from the business step. `within` also where nobody can tell. */
export type StoppedAt = 'before' | 'within' | 'after';

function judgeStop(
  { workflow, record, owner }: Pick<KeyState, 'workflow' | 'record' | 'owner'>,
  { kind }: Owner,
): StoppedAt | undefined {
  if (record === undefined || (kind !== 'dead' && kind !== 'mayStillWork')) return undefined;
  if (!isUnfinished(record) && !isHeld(record, workflow)) return undefined;
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
  /** Starts recovery for the owner, and ends with `Idempotency.InProgress`, or waits. */
  | 'callsRecovery'
  /** In a team's own state machine: redrives the owner, which resumes where it stopped. */
  | 'redrives'
  /** The same: ends with `Idempotency.RedrivesExhausted`, as the owner was redriven as often as deliveries may. */
  | 'redrivesExhausted'
  /** At most once: holds the record for review. */
  | 'holds'
  /** Ends with the error that the record is held for. */
  | 'isHeld'
  /** Ends with `Idempotency.InProgress`, or waits. */
  | 'isRefused'
  /** Ends with `Idempotency.ForeignRecord`: the record is another workflow's. */
  | 'isForeign';

/** What is known of a key when it is judged. */
type Judged = Pick<JudgedKey, 'workflow' | 'record' | 'now' | 'owner' | 'stoppedAt'>;

/** What the next delivery does, by the rules of the workflow. */
export function judgeNextDelivery(key: Judged): NextDelivery {
  const { workflow, now, owner } = key;
  const variant = variantOf(workflow);
  const delivery = { executionArn: workflow.stateMachineArn, refusals: 0 };
  // In a team's own machine the time of the step has been judged with the owner, as an operator may know it better.
  const record = variant.isPart && key.record ? { ...key.record, claimedAt: undefined } : key.record;
  const { verdict } = judge(recordRules(variant), { record, now, delivery });
  if (verdict === 'askAboutOwner') return ofOwner(key);
  if (verdict !== 'returnOwnersResult') return OF_RECORD[verdict];
  switch (owner.kind) {
    case 'alive':
    case 'dead':
    case 'mayStillWork':
      return variant.hasRecovery ? 'callsRecovery' : 'isRefused';
    default:
      return 'returnsResult';
  }
}

// No write of this delivery has been rejected, and it compares no payload.
const OF_RECORD: Readonly<
  Record<Exclude<RecordVerdict, 'askAboutOwner' | 'returnOwnersResult'>, NextDelivery>
> = {
  claim: 'claims',
  refuseForeign: 'isForeign',
  refusePayload: 'isRefused',
  returnResult: 'returnsResult',
  readResult: 'returnsResult',
  resultUnavailable: 'lacksResult',
  heldForReview: 'isHeld',
  returnFailure: 'returnsFailure',
  takeOver: 'takesOver',
  hold: 'holds',
  inProgress: 'isRefused',
  callRecovery: 'callsRecovery',
};

/** What a delivery to a team's own state machine does with an unfinished record, by the rules over its owner. */
function ofOwner({ workflow, owner, now }: Judged): NextDelivery {
  const isLeftAlone = owner.kind === 'mayStillWork' || owner.kind === 'notVisibleYet';
  const known = isLeftAlone ? undefined : ownerAsSeen(owner);
  if (known === undefined) return 'isRefused';
  // A record that says no more than this one says is asked again and again.
  const delivery = { refusals: REFUSALS_MAX };
  const rules = ownerRules(variantOf(workflow));
  const { verdict } = judge(rules, { record: undefined, owner: known, now, delivery });
  switch (verdict) {
    case 'takeOver':
    case 'letStepEnd':
      return 'takesOver';
    case 'redrive':
      return 'redrives';
    case 'redrivesExhausted':
      return 'redrivesExhausted';
    default:
      return 'isRefused';
  }
}

/** What recovery does about the owner of a record, by its rules. */
export interface NextRecovery {
  readonly does: 'redrives' | 'completes' | 'releases' | 'holdsExhausted' | 'holdsInDoubt' | 'holdsLost';
  /** When it decides at the earliest, epoch milliseconds; undefined: a short time after it is started. */
  readonly from: number | undefined;
  /** False if recovery does not start by itself for such an owner: a delivery has to start it. */
  readonly isAutomatic: boolean;
}

/** What recovery does about the owner of a record; undefined: nothing, or the workflow has no recovery. */
export function judgeNextRecovery(key: Judged): NextRecovery | undefined {
  const { workflow, record, owner } = key;
  if (record === undefined || workflow.recoveryArn === undefined) return undefined;
  if (judgeNextDelivery(key) === 'isForeign') return undefined;
  const does = ofCompleted(key) ?? ofUnfinished(key);
  if (does === undefined) return undefined;
  if (owner.kind !== 'dead' && owner.kind !== 'mayStillWork') {
    return { does, from: owner.kind === 'notVisibleYet' ? owner.until : undefined, isAutomatic: false };
  }
  const deliveries = Number(RECOVERED.exec(record.owner)?.[1] ?? 0);
  return {
    does,
    from: owner.until + delayAfter(owner.redriveCount + deliveries) * 1000,
    isAutomatic: !NOTHING_TO_RECOVER.some(error => error === owner.error),
  };
}

/** The end of the name of an execution that recovery has started: how often the event had been delivered again. */
const RECOVERED = new RegExp(`${RECOVERY_SUFFIX.replace('[0-9]+', '([0-9]+)')}$`);

/** If only the owner itself can give what is missing, and has ended before: its result, or the notice of it. */
function ofCompleted({ workflow, record, owner }: Judged): 'redrives' | 'holdsLost' | undefined {
  if (record?.status !== STATUS.completed) return undefined;
  if (owner.kind !== 'dead' && owner.kind !== 'mayStillWork') return undefined;
  const isOnlyInOutput = record.result === null && record.resultLocation === undefined;
  if (isOnlyInOutput && (!owner.isRedrivable || owner.redriveCount >= LOOKS_MAX)) return 'holdsLost';
  return workflow.sendsResults || isOnlyInOutput ? 'redrives' : undefined;
}

function ofUnfinished({ workflow, record, owner, stoppedAt, now }: Judged): NextRecovery['does'] | undefined {
  const known = ownerAsSeen(owner);
  if (known === undefined || record?.status !== STATUS.inProgress) return undefined;
  const { verdict } = judge(recoveryRules(variantOf(workflow)), { record: undefined, owner: known, now });
  switch (verdict) {
    case 'complete':
      return 'completes';
    case 'redrive':
      return 'redrives';
    case 'release':
      return 'releases';
    case 'holdExhausted':
      return 'holdsExhausted';
    case 'holdInDoubt':
      return 'holdsInDoubt';
    case 'locate':
      return ofStop(stoppedAt, known, workflow);
    case 'leave':
      return undefined;
  }
}

/** The same at most once, by where the owner stopped. */
function ofStop(
  stoppedAt: StoppedAt | undefined,
  { redriveStatus, redriveCount = 0 }: JudgedOwner,
  { maxRedrives }: Workflow,
): NextRecovery['does'] {
  const isOutside = stoppedAt === 'before' || stoppedAt === 'after';
  const isRedrivable = redriveStatus === 'REDRIVABLE';
  if (isOutside && isRedrivable && redriveCount < maxRedrives) return 'redrives';
  if (stoppedAt === 'before') return 'releases';
  return isOutside && isRedrivable ? 'holdsExhausted' : 'holdsInDoubt';
}

/** An owner as it is seen when nothing of it can act any more; undefined for one that is left alone. */
function ownerAsSeen(owner: Owner): JudgedOwner | undefined {
  switch (owner.kind) {
    case 'succeeded':
      return { status: 'SUCCEEDED' };
    case 'unknown':
    case 'notVisibleYet':
      return { status: OWNER_NOT_FOUND };
    case 'dead':
    case 'mayStillWork':
      // The answer contained everything: an owner without an error has none.
      return {
        ...owner,
        error: owner.error ?? '',
        redriveStatus: owner.isRedrivable ? 'REDRIVABLE' : 'NOT_REDRIVABLE',
      };
    default:
      return undefined;
  }
}

function variantOf(workflow: Workflow): Variant {
  const { type, isAtMostOnce, returnsStoredFailure, returnedErrors, prefix, stepTimeoutMs } = workflow;
  const { formerStateMachines, maxRedrives, schema, storesResults, recoveryArn } = workflow;
  return {
    hasRecovery: recoveryArn !== undefined,
    formerStateMachines,
    maxRedrives,
    hasPayload: false,
    isAtMostOnce,
    returnsStoredFailure,
    returnedErrors,
    isExpress: type === 'EXPRESS',
    isPart: prefix !== '',
    storesResults,
    stepTimeoutSeconds: stepTimeoutMs / 1000,
    timeToLiveAttribute: attributeIn(schema, RECORD.expiry),
  };
}
