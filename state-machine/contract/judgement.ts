import {
  ALWAYS,
  all,
  before,
  type Condition,
  eq,
  evaluate,
  exists,
  type Facts,
  known,
  matches,
  max,
  negated,
  notAfter,
  sum,
} from './condition';
import {
  CAN_NEVER_GO_ON,
  GAVE_UP,
  HAS_FAILED,
  HAS_LEASE,
  HAS_RESULT_TEXT,
  HAS_STORED_RESULT,
  HAS_SUCCEEDED,
  IS_COMPLETED,
  IS_ERROR_MISSING,
  IS_FAILED,
  IS_FAILED_OR_RELEASED,
  IS_HELD,
  IS_IN_PROGRESS,
  IS_LEASE_OVER,
  IS_NOT_VISIBLE_YET,
  IS_OTHER_PAYLOAD,
  IS_OWN,
  IS_REDRIVABLE,
  IS_RUNNING,
  IS_UNKNOWN,
  isClaimOf,
  isGone,
  isOfAnotherWorkflow,
  isRedrivenTooOften,
  isRejectedTooOften,
  isReturnedFailure,
  isWithinTheStepsTime,
  MAY_STEP_HAVE_RUN,
  mayStillBeRunning,
  WAS_STEP_CUT_OFF,
} from './conditions';
import { claimIdOf, RECORD } from './record';
import { MAY_HAVE_RUN_OR_RUNS, WAS_CUT_OFF } from './step-errors';
import type { Variant } from './variant';

/** One rule of a judgement: in a list of them, the first that holds decides. */
export interface Rule<Verdict> {
  /** In words, for the definition's reader. Unique in its list. */
  readonly name: string;
  readonly when: Condition;
  readonly verdict: Verdict;
}

/** A rule in the variants that have it. Rows of one name are one rule: the first that a variant has is its own. */
export interface Row<Verdict, V = Variant> extends Omit<Rule<Verdict>, 'when'> {
  /** The variants that have the row; absent: all. */
  readonly in?: (variant: V) => boolean;
  readonly when: Condition | ((variant: V) => Condition);
}

/** Behind all other rules: a Choice's Default. */
export const OTHERWISE: Condition = ALWAYS;

/** How many rejected writes an execution answers by reading the record again, before it gives up. */
export const REJECTIONS_MAX = 10;
const IS_REJECTED_TOO_OFTEN = isRejectedTooOften(REJECTIONS_MAX);

/** What a delivery whose claim was rejected does with the record that rejected it. */
export type RecordVerdict =
  | 'claim'
  /** The record is another workflow's, which is neither answered with nor changed. */
  | 'rejectForeign'
  | 'rejectPayload'
  | 'returnResult'
  | 'readResult'
  | 'returnOwnersResult'
  | 'resultUnavailable'
  /** Ends with the error that the record is held for. */
  | 'heldForReview'
  | 'returnFailure'
  | 'takeOver'
  /** At most once: holds the record of an owner that is gone: its step may have run. */
  | 'hold'
  /** Waits for the owner, or ends with `Idempotency.InProgress`. */
  | 'inProgress'
  /** Starts recovery for the owner, and goes on as `inProgress`. */
  | 'callRecovery'
  /** In a state machine that does more than this: asks about the owner itself. */
  | 'askAboutOwner';

const isAtMostOnce = (variant: Variant) => variant.isAtMostOnce;
const isAtLeastOnce = (variant: Variant) => !variant.isAtMostOnce;
const canAsk = (variant: Variant) => !variant.isExpress;
const isOwnersOutputTheResult = (variant: Variant) => !variant.isExpress && !variant.isFragment;

/**
 * The judgement of a record, in the protocol's order. A record that no longer counts is ignored. A record of another
 * workflow says nothing. Another payload is rejected whatever the status, and only then does the status decide.
 */
