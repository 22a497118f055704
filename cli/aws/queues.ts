import { GetQueueAttributesCommand, ListQueuesCommand, type Message } from '@aws-sdk/client-sqs';
import { each } from '../concurrency';
import { type Aws, answerOf } from './aws';
import { batchesOf, giveBack } from './dead-letter-queue';

/** A queue, and how much lies in it: about, as SQS says it. */
export interface QueueFacts {
  readonly name: string;
  readonly url: string;
  readonly arn: string;
  readonly waiting: number;
  readonly inFlight: number;
  readonly delayed: number;
  /** Where messages go that are received too often. */
  readonly redrive: { readonly deadLetterTargetArn: string; readonly maxReceiveCount: number } | undefined;
}

/** A message that lies in a queue. */
export interface QueuedMessage {
  readonly messageId: string;
  readonly body: string;
  /** Attributes that are texts, by their names. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Epoch milliseconds; null where it is not told. */
  readonly sentAt: number | null;
  readonly receiveCount: number;
  /** The ARN of the queue that has given it up. */
  readonly givenUpBy: string | undefined;
}

/** So many queues are asked about. */
const QUEUES_MAX = 100;

/** The queues whose names begin so, or all of the region; and whether there are more. @throws Rejection */
export async function listQueues(
  aws: Aws,
  prefix: string | undefined,
): Promise<{ readonly queues: readonly QueueFacts[]; readonly isCutOff: boolean }> {
  const request = new ListQueuesCommand({
    MaxResults: QUEUES_MAX,
    ...(prefix !== undefined && { QueueNamePrefix: prefix }),
  });
  const sent = aws.sqs.send(request, { abortSignal: aws.signal });
  const answer = await answerOf(aws, 'ListQueues', 'this account', sent);
  const found = await each(answer?.QueueUrls ?? [], url => factsOf(aws, url));
  return {
    queues: found.filter(queue => queue !== undefined),
    isCutOff: answer?.NextToken !== undefined,
  };
}

/** Undefined for a queue that is gone. @throws Rejection */
async function factsOf(aws: Aws, QueueUrl: string): Promise<QueueFacts | undefined> {
  const request = new GetQueueAttributesCommand({
    QueueUrl,
    AttributeNames: [
      'ApproximateNumberOfMessages',
      'ApproximateNumberOfMessagesNotVisible',
      'ApproximateNumberOfMessagesDelayed',
      'QueueArn',
      'RedrivePolicy',
    ],
  });
  const sent = aws.sqs.send(request, { abortSignal: aws.signal });
  const answer = await answerOf(aws, 'GetQueueAttributes', `queue ${QueueUrl}`, sent, 'QueueDoesNotExist');
  if (answer === undefined) return undefined;
  const { Attributes = {} } = answer;
  const policy = Attributes['RedrivePolicy'];
  return {
    name: QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1),
    url: QueueUrl,
    arn: Attributes['QueueArn'] ?? '',
    waiting: Number(Attributes['ApproximateNumberOfMessages'] ?? 0),
    inFlight: Number(Attributes['ApproximateNumberOfMessagesNotVisible'] ?? 0),
    delayed: Number(Attributes['ApproximateNumberOfMessagesDelayed'] ?? 0),
    redrive: policy === undefined ? undefined : redriveIn(policy),
  };
}

function redriveIn(policy: string): QueueFacts['redrive'] {
  const { deadLetterTargetArn, maxReceiveCount } = JSON.parse(policy) as Record<string, unknown>;
  if (typeof deadLetterTargetArn !== 'string') return undefined;
  return { deadLetterTargetArn, maxReceiveCount: Number(maxReceiveCount) };
}

/** The first messages of a queue, at most so many: received, and given back at once. @throws Rejection */
export async function peekQueue(aws: Aws, url: string, most: number): Promise<readonly QueuedMessage[]> {
  const found: Message[] = [];
  try {
    for await (const messages of batchesOf(aws, url, most)) found.push(...messages);
  } finally {
    await giveBack(aws, url, found);
  }
  return found.map(messageIn);
}

/** The facts of a received message. */
export function messageIn(message: Message): QueuedMessage {
  const { MessageId = '', Body = '', Attributes = {}, MessageAttributes = {} } = message;
  const texts = Object.entries(MessageAttributes).flatMap(([name, { StringValue }]) =>
    StringValue === undefined ? [] : [[name, StringValue] as const],
  );
  const { SentTimestamp, ApproximateReceiveCount, DeadLetterQueueSourceArn } = Attributes;
  return {
    messageId: MessageId,
    body: Body,
    attributes: Object.fromEntries(texts),
    sentAt: SentTimestamp === undefined ? null : Number(SentTimestamp),
    receiveCount: Number(ApproximateReceiveCount ?? 0),
    givenUpBy: DeadLetterQueueSourceArn,
  };
}
