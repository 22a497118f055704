import type { Message } from '@aws-sdk/client-sqs';
import { batchesOf, type DeadLetterQueue, giveBack } from '../aws/dead-letter-queue';
import { messageIn } from '../aws/queues';
import type { WorkflowAccess } from '../aws/workflow';
import { each } from '../concurrency';
import { Rejection } from '../program/rejection';
import type { Terminal } from '../terminal';
import { causeOf } from './dead-letter-cause';
import { paced } from './paced';
import { reasonOf, resendMessage, withoutCounts } from './resend-message';

interface Context extends WorkflowAccess {
  readonly terminal: Pick<Terminal, 'progress'>;
}

/** How messages are sent again, and which. */
export interface Resending {
  readonly perSecond: number;
  /** True where the queue need not be known as a dead-letter queue. */
  readonly isForced: boolean;
  /** Only messages whose reason, or the error of whose key, has this text; absent: all. */
  readonly reason?: string | undefined;
  /** The workflows that a message may be of. @default - the one of the context */
  readonly accesses?: readonly WorkflowAccess[];
}

/** What became of the messages, so far. */
export interface Done {
  /** The present place of each: a queue, or an execution. */
  readonly resent: { readonly messageId: string; readonly to: string }[];
  readonly left: { readonly messageId: string; readonly problem: string }[];
  /** The reason for an early end of the work. */
  endedBy?: string;
}

/** Whether a message lies there for this reason. */
async function isFor(
  reason: string | undefined,
  message: Message,
  accesses: readonly WorkflowAccess[],
): Promise<boolean> {
  if (reason === undefined) return true;
  const its = reasonOf(messageIn(message));
  const { cause } = await causeOf(accesses, message.Body ?? '');
  return [its, withoutCounts(its), cause].some(text => text.toLowerCase().includes(reason.toLowerCase()));
}

/**
 * Sends at most so many messages of a queue again, those of a reason. A message that is not resent is visible to every
 * consumer at once. After Ctrl-C it answers what has been done until then.
 */
export async function resendAll(
  context: Context,
  queue: DeadLetterQueue,
  most: number,
  { perSecond, isForced, reason, accesses = [context] }: Resending,
): Promise<Done> {
  const { aws, terminal } = context;
  const done: Done = { resent: [], left: [] };
  const staying: Message[] = [];
  try {
    for await (const messages of batchesOf(aws, queue.url, most)) {
      const before = done.resent.length + done.left.length;
      const progress = (count: number) => terminal.progress(`resending: ${before + count} of ${most}`);
      const isMeant = await each(messages, message => isFor(reason, message, accesses));
      const meant = messages.filter((_, index) => isMeant[index]);
      staying.push(...messages.filter(message => !meant.includes(message)));
      const outcomes = await paced(aws, meant, { perSecond, progress }, message =>
        resendMessage(context, queue, message, isForced, accesses),
      );
      for (const [index, message] of meant.entries()) {
        const { MessageId: messageId = '' } = message;
        const outcome = outcomes[index];
        if (outcome !== undefined && 'result' in outcome) done.resent.push({ messageId, to: outcome.result });
        else staying.push(message);
        if (outcome !== undefined && 'problem' in outcome)
          done.left.push({ messageId, problem: outcome.problem });
      }
    }
  } catch (error) {
    if (!aws.signal?.aborted && !(error instanceof Rejection)) throw error;
    done.endedBy = error instanceof Rejection ? error.message : 'interrupted';
  }
  if (aws.signal?.aborted) done.endedBy = 'interrupted';
  await giveBack(aws, queue.url, staying);
  return done;
}