const RECORD_ROWS: readonly Row<RecordVerdict>[] = [
  {
    name: 'Absent or expired, rejected too often',
    when: v => all(isGone(v.timeToLiveAttribute), IS_REJECTED_TOO_OFTEN),
    verdict: 'inProgress',
  },
  { name: 'Absent or expired', when: v => isGone(v.timeToLiveAttribute), verdict: 'claim' },
  {
    name: 'Of another workflow',
    when: ({ formerStateMachines }) => isOfAnotherWorkflow(formerStateMachines),
    verdict: 'rejectForeign',
  },
  { name: 'Another payload', in: v => v.hasPayload, when: IS_OTHER_PAYLOAD, verdict: 'rejectPayload' },

  { name: 'Completed, with the result', when: all(IS_COMPLETED, HAS_RESULT_TEXT), verdict: 'returnResult' },
  {
    name: 'Completed, its result in a bucket',
    in: v => v.storesResults,
    when: all(IS_COMPLETED, HAS_STORED_RESULT),
    verdict: 'readResult',
  },
  { name: 'Completed', in: isOwnersOutputTheResult, when: IS_COMPLETED, verdict: 'returnOwnersResult' },
  { name: 'Completed', when: IS_COMPLETED, verdict: 'resultUnavailable' },
  { name: 'Held for review', when: IS_HELD, verdict: 'heldForReview' },
  // The failure was stored while the workflow ran its step at least once.
  { name: 'Cut off', in: isAtMostOnce, when: all(IS_FAILED, WAS_STEP_CUT_OFF), verdict: 'heldForReview' },
  { name: 'In doubt', in: isAtMostOnce, when: all(IS_FAILED, MAY_STEP_HAVE_RUN), verdict: 'heldForReview' },
  {
    name: 'Failed',
    in: v => v.returnsStoredFailure,
    when: v => isReturnedFailure(v.returnedErrors),
    verdict: 'returnFailure',
  },
  {
    name: 'Failed or released, rejected too often',
    when: all(IS_FAILED_OR_RELEASED, IS_REJECTED_TOO_OFTEN),
    verdict: 'inProgress',
  },
  { name: 'Failed or released', when: IS_FAILED_OR_RELEASED, verdict: 'takeOver' },

  // Its own write, after it had been rejected; or that of an execution of the same name, forgotten after 90 days.
  {
    name: 'Its own claim',
    in: v => canAsk(v) && (v.isFragment || v.isAtMostOnce),
    when: v => all(IS_IN_PROGRESS, IS_OWN, isClaimOf(claimIdOf(v))),
    verdict: 'takeOver',
  },
  // Another claim of an execution that may make several is asked about like any other owner.
  {
    name: 'A claim under its name',
    in: v => isOwnersOutputTheResult(v) && v.isAtMostOnce,
    when: all(IS_IN_PROGRESS, IS_OWN),
    verdict: 'hold',
  },
  {
    name: 'A claim under its name',
    in: isOwnersOutputTheResult,
    when: all(IS_IN_PROGRESS, IS_OWN),
    verdict: 'takeOver',
  },

  // A claim with a lease is that of an Express execution, also if this workflow no longer is an Express one.
  { name: 'Lease over', in: isAtMostOnce, when: IS_LEASE_OVER, verdict: 'hold' },
  { name: 'Lease over', when: IS_LEASE_OVER, verdict: 'takeOver' },
  { name: 'Leased', in: canAsk, when: HAS_LEASE, verdict: 'inProgress' },
  {
    name: "Within the step's time",
    in: canAsk,
    when: ({ stepTimeoutSeconds }) => all(IS_IN_PROGRESS, isWithinTheStepsTime(stepTimeoutSeconds)),
    verdict: 'inProgress',
  },
  { name: 'Overdue', in: v => v.isFragment, when: IS_IN_PROGRESS, verdict: 'askAboutOwner' },
  { name: 'Overdue', in: v => v.hasRecovery, when: IS_IN_PROGRESS, verdict: 'callRecovery' },
  // Also a status that this version does not know: its writer must not be overruled.
  { name: 'Otherwise', when: OTHERWISE, verdict: 'inProgress' },
];

/** What a delivery to a team's own state machine does with an unfinished record whose owner it has asked about. */
export type OwnerVerdict =
  | 'inProgress'
  | 'readAgain'
  | 'redrive'
  /** Ends by name: the owner has failed after each redrive, and an operator decides. */
  | 'redrivesExhausted'
  /** Asks about the owner once more, with its error: the first answer did not contain it. */
  | 'askForEverything'
  | 'takeOver'
  /** Takes over when the step has had its time from now on: the owner's end is not known. */
  | 'letStepEnd';

