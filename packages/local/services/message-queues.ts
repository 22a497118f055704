/** An attribute that a sender gives a message; binary values are Base64. */
export type MessageAttribute = { readonly DataType: string } & (
  | { readonly StringValue: string }
  | { readonly BinaryValue: string }
);

/**
 * The attributes of a message, by name.
 *
 * @example
 * const attributes: MessageAttributes | undefined = message.messageAttributes;
 */
export type MessageAttributes = Readonly<Record<string, MessageAttribute>>;

/**
 * A message in its queue; times are epoch milliseconds.
 *
 * @example
 * const bodies = stack.messages('Shop/Failures').map(({ body }) => JSON.parse(body));
 */
export interface Message {
  readonly messageId: string;
  readonly body: string;
  readonly messageAttributes?: MessageAttributes;
  /** The trace that the sender belongs to. */
  readonly traceHeader?: MessageAttribute;
  readonly sentAt: number;
  /** When it becomes visible, or became visible last. */
  readonly visibleAt: number;
  readonly receiveCount: number;
  /** Of the last receive: good for deleting the message; of a FIFO queue only while the message is invisible. */
  readonly receiptHandle?: string | undefined;
  readonly firstReceivedAt?: number;
  /** Of the last receive: what is left of the time for which it may stay invisible counts from there. */
  readonly receivedAt?: number;
  /** The queue it was moved from, for one that was received too often there. */
  readonly deadLetterQueueSourceArn?: string;
  /** Of a FIFO queue: messages of one group come one after the other. */
  readonly messageGroupId?: string;
  readonly messageDeduplicationId?: string;
  readonly sequenceNumber?: string;
}

/**
 * A message as ReceiveMessage hands it out.
 *
 * @example
 * const isFirst = ({ receiveCount }: ReceivedMessage) => receiveCount === 1;
 */
export interface ReceivedMessage extends Message {
  readonly receiptHandle: string;
  readonly firstReceivedAt: number;
  readonly md5OfBody: string;
  /** Present where there are attributes. */
  readonly md5OfMessageAttributes?: string;
}

/** The attributes that SQS gives a message, as receivers and functions see them. The sender is the account. */
export function systemAttributesOf(message: ReceivedMessage, account: string): Record<string, string> {
  const { traceHeader, deadLetterQueueSourceArn, messageGroupId, messageDeduplicationId, sequenceNumber } =
    message;
  return {
    ApproximateReceiveCount: String(message.receiveCount),
    SentTimestamp: String(message.sentAt),
    SenderId: account,
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    ...(traceHeader && 'StringValue' in traceHeader && { AWSTraceHeader: traceHeader.StringValue }),
    ...(deadLetterQueueSourceArn !== undefined && { DeadLetterQueueSourceArn: deadLetterQueueSourceArn }),
    ...(messageGroupId !== undefined && { MessageGroupId: messageGroupId }),
    ...(messageDeduplicationId !== undefined && { MessageDeduplicationId: messageDeduplicationId }),
    ...(sequenceNumber !== undefined && { SequenceNumber: sequenceNumber }),
  };
}

/** What a sender may say besides the body. */
export interface SendOptions {
  /** @default - the queue's */
  readonly delaySeconds?: number;
  readonly messageAttributes?: MessageAttributes;
  /** The attribute `AWSTraceHeader`. */
  readonly traceHeader?: MessageAttribute;
  /** A message for a FIFO queue must have it. */
  readonly messageGroupId?: string;
  /** @default - the hash of the body, where the queue deduplicates by content */
  readonly messageDeduplicationId?: string;
}

/** What a receiver may say. */
export interface ReceiveOptions {
  /** At most 10. @default 1 */
  readonly max?: number;
  /** @default - the queue's visibility timeout */
  readonly visibilitySeconds?: number;
}

/**
 * The queues of a stack, for services that send to them or take from them. A queue goes by its name, ARN or URL; where
 * there is none of it, operations answer undefined.
 */
export interface MessageQueues {
  find(queue: string): { readonly arn: string; readonly url: string } | undefined;
  /**
   * A message that cannot be written is in the queue all the same, and written later.
   *
   * @throws TypeError for options that the queue does not take, as for a FIFO queue without a group
   */
  send(queue: string, body: string, options?: SendOptions): { readonly messageId: string } | undefined;
  /** Resolves when the message outlives the process. Rejects where it cannot be written, and is not in the queue. */
  sendDurably(
    queue: string,
    body: string,
    options?: SendOptions,
  ): Promise<{ readonly messageId: string } | undefined>;
  /** The first visible messages, at most 10. */
  receive(queue: string, options?: ReceiveOptions): readonly ReceivedMessage[] | undefined;
  /** Deletes a received message, if the queue still takes the handle. */
  delete(queue: string, receiptHandle: string): void;
  /** Resolves when what was sent so far outlives the process. Rejects where it cannot be written. */
  written(): Promise<void>;
  /** When a message becomes visible or expires next, epoch milliseconds; undefined for an empty queue. */
  nextChangeAt(queue: string): number | undefined;
  /** Calls back after each change of a queue's messages or attributes, until the returned function is called. */
  watch(queue: string, listener: () => void): () => void;
}
