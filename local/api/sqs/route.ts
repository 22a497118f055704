import type { JsonObject } from '../../asl/json';
import type { Clock } from '../../runtime/clock';
import type { Queues, ReceivedMessage } from '../../services/sqs/queues';
import { JSON_1_0, jsonAnswer, parseBody } from '../aws-json';
import { RequestError } from '../errors';
import type { ApiAnswer, Route } from '../exchange';
import { checkRequest, type RequestOf, type Shape } from '../states/shape';
import { waitForMessages } from './wait';

/** Above the 256 KiB that SQS takes for a message, so that a long one is not mistaken for an attack. */
const BODY_BYTES_MAX = 1_048_576;

/** What the operations of SQS work on. */
export interface SqsBackend {
  readonly queues: Queues;
  readonly clock: Clock;
}

type Operation = (backend: SqsBackend, request: unknown) => Promise<ApiAnswer>;

/** SQS: `x-amz-target: AmazonSQS.<Operation>`, as far as sending, receiving and finding queues goes. */
export function sqsRoute(backend: SqsBackend): Route {
  return {
    bodyBytesMax: BODY_BYTES_MAX,
    async handle({ target, body }) {
      const perform = OPERATIONS.get(target.operation);
      if (perform) return perform(backend, parseBody(body));
      const message = `The local SQS has no operation '${target.operation}'`;
      throw new RequestError('UnknownOperationException', message);
    },
  };
}

const NAME = { kind: 'text', required: true } as const;
const NAMES = { kind: 'list', member: { kind: 'text' } } as const;
const QUEUE_URL = { kind: 'text', required: true } as const;

const OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  [
    'CreateQueue',
    operation({ QueueName: { ...NAME, pattern: '^[A-Za-z0-9_-]{1,80}$' } }, ({ queues }, request) => ({
      QueueUrl: queues.create(request.QueueName).url,
    })),
  ],
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
    operation(
      {
        QueueUrl: QUEUE_URL,
        MessageBody: { kind: 'text', min: 1, required: true },
        DelaySeconds: { kind: 'number', min: 0, max: 900 },
      },
      ({ queues }, { QueueUrl, MessageBody, DelaySeconds }) => {
        const sent = queues.send(QueueUrl, MessageBody, DelaySeconds);
        return sent && { MD5OfMessageBody: sent.md5OfBody, MessageId: sent.messageId };
      },
    ),
  ],
  [
    'ReceiveMessage',
    operation(
      {
        QueueUrl: QUEUE_URL,
        MaxNumberOfMessages: { kind: 'number', min: 1, max: 10 },
        VisibilityTimeout: { kind: 'number', min: 0, max: 43_200 },
        WaitTimeSeconds: { kind: 'number', min: 0, max: 20 },
        MessageSystemAttributeNames: NAMES,
        // What the member above was called first; SDKs send either.
        AttributeNames: NAMES,
      },
      async ({ queues, clock }, request) => {
        const { QueueUrl, MaxNumberOfMessages: max, VisibilityTimeout: visibilitySeconds } = request;
        const options = {
          ...(max !== undefined && { max }),
          ...(visibilitySeconds !== undefined && { visibilitySeconds }),
        };
        const receive = () => queues.receive(QueueUrl, options);
        const received = await waitForMessages(receive, clock, request.WaitTimeSeconds ?? 0);
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
      ({ queues }, { QueueUrl, ReceiptHandle }) => {
        if (!queues.find(QueueUrl)) return undefined;
        queues.delete(QueueUrl, ReceiptHandle);
        return {};
      },
    ),
  ],
]);

/** An operation whose request is checked; it answers undefined where there is no such queue. */
function operation<const S extends Shape>(
  shape: S,
  perform: (backend: SqsBackend, request: RequestOf<S>) => object | undefined | Promise<object | undefined>,
): Operation {
  return async (backend, given) => {
    const checked = checkRequest(shape, given as JsonObject);
    switch (checked.kind) {
      case 'request': {
        const answer = await perform(backend, checked.request);
        return answer ? jsonAnswer(answer, JSON_1_0) : noSuchQueue();
      }
      case 'unreadable':
        throw new RequestError('SerializationException', checked.message);
      case 'invalid':
        return refusal('InvalidParameterValueException', 'InvalidParameterValue', checked.message);
      default: {
        const never: never = checked;
        return never;
      }
    }
  };
}

/** A message with those of its attributes that were asked for. */
function messageOf(message: ReceivedMessage, names: ReadonlySet<string>) {
  const known = {
    SentTimestamp: String(message.sentAt),
    ApproximateReceiveCount: String(message.receiveCount),
  };
  const asked = Object.entries(known).filter(([name]) => names.has('All') || names.has(name));
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receiptHandle,
    MD5OfBody: message.md5OfBody,
    Body: message.body,
    ...(asked.length > 0 && { Attributes: Object.fromEntries(asked) }),
  };
}

function noSuchQueue(): ApiAnswer {
  const message = 'The specified queue does not exist.';
  return refusal('QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue', message);
}

// The header keeps the name that the error had before SQS spoke JSON, which SDKs still go by.
function refusal(name: string, queryName: string, message: string): ApiAnswer {
  const { headers, ...answer } = jsonAnswer({ __type: `com.amazonaws.sqs#${name}`, message }, JSON_1_0, 400);
  return { ...answer, headers: { ...headers, 'x-amzn-query-error': `${queryName};Sender` } };
}
