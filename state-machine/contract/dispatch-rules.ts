import {
  all,
  any,
  before,
  type Condition,
  eq,
  exists,
  isIn,
  known,
  minus,
  negated,
  notAfter,
  sum,
  type Value,
} from './condition';
import {
  hasExpired,
  IS_COMPLETED,
  IS_FAILED_OR_RELEASED,
  IS_IN_PROGRESS,
  IS_OTHER_PAYLOAD,
  isGone,
  isOfAnotherWorkflow,
  isReturnedFailure,
} from './conditions';
import { FINAL_ERRORS } from './error-names';
import { literal } from './jsonata';
import { isDone, OTHERWISE, type Row, type Rule, rulesOf } from './judgement';
import { RECORD } from './record';
import type { DispatchVariant } from './variant';

// By which rules a dispatcher decides about a delivery whose execution name was in use before, or, of an Express
// workflow, whose execution has not succeeded.
//
// A delivery is left to an execution only if something completes it when that execution does not:
//
// - The execution has the input of the delivery, to the letter: Step Functions answers no other start with it. So what
//   becomes of the execution becomes of the delivery, as if the delivery had started it. If the workflow rejects that
//   input, it would reject the delivery.
// - If the execution owns the record and ends early, recovery resumes it or delivers its input again. Without recovery
//   the record waits for an operator, and another start would only find that.
// - If the execution has no record yet, it can be stopped before its claim, or its claim can fail. Recovery then
//   delivers its input again. Without recovery nothing would: such a delivery starts again, and the two claims decide.
//   An execution that began since the start was called is as good as its own, also without recovery.
// - After a minute without a record the execution is not about to claim. It may only be sending a notice for hours: the
//   delivery starts again.
// - A read that fails decides nothing: the delivery starts again.
//
// A stop that an operator means (`onceflow stop`) stops the deliveries that were left to the execution, too. A message
// of a queue is left in the queue besides, until its key is finished.

/** What the dispatcher does with such a delivery. That of an Express workflow leaves the start to the source. */
export type DispatchVerdict = 'duplicate' | 'leave' | 'startAgain';

/**
 * For how long an execution that runs may not have claimed its record yet, in milliseconds. After that time it may only
 * be sending its notice.
 */
export const CLAIM_WITHIN_MS = 60_000;
/** How much earlier than the call an execution must have begun to be another's, in ms: more than clocks differ. */
export const CLOCKS_DIFFER_MS = 100;
const RECORD_OWNER: Value = { is: 'record', name: 'owner', as: 'text' };
const JOINED = known('joined', '$joined.executionArn');
const JOINED_SINCE = known('joinedSince', '$joined.since');

/** True if the running execution began since the start was called, before its first try. */
const BEGAN_SINCE_THE_CALL = notAfter(minus(known('callsAt'), CLOCKS_DIFFER_MS), JOINED_SINCE);

/** True if the running execution owns the record. */
export const OWNS_THE_RECORD = eq(RECORD_OWNER, JOINED);

/** True if the running execution owns the record, which it has not finished. */
const IS_AT_WORK = all(exists(JOINED), IS_IN_PROGRESS, OWNS_THE_RECORD);

/** True if the running execution is so young that it may not have claimed yet. */
export const IS_YOUNG = before({ is: 'now', in: 'ms' }, sum(JOINED_SINCE, CLAIM_WITHIN_MS));

/** True if there is no record yet, and the running execution may still claim it. */
function mayStillClaim(timeToLiveAttribute: string): Condition {
  return all(exists(JOINED_SINCE), isGone(timeToLiveAttribute), IS_YOUNG);
}

/** True if an execution that was running before the start takes care of the delivery. */
export function isLeftToJoined(timeToLiveAttribute: string = RECORD.expiry): Condition {
  return any(IS_AT_WORK, mayStillClaim(timeToLiveAttribute));
}

