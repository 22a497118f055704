import {
  all,
  type Condition,
  type Facts,
  GAVE_UP,
  HAS_FAILED,
  HAS_LEASE,
  HAS_RESULT_TEXT,
  HAS_SUCCEEDED,
  IS_COMPLETED,
  IS_ERROR_MISSING,
  IS_FAILED,
  IS_IN_DOUBT,
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
  isRefusedTooOften,
  isWithinTheStepsTime,
  mayStillBeRunning,
  not,
} from './conditions';
import { literal } from './jsonata';
import { claimIdOf, RECORD } from './record';
import { HAS_STORED_RESULT } from './stored-result';
import type { DispatchVariant, Variant } from './variant';

/** One rule of a judgement: in a list of them, the first that holds decides. */
export interface Rule<Verdict> {
  /** In words, for the definition's reader. Unique in its list. */
  readonly name: string;
  readonly when: Condition;
  readonly verdict: Verdict;
}

/** A rule in the variants that have it. Rows of one name are one rule: the first that a variant has is its own. */
interface Row<Verdict, V = Variant> extends Omit<Rule<Verdict>, 'when'> {
  /** The variants that have the row; absent: all. */
  readonly in?: (variant: V) => boolean;
  readonly when: Condition | ((variant: V) => Condition);
}

/** Behind all other rules: a Choice's Default. */
export const OTHERWISE: Condition = { holds: () => true, jsonata: 'true' };

/** How many refused writes an execution answers by reading the record again, before it gives up. */
export const REFUSALS_MAX = 10;
const IS_REFUSED_TOO_OFTEN = isRefusedTooOften(REFUSALS_MAX);

/** What a delivery that was refused does with the record that refused it. */
export type RecordVerdict =
  | 'claim'
  | 'giveUp'
  /** The record is another workflow's, which nobody here answers with or changes. */
  | 'refuseForeign'
  | 'refusePayload'
  | 'returnResult'
  | 'readResult'
  | 'returnOwnersResult'
  | 'resultUnavailable'
  | 'refuseInDoubt'
  | 'returnFailure'
  | 'takeOver'
  /** At most once: leaves the record to a person. */
  | 'park'
  /** Waits for the owner, or ends with `Idempotency.InProgress`. */
  | 'inProgress'
  | 'askAboutOwner';

const isAtMostOnce = (variant: Variant) => variant.isAtMostOnce;
const isAtLeastOnce = (variant: Variant) => !variant.isAtMostOnce;
const canAsk = (variant: Variant) => !variant.isExpress;
const isOwnersOutputTheResult = (variant: Variant) => !variant.isExpress && !variant.isPart;

/**
 * The judgement of a record, in the protocol's order: one that no longer counts is nobody's, one of another workflow
 * says nothing, another payload is refused whatever became of the first, and only then does the status decide.
 */
