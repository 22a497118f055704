import type { Facts } from '../../state-machine/contract/condition';
import { OWNER_NOT_FOUND } from '../../state-machine/contract/conditions';
import { NOTHING_TO_RECOVER } from '../../state-machine/contract/error-names';
import { RECOVERY_SUFFIX } from '../../state-machine/contract/execution-name';
import { attributeIn, RECORD, STATUS } from '../../state-machine/contract/index';
import type { JudgedOwner } from '../../state-machine/contract/judged';
import {
  judge,
  ownerRules,
  REJECTIONS_MAX,
  type RecordVerdict,
  recordRules,
} from '../../state-machine/contract/judgement';
import {
  type DueVariant,
  type DueVerdict,
  dueRules,
  type LastStateVerdict,
  lastStateRules,
} from '../../state-machine/contract/recovery-rules';
import { delayAfter } from '../../state-machine/contract/recovery-timing';
import { AFTER_THE_STEP, BEFORE_THE_STEP, STATE } from '../../state-machine/contract/state-names';
import type { EpochMs } from '../../state-machine/contract/time';
import type { Variant } from '../../state-machine/contract/variant';
import type { Workflow } from '../aws/workflow';
import { endedWithoutSuccess, type JudgedOwnership, judgeOwnership, type Owner } from './judge-owner';
import type { KeyRecovery, KeyState } from './key-state';

/** A key, and what follows from what was read of it. */
export interface JudgedKey
  extends JudgedOwnership,
    Pick<KeyState, 'key' | 'recordKey' | 'recoveryRuns' | 'stopped'> {
  readonly nextDelivery: NextDelivery;
  /** What recovery does about the owner; undefined: nothing, or the workflow has no recovery. */
  readonly nextRecovery: NextRecovery | undefined;
  /**
   * True if the owner of a completed record has not sent its result, or has lost the answer: an owner sends last, and
   * this one has ended badly.
   */
  readonly isResultUnsent: boolean;
  /** Who recovers the owner, or has recovered it; undefined if nothing does, or it was not read. */
  readonly recovery: KeyRecovery | undefined;
}

/** What the next delivery can do, if it has the same payload and finds everything as it is now. */
export const NEXT_DELIVERIES = {
  claims: 'claims the key: no record counts',
  returnsResult: 'gets the result',
  resultUnavailable:
    'ends with `Idempotency.ResultUnavailable`: the step has run, and its result cannot be read',
  returnsFailure: 'gets the stored failure',
  takesOver: 'takes over, and runs the step as the next attempt',
  callsRecovery:
    'starts recovery for the owner, waits if the workflow does, and ends with `Idempotency.InProgress`',
  redrives: 'redrives the owner, which resumes where it stopped (fragments)',
  redrivesExhausted:
    'ends with `Idempotency.RedrivesExhausted`: no delivery redrives the owner again (fragments)',
  holds: 'holds the record for review (at most once)',
  heldForReview: 'ends with the error that the record is held for',
  inProgress:
    'waits if the workflow does, and ends with `Idempotency.InProgress` if the owner has not finished',
  foreignRecord: "ends with `Idempotency.ForeignRecord`: the record is another workflow's",
} as const;

/** What the next delivery does. */
export type NextDelivery = keyof typeof NEXT_DELIVERIES;

/** What recovery does about the owner of a record, by its rules. */
export interface NextRecovery {
  readonly does: 'redrives' | 'completes' | 'releases' | 'holdsExhausted' | 'holdsInDoubt' | 'holdsLost';
  /** When it decides at the earliest, epoch milliseconds; undefined: a short time after it is started. */
  readonly from: number | undefined;
  /** False if recovery does not start automatically for such an owner: a delivery must start it. */
  readonly isAutomatic: boolean;
}

