import type { JsonObject } from '@onceflow/local';
import { oneOf, type Random } from './json';
import { type Body, type Operations, someName } from './known';

const onQueue: Body = (random, known) => ({ QueueUrl: oneOf(random, known.queues) });
const received: Body = (random, known) => ({ ReceiptHandle: oneOf(random, known.receiptHandles) });

/** Attributes of each type, also with values of another one or of none. */
function attributes(random: Random): JsonObject {
  return Object.fromEntries(['a', 'b', 'ü'].map(name => [name, oneOf(random, ATTRIBUTES)]));
}

const ATTRIBUTES: readonly JsonObject[] = [
  { DataType: 'String', StringValue: 'x' },
  { DataType: 'String', StringValue: 'x' },
  { DataType: 'Number', StringValue: '7' },
  { DataType: 'Number.int', StringValue: '1e999' },
  { DataType: 'Binary', BinaryValue: 'AAE=' },
  { DataType: 'Binary.png', BinaryValue: 'AAE=' },
  { DataType: 'Binary', BinaryValue: 'AAE=', StringValue: null },
  { DataType: 'Binary', BinaryValue: 'AAE=', StringValue: [1] },
  { DataType: 'String', StringValue: 'x', StringListValues: ['y'], BinaryListValues: [] },
];

/** The operations of SQS. */
export const SQS: Operations = {
  CreateQueue: random => ({ QueueName: someName(random), Attributes: { VisibilityTimeout: '1' } }),
  SetQueueAttributes: (random, known) => {
    const { region, account } = known.environment;
    const deadLetterTargetArn = `arn:aws:sqs:${region}:${account}:${someName(random)}`;
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 3 });
    return { ...onQueue(random, known), Attributes: { RedrivePolicy, MessageRetentionPeriod: '600' } };
  },
  GetQueueAttributes: (random, known) => ({ ...onQueue(random, known), AttributeNames: ['All'] }),
  GetQueueUrl: random => ({ QueueName: someName(random), QueueUrl: oneOf(random, ['x', null, {}]) }),
  ListQueues: () => ({ QueueNamePrefix: 'fuzz' }),
  ListDeadLetterSourceQueues: onQueue,
  PurgeQueue: onQueue,
  // Seldom one that is there, or the other operations would have no queue.
  DeleteQueue: (random, known) => (random() < 0.1 ? onQueue(random, known) : { QueueUrl: 'x' }),
  TagQueue: (random, known) => ({ ...onQueue(random, known), Tags: { team: 'fuzz' } }),
  UntagQueue: (random, known) => ({ ...onQueue(random, known), TagKeys: ['team'] }),
  ListQueueTags: onQueue,
  SendMessage: (random, known) => ({
    ...onQueue(random, known),
    MessageBody: oneOf(random, ['text', 'x'.repeat(100_000)]),
    MessageAttributes: attributes(random),
  }),
  SendMessageBatch: (random, known) => {
    const Entries: readonly JsonObject[] = [
      { Id: 'a', MessageBody: 'text', MessageAttributes: attributes(random) },
      { Id: 'b', MessageBody: '{}', DelaySeconds: 1 },
      { Id: 'c', MessageBody: 'text', MessageAttributes: attributes(random), MessageGroupId: 'g' },
    ];
    return { ...onQueue(random, known), Entries };
  },
  ReceiveMessage: (random, known) => ({
    ...onQueue(random, known),
    MaxNumberOfMessages: 10,
    VisibilityTimeout: 5,
    AttributeNames: ['All'],
  }),
  DeleteMessage: (random, known) => ({ ...onQueue(random, known), ...received(random, known) }),
  DeleteMessageBatch: (random, known) => ({
    ...onQueue(random, known),
    Entries: [{ Id: 'a', ...received(random, known) }],
  }),
  ChangeMessageVisibility: (random, known) => ({
    ...onQueue(random, known),
    ...received(random, known),
    VisibilityTimeout: 0,
  }),
  ChangeMessageVisibilityBatch: (random, known) => ({
    ...onQueue(random, known),
    Entries: [{ Id: 'a', ...received(random, known), VisibilityTimeout: 1 }],
  }),
};

const onTopic: Body = (random, { environment: { region, account } }) => {
  return { TopicArn: `arn:aws:sns:${region}:${account}:${someName(random)}` };
};

/** A member of an entry of a map or list, as forms name it. */
function entry(list: string, number: number, members: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [`${list}.${number}.${name}`, value]),
  );
}

/** The operations of SNS: members by the names that they have in a form. */
export const SNS: Operations = {
  CreateTopic: random => ({ Name: someName(random) }),
  DeleteTopic: onTopic,
  ListTopics: () => ({}),
  Subscribe: (random, known) => {
    const { region, account } = known.environment;
    const raw = entry('Attributes.entry', 1, { key: 'RawMessageDelivery', value: 'true' });
    const queue = { Protocol: 'sqs', Endpoint: `arn:aws:sqs:${region}:${account}:${someName(random)}` };
    const name = oneOf(random, known.functions);
    const lambda = { Protocol: 'lambda', Endpoint: `arn:aws:lambda:${region}:${account}:function:${name}` };
    return { ...onTopic(random, known), ...oneOf<JsonObject>(random, [queue, { ...queue, ...raw }, lambda]) };
  },
  Unsubscribe: (random, known) => ({ SubscriptionArn: `${onTopic(random, known)['TopicArn']}:none` }),
  ListSubscriptions: () => ({}),
  ListSubscriptionsByTopic: onTopic,
  Publish: (random, known) => ({
    ...onTopic(random, known),
    Message: 'text',
    Subject: 's',
    ...entry('MessageAttributes.entry', 1, {
      Name: 'a',
      'Value.DataType': 'String',
      'Value.StringValue': 'x',
    }),
  }),
  PublishBatch: (random, known) => ({
    ...onTopic(random, known),
    ...entry('PublishBatchRequestEntries.member', 1, { Id: 'a', Message: 'text' }),
    ...entry('PublishBatchRequestEntries.member', 2, { Id: 'b', Message: '{}' }),
  }),
};

/** The operations of EventBridge. */
export const EVENTS: Operations = {
  PutEvents: random => ({
    Entries: [
      {
        Source: 'shop.orders',
        DetailType: 'OrderPlaced',
        Detail: JSON.stringify({ orderId: someName(random), amount: 1, currency: 'EUR' }),
        EventBusName: 'orders',
      },
    ],
  }),
};

/** The operations of Lambda. */
export const LAMBDA: Operations = {
  Invoke: (random, known) => ({
    FunctionName: oneOf(random, known.functions),
    Payload: { idempotencyKey: 'k' },
  }),
};
