import type { JudgedRecord } from '../../state-machine/contract/judged';
import { STATUS } from '../../state-machine/contract/record';
import {
  CHECK_MARGIN_SECONDS,
  SQS_DELAY_SECONDS_MAX,
  type StartedMessage,
} from '../../state-machine/contract/started-message';

/** A batch of checks, as far as it is read. The bodies are {@link StartedMessage}s. */
export interface Batch {
  readonly Records: readonly QueuedCheck[];
}

interface QueuedCheck {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: { readonly ApproximateReceiveCount: string };
}

/** A record, as far as it decides about a message. */
export type CheckedRecord = Pick<JudgedRecord, 'status' | 'owner' | 'error'>;

/** An execution, as far as it decides about a message. */
export interface CheckedExecution {
  readonly status: string | undefined;
  /** Seconds since its end; undefined while it is running. */
  readonly endedSecondsAgo?: number;
}

/** The calls of a check. Each promise rejects if the service answers with an error, or not at all. */
export interface Services {
  /** The record as it is now; without a status there is none. */
  read(recordKey: string): Promise<CheckedRecord>;
  /** Undefined for an execution that Step Functions does not know. */
  describe(executionArn: string): Promise<CheckedExecution | undefined>;
  /** Deletes a message of the source's queue; false if SQS rejects the receipt handle, as it would again. */
  remove(receiptHandle: string): Promise<boolean>;
  /** Keeps a message invisible for so long from now; false if SQS rejects the receipt handle, as it would again. */
  hide(queue: 'source' | 'started', receiptHandle: string, seconds: number): Promise<boolean>;
}

/** The services and times of a batch of checks. */
export interface CheckOptions {
  readonly services: Services;
  /** How long after its start a message's key is checked first. */
  readonly checkAfterSeconds: number;
  /** How long the step can run: recovery redrives its execution a little later. */
  readonly stepSeconds: number;
  /** Gets the outcome of each message that is not deleted, by its id, never by its content. */
  readonly tell: (text: string) => void;
}

/**
 * For so many times the time of the step after the end of an owner, its message stays invisible: recovery decides about
 * that owner, and a receive would only be used up. After that the message comes back, and its delivery starts recovery,
 * if every event was lost.
 */
const RECOVERED_WITHIN_STEPS = 32;

/** The same, in checks, if no execution is known that could say when it ended. */
const RECOVERED_WITHIN_CHECKS = 6;

/** Why a message is left to its next delivery. */
const HANDLE_REJECTED = 'SQS rejects the receipt handle, and the message comes again';

/** The longest time between two checks, in seconds: well below the 12 hours for which a receipt handle is good. */
const CHECK_SECONDS_MAX = 3 * 60 * 60;

/**
 * Checks each message: deletes it if the execution that was started for it has finished its key. Keeps it invisible as
 * long as an execution works on the key, or recovery may decide about one that ended. Every other message is left
 * alone: it becomes visible automatically, which counts as a receive of its queue, and is started again, so that the
 * workflow's own rules decide.
 *
 * Returns the checks to repeat. If a check is lost, its message becomes visible again.
 */
