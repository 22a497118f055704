import type { RequestOf } from '../../../api/request-schema';
import { MESSAGE_BYTES_MAX } from '../limits';
import { messageBytes, readAttributes } from '../message';
import type { Queues } from '../queues';
import { type Operation, operation, QUEUE_URL, SqsRejection } from './operation';

const TEXT = { kind: 'text' } as const;

/** The members of a message to be sent. */
export const MESSAGE = {
  MessageBody: { kind: 'text', min: 1, required: true },
  DelaySeconds: { kind: 'number', isWhole: true, min: 0, max: 900 },
  MessageGroupId: { kind: 'text', min: 1, max: 128 },
  MessageDeduplicationId: { kind: 'text', min: 1, max: 128 },
  MessageAttributes: {
    kind: 'map',
    value: { kind: 'structure', members: { DataType: TEXT, StringValue: TEXT, BinaryValue: TEXT } },
  },
} as const;

const ID = { kind: 'text', pattern: '^[A-Za-z0-9_-]{1,80}$', required: true } as const;
const HANDLE = { kind: 'text', required: true } as const;
const VISIBILITY = { kind: 'number', isWhole: true, min: 0, max: 43_200, required: true } as const;

function entries<const S extends object>(members: S) {
  return {
    kind: 'list',
    required: true,
    member: { kind: 'structure', members: { Id: ID, ...members } },
  } as const;
}

/** Operations on several messages, and those they repeat. */
export const BATCH_OPERATIONS: readonly (readonly [string, Operation])[] = [
  [
    'SendMessageBatch',
    operation({ QueueUrl: QUEUE_URL, Entries: entries(MESSAGE) }, ({ queues }, request) =>
      answerEach(queues, request, entry => send(queues, request.QueueUrl, entry)),
    ),
  ],
  [
    'DeleteMessageBatch',
    operation({ QueueUrl: QUEUE_URL, Entries: entries({ ReceiptHandle: HANDLE }) }, ({ queues }, request) =>
      answerEach(queues, request, ({ ReceiptHandle }) => remove(queues, request.QueueUrl, ReceiptHandle)),
    ),
  ],
  [
    'ChangeMessageVisibility',
    operation(
      { QueueUrl: QUEUE_URL, ReceiptHandle: HANDLE, VisibilityTimeout: VISIBILITY },
      ({ queues }, request) => changeVisibility(queues, request.QueueUrl, request),
    ),
  ],
  [
    'ChangeMessageVisibilityBatch',
    operation(
      {
        QueueUrl: QUEUE_URL,
        Entries: entries({ ReceiptHandle: HANDLE, VisibilityTimeout: VISIBILITY }),
      },
      ({ queues }, request) =>
        answerEach(queues, request, entry => changeVisibility(queues, request.QueueUrl, entry)),
    ),
  ],
];

/** Sends one message. */
export async function send(
  queues: Queues,
  queueUrl: string,
  message: RequestOf<typeof MESSAGE>,
): Promise<object | undefined> {
  const { MessageBody, DelaySeconds, MessageGroupId, MessageDeduplicationId } = message;
  const read = readAttributes(message.MessageAttributes ?? {});
  if (read.kind === 'rejected') return invalid(read.message);
  const { attributes } = read;
  const { maximumMessageBytes: max = MESSAGE_BYTES_MAX } = queues.attributesOf(queueUrl) ?? {};
  if (messageBytes(MessageBody, attributes) > max) {
    return invalid(`One or more parameters are invalid. Reason: Message must be shorter than ${max} bytes.`);
  }
  const options = {
    ...(DelaySeconds !== undefined && { delaySeconds: DelaySeconds }),
    ...(MessageGroupId !== undefined && { messageGroupId: MessageGroupId }),
    ...(MessageDeduplicationId !== undefined && { messageDeduplicationId: MessageDeduplicationId }),
    messageAttributes: attributes,
  };
  const unfit = queues.faultOf(queueUrl, options);
  if (unfit) return new SqsRejection(unfit.code, unfit.code, unfit.message);
  const sent = await queues.sendDurably(queueUrl, MessageBody, options);
  const digest = sent?.md5OfMessageAttributes;
  return (
    sent && {
      MD5OfMessageBody: sent.md5OfBody,
      ...(digest !== undefined && { MD5OfMessageAttributes: digest }),
      MessageId: sent.messageId,
      ...(sent.sequenceNumber !== undefined && { SequenceNumber: sent.sequenceNumber }),
    }
  );
}

