import type { ActionItem, MessageItem, QueueItem, QueueView } from '@onceflow/console';
import { lastOf } from '../../arns';
import { deadLetterQueueOf } from '../../aws/dead-letter-queue';
import { peekQueue, type QueuedMessage } from '../../aws/queues';
import type { WorkflowAccess } from '../../aws/workflow';
import { grouped } from '../../grouped';
import { Rejection } from '../../program/rejection';
import { causeOf } from '../../repair/dead-letter-cause';
import { reasonOf } from '../../repair/resend-message';
import { allAccesses, type Connection } from '../connection';
import { readDeliveries } from './read-deliveries';

/** So many messages are shown. */
const LOCAL_MAX = 100;
const RECEIVED_MAX = 10;

/**
 * The messages that lie in a queue. Of a stack in this process they are just looked at; elsewhere they are received and
 * given back, which counts as a receive: that takes leave to write, and a dead-letter queue.
 *
 * @throws Rejection where there is no such queue
 */
export async function readQueue(connection: Connection, name: string): Promise<QueueView> {
  const { queues, now, missing } = await readDeliveries(connection);
  const queue = queues?.find(one => one.name === name);
  if (queue === undefined)
    throw new Rejection(queues ? `${connection.where} has no queue ${name}` : missing.join(' '));
  const { messages, about } = await messagesOf(connection, queue);
  return { queue, messages, about, now, actions: allActions(messages ?? [], queue) };
}

async function messagesOf(
  connection: Connection,
  queue: QueueItem,
): Promise<Pick<QueueView, 'messages' | 'about'>> {
  const accesses = await allAccesses(connection);
  const held = connection.local?.()?.messages(queue.url);
  if (held !== undefined) {
    const about = held.length > LOCAL_MAX ? `The first ${LOCAL_MAX} of ${held.length}.` : '';
    return { messages: await itemsOf(held.slice(0, LOCAL_MAX), accesses, queue), about };
  }
  if (!connection.mayWrite) return { messages: null, about: NOT_RECEIVED };
  try {
    await requireDeadLetterQueue(connection, accesses[0], queue);
    const received = await peekQueue(connection.aws, queue.url, Math.min(RECEIVED_MAX, queue.waiting));
    return {
      messages: await itemsOf(received, accesses, queue),
      about: `Up to ${RECEIVED_MAX} messages were received and returned; each view counts as a receive.`,
    };
  } catch (error) {
    if (error instanceof Rejection)
      return { messages: null, about: `The messages cannot be shown: ${error.message}.` };
    throw error;
  }
}

/** The messages, each with the key in it and what the record says of that. */
async function itemsOf(
  messages: readonly QueuedMessage[],
  accesses: readonly WorkflowAccess[],
  queue: QueueItem,
): Promise<readonly MessageItem[]> {
  const items: MessageItem[] = [];
  // One after the other: each takes the thread that evaluates keys.
  for (const message of messages) {
    const { messageId: id, sentAt, receiveCount, body } = message;
    const { recordKey, access, cause, stays } = await causeOf(accesses, body);
    const { name: workflow = '', scope = '' } = access?.workflow ?? {};
    const key = recordKey === undefined ? null : { workflow, key: recordKey.slice(scope.length + 1) };
    const rejection = stays ? `${cause}: it would be rejected again` : null;
    const actions = resendActions(accesses, queue, message).map(action => ({ ...action, rejection }));
    items.push({ id, sentAt, receiveCount, body, reason: reasonOf(message), key, cause, actions });
  }
  return items;
}

const NOT_RECEIVED =
  'Messages can be shown only by receiving them, which counts. With --allow-writes, the page does so for dead-letter queues.';

/** @throws Rejection for a queue that is in use: what is received there is kept from who takes from it */
async function requireDeadLetterQueue(
  connection: Connection,
  access: WorkflowAccess | undefined,
  queue: QueueItem,
): Promise<void> {
  if (access === undefined)
    throw new Rejection(`${connection.where} has no workflow to which the queue could belong`);
  await deadLetterQueueOf(access, queue.url, false);
}

/** All messages of one cause at once, if there are several of it that would not be rejected again. */
function allActions(messages: readonly MessageItem[], queue: QueueItem): readonly ActionItem[] {
  return [...grouped(messages, ({ cause }) => cause)].flatMap(([cause, of]) => {
    const [first] = of;
    const [single] = first?.actions ?? [];
    const isSingle = single === undefined || single.rejection !== null || of.length < 2;
    if (isSingle || single.request.action !== 'resend') return [];
    const { workflow } = single.request;
    return [
      {
        ...single,
        title: `Resend these ${of.length}: ${cause}`,
        rank: 'recommended',
        writes: [
          `for each message with this cause (${of.length} of those shown): ${single.writes[0] ?? ''}`,
          ...single.writes.slice(1),
        ],
        request: { action: 'resendAll' as const, workflow, queue: queue.name, reason: cause },
      },
    ];
  });
}

/** A message that a queue has given up goes back to it, whatever the workflow; others go to the workflow. */
function resendActions(
  accesses: readonly WorkflowAccess[],
  queue: QueueItem,
  message: QueuedMessage,
): readonly ActionItem[] {
  const { givenUpBy, attributes } = message;
  const workflows = accesses.map(({ workflow }) => workflow.name);
  if (givenUpBy !== undefined) {
    const name = lastOf(givenUpBy);
    const to = `sends it to the queue ${name}, which moved it here`;
    return workflows
      .slice(0, 1)
      .map(workflow => resendAction({ title: `Send it back to ${name}`, to, workflow, queue, message }));
  }
  const target = lastOf(attributes['TARGET_ARN'] ?? '');
  const targets = workflows.includes(target) ? [target] : workflows;
  return targets.map(workflow => {
    const title = targets.length > 1 ? `Resend to ${workflow}` : 'Resend';
    const to = `starts ${workflow}, or the dispatcher that is its target, with the message as input`;
    return resendAction({ title, to, workflow, queue, message });
  });
}

function resendAction(of: {
  readonly title: string;
  /** The target of the message, in words. */
  readonly to: string;
  readonly workflow: string;
  readonly queue: QueueItem;
  readonly message: QueuedMessage;
}): ActionItem {
  const { title, to, workflow, queue, message } = of;
  return {
    title,
    rank: 'usual',
    writes: [to, `deletes it from ${queue.name} once it is accepted`],
    dangers: [],
    rejectedIf: [
      'the queue is not a dead-letter queue',
      'it is not a JSON object, has no usable key, or has another target',
      'another consumer has received it, and its visibility timeout is not over',
    ],
    rejection: null,
    fields: [],
    request: { action: 'resend', workflow, queue: queue.name, messageId: message.messageId },
  };
}