/** Judges a key as the workflow does. Pure. */
export function judgeKey(state: KeyState): JudgedKey {
  const { workflow, key, recordKey, record, recoveryRuns, stopped } = state;
  const ownership = judgeOwnership(state);
  const nextRecovery = judgeNextRecovery(ownership);
  const isDone = record?.status === STATUS.completed;
  return {
    ...ownership,
    key,
    recordKey,
    recoveryRuns,
    stopped,
    nextDelivery: judgeNextDelivery(ownership),
    nextRecovery,
    isResultUnsent: workflow.sendsResults && isDone && ownership.owner.kind === 'ended',
    recovery: recoveryOfOwner(state, nextRecovery),
  };
}

/** What the next delivery does, by the rules of the workflow. */
export function judgeNextDelivery(key: JudgedOwnership): NextDelivery {
  const { workflow, now, owner } = key;
  const variant = variantOf(workflow);
  const delivery = { executionArn: workflow.stateMachineArn, rejections: 0 };
  // In a team's own machine the time of the step has been judged with the owner, as an operator may know it better.
  const record = variant.isFragment && key.record ? { ...key.record, claimedAt: undefined } : key.record;
  const { verdict } = judge(recordRules(variant), { record, now, delivery });
  if (verdict === 'askAboutOwner') return deliveryByOwner(key);
  if (verdict !== 'returnOwnersResult') return DELIVERY_BY_VERDICT[verdict];
  if (owner.kind !== 'running' && !endedWithoutSuccess(owner)) return 'returnsResult';
  return variant.hasRecovery ? 'callsRecovery' : 'inProgress';
}

// No write of this delivery has been rejected, and it compares no payload.
const DELIVERY_BY_VERDICT: Readonly<
  Record<Exclude<RecordVerdict, 'askAboutOwner' | 'returnOwnersResult'>, NextDelivery>
> = {
  claim: 'claims',
  rejectForeign: 'foreignRecord',
  rejectPayload: 'inProgress',
  returnResult: 'returnsResult',
  readResult: 'returnsResult',
  resultUnavailable: 'resultUnavailable',
  heldForReview: 'heldForReview',
  returnFailure: 'returnsFailure',
  takeOver: 'takesOver',
  hold: 'holds',
  inProgress: 'inProgress',
  callRecovery: 'callsRecovery',
};

/** What a delivery to a team's own state machine does with an unfinished record, by the rules over its owner. */
function deliveryByOwner({ workflow, owner, now }: JudgedOwnership): NextDelivery {
  const isLeftAlone = owner.kind === 'mayStillWork' || owner.kind === 'notVisibleYet';
  const known = isLeftAlone ? undefined : ownerAsSeen(owner);
  if (known === undefined) return 'inProgress';
  // A record that says no more than this one says is asked again and again.
  const delivery = { rejections: REJECTIONS_MAX };
  const rules = ownerRules(variantOf(workflow));
  const { verdict } = judge(rules, { record: undefined, owner: known, now, delivery });
  if (verdict === 'takeOver' || verdict === 'letStepEnd') return 'takesOver';
  if (verdict === 'redrive') return 'redrives';
  return verdict === 'redrivesExhausted' ? verdict : 'inProgress';
}

/** What recovery does about the owner of a record; undefined: nothing, or the workflow has no recovery. */
export function judgeNextRecovery(key: JudgedOwnership): NextRecovery | undefined {
  const { workflow, record, owner } = key;
  if (record === undefined || workflow.recoveryArn === undefined) return undefined;
  if (judgeNextDelivery(key) === 'foreignRecord') return undefined;
  const deliveries = Number(RECOVERED.exec(record.owner)?.[1] ?? 0);
  const does = recoveryByRules(key, deliveries);
  if (does === undefined) return undefined;
  if (!endedWithoutSuccess(owner)) {
    return { does, from: owner.kind === 'notVisibleYet' ? owner.until : undefined, isAutomatic: false };
  }
  return {
    does,
    from: owner.until + delayAfter(owner.redriveCount + deliveries) * 1000,
    isAutomatic: !NOTHING_TO_RECOVER.some(error => error === owner.error),
  };
}

