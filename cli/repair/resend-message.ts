import { createHash } from 'node:crypto';
import { StartExecutionCommand, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import { DeleteMessageCommand, type Message, SendMessageCommand } from '@aws-sdk/client-sqs';
import { documentation } from '../../state-machine/words/documentation';
import { lastOf } from '../arns';
import { answerOf } from '../aws/aws';
import {
  batchesOf,
  type DeadLetterQueue,
  deadLetterQueueOf,
  giveBack,
  queueUrlOf,
} from '../aws/dead-letter-queue';
import { isDispatcher } from '../aws/dispatchers';
import type { QueuedMessage } from '../aws/queues';
import type { WorkflowAccess } from '../aws/workflow';
import { inputPathText } from '../definition/input-paths';
import { keyOfInput } from '../key/input/key-of-input';
import { Rejection } from '../program/rejection';
import { printable } from '../text';
import { causeOf } from './dead-letter-cause';

/**
 * Sends one message to its target, and deletes it in its dead-letter queue. The target is the queue whose tries are
 * exhausted, or the dispatcher or workflow that a rule or a dispatcher could not start. If nothing names the target and
 * `isForced`, it is the workflow. Resolves to where it is now: the ARN of a queue, or the name of an execution.
 *
 * @throws Rejection for one that stays: no JSON object, ids of events without the events, an event without a usable
 * key, of unknown origin, or not taken
 */
export async function resendMessage(
  access: WorkflowAccess,
  queue: DeadLetterQueue,
  message: Message,
  isForced: boolean,
  accesses: readonly WorkflowAccess[] = [access],
): Promise<string> {
  const { aws } = access;
  const subscriber = message.MessageAttributes?.['SUBSCRIBER_ARN']?.StringValue;
  if (subscriber !== undefined)
    throw new Rejection(
      `subscriber ${subscriberName(subscriber)} of a custom event bus has left the ids of events, not the events. ` +
        `Let the bus deliver them again: ${documentation('docs/guide/sources.md#a-custom-event-bus')}`,
    );
  const event = eventIn(message.Body ?? '');
  if (event === undefined)
    throw new Rejection('its body is not a JSON object, so it is not an event of the workflow');
  const from = message.Attributes?.DeadLetterQueueSourceArn;
  if (from !== undefined && !isForced) {
    const { stays, cause } = await causeOf(accesses, message.Body ?? '');
    if (stays)
      throw new Rejection(
        `${cause}: it would be rejected again. If the source of its queue makes another input of it, pass --force`,
      );
  }
  const to =
    from === undefined
      ? await deliver(access, await targetOf(access, queue, message, isForced), message, {
          event,
          isRecord: queue.dispatcher?.takesRecords === true,
        })
      : await sendBack(access, from, message);
  const request = new DeleteMessageCommand({ QueueUrl: queue.url, ReceiptHandle: message.ReceiptHandle });
  const sent = aws.sqs.send(request, { abortSignal: aws.signal });
  await answerOf(aws, 'DeleteMessage', `queue ${queue.url}`, sent);
  return to;
}

/** So many messages are received to find one. */
const SEARCHED_MAX = 1_000;

/**
 * Sends one message again, by its id, as `resendMessage` does. What else is received to find it is given back at once.
 *
 * @throws Rejection where it is not there to be received now, or stays
 */
export async function resendOne(access: WorkflowAccess, name: string, messageId: string): Promise<string> {
  const { aws } = access;
  const queue = await deadLetterQueueOf(access, name, false);
  const staying: Message[] = [];
  try {
    for await (const messages of batchesOf(aws, queue.url, Math.min(queue.waiting, SEARCHED_MAX))) {
      const wanted = messages.find(({ MessageId }) => MessageId === messageId);
      staying.push(...messages);
      if (wanted === undefined) continue;
      const to = await resendMessage(access, queue, wanted, false);
      staying.splice(staying.indexOf(wanted), 1);
      return to;
    }
  } finally {
    await giveBack(aws, queue.url, staying);
  }
  throw new Rejection(
    `the message ${messageId} cannot be received from ${queue.name} now: it was already resent, or another consumer has ` +
      'received it. Try again when its visibility timeout is over',
  );
}

/** The ARN of the state machine that a message was on its way to. EventBridge says it in an attribute. */
async function targetOf(
  access: WorkflowAccess,
  { dispatcher }: DeadLetterQueue,
  { MessageAttributes }: Message,
  isForced: boolean,
): Promise<string> {
  const { workflow } = access;
  const target = MessageAttributes?.['TARGET_ARN']?.StringValue;
  if (target !== undefined) {
    if (target === workflow.stateMachineArn || (await isDispatcher(access, target))) return target;
    throw new Rejection(`its target is ${printable(target)}, which does not start ${workflow.name}`);
  }
  if (dispatcher !== undefined) return dispatcher.arn;
  if (isForced) return workflow.stateMachineArn;
  throw new Rejection('its target is unknown; pass --force to deliver it to the workflow as it is');
}

async function sendBack(access: WorkflowAccess, queueArn: string, message: Message): Promise<string> {
  const { aws } = access;
  const { Body, MessageAttributes, Attributes, MessageId } = message;
  const QueueUrl = await queueUrlOf(access, queueArn);
  const request = new SendMessageCommand({
    QueueUrl,
    MessageBody: Body,
    MessageAttributes,
    // Under an id of its own: by the first one the queue may still take it for sent.
    ...(queueArn.endsWith('.fifo') && {
      MessageGroupId: Attributes?.MessageGroupId ?? MessageId,
      MessageDeduplicationId: nameOf(message),
    }),
  });
  const sent = aws.sqs.send(request, { abortSignal: aws.signal });
  await answerOf(aws, 'SendMessage', `queue ${queueArn}`, sent);
  return queueArn;
}

async function deliver(
  { aws, workflow }: WorkflowAccess,
  stateMachineArn: string,
  message: Message,
  { event, isRecord }: { readonly event: object; readonly isRecord: boolean },
): Promise<string> {
  const { Body: input = '' } = message;
  // The records of a pipe are read by its dispatcher.
  const { keyPaths } = workflow;
  if (keyPaths && !isRecord && (await keyOfInput(event, workflow, aws.signal)).kind === 'missing') {
    const where = keyPaths.map(inputPathText).join(' and ');
    throw new Rejection(`it has no usable key at ${where}, where ${workflow.name} reads it`);
  }
  const name = nameOf(message);
  const subject = `state machine ${stateMachineArn}`;
  if (workflow.type === 'EXPRESS' && stateMachineArn === workflow.stateMachineArn) {
    const request = new StartSyncExecutionCommand({ stateMachineArn, name, input });
    const sent = aws.sfnForExpress.send(request, { abortSignal: aws.signal });
    const answer = await answerOf(aws, 'StartSyncExecution', subject, sent);
    if (answer?.status === 'SUCCEEDED') return name;
    throw new Rejection(
      `its execution ended with ${printable(answer?.error ?? answer?.status ?? 'no answer')}`,
    );
  }
  const request = new StartExecutionCommand({ stateMachineArn, name, input });
  const sent = aws.sfn.send(request, { abortSignal: aws.signal });
  await answerOf(aws, 'StartExecution', subject, sent, 'ExecutionAlreadyExists');
  return name;
}

/** One name for one message: where its delete is lost, the next run finds it started. */
function nameOf({ MessageId = '' }: Message): string {
  return `resend-${createHash('sha256').update(MessageId, 'utf8').digest('hex').slice(0, 32)}`;
}

function eventIn(text: string): object | undefined {
  try {
    const event: unknown = JSON.parse(text);
    return typeof event === 'object' && event !== null && !Array.isArray(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

/** Why a message lies where it does, as far as its attributes say. */
export function reasonOf({ attributes, givenUpBy, receiveCount }: QueuedMessage): string {
  const {
    ERROR_CODE: code,
    ERROR_MESSAGE: message,
    RULE_ARN: rule = '',
    SUBSCRIBER_ARN: subscriber,
    TARGET_ARN: target = '',
  } = attributes;
  if (code !== undefined) {
    const retries = attributes['RETRY_ATTEMPTS'] ?? '0';
    const said = [code, message].filter(text => text !== undefined).join(': ');
    const by = subscriber === undefined ? `rule ${lastOf(rule)}` : `subscriber ${subscriberName(subscriber)}`;
    return `${by} could not deliver it to ${lastOf(target)} after ${retries} retries: ${said}`;
  }
  if (givenUpBy !== undefined) {
    const times = receiveCount === 1 ? 'once' : `${receiveCount} times`;
    return `queue ${lastOf(givenUpBy)} moved it here: received ${times}, and not deleted`;
  }
  const { Error: error } = attributes;
  return error === undefined ? 'unknown' : `it could not be started: ${error}`;
}

/** The name in `arn:aws:events:eu-west-1:111111111111:subscriber/orders/` and an id. */
function subscriberName(arn: string): string {
  return printable(arn.split('/')[1] ?? arn);
}

/** A reason without what changes at each receive: messages of the same are sent again together. */
export function withoutCounts(reason: string): string {
  return reason
    .replace(/: received (?:once|\d+ times), and not deleted$/, '')
    .replace(/ after \d+ retries/, '');
}