/** Deletes one message. */
export function remove(queues: Queues, queueUrl: string, handle: string): object | undefined {
  switch (queues.delete(queueUrl, handle)) {
    case undefined:
      return undefined;
    case 'expired':
      return invalid(
        `Value ${handle} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.`,
      );
    default:
      return {};
  }
}

function changeVisibility(
  queues: Queues,
  queueUrl: string,
  request: { readonly ReceiptHandle: string; readonly VisibilityTimeout: number },
): object | undefined {
  const { ReceiptHandle: handle, VisibilityTimeout: seconds } = request;
  const change = queues.changeVisibility(queueUrl, handle, seconds);
  const rejected = `Value ${handle} for parameter ReceiptHandle is invalid. Reason: Message does not exist`;
  switch (change) {
    case undefined:
      return undefined;
    case 'changed':
      return {};
    case 'tooLong':
      return invalid(
        `Value ${seconds} for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message ` +
          'is beyond the limit [43200 seconds].',
      );
    case 'unknownHandle':
    case 'notInFlight':
      return invalid(`${rejected} or is not available for visibility timeout change.`);
    default: {
      const never: never = change;
      return never;
    }
  }
}

function invalid(message: string): SqsRejection {
  return new SqsRejection('InvalidParameterValueException', 'InvalidParameterValue', message);
}

interface Batch<Entry> {
  readonly QueueUrl: string;
  readonly Entries: readonly Entry[];
}

/**
 * Entries succeed or fail one by one, also if one cannot be carried out: a sender that retried the whole batch would
 * send the others twice. The whole batch is rejected if it is empty, too long, or names an entry twice.
 */
async function answerEach<Entry extends { readonly Id: string }>(
  queues: Queues,
  { QueueUrl, Entries: given }: Batch<Entry>,
  perform: (entry: Entry) => object | undefined | Promise<object | undefined>,
): Promise<object | undefined> {
  if (!queues.find(QueueUrl)) return undefined;
  const rejected = batchFault(given);
  if (rejected) return rejected;
  const Successful: object[] = [];
  const Failed: object[] = [];
  // All begin at once, so that they are written together.
  const answers = await Promise.allSettled(given.map(async entry => perform(entry)));
  const faults = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  if (faults.length === given.length) throw faults[0];
  for (const [index, { Id }] of given.entries()) {
    const answer = answers[index];
    if (answer?.status !== 'fulfilled') {
      Failed.push({
        Id,
        SenderFault: false,
        Code: 'InternalFailure',
        Message: 'The entry was not carried out.',
      });
    } else if (answer.value instanceof SqsRejection) {
      const { code: Code, message: Message } = answer.value;
      Failed.push({ Id, SenderFault: true, Code, Message });
    } else Successful.push({ Id, ...answer.value });
  }
  return { ...(Failed.length > 0 && { Failed }), ...(Successful.length > 0 && { Successful }) };
}

/** AWS quota. */
const ENTRIES_MAX = 10;

function batchFault(given: readonly { readonly Id: string }[]): SqsRejection | undefined {
  const rejection = (name: string, message: string) => {
    return new SqsRejection(name, `AWS.SimpleQueueService.${name}`, message);
  };
  if (given.length === 0) {
    return rejection('EmptyBatchRequest', 'There should be at least one entry in the request.');
  }
  if (given.length > ENTRIES_MAX) {
    const message = `Maximum number of entries per request are ${ENTRIES_MAX}. You have sent ${given.length}.`;
    return rejection('TooManyEntriesInBatchRequest', message);
  }
  const twice = given.find(({ Id }, index) => given.findIndex(other => other.Id === Id) < index);
  return twice && rejection('BatchEntryIdsNotDistinct', `Id ${twice.Id} repeated.`);
}
