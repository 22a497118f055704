import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListDeadLetterSourceQueuesCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { Rejection } from '../program/rejection';
import { type Aws, answerOf } from './aws';
import { dispatcherKeepingIn, type KeepingDispatcher } from './dispatchers';
import { queueAddressIn } from './queue-address';
import type { WorkflowAccess } from './workflow';

/** A queue of messages whose tries are exhausted. */
export interface DeadLetterQueue {
  readonly url: string;
  readonly name: string;
  /** About how many messages can be received. */
  readonly waiting: number;
  /** About how many have been received by another consumer, and are invisible for a while. */
  readonly inFlight: number;
  /** The workflow's dispatcher that keeps here what it could not start; undefined where none does. */
  readonly dispatcher: KeepingDispatcher | undefined;
}

/**
 * The dead-letter queue of this name, ARN or URL. It is one if a queue moves messages to it, or a dispatcher of the
 * workflow keeps events in it. It is one, too, if its policy or its name says that it may be that of a rule.
 *
 * @throws Rejection where there is no such queue, and, unless `isForced`, for one that no queue gives messages up to
 */
export async function deadLetterQueueOf(
  access: WorkflowAccess,
  queue: string,
  isForced: boolean,
): Promise<DeadLetterQueue> {
  const { aws, workflow } = access;
  const url = await queueUrlOf(access, queue);
  const name = url.slice(url.lastIndexOf('/') + 1);
  const request = new GetQueueAttributesCommand({
    QueueUrl: url,
    AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible', 'Policy'],
  });
  const sent = aws.sqs.send(request, { abortSignal: aws.signal });
  const answer = await answerOf(aws, 'GetQueueAttributes', `queue ${url}`, sent, 'QueueDoesNotExist');
  if (answer === undefined) throw noQueue(queue);
  const { Attributes = {} } = answer;
  const dispatcher = await dispatcherKeepingIn(access, url);
  // What a rule could not deliver says so itself, message by message. A local stack has no policies of queues.
  const mayKeepEvents =
    Attributes['Policy']?.includes('events.amazonaws.com') === true || NOT_DELIVERED.test(name);
  if (!isForced && dispatcher === undefined && !mayKeepEvents && !(await hasSources(aws, url))) {
    throw new Rejection(
      `${name} is not a dead-letter queue of a queue, or of a source of ${workflow.name}, so nothing was received. ` +
        'If its messages are events for the workflow, pass --force',
    );
  }
  return {
    url,
    name,
    waiting: Number(Attributes['ApproximateNumberOfMessages'] ?? 0),
    inFlight: Number(Attributes['ApproximateNumberOfMessagesNotVisible'] ?? 0),
    dispatcher,
  };
}

/** As CloudFormation, or a local stack, names the queue of a source's rule after its construct. */
const NOT_DELIVERED = /NotDelivered[0-9A-F]{8}/;

async function hasSources(aws: Aws, QueueUrl: string): Promise<boolean> {
  const sent = aws.sqs.send(new ListDeadLetterSourceQueuesCommand({ QueueUrl }), { abortSignal: aws.signal });
  const answer = await answerOf(aws, 'ListDeadLetterSourceQueues', `queue ${QueueUrl}`, sent);
  return (answer?.queueUrls ?? []).length > 0;
}

/** The URL of a queue by its name, ARN or URL. @throws Rejection where there is none in the workflow's place */
export async function queueUrlOf({ aws, workflow }: WorkflowAccess, queue: string): Promise<string> {
  const address = queueAddressIn(queue, workflow);
  if ('url' in address) return address.url;
  const request = new GetQueueUrlCommand({ QueueName: address.name });
  const sent = aws.sqs.send(request, { abortSignal: aws.signal });
  const answer = await answerOf(aws, 'GetQueueUrl', `queue ${queue}`, sent, 'QueueDoesNotExist');
  if (answer?.QueueUrl === undefined) throw noQueue(queue);
  return answer.QueueUrl;
}

function noQueue(queue: string): Rejection {
  return new Rejection(
    `there is no queue ${queue} in this region and account. Pass the name, ARN or URL of a queue; check AWS_REGION and AWS_PROFILE`,
  );
}

/** A receive may find nothing although there is something; one that waits asks all servers, and not just some. */
const EMPTY_RECEIVES_MAX = 3;
const WAIT_SECONDS = 1;
/** Longer than a batch takes, at one message a second. */
const VISIBILITY_SECONDS = 120;

/** The messages of a queue, at most so many, each once. They are hidden from others for two minutes. */
export async function* batchesOf(
  aws: Aws,
  QueueUrl: string,
  most: number,
): AsyncGenerator<readonly Message[]> {
  const seen = new Set<string>();
  for (let empty = 0; empty < EMPTY_RECEIVES_MAX && seen.size < most; ) {
    const request = new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: Math.min(10, most - seen.size),
      VisibilityTimeout: VISIBILITY_SECONDS,
      WaitTimeSeconds: WAIT_SECONDS,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: [
        'DeadLetterQueueSourceArn',
        'SentTimestamp',
        'ApproximateReceiveCount',
        'MessageGroupId',
      ],
    });
    const sent = aws.sqs.send(request, { abortSignal: aws.signal });
    const answer = await answerOf(aws, 'ReceiveMessage', `queue ${QueueUrl}`, sent);
    const messages = (answer?.Messages ?? []).filter(({ MessageId = '' }) => !seen.has(MessageId));
    for (const { MessageId = '' } of messages) seen.add(MessageId);
    empty = messages.length === 0 ? empty + 1 : 0;
    if (messages.length > 0) yield messages;
  }
}

/**
 * Makes messages that were received visible again, also after Ctrl-C. A message that cannot be deleted appears again
 * later.
 */
export async function giveBack(aws: Aws, QueueUrl: string, messages: readonly Message[]): Promise<void> {
  for (const { ReceiptHandle } of messages) {
    const request = new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
    try {
      await answerOf(
        { ...aws, signal: undefined },
        'ChangeMessageVisibility',
        QueueUrl,
        aws.sqs.send(request),
      );
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
    }
  }
}