export async function checkBatch({ Records }: Batch, options: CheckOptions): Promise<object> {
  const isAgain = await Promise.all(Records.map(queued => check(queued, options)));
  const again = Records.filter((_, index) => isAgain[index]);
  return { batchItemFailures: again.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** Resolves to whether the message must be checked again. */
async function check(queued: QueuedCheck, options: CheckOptions): Promise<boolean> {
  const { services, checkAfterSeconds, tell } = options;
  const message = messageIn(queued.body);
  const log = (text: string, reason: string) => {
    tell(JSON.stringify({ message: text, messageId: message?.messageId ?? queued.messageId, reason }));
  };
  if (message === undefined) {
    // Another check would find the same. If there is such a message, it comes again without a check.
    log('not checked', 'the body does not name a message');
    return false;
  }
  const isEarly = checkAfterSeconds > SQS_DELAY_SECONDS_MAX;
  const checks = Number(queued.attributes.ApproximateReceiveCount) - (isEarly ? 1 : 0);
  try {
    if (checks === 0) {
      await services.hide('started', queued.receiptHandle, checkAfterSeconds - SQS_DELAY_SECONDS_MAX);
      return true;
    }
    const found = await findingOf(message, options, checks);
    switch (found.kind) {
      case 'finished':
        // A FIFO queue rejects the handle once the message is visible. Its next delivery is a duplicate, and deleted.
        if (!(await services.remove(message.receiptHandle)))
          log('finished, but not deleted', HANDLE_REJECTED);
        return false;
      case 'left':
        log('not finished', found.reason);
        return false;
      case 'running':
        return await holdOn(queued, message, services, delayAfter(checks, checkAfterSeconds));
      default:
        return found satisfies never;
    }
  } catch (error) {
    log('not checked', reasonOf(error));
    return true;
  }
}

/** The message of a check; undefined for a body that names none. */
function messageIn(body: string): StartedMessage | undefined {
  try {
    const { messageId, receiptHandle, executionArn, recordKey } = JSON.parse(body);
    const texts: readonly unknown[] = [messageId, receiptHandle, executionArn, recordKey];
    if (texts.some(text => typeof text !== 'string')) return undefined;
    return { messageId, receiptHandle, executionArn, recordKey };
  } catch {
    return undefined;
  }
}

type Finding =
  /** By the very execution that was started for the message, or for it: so with its payload. */
  | { readonly kind: 'finished' }
  /** Or about to: recovery decides. */
  | { readonly kind: 'running' }
  | { readonly kind: 'left'; readonly reason: string };

async function findingOf(
  message: StartedMessage,
  { services, stepSeconds }: CheckOptions,
  checks: number,
): Promise<Finding> {
  const { executionArn } = message;
  // A table that does not answer says nothing about the execution, which waits for it patiently.
  const record = await services.read(message.recordKey).catch((): CheckedRecord => ({ status: undefined }));
  const { status = 'no record', owner, error } = record;
  if (owner === executionArn && status === STATUS.completed) return { kind: 'finished' };
  if (status === STATUS.held) return { kind: 'left', reason: `held for review: ${nameIn(error)}` };
  const isOwned = status === STATUS.inProgress || status === STATUS.failed;
  const isOthers = isOwned && owner !== undefined && owner !== executionArn;
  const asked = isOthers ? [executionArn, owner] : [executionArn];
  // Without an answer an execution counts as running: a wrong guess costs time, and no receive. But the owner of a
  // failed record can be another workflow's, which this role may never describe: then the record says enough.
  const unanswered = (arn: string) =>
    arn !== executionArn && status === STATUS.failed ? undefined : UNANSWERED;
  const found = await Promise.all(asked.map(arn => services.describe(arn).catch(() => unanswered(arn))));
  const statuses = found.map(one => one?.status);
  // It was answered by the record. That may be gone by now: another start would run the step again.
  if (statuses[0] === 'SUCCEEDED') return { kind: 'finished' };
  if (statuses.some(one => one === 'RUNNING' || one === 'PENDING_REDRIVE')) return { kind: 'running' };
  // While it sends its failure it is running, and another start would find it under the name of its key.
  if (owner === executionArn && status === STATUS.failed) {
    return { kind: 'left', reason: `the business step failed: ${nameIn(error)}` };
  }
  // A stopped execution may have ended before its claim. One that failed there was rejected, or its Task has failed.
  const isUnclaimed = record.status === undefined && ['ABORTED', 'TIMED_OUT'].includes(statuses[0] ?? '');
  const isUnfinished = status === STATUS.inProgress || status === STATUS.released || isUnclaimed;
  // By the latest end: an execution that has run for long has been checked often.
  const ends = found.flatMap(one => one?.endedSecondsAgo ?? []);
  const mayBeRecovered =
    ends.length > 0
      ? Math.min(...ends) <= RECOVERED_WITHIN_STEPS * stepSeconds
      : checks <= RECOVERED_WITHIN_CHECKS;
  if (isUnfinished && mayBeRecovered) return { kind: 'running' };
  const seen = asked.map((arn, index) => `${arn} is ${statuses[index] ?? 'not known'}`);
  return { kind: 'left', reason: `${status}, and no execution is running for it: ${seen.join(', ')}` };
}

const UNANSWERED: CheckedExecution = { status: 'RUNNING' };

/** Keeps the message and its check invisible; false, so no check, if the message comes back on its own. */
async function holdOn(
  queued: QueuedCheck,
  message: StartedMessage,
  services: Services,
  seconds: number,
): Promise<boolean> {
  const isHidden = await services.hide('source', message.receiptHandle, seconds + CHECK_MARGIN_SECONDS);
  // Its 12 hours are over, or it is gone; of a FIFO queue it can also be visible, or have been received again.
  if (!isHidden) return false;
  await services.hide('started', queued.receiptHandle, seconds);
  return true;
}

/** Until the next check: as long again as it has taken so far. */
function delayAfter(checks: number, checkAfterSeconds: number): number {
  return Math.min(checkAfterSeconds * 2 ** (checks - 1), CHECK_SECONDS_MAX);
}

/** The name of a stored error; the cause may hold what no log should. */
function nameIn(error: string | undefined): string {
  try {
    const stored = JSON.parse(error ?? '{}') as { readonly Error?: unknown } | null;
    return String(stored?.Error);
  } catch {
    return 'an error that is not JSON';
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error);
}
