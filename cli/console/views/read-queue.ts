import type { DescribeStateMachineOutput } from '@aws-sdk/client-sfn';
import type { ActionItem, MessageItem, QueueItem, QueueView } from '@onceflow/console';
import { lastOf } from '../../arns';
import { deadLetterQueueOf } from '../../aws/dead-letter-queue';
import { listWorkflows } from '../../aws/find-workflow';
import { lookInto, type QueuedMessage } from '../../aws/queues';
import { workflowIn } from '../../aws/workflow';
import { grouped } from '../../grouped';
import { Rejection } from '../../program/rejection';
import { reasonOf, withoutCounts } from '../../repair/resend-message';
import type { Place } from '../place';
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
export async function readQueue(place: Place, name: string): Promise<QueueView> {
  const { queues, now, missing } = await readDeliveries(place);
  const queue = queues?.find(one => one.name === name);
  if (queue === undefined)
    throw new Rejection(queues ? `${place.where} has no queue ${name}` : missing.join(' '));
  const { messages, about } = await messagesOf(place, queue);
  return { queue, messages, about, now, actions: allActions(messages ?? [], queue) };
}

async function messagesOf(place: Place, queue: QueueItem): Promise<Pick<QueueView, 'messages' | 'about'>> {
  const machines = await listWorkflows(place.aws, place.selector);
  const workflows = machines.map(({ stateMachineArn }) => stateMachineArn?.split(':').at(-1) ?? '');
  const itemOf = (message: QueuedMessage): MessageItem => ({
    id: message.messageId,
    sentAt: message.sentAt,
    receiveCount: message.receiveCount,
    body: message.body,
    reason: reasonOf(message),
    actions: resendActions(workflows, queue, message),
  });
  const held = place.local?.()?.messages(queue.url);
  if (held !== undefined) {
    const about = held.length > LOCAL_MAX ? `The first ${LOCAL_MAX} of ${held.length}.` : '';
    return { messages: held.slice(0, LOCAL_MAX).map(itemOf), about };
  }
  if (!place.mayWrite) return { messages: null, about: NOT_RECEIVED };
  try {
    await requireDeadLetterQueue(place, machines[0], queue);
    const received = await lookInto(place.aws, queue.url, Math.min(RECEIVED_MAX, queue.waiting));
    const items = received.map(itemOf);
    return {
      messages: items,
      about: `Up to ${RECEIVED_MAX} messages were received and returned; each view counts as a receive.`,
    };
  } catch (error) {
    if (error instanceof Rejection)
      return { messages: null, about: `The messages cannot be shown: ${error.message}.` };
    throw error;
  }
}

const NOT_RECEIVED =
  'Messages can be shown only by receiving them, which counts. With --allow-writes, the page does so for dead-letter queues.';

/** @throws Rejection for a queue that is in use: what is received there is kept from who takes from it */
async function requireDeadLetterQueue(
  place: Place,
  machine: DescribeStateMachineOutput | undefined,
  queue: QueueItem,
): Promise<void> {
  if (machine === undefined)
    throw new Rejection(`${place.where} has no workflow to which the queue could belong`);
  const workflow = await workflowIn(place.aws, machine, place.overrides);
  await deadLetterQueueOf({ aws: place.aws, workflow }, queue.url, false);
}

/** All messages of one reason at once, if there are several of it. */
function allActions(messages: readonly MessageItem[], queue: QueueItem): readonly ActionItem[] {
  const reasons = grouped(messages, ({ reason }) => withoutCounts(reason));
  return [...reasons].flatMap(([reason, of]) => {
    const [first] = of;
    const [single] = first?.actions ?? [];
    if (single === undefined || of.length < 2 || single.request.action !== 'resend') return [];
    const { workflow } = single.request;
    return [
      {
        ...single,
        title: `Resend all: ${reason}`,
        rank: 'recommended',
        writes: [
          `for each message with this reason (${of.length} of those shown): ${single.writes[0] ?? ''}`,
          ...single.writes.slice(1),
        ],
        request: { action: 'resendAll' as const, workflow, queue: queue.name, reason },
      },
    ];
  });
}

/** A message that a queue has given up goes back to it, whatever the workflow; others go to the workflow. */
function resendActions(
  workflows: readonly string[],
  queue: QueueItem,
  message: QueuedMessage,
): readonly ActionItem[] {
  const { givenUpBy, attributes } = message;
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
