import { ERROR, RELEASED } from './error-names';
import { literal, literals } from './jsonata';
import type { JudgedOwner, JudgedRecord } from './judged';
import { HELD_BY_RECOVERY, RECORD, STATUS } from './record';

/** The state of the notice that a record of status `FAILED` owes to the failure destination. */
export type NoticeState =
  /** It has been sent, at least once. */
  | 'sent'
  /** The execution that has to send it is at work. */
  | 'underWay'
  /** It was not sent, or it may have been: a redrive of the execution that has to send it does so, and nothing else. */
  | 'unsent'
  /** Unknown: the execution does more than this, or is not known any more. */
  | 'unknown'
  /** None is owed: the record does not say FAILED, or a person has freed it. */
  | 'none';

/**
 * The ARN of the execution that must send the notice of a record: its owner, or the recovery that has held it for an
 * ended owner. That one alone is redriven for it: a redrive of the ended owner would run its step again. Undefined if
 * recovery has held the record, which notifies itself, or if it was held while the workflow had no destination.
 */
export function senderOf({
  status,
  owner,
  error,
}: Pick<JudgedRecord, 'status' | 'owner' | 'error'>): string | undefined {
  const { Error: name, Cause: cause } = objectIn(error);
  if (name !== ERROR.inDoubt && status !== STATUS.held) return owner;
  const { heldBy, error: itsOwn } = objectIn(cause);
  if (heldBy === HELD_BY_RECOVERY) return undefined;
  if (typeof heldBy === 'string') return heldBy;
  return itsOwn === undefined ? undefined : owner;
}

/**
 * The state of the notice of a record, by the end of the execution of {@link senderOf}. The notice is the last action
 * before its own Fail state, so an execution that ended with the error of the record has sent it.
 *
 * An error that sending may end with as well says nothing: then it counts as unsent. A redrive of one that has sent it
 * only comes to the Fail state again.
 */
export function noticeOf(record: JudgedRecord, sender: JudgedOwner | undefined): NoticeState {
  const { Error: stored } = objectIn(record.error);
  if (record.status !== STATUS.failed && record.status !== STATUS.held) return 'none';
  if (stored === RELEASED) return 'none';
  switch (sender?.status) {
    case 'RUNNING':
    case 'PENDING_REDRIVE':
      return 'underWay';
    case 'ABORTED':
    case 'TIMED_OUT':
      return 'unsent';
    case 'FAILED':
      if (sender.error === undefined) return 'unknown';
      return sender.error === stored && !OF_SENDING.test(sender.error) ? 'sent' : 'unsent';
    default:
      return 'unknown';
  }
}

/** The errors that a request to SQS or EventBridge may end with, or a state that makes one. */
const OF_SENDING =
  /^(SQS|EventBridge)\.|^States\.(DataLimitExceeded|Permissions|QueryEvaluationError|Runtime|TaskFailed)$/;

// Together, {@link isSenderIn}, {@link isNoticeUnsentIn} and not {@link isFreedIn} say that the owner is the one of
// {@link senderOf}, and that `noticeOf` gives `unsent`. `owner` has its `executionArn`, `status`, `redriveCount`, and
// `error` if told.

/**
 * JSONata over `owner` and a record: true if the owner has to send its notice. The members of a doubt's cause
 * are looked for as text, because it may not be JSON: within a member's own text its quotes are escaped.
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
 * JSONata over `owner` and a record that has a failure: true if the owner's end leaves the notice of it unsent.
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

function objectIn(text: unknown): Readonly<Record<string, unknown>> {
  if (typeof text !== 'string') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