const OWNER_ROWS: readonly Row<OwnerVerdict>[] = [
  { name: 'Running', when: IS_RUNNING, verdict: 'inProgress' },
  { name: 'Not visible yet', when: IS_NOT_VISIBLE_YET, verdict: 'inProgress' },
  // An owner that succeeds has written the record before, unless its machine caught what went wrong here.
  { name: 'Succeeded', when: all(HAS_SUCCEEDED, negated(IS_REJECTED_TOO_OFTEN)), verdict: 'readAgain' },
  {
    name: 'Its step may be running',
    when: ({ stepTimeoutSeconds }) => mayStillBeRunning(stepTimeoutSeconds),
    verdict: 'inProgress',
  },
  { name: 'Unknown', when: IS_UNKNOWN, verdict: 'letStepEnd' },
  { name: 'Failed, its error not told', when: IS_ERROR_MISSING, verdict: 'askForEverything' },
  { name: 'Gave up before the step', when: GAVE_UP, verdict: 'takeOver' },
  // An owner that does more than this has stopped elsewhere: its machine has caught what went wrong here.
  {
    name: 'Failed after redrives',
    when: v => all(HAS_FAILED, isRedrivenTooOften(v.maxRedrives)),
    verdict: 'takeOver',
  },
  {
    name: 'Redriven too often',
    when: v => all(IS_REDRIVABLE, isRedrivenTooOften(v.maxRedrives)),
    verdict: 'redrivesExhausted',
  },
  { name: 'Redrivable', when: IS_REDRIVABLE, verdict: 'redrive' },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'takeOver' },
];

/** What recovery does with an unfinished record of an owner, when nothing of the owner can act any more. */
export type RecoveryVerdict =
  /** The owner is running, or about to be. */
  | 'leave'
  /** Finishes the record: the output of the owner is the result. */
  | 'complete'
  | 'redrive'
  /** The owner can never go on: the next delivery takes over. */
  | 'release'
  /** Every redrive has failed: an operator decides. */
  | 'holdExhausted'
  /** At most once: it is unknown whether the step has run, and an operator decides. */
  | 'holdInDoubt'
  /** At most once: reads in the owner's history where it stopped. */
  | 'locate';

const RECOVERY_ROWS: readonly Row<RecoveryVerdict>[] = [
  { name: 'The owner is running', when: IS_RUNNING, verdict: 'leave' },
  { name: 'The owner succeeded', when: HAS_SUCCEEDED, verdict: 'complete' },
  // The step has not run: the owner ended in a Fail state before it, without knowing of its claim.
  { name: 'The owner ended before its step', when: GAVE_UP, verdict: 'release' },
  { name: 'The owner is not known', in: isAtMostOnce, when: IS_UNKNOWN, verdict: 'holdInDoubt' },
  { name: 'Otherwise', in: isAtMostOnce, when: OTHERWISE, verdict: 'locate' },
  { name: 'The owner can never go on', in: isAtLeastOnce, when: CAN_NEVER_GO_ON, verdict: 'release' },
  {
    name: 'Redriven too often',
    in: isAtLeastOnce,
    when: v => isRedrivenTooOften(v.maxRedrives),
    verdict: 'holdExhausted',
  },
  // Step Functions rejects a redrive of an execution that cannot be redriven. An unclear answer releases nothing.
  { name: 'Otherwise', when: OTHERWISE, verdict: 'redrive' },
];

/** True if the record answers duplicates, and nothing must be started. */
export function isDone(timeToLiveAttribute: string = RECORD.expiry): Condition {
  return all(IS_COMPLETED, negated(isGone(timeToLiveAttribute)));
}

/** The rules by which a workflow judges a record; the last one always holds. */
export function recordRules(variant: Variant): readonly Rule<RecordVerdict>[] {
  return rulesOf(RECORD_ROWS, variant);
}