/** The end of the name of an execution that recovery has started: how often the event had been delivered again. */
const RECOVERED = new RegExp(`${RECOVERY_SUFFIX.replace('[0-9]+', '([0-9]+)')}$`);

/** What recovery does about an owner of which nothing can act any more, by its own rules. */
function recoveryByRules(key: JudgedOwnership, earlier: number): NextRecovery['does'] | undefined {
  const { workflow, record, owner, stoppedAt } = key;
  const seen = ownerAsSeen(owner);
  if (seen === undefined || record === undefined) return undefined;
  const variant = dueVariantOf(workflow);
  const isCompleted = record.status === STATUS.completed;
  const facts: Facts = {
    record,
    owner: { ...seen, executionArn: record.owner },
    // Later than anything it waits for.
    now: Number.POSITIVE_INFINITY as EpochMs,
    known: {
      isAsked: true,
      // A delivery that comes asks for the work of an owner that was stopped.
      isCalled: true,
      acts: 0,
      earlier,
      redrivesBefore: seen.redriveCount ?? 0,
      isCompletedByIt: isCompleted,
      hasOnlyResult: isCompleted && record.result === null && record.resultLocation === undefined,
      lastState: PLACE[stoppedAt ?? 'within'],
      isOfThisEnd: true,
    },
  };
  const { verdict } = judge(dueRules(variant), facts);
  return RECOVERY_BY_VERDICT[verdict === 'locate' ? judge(lastStateRules(variant), facts).verdict : verdict];
}

/** A state for each place where the rules ask for one. */
const PLACE = {
  before: BEFORE_THE_STEP[0],
  within: STATE.step,
  after: AFTER_THE_STEP[0],
} as const;

/** What it does that is a change of the owner or its record. */
const RECOVERY_BY_VERDICT: Readonly<
  Record<Exclude<DueVerdict | LastStateVerdict, 'locate'>, NextRecovery['does'] | undefined>
> = {
  leave: undefined,
  nothingLeft: undefined,
  wait: undefined,
  waitForRelease: undefined,
  giveUp: undefined,
  giveUpNoKey: undefined,
  giveUpForgotten: undefined,
  giveUpHeld: undefined,
  decideAgain: undefined,
  readOn: undefined,
  deliver: undefined,
  complete: 'completes',
  redrive: 'redrives',
  release: 'releases',
  holdExhausted: 'holdsExhausted',
  holdInDoubt: 'holdsInDoubt',
  holdLost: 'holdsLost',
};

function recoveryOfOwner(
  { workflow, recovery }: KeyState,
  next: NextRecovery | undefined,
): KeyRecovery | undefined {
  // That of a team's own state machine is read only if it acts on the owner.
  const acts = workflow.recoveryArn === undefined || next !== undefined;
  return acts || recovery?.execution !== undefined ? recovery : undefined;
}

/** An owner as it is seen when nothing of it can act any more; undefined for one that is left alone. */
function ownerAsSeen(owner: Owner): JudgedOwner | undefined {
  switch (owner.kind) {
    case 'succeeded':
      return { status: 'SUCCEEDED' };
    case 'unknown':
    case 'notVisibleYet':
      return { status: OWNER_NOT_FOUND };
    case 'ended':
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

/**
 * The workflow in the form with which the rules of recovery compare workflows; `failure-notice` judges the debtor of a
 * notice.
 */
function dueVariantOf(workflow: Workflow): DueVariant {
  const { sendsResults, failedRetentionSeconds } = workflow;
  return {
    ...variantOf(workflow),
    sendsResults,
    sendsFailures: false,
    // Only an absent record is judged by it.
    retentionSeconds: [failedRetentionSeconds, failedRetentionSeconds],
  };
}

/** The workflow as the rules of the judgement tell workflows apart. */
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
    isFragment: prefix !== '',
    storesResults,
    stepTimeoutSeconds: stepTimeoutMs / 1000,
    timeToLiveAttribute: attributeIn(schema, RECORD.expiry),
  };
}
