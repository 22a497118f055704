import { ERROR, RELEASED } from './error-names';
import { literal, literals } from './jsonata';
import { RECORD, STATUS } from './record';

/** The errors that a request to SQS or EventBridge may end with, or a state that makes one. */
const OF_SENDING =
  /^(SQS|EventBridge)\.|^States\.(DataLimitExceeded|Permissions|QueryEvaluationError|Runtime|TaskFailed)$/;

// Together, {@link isSenderIn}, {@link isNoticeUnsentIn} and not {@link isFreedIn} say that a redrive of the owner
// sends the notice that it owes: it was not sent, or it may have been. `owner` has its `executionArn`, `status`,
// `redriveCount`, and `error` if told.

/**
 * JSONata over `owner` and a record: true if the owner has to send its notice. That is the owner of the record, or the
 * execution that has held it for an ended owner: a redrive of that owner would run its step again. The members of a
 * doubt's cause are looked for as text, because it may not be JSON: within a member's own text its quotes are escaped.
 */
export function isSenderIn(record: string): string {
  const isHeld = `$r.${RECORD.status}.S = ${literal(STATUS.held)}`;
  return `( ${[
    `$r := ${record}`,
    `$e := $exists($r.${RECORD.error}) ? $parse($r.${RECORD.error}.S)`,
    '$by := \'"heldBy":"\'',
    `$own := $r.${RECORD.owner}.S = $owner.executionArn`,
    `$r.${RECORD.status}.S in ${literals([STATUS.failed, STATUS.held])} and $exists($e) and ` +
      `(${isHeld} or $e.Error = ${literal(ERROR.inDoubt)} ? ($contains($e.Cause, $by) ? ` +
      "$contains($e.Cause, $by & $owner.executionArn & '\"') : " +
      '$own and $contains($e.Cause, \'"error":\')) : $own)',
  ].join('; ')} )`;
}

/**
 * JSONata over `owner` and a record that has a failure: true if the owner's end leaves the notice of it unsent. The
 * notice is the last action before a Fail state, so an execution that ended with the error of the record has sent it.
 *
 * A record's error may also be the error of a failed send. An execution with that error counts until it has been
 * redriven once: if it had sent, its end is the same again, and would be for ever.
 */
export function isNoticeUnsentIn(record: string): string {
  return `( ${[
    `$e := ${record}.${RECORD.error}`,
    '$was := $exists($e) ? $parse($e.S).Error',
    '$its := $owner.error',
    "$owner.status in ['ABORTED', 'TIMED_OUT'] or $owner.status = 'FAILED' and $exists($its) and " +
      `($not($was = $its) or $max([0, $owner.redriveCount]) = 0 and $contains($its, ${OF_SENDING}))`,
  ].join('; ')} )`;
}

/** JSONata over a record: true if a person has freed it, so that no notice is owed. */
export function isFreedIn(record: string): string {
  const error = `${record}.${RECORD.error}`;
  return `$exists(${error}) ? $parse(${error}.S).Error = ${literal(RELEASED)} : false`;
}
