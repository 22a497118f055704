import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import { type MessageAttribute, type ReceivedMessage, systemAttributesOf } from '../../message-queues';
import type { InvokeOutcome } from '../outcome';

/** The queue of a record's message. */
export interface RecordOrigin {
  readonly queueArn: string;
  readonly region: string;
  /** Shown as the sender of each message. */
  readonly account: string;
}

/** A message as a record of the event that Lambda makes of a batch. */
export function recordOf(message: ReceivedMessage, { queueArn, region, account }: RecordOrigin): JsonObject {
  const { md5OfMessageAttributes, messageAttributes = {} } = message;
  return {
    messageId: message.messageId,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: systemAttributesOf(message, account),
    messageAttributes: Object.fromEntries(
      Object.entries(messageAttributes).map(([name, attribute]) => [name, attributeOf(attribute)]),
    ),
    md5OfBody: message.md5OfBody,
    ...(md5OfMessageAttributes !== undefined && { md5OfMessageAttributes }),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: region,
  };
}

function attributeOf(attribute: MessageAttribute): JsonObject {
  const value: JsonObject =
    'StringValue' in attribute
      ? { stringValue: attribute.StringValue }
      : { binaryValue: attribute.BinaryValue };
  return { ...value, stringListValues: [], binaryListValues: [], dataType: attribute.DataType };
}

/**
 * The messages that a batch is done with; the others come again.
 *
 * With `reportBatchItemFailures` the function's answer decides. No answer, an empty object, and an absent, null or
 * empty `batchItemFailures` mean that all went well. Anything that cannot be read (another type, an
 * `itemIdentifier` that is missing, empty, or of no message of the batch) means that all failed, as does an error of
 * the function.
 */
export function succeededMessages(
  messages: readonly ReceivedMessage[],
  outcome: InvokeOutcome,
  reportBatchItemFailures: boolean,
): readonly ReceivedMessage[] {
  if (outcome.kind !== 'succeeded') return [];
  if (!reportBatchItemFailures) return messages;
  const failed = failuresIn(outcome.payload);
  const ids = new Set(messages.map(({ messageId }) => messageId));
  if (!failed?.every(id => ids.has(id))) return [];
  return messages.filter(({ messageId }) => !failed.includes(messageId));
}

/** The identifiers an answer reports, or undefined where it cannot be read. */
function failuresIn(answer: Json): readonly string[] | undefined {
  if (answer === null) return [];
  if (!isJsonObject(answer)) return undefined;
  const failures = answer['batchItemFailures'] ?? [];
  if (!Array.isArray(failures)) return undefined;
  const ids = failures.map((failure: Json) =>
    isJsonObject(failure) ? failure['itemIdentifier'] : undefined,
  );
  return ids.every(id => typeof id === 'string') ? ids : undefined;
}
