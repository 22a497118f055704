import type { RequestOf } from '../../../api/request-schema';
import type { SendOptions } from '../../message-queues';
import { sendFault } from '../fifo';
import { MESSAGE_BYTES_MAX } from '../limits';
import { md5OfAttributes, messageBytes, readAttributes } from '../message';
import type { Queues } from '../queues';
import { boundsFault, invalid, type Operation, operation, QUEUE_URL, SqsRejection } from './operation';

const TEXT = { kind: 'text' } as const;

const ATTRIBUTES = {
  kind: 'map',
  value: { kind: 'structure', members: { DataType: TEXT, StringValue: TEXT, BinaryValue: TEXT } },
} as const;

/** The members of a message to be sent. */
export const MESSAGE = {
  MessageBody: { kind: 'text', required: true },
  DelaySeconds: { kind: 'number', isWhole: true },
  MessageGroupId: { kind: 'text', min: 1, max: 128 },
  MessageDeduplicationId: { kind: 'text', min: 1, max: 128 },
  MessageAttributes: ATTRIBUTES,
  MessageSystemAttributes: ATTRIBUTES,
} as const;

const ID = { kind: 'text', required: true } as const;
const HANDLE = { kind: 'text', required: true } as const;
const VISIBILITY = { kind: 'number', isWhole: true, required: true } as const;

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
      answerEach(
        queues,
        request,
        entry => send(queues, request.QueueUrl, entry),
        given => batchSendFault(queues, request.QueueUrl, given),
      ),
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
  const { MessageBody, MessageSystemAttributes = {} } = message;
  const read = readAttributes(message.MessageAttributes ?? {});
  if (read.kind === 'rejected') return invalid(read.message);
  const system = readAttributes(MessageSystemAttributes, 'system');
  if (system.kind === 'rejected') return invalid(system.message);
  const { AWSTraceHeader: traceHeader } = system.attributes;
  const options = {
    ...optionsOf(message),
    messageAttributes: read.attributes,
    ...(traceHeader && { traceHeader }),
  };
  const unfit = queues.faultOf(queueUrl, MessageBody, options);
  if (unfit) return new SqsRejection(SHAPES[unfit.code], unfit.code, unfit.message);
  const sent = await queues.sendDurably(queueUrl, MessageBody, options);
  const digest = sent?.md5OfMessageAttributes;
  return (
    sent && {
      MD5OfMessageBody: sent.md5OfBody,
      ...(digest !== undefined && { MD5OfMessageAttributes: digest }),
      ...(traceHeader && {
        MD5OfMessageSystemAttributes: md5OfAttributes({ AWSTraceHeader: traceHeader }),
      }),
      MessageId: sent.messageId,
      ...(sent.sequenceNumber !== undefined && { SequenceNumber: sent.sequenceNumber }),
    }
  );
}

function optionsOf(message: RequestOf<typeof MESSAGE>): SendOptions {
  const { DelaySeconds, MessageGroupId, MessageDeduplicationId } = message;
  return {
    ...(DelaySeconds !== undefined && { delaySeconds: DelaySeconds }),
    ...(MessageGroupId !== undefined && { messageGroupId: MessageGroupId }),
    ...(MessageDeduplicationId !== undefined && { messageDeduplicationId: MessageDeduplicationId }),
  };
}

/** The names that the errors of a sender have now. */
const SHAPES = {
  MissingParameter: 'MissingRequiredParameterException',
  InvalidParameterValue: 'InvalidParameterValueException',
  InvalidMessageContents: 'InvalidMessageContents',
} as const;

/**
 * Why a batch is not sent at all: all its messages together are too long, or one for a FIFO queue lacks its group or
 * its deduplication id.
 */
function batchSendFault(
  queues: Queues,
  queueUrl: string,
  given: readonly RequestOf<typeof MESSAGE>[],
): SqsRejection | undefined {
  const bytes = given.reduce((sum, { MessageBody, MessageAttributes = {} }) => {
    const read = readAttributes(MessageAttributes);
    return sum + messageBytes(MessageBody, read.kind === 'attributes' ? read.attributes : {});
  }, 0);
  if (bytes > MESSAGE_BYTES_MAX) {
    const message = `Batch requests cannot be longer than ${MESSAGE_BYTES_MAX} bytes. You have sent ${bytes} bytes.`;
    return batchRejection('BatchRequestTooLong', message);
  }
  const { fifo } = queues.attributesOf(queueUrl) ?? {};
  if (!fifo) return undefined;
  const faults = given.map(message => sendFault({ fifo }, { ...optionsOf(message), delaySeconds: 0 }));
  const fault = faults.find(found => found !== undefined);
  return fault && invalid(fault.message);
}

/** Deletes one message. */
export function remove(queues: Queues, queueUrl: string, handle: string): object | undefined {
  switch (queues.delete(queueUrl, handle)) {
    case undefined:
      return undefined;
    case 'noHandle':
      return noHandle(handle);
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
    case 'noHandle':
      return noHandle(handle);
    case 'unknownHandle':
    case 'notInFlight':
      return invalid(`${rejected} or is not available for visibility timeout change.`);
    default:
      return change satisfies never;
  }
}

function noHandle(text: string): SqsRejection {
  const message = `The input receipt handle "${text}" is not a valid receipt handle.`;
  return new SqsRejection('ReceiptHandleIsInvalid', 'ReceiptHandleIsInvalid', message);
}

interface Batch<Entry> {
  readonly QueueUrl: string;
  readonly Entries: readonly Entry[];
}

/**
 * Entries succeed or fail one by one, also if one cannot be carried out: a sender that retried the whole batch would
 * send the others twice. The whole batch is rejected if it is empty, too long, or names an entry twice, and for what
 * `faultOf` finds.
 */
async function answerEach<Entry extends { readonly Id: string }>(
  queues: Queues,
  { QueueUrl, Entries: given }: Batch<Entry>,
  perform: (entry: Entry) => object | undefined | Promise<object | undefined>,
  faultOf: (given: readonly Entry[]) => SqsRejection | undefined = () => undefined,
): Promise<object | undefined> {
  if (!queues.find(QueueUrl)) return undefined;
  const rejected = batchFault(given) ?? faultOf(given);
  if (rejected) return rejected;
  const Successful: object[] = [];
  const Failed: object[] = [];
  // All begin at once, so that they are written together.
  const answers = await Promise.allSettled(given.map(async entry => boundsFault(entry) ?? perform(entry)));
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

function batchRejection(name: string, message: string): SqsRejection {
  return new SqsRejection(name, `AWS.SimpleQueueService.${name}`, message);
}

function batchFault(given: readonly { readonly Id: string }[]): SqsRejection | undefined {
  if (given.length === 0) {
    return batchRejection('EmptyBatchRequest', 'There should be at least one entry in the request.');
  }
  if (given.length > ENTRIES_MAX) {
    const message = `Maximum number of entries per request are ${ENTRIES_MAX}. You have sent ${given.length}.`;
    return batchRejection('TooManyEntriesInBatchRequest', message);
  }
  if (given.some(({ Id }) => !/^[A-Za-z0-9_-]{1,80}$/.test(Id))) {
    const message =
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores. ' +
      'It can be at most 80 letters long.';
    return batchRejection('InvalidBatchEntryId', message);
  }
  const twice = given.find(({ Id }, index) => given.findIndex(other => other.Id === Id) < index);
  return twice && batchRejection('BatchEntryIdsNotDistinct', `Id ${twice.Id} repeated.`);
}
