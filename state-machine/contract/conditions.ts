import {
  all,
  any,
  before,
  type Condition,
  eq,
  exists,
  type Facts,
  isIn,
  matches,
  max,
  negated,
  notAfter,
  parts,
  sum,
  times,
  type Value,
} from './condition';
import { GIVEN_UP_BEFORE_THE_STEP } from './error-names';
import type { JudgedOwner, JudgedRecord } from './judged';
import { RECORD, RESULT_ELSEWHERE, STATUS } from './record';
import { MAY_HAVE_RUN_OR_RUNS, WAS_CUT_OFF } from './step-errors';

// The questions about a record and its owner, in the words of the judgement.

const text = (name: keyof JudgedRecord): Value => ({ is: 'record', name, as: 'text' });
const time = (name: keyof JudgedRecord): Value => ({ is: 'record', name, as: 'time' });
const number = (name: keyof JudgedRecord): Value => ({ is: 'record', name, as: 'number' });
const ofOwner = (name: keyof JudgedOwner): Value => ({ is: 'owner', name, as: 'text' });
const NOW: Value = { is: 'now', in: 'ms' };
/** The execution that judges. */
export const ME: Value = {
  is: 'delivery',
  name: 'executionArn',
  jsonata: '$states.context.Execution.Id',
  isThere: true,
};
const PAYLOAD_HASH: Value = { is: 'delivery', name: 'payloadHash', jsonata: '$payloadHash' };
const REJECTIONS: Value = { is: 'delivery', name: 'rejections', jsonata: '$rejections' };

const hasStatus = (status: string) => eq(text('status'), status);

/** True if there is no record, or one that no longer counts: its table calls its expiry so. */
export function isGone(timeToLiveAttribute: string): Condition {
  return any(negated(exists(text('status'))), hasExpired(timeToLiveAttribute));
}

/** True if there is a record that no longer counts. */
export function hasExpired(timeToLiveAttribute: string): Condition {
  const expiry: Value = { is: 'record', name: 'expiry', as: 'number', called: timeToLiveAttribute };
  return notAfter(expiry, { is: 'now', in: 's' });
}

/**
 * True if the record has a form that this version does not know: its payload cannot be compared with that of a
 * delivery, neither as equal nor as another.
 */
export const IS_OF_ANOTHER_FORM: Condition = exists({ is: 'record', name: 'form', as: 'digits' });

/**
 * True if the record has another form, or if its owner is not an execution of the state machine that judges, nor of one
 * of these names, which it had before. `own` is the ARN of that state machine, as the workflow has it. For a caller
 * without a state machine, only the form counts.
 */
export function isOfAnotherWorkflow(formerNames: readonly string[], own?: string): Condition {
  const mine: Value =
    own === undefined ? ME : { is: 'delivery', name: 'executionArn', jsonata: own, isThere: true };
  const [REGION, ACCOUNT, NAME] = [3, 4, 6];
  const its = text('owner');
  const isSame =
    formerNames.length === 0
      ? eq(parts(its, ':', REGION, ACCOUNT, NAME), parts(mine, ':', REGION, ACCOUNT, NAME))
      : all(
          eq(parts(its, ':', REGION, ACCOUNT), parts(mine, ':', REGION, ACCOUNT)),
          isIn(parts(its, ':', NAME), [parts(mine, ':', NAME), ...formerNames]),
        );
  return any(all(exists(mine), negated(isSame)), IS_OF_ANOTHER_FORM);
}

export const IS_OTHER_PAYLOAD: Condition = all(
  exists(text('payloadHash')),
  exists(PAYLOAD_HASH),
  negated(eq(text('payloadHash'), PAYLOAD_HASH)),
);

/** True if the record says that the business step succeeded. */
export const IS_COMPLETED: Condition = hasStatus(STATUS.completed);

/** True if the record itself holds the result's text. */
export const HAS_RESULT_TEXT: Condition = all(
  exists(text('result')),
  negated(eq(text('result'), RESULT_ELSEWHERE)),
);

/** True if the record says which object of its own attempt holds the result: an earlier attempt's is not its result. */
export const HAS_STORED_RESULT: Condition = all(
  exists(text('resultHash')),
  eq(parts(text('resultLocation'), '/', -2), { is: 'record', name: 'attempt', as: 'digits' }),
);

export const IS_FAILED: Condition = hasStatus(STATUS.failed);

/** True if the failure that the record has is the answer for later deliveries. No `errors`: any is. */
export function isReturnedFailure(errors: readonly string[] | undefined): Condition {
  return errors === undefined ? IS_FAILED : all(IS_FAILED, isIn({ is: 'error' }, errors));
}

/** True if the next delivery may take the record over: its step failed, or it is released. */
export const IS_FAILED_OR_RELEASED: Condition = isIn(text('status'), [STATUS.failed, STATUS.released]);

export const IS_RELEASED: Condition = hasStatus(STATUS.released);

export const IS_HELD: Condition = hasStatus(STATUS.held);

/** True if the stored failure is that of a step that was cut off, or a doubt. */
export const WAS_STEP_CUT_OFF: Condition = matches({ is: 'failure' }, WAS_CUT_OFF);

/** True if the stored failure is an error of Lambda after which the step may have run. */
export const MAY_STEP_HAVE_RUN: Condition = matches({ is: 'failure' }, MAY_HAVE_RUN_OR_RUNS);

/** True if the record has the failure of a step that may have run, or a doubt. */
export const IS_IN_DOUBT: Condition = any(WAS_STEP_CUT_OFF, MAY_STEP_HAVE_RUN);