const RECORD_ROWS: readonly Row<RecordVerdict>[] = [
  {
    name: 'Absent or expired, refused too often',
    when: v => all(isGone(v.timeToLiveAttribute), IS_REFUSED_TOO_OFTEN),
    verdict: 'giveUp',
  },
  { name: 'Absent or expired', when: v => isGone(v.timeToLiveAttribute), verdict: 'claim' },
  {
    name: 'Of another workflow',
    when: ({ formerStateMachines }) => isOfAnotherWorkflow(formerStateMachines),
    verdict: 'refuseForeign',
  },
  { name: 'Another payload', in: v => v.hasPayload, when: IS_OTHER_PAYLOAD, verdict: 'refusePayload' },

  { name: 'Completed, with the result', when: all(IS_COMPLETED, HAS_RESULT_TEXT), verdict: 'returnResult' },
  {
    name: 'Completed, its result in a bucket',
    in: v => v.storesResults,
    when: all(IS_COMPLETED, HAS_STORED_RESULT),
    verdict: 'readResult',
  },
  { name: 'Completed', in: isOwnersOutputTheResult, when: IS_COMPLETED, verdict: 'returnOwnersResult' },
  { name: 'Completed', when: IS_COMPLETED, verdict: 'resultUnavailable' },
  { name: 'In doubt', in: isAtMostOnce, when: all(IS_FAILED, IS_IN_DOUBT), verdict: 'refuseInDoubt' },
  { name: 'Failed', in: v => v.returnsStoredFailure, when: IS_FAILED, verdict: 'returnFailure' },
  {
    name: 'Failed, refused too often',
    in: v => !v.returnsStoredFailure,
    when: all(IS_FAILED, IS_REFUSED_TOO_OFTEN),
    verdict: 'giveUp',
  },
  { name: 'Failed', when: IS_FAILED, verdict: 'takeOver' },

  // Its own write, after it had been refused; or that of an execution of the same name, forgotten after 90 days.
  {
    name: 'Its own claim',
    in: v => canAsk(v) && (v.isPart || v.isAtMostOnce),
    when: v => all(IS_IN_PROGRESS, IS_OWN, isClaimOf(claimIdOf(v))),
    verdict: 'takeOver',
  },
  // Another claim of an execution that may make several is asked about like any other owner.
  {
    name: 'A claim under its name',
    in: v => isOwnersOutputTheResult(v) && v.isAtMostOnce,
    when: all(IS_IN_PROGRESS, IS_OWN),
    verdict: 'park',
  },
  {
    name: 'A claim under its name',
    in: isOwnersOutputTheResult,
    when: all(IS_IN_PROGRESS, IS_OWN),
    verdict: 'takeOver',
  },

  // Who has claimed with a lease is an Express execution, also where this workflow is none any more.
  { name: 'Lease over', in: isAtMostOnce, when: IS_LEASE_OVER, verdict: 'park' },
  { name: 'Lease over', when: IS_LEASE_OVER, verdict: 'takeOver' },
  { name: 'Leased', in: canAsk, when: HAS_LEASE, verdict: 'inProgress' },
  {
    name: "Within the step's time",
    in: canAsk,
    when: ({ stepTimeoutSeconds }) => all(IS_IN_PROGRESS, isWithinTheStepsTime(stepTimeoutSeconds)),
    verdict: 'inProgress',
  },
  { name: 'In progress', in: canAsk, when: IS_IN_PROGRESS, verdict: 'askAboutOwner' },
  // Also a status that this version does not know: whoever wrote it is not to be overruled.
  { name: 'Otherwise', when: OTHERWISE, verdict: 'inProgress' },
];

/** What a delivery does with an unfinished record when it knows what has become of the owner. */
export type OwnerVerdict =
  | 'inProgress'
  | 'readAgain'
  /** Writes the record's end for an owner that has succeeded and does not come back to it. */
  | 'finalizeForOwner'
  | 'redrive'
  /** Ends by name: the owner has died after each redrive, and a person decides. */
  | 'redrivesExhausted'
  /** Asks about the owner once more, with its error: it has been asked about without its data. */
  | 'askForEverything'
  | 'resultUnavailable'
  | 'takeOver'
  /** Takes over, or at most once parks, when the step has had its time from now on: the owner's end is not known. */
  | 'letStepEnd'
  /** At most once: finds out where the owner stopped. */
  | 'locateOwner';

