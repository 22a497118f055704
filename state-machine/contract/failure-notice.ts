import type { JudgedOwner, JudgedRecord } from './conditions';
import { ERROR, RELEASED } from './error-names';
import { literal, literals } from './jsonata';
import { HELD_BY_RECOVERY, RECORD, STATUS } from './record';

/** What is known of the notice that a record of status `FAILED` owes to the failure destination. */
export type NoticeState =
  /** It has been sent, at least once. */
  | 'sent'
  /** The execution that has to send it is at work. */
  | 'underWay'
  /** It was not sent, or it may have been: a redrive of the execution that has to send it does so, and nothing else. */
  | 'unsent'
  /** Nobody can tell: the execution does more than this, or is not known any more. */
  | 'unknown'
  /** None is owed: the record does not say FAILED, or a person has freed it. */
  | 'none';

/**
 * The ARN of the execution that has to send the notice of a record: its owner, or whoever has held it for a dead
 * owner. That one alone is redriven for it: a redrive of the dead owner would run its step again. Undefined if recovery
 * has held the record, which notifies itself, or if it was held while the workflow had no destination.
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
 * What becomes of the notice of a record, by how the execution of {@link senderOf} has ended: the last thing before its
 * own Fail state is the notice, so whoever ended with the error that the record holds has sent it.
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

/**
 * JSONata, over the variables `record` and `owner`: true if the owner is the one of {@link senderOf}, and
 * {@link noticeOf} says `unsent`. `owner` has its `executionArn`, `status`, `redriveCount`, and `error` if told.
 *
 * One that ended with an error of the record that sending may end with as well counts until it has been redriven once:
 * where it had sent, its end is the same again, and would be for ever. The members of the stored cause are looked for
 * as text, as it may be no JSON: within a member's own text its quotes are escaped.
 */
export const IS_NOTICE_UNSENT = `( ${[
  `$isFailed := $record.${RECORD.status}.S in ${literals([STATUS.failed, STATUS.held])} and $exists($record.${RECORD.error}.S)`,
  `$stored := $isFailed ? $parse($record.${RECORD.error}.S) : {}`,
  "$cause := $type($stored.Cause) = 'string' ? $stored.Cause : ''",
  '$heldBy := \'"heldBy":"\'',
  `$isOfOwner := $record.${RECORD.owner}.S = $owner.executionArn`,
  `$isOfDoubt := $contains($cause, $heldBy) ? $contains($cause, $heldBy & $owner.executionArn & '"') ` +
    `: $isOfOwner and $contains($cause, '"error":')`,
  `$isDoubt := $stored.Error = ${literal(ERROR.inDoubt)} or $record.${RECORD.status}.S = ${literal(STATUS.held)}`,
  '$isOfSender := $isDoubt ? $isOfDoubt : $isOfOwner',
  '$mayHaveSent := $stored.Error = $owner.error',
  `$isOfSending := $mayHaveSent and $contains($owner.error, ${OF_SENDING}) and ` +
    '$max([0, $owner.redriveCount]) = 0',
  `$exists($stored.Error) and $not($stored.Error = ${literal(RELEASED)}) and $isOfSender and ` +
    "($owner.status in ['ABORTED', 'TIMED_OUT'] or " +
    "$owner.status = 'FAILED' and $exists($owner.error) and ($not($mayHaveSent) or $isOfSending))",
].join('; ')} )`;

function objectIn(text: unknown): Readonly<Record<string, unknown>> {
  if (typeof text !== 'string') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