/** True if an execution owns the record and has not finished it. */
export const IS_IN_PROGRESS: Condition = hasStatus(STATUS.inProgress);

export const IS_OWN: Condition = eq(text('owner'), ME);

/** True if the very claim of this delivery has written the record. `claimId` is JSONata of what it would write. */
export function isClaimOf(claimId: string): Condition {
  return eq(text('claimId'), { is: 'delivery', name: 'claimId', jsonata: claimId });
}

/** True if an unfinished record has a lease: its owner is an Express execution, which cannot be asked about. */
export const HAS_LEASE: Condition = all(IS_IN_PROGRESS, exists(number('leaseExpiry')));

/** True if an unfinished record's lease is over, so that its owner and the step it called have certainly ended. */
export const IS_LEASE_OVER: Condition = all(IS_IN_PROGRESS, before(number('leaseExpiry'), NOW));

/** True if the writes of the execution have been rejected as often as they may be. */
export const isRejectedTooOften = (rejectionsMax: number): Condition => notAfter(rejectionsMax, REJECTIONS);

/** The status of an owner that Step Functions does not know. */
export const OWNER_NOT_FOUND = 'NOT_FOUND';

/** True if the owner is running, or about to resume. */
export const IS_RUNNING: Condition = isIn(ofOwner('status'), ['RUNNING', 'PENDING_REDRIVE']);

/** How long an execution that was started may not be visible yet, in milliseconds. */
export const VISIBLE_WITHIN_MS = 15 * 60 * 1000;

/** When an owner that was started would certainly be visible, epoch milliseconds; NaN if it is not known. */
export function visibleBy({ claimedAt }: Pick<JudgedRecord, 'claimedAt'>): number {
  return Date.parse(claimedAt ?? '') + VISIBLE_WITHIN_MS;
}

/** True if Step Functions does not know the owner: deleted, with its state machine or after 90 days. */
export const IS_UNKNOWN: Condition = eq(ofOwner('status'), OWNER_NOT_FOUND);

/** True if an unknown owner has claimed so recently that it may just not be visible. */
export const IS_NOT_VISIBLE_YET: Condition = all(
  IS_UNKNOWN,
  before(NOW, sum(time('claimedAt'), VISIBLE_WITHIN_MS)),
);

/** True if the owner has succeeded, so that its record has been written meanwhile. */
export const HAS_SUCCEEDED: Condition = eq(ofOwner('status'), 'SUCCEEDED');

/**
 * Until when the business step that the owner called may be running, epoch milliseconds; undefined: it has not ended.
 * The owner may have run another definition: the record tells how long its step may take, and the longer time counts.
 */
export function stepEndsBy({ record, owner }: Facts, stepTimeoutSeconds: number): number | undefined {
  if (owner?.stopDate === undefined) return undefined;
  return owner.stopDate + Math.max(stepTimeoutSeconds, record?.stepTimeout ?? 0) * 1000;
}

/** For how long the business step may be running after its owner's end: the longer time of definition and record. */
export const stepSeconds = (stepTimeoutSeconds: number) => max(stepTimeoutSeconds, number('stepTimeout'));

/** JSONata of how many seconds the business step may be running after its owner's end: the same longer time. */
export function ownersStepSeconds(stepTimeoutSeconds: number): string {
  return `$max([${stepTimeoutSeconds}, $number($record.${RECORD.stepTimeout}.N)])`;
}

/** True if the business step that the owner called may still be running: it ended too short a time ago. */
export function mayStillBeRunning(stepTimeoutSeconds: number): Condition {
  const stopDate: Value = { is: 'owner', name: 'stopDate', as: 'time' };
  const isBefore = before(NOW, sum(stopDate, times(stepSeconds(stepTimeoutSeconds), 1000)));
  // A rule needs a boolean: a comparison with what is missing gives nothing.
  return all(exists(ofOwner('stopDate')), isBefore);
}

/** True if a claim is so young that its step could be running even if the owner had ended at once: nothing is due. */
export function isWithinTheStepsTime(stepTimeoutSeconds: number): Condition {
  const isBefore = before(NOW, sum(time('claimedAt'), times(stepSeconds(stepTimeoutSeconds), 1000)));
  return all(exists(text('claimedAt')), isBefore);
}

/** True if the owner has ended without success. */
export const HAS_ENDED_BADLY: Condition = isIn(ofOwner('status'), ['FAILED', 'TIMED_OUT', 'ABORTED']);

export const HAS_FAILED: Condition = eq(ofOwner('status'), 'FAILED');

/** True if the owner has failed, and its error is not included in the response. */
export const IS_ERROR_MISSING: Condition = all(HAS_FAILED, negated(exists(ofOwner('error'))));

/** True if the owner gave its claim up in a Fail state before the step, to which a redrive would bring it again. */
export const GAVE_UP: Condition = all(HAS_FAILED, isIn(ofOwner('error'), GIVEN_UP_BEFORE_THE_STEP));

/** True if the owner has been redriven, by whomever, as often as deliveries redrive one. */
export function isRedrivenTooOften(maxRedrives: number): Condition {
  return notAfter(maxRedrives, max(0, { is: 'owner', name: 'redriveCount', as: 'number' }));
}

export const IS_REDRIVABLE: Condition = eq(ofOwner('redriveStatus'), 'REDRIVABLE');

/** True if the owner can never resume: Step Functions does not know it any more, or says that it cannot be redriven. */
export const CAN_NEVER_GO_ON: Condition = any(IS_UNKNOWN, eq(ofOwner('redriveStatus'), 'NOT_REDRIVABLE'));
