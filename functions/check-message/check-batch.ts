import { OWNER_NOT_FOUND } from '../../state-machine/contract/conditions';
import type { JudgedRecord, Known } from '../../state-machine/contract/judged';
import { judge } from '../../state-machine/contract/judgement';
import {
  type MessageRecordVerdict,
  type MessageVerdict,
  messageRecordRules,
  messageRules,
} from '../../state-machine/contract/message-rules';
import {
  CHECK_MARGIN_SECONDS,
  SQS_DELAY_SECONDS_MAX,
  type StartedMessage,
} from '../../state-machine/contract/started-message';
import type { EpochMs } from '../../state-machine/contract/time';

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
    switch (found.verdict) {
      case 'finished':
        // A FIFO queue rejects the handle once the message is visible. Its next delivery is a duplicate, and deleted.
        if (!(await services.remove(message.receiptHandle)))
          log('finished, but not deleted', HANDLE_REJECTED);
        return false;
      case 'hold':
        return await holdOn(queued, message, services, delayAfter(checks, checkAfterSeconds));
      default:
        log('not finished', found.reason);
        return false;
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

/** The rule that decides about a message, with what it has found, for the logs. */
interface Finding {
  readonly verdict: MessageVerdict;
  readonly reason: string;
}

async function findingOf(
  { executionArn: started, recordKey }: StartedMessage,
  { services, stepSeconds }: CheckOptions,
  checks: number,
): Promise<Finding> {
  // A table that does not answer says nothing about the execution, which waits for it patiently.
  const record = await services.read(recordKey).catch((): CheckedRecord => ({ status: undefined }));
  const { status = 'no record', owner, error } = record;
  // No rule asks what time it is.
  const now = 0 as EpochMs;
  const byRecord = judge(messageRecordRules(), { record, now, known: { started } });
  if (!isAsking(byRecord.verdict))
    return { verdict: byRecord.verdict, reason: `${byRecord.name}: ${nameIn(error)}` };
  const isAsked = byRecord.verdict === 'askAboutBoth';
  const asked = isAsked && owner !== undefined ? [started, owner] : [started];
  const found = await Promise.all(asked.map(arn => describedBy(services, arn)));
  const [its, owners] = found;
  const known: Known = {
    started,
    checks,
    isAsked,
    startedStatus: its?.status,
    startedEndedAgo: its?.endedSecondsAgo,
    ownerStatus: owners?.status,
    ownerEndedAgo: owners?.endedSecondsAgo,
  };
  const { name, verdict } = judge(messageRules({ stepSeconds }), { record, now, known });
  const seen = asked.map((arn, index) => `${arn} is ${found[index]?.status ?? 'not known'}`);
  const detail = verdict === 'leaveWithError' ? nameIn(error) : [status, ...seen].join(', ');
  return { verdict, reason: `${name}: ${detail}` };
}

function isAsking(verdict: MessageRecordVerdict): verdict is Exclude<MessageRecordVerdict, MessageVerdict> {
  return verdict === 'askAboutBoth' || verdict === 'askAboutIts';
}

/** Undefined without an answer. */
async function describedBy(services: Services, arn: string): Promise<CheckedExecution | undefined> {
  try {
    return (await services.describe(arn)) ?? { status: OWNER_NOT_FOUND };
  } catch {
    return undefined;
  }
}

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
