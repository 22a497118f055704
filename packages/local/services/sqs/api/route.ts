import { parseBody } from '../../../api/aws-json';
import { RequestError } from '../../../api/errors';
import type { ServiceRoute } from '../../../api/exchange';
import { type ReceivedMessage, systemAttributesOf } from '../../message-queues';
import { MESSAGE_BYTES_MAX } from '../limits';
import { md5OfAttributes, selectAttributes } from '../message';
import { BATCH_OPERATIONS, MESSAGE, remove, send } from './batch-operations';
import { NAME, type Operation, operation, QUEUE_URL, type SqsBackend } from './operation';
import { QUEUE_OPERATIONS } from './queue-operations';
import { waitForMessages } from './wait';

/** Room for the longest message, whose characters JSON can write with six each, and for its attributes. */
const BODY_BYTES_MAX = 8 * MESSAGE_BYTES_MAX;

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
const READING = new Set([
  ...['GetQueueUrl', 'ListQueues', 'GetQueueAttributes', 'ListDeadLetterSourceQueues', 'ListQueueTags'],
]);

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
        MaxNumberOfMessages: { kind: 'number', isWhole: true },
        VisibilityTimeout: { kind: 'number', isWhole: true },
        WaitTimeSeconds: { kind: 'number', isWhole: true },
        MessageAttributeNames: NAMES,
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
        const { MessageAttributeNames: attributes = [], MessageSystemAttributeNames = [] } = request;
        const system = new Set([...MessageSystemAttributeNames, ...(request.AttributeNames ?? [])]);
        const account = queues.find(QueueUrl)?.arn.split(':')[4] ?? '';
        return (
          received && {
            Messages: received.map(message => messageOf(message, { account, attributes, system })),
          }
        );
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

interface Asked {
  readonly account: string;
  /** The names of a sender's attributes that were asked for. */
  readonly attributes: readonly string[];
  readonly system: ReadonlySet<string>;
}

/** A message with those of its attributes that were asked for. */
function messageOf(message: ReceivedMessage, { account, attributes, system }: Asked) {
  const asked = Object.entries(systemAttributesOf(message, account)).filter(([name]) => {
    return system.has('All') || system.has(name);
  });
  const selected = message.messageAttributes && selectAttributes(message.messageAttributes, attributes);
  const digest = md5OfAttributes(selected);
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receiptHandle,
    MD5OfBody: message.md5OfBody,
    Body: message.body,
    ...(asked.length > 0 && { Attributes: Object.fromEntries(asked) }),
    ...(selected && { MessageAttributes: selected }),
    ...(digest !== undefined && { MD5OfMessageAttributes: digest }),
  };
}