/** The judgement of an owner: of an unfinished record, or of one whose result is its owner's output. */
const OWNER_ROWS: readonly Row<OwnerVerdict>[] = [
  { name: 'Running', when: IS_RUNNING, verdict: 'inProgress' },
  { name: 'Not visible yet', when: IS_NOT_VISIBLE_YET, verdict: 'inProgress' },

  // Whoever succeeds has written the record before; but not an owner that did more, and caught what went wrong here.
  {
    name: 'Succeeded, refused too often',
    in: isOwnersOutputTheResult,
    when: all(HAS_SUCCEEDED, IS_REFUSED_TOO_OFTEN),
    verdict: 'finalizeForOwner',
  },
  {
    name: 'Succeeded',
    in: v => v.isPart,
    when: all(HAS_SUCCEEDED, not(IS_REFUSED_TOO_OFTEN)),
    verdict: 'readAgain',
  },
  { name: 'Succeeded', when: HAS_SUCCEEDED, verdict: 'readAgain' },
  // The step has run, and the record says so: only the owner's own end is missing.
  {
    name: 'Completed, and redrivable',
    in: isOwnersOutputTheResult,
    when: v => all(IS_COMPLETED, IS_REDRIVABLE, not(isRedrivenTooOften(v.maxRedrives))),
    verdict: 'redrive',
  },
  { name: 'Completed', in: isOwnersOutputTheResult, when: IS_COMPLETED, verdict: 'resultUnavailable' },

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
    in: v => v.isPart,
    when: v => all(HAS_FAILED, isRedrivenTooOften(v.maxRedrives)),
    verdict: 'takeOver',
  },
  {
    name: 'Redriven too often',
    in: isAtLeastOnce,
    when: v => all(IS_REDRIVABLE, isRedrivenTooOften(v.maxRedrives)),
    verdict: 'redrivesExhausted',
  },
  { name: 'Redrivable', in: isAtLeastOnce, when: IS_REDRIVABLE, verdict: 'redrive' },
  { name: 'Otherwise', in: isAtMostOnce, when: OTHERWISE, verdict: 'locateOwner' },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'takeOver' },
];

/** True where duplicates are answered with what the record says, and nothing is to be started. */
export function isDone(timeToLiveAttribute: string = RECORD.expiry): Condition {
  return all(IS_COMPLETED, not(isGone(timeToLiveAttribute)));
}

/** What the dispatcher does with a delivery whose name is taken. */
export type DispatchVerdict = 'duplicate' | 'startAgain';

const DISPATCH_ROWS: readonly Row<DispatchVerdict, DispatchVariant>[] = [
  {
    name: 'Done',
    in: v => v.hasPayload,
    when: v =>
      all(IS_COMPLETED, not(isGone(v.timeToLiveAttribute)), not(isOfAnother(v)), not(IS_OTHER_PAYLOAD)),
    verdict: 'duplicate',
  },
  { name: 'Done', when: v => all(isDone(v.timeToLiveAttribute), not(isOfAnother(v))), verdict: 'duplicate' },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'startAgain' },
];

// A dispatcher has executions of its own: the record names those of its workflow.
function isOfAnother({ formerStateMachines, stateMachineArn }: DispatchVariant): Condition {
  return isOfAnotherWorkflow(formerStateMachines, literal(stateMachineArn));
}

/** The rules by which a workflow judges a record; the last one always holds. */
export function recordRules(variant: Variant): readonly Rule<RecordVerdict>[] {
  return rulesOf(RECORD_ROWS, variant);
}

/** The rules by which it judges the owner of a record; the last one always holds. */
export function ownerRules(variant: Variant): readonly Rule<OwnerVerdict>[] {
  return rulesOf(OWNER_ROWS, variant);
}

/** The rules by which its dispatcher knows a duplicate; the last one always holds. */
export function dispatchRules(variant: DispatchVariant): readonly Rule<DispatchVerdict>[] {
  return rulesOf(DISPATCH_ROWS, variant);
}

/** The rule that decides a case. */
export function judge<Verdict>(rules: readonly Rule<Verdict>[], facts: Facts): Rule<Verdict> {
  const rule = rules.find(({ when }) => when.holds(facts));
  if (rule === undefined) throw new Error('no rule decides the case');
  return rule;
}

function rulesOf<Verdict, V>(rows: readonly Row<Verdict, V>[], variant: V): readonly Rule<Verdict>[] {
  const own = rows.filter(row => row.in?.(variant) ?? true);
  const first = own.filter(({ name }, index) => own.findIndex(row => row.name === name) === index);
  return first.map(({ name, when, verdict }) => {
    return { name, when: typeof when === 'function' ? when(variant) : when, verdict };
  });
}
