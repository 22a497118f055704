import { ERROR, RELEASED } from '../../../state-machine/contract/error-names';
import type { JudgedOwner, JudgedRecord } from '../../../state-machine/contract/judged';
import { HELD_BY_RECOVERY, STATUS } from '../../../state-machine/contract/record';

// The notice of a record in TypeScript, with which a test compares the expressions of recovery.

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

function objectIn(text: unknown): Readonly<Record<string, unknown>> {
  if (typeof text !== 'string') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