/**
 * True if the record is one of this very event, and another delivery may still finish it. Then no error of an execution
 * is the last word: a step can fail by any name, and another execution may have taken the key over since.
 */
const isOpen = (v: DispatchVariant) =>
  all(
    any(IS_IN_PROGRESS, IS_FAILED_OR_RELEASED),
    negated(isOfAnother(v)),
    ...(v.hasPayload ? [negated(IS_OTHER_PAYLOAD)] : []),
  );

const isStandard = ({ isExpress }: DispatchVariant) => !isExpress;

const DISPATCH_ROWS: readonly Row<DispatchVerdict, DispatchVariant>[] = [
  {
    name: 'Done',
    in: v => v.hasPayload,
    when: v =>
      all(
        IS_COMPLETED,
        negated(isGone(v.timeToLiveAttribute)),
        negated(isOfAnother(v)),
        negated(IS_OTHER_PAYLOAD),
      ),
    verdict: 'duplicate',
  },
  {
    name: 'Done',
    when: v => all(isDone(v.timeToLiveAttribute), negated(isOfAnother(v))),
    verdict: 'duplicate',
  },
  {
    name: 'Its failure is the answer',
    in: v => v.isExpress === true && v.returnsStoredFailure === true,
    when: v =>
      all(
        isReturnedFailure(v.returnedErrors),
        negated(
          any(hasExpired(v.timeToLiveAttribute), isOfAnother(v), ...(v.hasPayload ? [IS_OTHER_PAYLOAD] : [])),
        ),
      ),
    verdict: 'duplicate',
  },
  {
    name: 'Another delivery may finish it',
    in: v => v.isExpress === true,
    when: isOpen,
    verdict: 'startAgain',
  },
  {
    name: 'Rejected for good',
    in: v => v.isExpress === true,
    when: isIn(known('runError', '$run.error'), FINAL_ERRORS),
    verdict: 'duplicate',
  },
  { name: 'The running execution is at work', in: isStandard, when: IS_AT_WORK, verdict: 'leave' },
  {
    name: 'The running execution may still claim',
    in: v => v.hasRecovery,
    when: v => mayStillClaim(v.timeToLiveAttribute),
    verdict: 'leave',
  },
  {
    name: 'It began since the call, and may still claim',
    in: v => isStandard(v) && !v.hasRecovery,
    when: v => all(BEGAN_SINCE_THE_CALL, mayStillClaim(v.timeToLiveAttribute)),
    verdict: 'leave',
  },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'startAgain' },
];

/** What the dispatcher does with the answer to its start. */
export type StartVerdict = 'started' | 'readRecord';

const START_RULES: readonly Rule<StartVerdict>[] = [
  { name: 'It was running before', when: exists(JOINED), verdict: 'readRecord' },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'started' },
];

/** What a dispatcher does with the end of the Express execution that it has waited for. */
export type RunVerdict = 'delivered' | 'readRecord';

const RUN_RULES: readonly Rule<RunVerdict>[] = [
  { name: 'It succeeded', when: eq(known('runStatus', '$run.status'), 'SUCCEEDED'), verdict: 'delivered' },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'readRecord' },
];

// A dispatcher has executions of its own: the record names those of its workflow.
function isOfAnother({ formerStateMachines, stateMachineArn }: DispatchVariant): Condition {
  return isOfAnotherWorkflow(formerStateMachines, literal(stateMachineArn));
}

/** The rules over the execution that answers a start; the last one always holds. */
export function startRules(): readonly Rule<StartVerdict>[] {
  return START_RULES;
}

/** The rules over the end of an Express execution; the last one always holds. */
export function runRules(): readonly Rule<RunVerdict>[] {
  return RUN_RULES;
}

/** The rules by which its dispatcher knows a duplicate; the last one always holds. */
export function dispatchRules(variant: DispatchVariant): readonly Rule<DispatchVerdict>[] {
  return rulesOf(DISPATCH_ROWS, variant);
}