/** The rules by which a fragment judges the owner of a record; the last one always holds. */
export function ownerRules(variant: Variant): readonly Rule<OwnerVerdict>[] {
  return rulesOf(OWNER_ROWS, variant);
}

/** The rules by which recovery judges the owner of an unfinished record; the last one always holds. */
export function recoveryRules(variant: Variant): readonly Rule<RecoveryVerdict>[] {
  return rulesOf(RECOVERY_ROWS, variant);
}

export function judge<Verdict>(rules: readonly Rule<Verdict>[], facts: Facts): Rule<Verdict> {
  const rule = rules.find(({ when }) => evaluate(when, facts));
  if (rule === undefined) throw new Error('no rule decides the case');
  return rule;
}

/** The rows that a variant has, as rules: of several rows of one name the first. */
export function rulesOf<Verdict, V>(rows: readonly Row<Verdict, V>[], variant: V): readonly Rule<Verdict>[] {
  const own = rows.filter(row => row.in?.(variant) ?? true);
  const first = own.filter(({ name }, index) => own.findIndex(row => row.name === name) === index);
  return first.map(({ name, when, verdict }) => {
    return { name, when: typeof when === 'function' ? when(variant) : when, verdict };
  });
}

/**
 * Deliveries of one key start one recovery of its owner within this time, in milliseconds. A name of Step Functions is
 * not free again for 90 days. Without a time in it, a recovery that was stopped, or that left a running owner alone,
 * could never be started again for this claim.
 */
export const ONE_RECOVERY_WITHIN_MS = 15 * 60 * 1000;

/**
 * A delivery that waits calls recovery for a claim once within that time: each call is a billed transition, and by the
 * same name recovery is not started again. It knows its last call by the variable `recoveryCalled`.
 */
export const RECOVERY_WAS_CALLED: Rule<RecordVerdict> = {
  name: 'Overdue, recovery was called',
  when: all(
    exists(known('calledFor', '$recoveryCalled')),
    eq(known('calledFor', '$recoveryCalled.claimId'), { is: 'record', name: 'claimId', as: 'text' }),
    before({ is: 'now', in: 'ms' }, sum(known('calledAt', '$recoveryCalled.at'), ONE_RECOVERY_WITHIN_MS)),
  ),
  verdict: 'inProgress',
};
/** What a delivery that waits for the owner does next. */
export type WaitVerdict = 'reject' | 'wait';

const WAIT_UNTIL = known('waitUntil');

const WAIT_RULES: readonly Rule<WaitVerdict>[] = [
  // Before the first wait there is no such time.
  {
    name: 'The time is over',
    when: all(exists(WAIT_UNTIL), notAfter(WAIT_UNTIL, { is: 'now', in: 'ms' })),
    verdict: 'reject',
  },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'wait' },
];

/** The rules of a delivery that waits for the owner; the last one always holds. */
export function waitRules(): readonly Rule<WaitVerdict>[] {
  return WAIT_RULES;
}

/** At most once: what an execution does whose own step has failed. */
export type OutcomeVerdict =
  /** It is not certain what the step has done: waits until it has ended, and holds the key. */
  'letStepEnd' | 'recordFailure';

/** The error and the cause of the execution's own step. */
export const OWN_FAILURE = known('failure', "$failure.Error & ' ' & $failure.Cause");

const OUTCOME_RULES: readonly Rule<OutcomeVerdict>[] = [
  { name: 'It was cut off', when: matches(OWN_FAILURE, WAS_CUT_OFF), verdict: 'letStepEnd' },
  { name: 'It may have run', when: matches(OWN_FAILURE, MAY_HAVE_RUN_OR_RUNS), verdict: 'letStepEnd' },
  // The execution has been redriven since it owns the record: a later answer does not show what an interrupted run did.
  {
    name: 'It ran before, too',
    when: negated(
      eq(max(0, known('redriveCount', '$states.context.Execution.RedriveCount')), known('redrives')),
    ),
    verdict: 'letStepEnd',
  },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'recordFailure' },
];

/** The rules over the failure of the execution's own step, at most once; the last one always holds. */
export function outcomeRules(): readonly Rule<OutcomeVerdict>[] {
  return OUTCOME_RULES;
}
