import { parseBody } from '../../../api/aws-json';
import { RequestError } from '../../../api/errors';
import type { ServiceRoute } from '../../../api/exchange';
import type { ReceivedMessage } from '../../message-queues';
import { BATCH_OPERATIONS, MESSAGE, remove, send } from './batch-operations';
import { NAME, type Operation, operation, QUEUE_URL, type SqsBackend } from './operation';
import { QUEUE_OPERATIONS } from './queue-operations';
import { waitForMessages } from './wait';

/** Above the 256 KiB that SQS takes for a message, so that a long one is not mistaken for an attack. */
const BODY_BYTES_MAX = 1_048_576;

/** SQS: `x-amz-target: AmazonSQS.<Operation>`, as far as queues and their messages go. */
export function sqsRoute(backend: SqsBackend): ServiceRoute {
  return {
    service: { title: 'SQS', signingName: 'sqs' },
    requests: { target: 'AmazonSQS' },
    blockingOperations: new Set(['ReceiveMessage']),
    bodyBytesMax: BODY_BYTES_MAX,
    async handle({ target, body }) {
      const perform = OPERATIONS.get(target.operation);
      if (perform) {
        const answer = await perform(backend, parseBody(body));
        if (!READING.has(target.operation)) await backend.queues.written();
        return answer;
      }
      const message = `The local SQS has no operation '${target.operation}'`;
      throw new RequestError('UnknownOperationException', message);
    },
  };
}

/** Operations that change nothing. */
const READING = new Set(['GetQueueUrl', 'ListQueues', 'GetQueueAttributes', 'ListDeadLetterSourceQueues']);

const NAMES = { kind: 'list', member: { kind: 'text' } } as const;

const OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  ...QUEUE_OPERATIONS,
  ...BATCH_OPERATIONS,
  [
    'GetQueueUrl',
    operation({ QueueName: NAME }, ({ queues }, { QueueName }) => {
      const queue = queues.find(QueueName);
      return queue && { QueueUrl: queue.url };
    }),
  ],
  [
    'ListQueues',
    operation({ QueueNamePrefix: { kind: 'text' } }, ({ queues }, { QueueNamePrefix = '' }) => {
      const found = queues.list().filter(({ name }) => name.startsWith(QueueNamePrefix));
      return found.length === 0 ? {} : { QueueUrls: found.map(({ url }) => url) };
    }),
  ],
  [
    'SendMessage',
    operation({ QueueUrl: QUEUE_URL, ...MESSAGE }, ({ queues }, { QueueUrl, ...message }) =>
      send(queues, QueueUrl, message),
    ),
  ],
  [
    'ReceiveMessage',
    operation(
      {
        QueueUrl: QUEUE_URL,
        MaxNumberOfMessages: { kind: 'number', isWhole: true, min: 1, max: 10 },
        VisibilityTimeout: { kind: 'number', isWhole: true, min: 0, max: 43_200 },
        WaitTimeSeconds: { kind: 'number', isWhole: true, min: 0, max: 20 },
        MessageSystemAttributeNames: NAMES,
        // What the member above was called first; SDKs send either.
        AttributeNames: NAMES,
      },
      async ({ queues, clock }, request) => {
        const { QueueUrl, MaxNumberOfMessages: max, VisibilityTimeout: visibilitySeconds } = request;
        const wait = request.WaitTimeSeconds ?? queues.attributesOf(QueueUrl)?.receiveMessageWaitTimeSeconds;
        const options = {
          ...(max !== undefined && { max }),
          ...(visibilitySeconds !== undefined && { visibilitySeconds }),
        };
        const receive = () => queues.receive(QueueUrl, options);
        const received = await waitForMessages(receive, clock, wait ?? 0);
        if (received?.length === 0) return {};
        const names = [...(request.MessageSystemAttributeNames ?? []), ...(request.AttributeNames ?? [])];
        return received && { Messages: received.map(message => messageOf(message, new Set(names))) };
      },
    ),
  ],
  [
    'DeleteMessage',
    operation(
      { QueueUrl: QUEUE_URL, ReceiptHandle: { kind: 'text', required: true } },
      ({ queues }, { QueueUrl, ReceiptHandle }) => remove(queues, QueueUrl, ReceiptHandle),
    ),
  ],
]);

/** A message with those of its attributes that were asked for. */
function messageOf(message: ReceivedMessage, names: ReadonlySet<string>) {
  const known = {
    SentTimestamp: String(message.sentAt),
    ApproximateReceiveCount: String(message.receiveCount),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    ...(message.deadLetterQueueSourceArn !== undefined && {
      DeadLetterQueueSourceArn: message.deadLetterQueueSourceArn,
    }),
    ...(message.messageGroupId !== undefined && { MessageGroupId: message.messageGroupId }),
    ...(message.messageDeduplicationId !== undefined && {
      MessageDeduplicationId: message.messageDeduplicationId,
    }),
    ...(message.sequenceNumber !== undefined && { SequenceNumber: message.sequenceNumber }),
  };
  const asked = Object.entries(known).filter(([name]) => names.has('All') || names.has(name));
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receiptHandle,
    MD5OfBody: message.md5OfBody,
    Body: message.body,
    ...(asked.length > 0 && { Attributes: Object.fromEntries(asked) }),
    ...(message.messageAttributes && {
      MessageAttributes: message.messageAttributes,
      MD5OfMessageAttributes: message.md5OfMessageAttributes,
    }),
  };
}
