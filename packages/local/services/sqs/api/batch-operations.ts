import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import type { MessageAttributes } from '../../message-queues';
import { attributesFault, messageBytes } from '../message';
import type { Queues } from '../queues';
import { type Operation, operation, QUEUE_URL, SqsRefusal } from './operation';
import { MESSAGE_BYTES_MAX } from './queue-operations';

/** The members of a message to be sent; its attributes are read from the request itself, for they have any names. */
export const MESSAGE = {
  MessageBody: { kind: 'text', min: 1, required: true },
  DelaySeconds: { kind: 'number', isWhole: true, min: 0, max: 900 },
  MessageGroupId: { kind: 'text', min: 1, max: 128 },
  MessageDeduplicationId: { kind: 'text', min: 1, max: 128 },
} as const;

/** A message to be sent, as a request has it. */
interface MessageRequest {
  readonly MessageBody: string;
  readonly DelaySeconds?: number;
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
}

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
    operation({ QueueUrl: QUEUE_URL, Entries: entries(MESSAGE) }, ({ queues }, request, given) => {
      const list = Array.isArray(given['Entries']) ? given['Entries'] : [];
      return answerEach(queues, request, (entry, index) => {
        return send(queues, request.QueueUrl, entry, list[index] as Json);
      });
    }),
  ],
  [
    'DeleteMessageBatch',
    operation({ QueueUrl: QUEUE_URL, Entries: entries({ ReceiptHandle: HANDLE }) }, ({ queues }, request) =>
      answerEach(queues, request, ({ ReceiptHandle }) => {
        queues.delete(request.QueueUrl, ReceiptHandle);
        return {};
      }),
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

/** Sends one message; `given` is the request or entry as it came, for the attributes. */
export async function send(
  queues: Queues,
  queueUrl: string,
  { MessageBody, DelaySeconds, MessageGroupId, MessageDeduplicationId }: MessageRequest,
  given: Json,
): Promise<object | undefined> {
  const attributes = (isJsonObject(given) ? given['MessageAttributes'] : undefined) ?? {};
  const fault = attributesFault(attributes);
  if (fault !== undefined) return invalid(fault);
  const { maximumMessageBytes: max = MESSAGE_BYTES_MAX } = queues.attributesOf(queueUrl) ?? {};
  if (messageBytes(MessageBody, attributes as JsonObject as MessageAttributes) > max) {
    return invalid(`One or more parameters are invalid. Reason: Message must be shorter than ${max} bytes.`);
  }
  const options = {
    ...(DelaySeconds !== undefined && { delaySeconds: DelaySeconds }),
    ...(MessageGroupId !== undefined && { messageGroupId: MessageGroupId }),
    ...(MessageDeduplicationId !== undefined && { messageDeduplicationId: MessageDeduplicationId }),
    messageAttributes: attributes as JsonObject as MessageAttributes,
  };
  const unfit = queues.faultOf(queueUrl, options);
  if (unfit) return new SqsRefusal(unfit.code, unfit.code, unfit.message);
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

function changeVisibility(
  queues: Queues,
  queueUrl: string,
  request: { readonly ReceiptHandle: string; readonly VisibilityTimeout: number },
): object | undefined {
  const { ReceiptHandle: handle, VisibilityTimeout: seconds } = request;
  const change = queues.changeVisibility(queueUrl, handle, seconds);
  const refused = `Value ${handle} for parameter ReceiptHandle is invalid. Reason: Message does not exist`;
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
      return invalid(`${refused} or is not available for visibility timeout change.`);
    default: {
      const never: never = change;
      return never;
    }
  }
}

function invalid(message: string): SqsRefusal {
  return new SqsRefusal('InvalidParameterValueException', 'InvalidParameterValue', message);
}

interface Batch<Entry> {
  readonly QueueUrl: string;
  readonly Entries: readonly Entry[];
}

/** Entries succeed or fail one by one; the whole is refused where it is empty, too long, or names an entry twice. */
async function answerEach<Entry extends { readonly Id: string }>(
  queues: Queues,
  { QueueUrl, Entries: given }: Batch<Entry>,
  perform: (entry: Entry, index: number) => object | undefined | Promise<object | undefined>,
): Promise<object | undefined> {
  if (!queues.find(QueueUrl)) return undefined;
  const refused = batchFault(given);
  if (refused) return refused;
  const Successful: object[] = [];
  const Failed: object[] = [];
  // All begin at once, so that they are written together.
  const answers = await Promise.all(given.map(perform));
  for (const [index, entry] of given.entries()) {
    const answer = answers[index];
    if (answer instanceof SqsRefusal) {
      Failed.push({ Id: entry.Id, SenderFault: true, Code: answer.code, Message: answer.message });
    } else Successful.push({ Id: entry.Id, ...answer });
  }
  return { ...(Failed.length > 0 && { Failed }), ...(Successful.length > 0 && { Successful }) };
}

/** AWS quota. */
const ENTRIES_MAX = 10;

function batchFault(given: readonly { readonly Id: string }[]): SqsRefusal | undefined {
  const refusal = (name: string, message: string) => {
    return new SqsRefusal(name, `AWS.SimpleQueueService.${name}`, message);
  };
  if (given.length === 0) {
    return refusal('EmptyBatchRequest', 'There should be at least one entry in the request.');
  }
  if (given.length > ENTRIES_MAX) {
    const message = `Maximum number of entries per request are ${ENTRIES_MAX}. You have sent ${given.length}.`;
    return refusal('TooManyEntriesInBatchRequest', message);
  }
  const twice = given.find(({ Id }, index) => given.findIndex(other => other.Id === Id) < index);
  return twice && refusal('BatchEntryIdsNotDistinct', `Id ${twice.Id} repeated.`);
}
