import type { Message, ReceivedMessage } from '../message-queues';
import { type FifoAttributes, inGroups } from './fifo';
import { RETENTION_SECONDS, VISIBILITY_SECONDS } from './limits';
import { md5, md5OfAttributes } from './message';

/** What a queue does with its messages; times are seconds. An absent member has the service's default. */
export interface QueueAttributes {
  /** How long a received message stays invisible. @default 30 */
  readonly visibilityTimeoutSeconds?: number;
  /** How long a sent message stays invisible. @default 0 */
  readonly delaySeconds?: number;
  /** How long a message is retained, counted from when it was sent. @default 345600, which is four days */
  readonly messageRetentionSeconds?: number;
  /** How long a receiver waits that does not say. @default 0 */
  readonly receiveMessageWaitTimeSeconds?: number;
  /** Where messages go that were received so often and not deleted. @default - they come again */
  readonly redrivePolicy?:
    | { readonly deadLetterTargetArn: string; readonly maxReceiveCount: number }
    | undefined;
  /** The largest message that is taken, with its attributes. @default 1048576 */
  readonly maximumMessageBytes?: number;
  /** Of a FIFO queue. @default - a standard queue */
  readonly fifo?: FifoAttributes;
  /** Who may do what, as JSON text: stored and returned, nothing is checked against it. @default - none */
  readonly policy?: string;
  /** Stored and returned, nothing is encrypted here. @default true, false with a key of KMS */
  readonly isSseManaged?: boolean;
  /** The key that would encrypt messages: stored and returned. @default - none */
  readonly kmsMasterKeyId?: string | undefined;
  /** Stored and returned. @default - none */
  readonly tags?: QueueTags;
  /** For how long a data key would be used: stored and returned. @default 300 with a key of KMS */
  readonly kmsDataKeyReuseSeconds?: number;
}

/** The tags of a queue, by key. */
export type QueueTags = Readonly<Record<string, string>>;

/** When a queue was made, and when its attributes were changed last; epoch milliseconds. */
export interface QueueTimes {
  readonly createdAt: number;
  readonly modifiedAt: number;
}

/**
 * How many messages a queue has.
 *
 * @example
 * const waiting = ({ visible, delayed }: QueueCounts) => visible + delayed;
 */
export interface QueueCounts {
  /** Can be received. */
  readonly visible: number;
  /** Received, and neither deleted nor visible again. */
  readonly notVisible: number;
  /** Sent, and not visible yet. */
  readonly delayed: number;
}

/** How changing a message's visibility timeout went, in the service's words. */
export type VisibilityChange = 'changed' | 'notInFlight' | 'unknownHandle' | 'noHandle' | 'tooLong';

/** What a deletion did: a handle whose message is gone changes nothing, an expired one is rejected. */
export type Deletion = 'deleted' | 'gone' | 'expired' | 'noHandle';

/** For so long in all a message may be invisible after a receive (service limit). */
const INVISIBLE_MS_MAX = 43_200_000;

/** The change of one message of a queue, of its attributes, or the end of the queue. */
export type QueueChange = { readonly queue: string } & (
  | { readonly isDeleted: true }
  | { readonly attributes: QueueAttributes; readonly times: QueueTimes }
  /** Its number, by which the messages of all queues are in the order they came; undefined when it is gone. */
  | { readonly number: number; readonly message: Message | undefined }
);

/**
 * One queue: its messages in the order they came; of a FIFO queue none overtakes another of its group. Times are epoch
 * milliseconds and come in as arguments.
 */
export class Queue {
  readonly name: string;
  #attributes: QueueAttributes = {};
  #times: QueueTimes = { createdAt: 0, modifiedAt: 0 };
  readonly #messages = new Map<number, Message>();
  /** No message expires before a message that was sent then. */
  #oldestSentAt = Number.POSITIVE_INFINITY;
  #changes: QueueChange[] = [];

  constructor(name: string) {
    this.name = name;
  }

  get attributes(): QueueAttributes {
    return this.#attributes;
  }

  get times(): QueueTimes {
    return this.#times;
  }

  /** Gives the queue all its attributes anew. */
  configure(attributes: QueueAttributes, times: QueueTimes): void {
    this.#attributes = attributes;
    this.#times = times;
    this.#changes.push({ queue: this.name, attributes, times });
  }

  /** The changes since the last call, in order. */
  takeChanges(): readonly QueueChange[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  /** The messages whose retention is not over, received or not. */
  messages(now: number): readonly Message[] {
    this.#dropExpired(now);
    return [...this.#messages.values()];
  }

  counts(now: number): QueueCounts {
    const messages = this.messages(now);
    const hidden = messages.filter(({ visibleAt }) => visibleAt > now);
    const notVisible = hidden.filter(({ receiptHandle }) => receiptHandle !== undefined).length;
    return { visible: messages.length - hidden.length, notVisible, delayed: hidden.length - notVisible };
  }

  /** When the next message becomes visible that is not, or the next one expires; undefined for an empty queue. */
  nextChangeAt(now: number): number | undefined {
    this.#dropExpired(now);
    let next: number | undefined;
    for (const { visibleAt, sentAt } of this.#messages.values()) {
      const expiresAt = sentAt + this.#retentionMs();
      const changeAt = visibleAt > now ? Math.min(visibleAt, expiresAt) : expiresAt;
      if (next === undefined || changeAt < next) next = changeAt;
    }
    return next;
  }

  /** Adds a message behind all others, or in the place of the one with its number. */
  put(number: number, message: Message): void {
    this.#messages.set(number, message);
    this.#oldestSentAt = Math.min(this.#oldestSentAt, message.sentAt);
    this.#changes.push({ queue: this.name, number, message });
  }

  /** Takes the messages out that are in sight and were received as often as they may be. */
  takeExhausted(now: number): readonly Message[] {
    const { maxReceiveCount } = this.attributes.redrivePolicy ?? {};
    if (maxReceiveCount === undefined) return [];
    this.#dropExpired(now);
    const exhausted: Message[] = [];
    for (const [number, message] of this.#messages) {
      if (message.visibleAt > now || message.receiveCount < maxReceiveCount) continue;
      exhausted.push(message);
      this.#remove(number);
    }
    return exhausted;
  }

  /** The first visible messages, which are invisible from now on. */
  receive(
    now: number,
    options: { readonly max: number; readonly visibilitySeconds?: number; readonly newHandle: () => string },
  ): readonly ReceivedMessage[] {
    const { visibilityTimeoutSeconds = VISIBILITY_SECONDS } = this.attributes;
    const { max, newHandle, visibilitySeconds = visibilityTimeoutSeconds } = options;
    this.#dropExpired(now);
    const received: ReceivedMessage[] = [];
    const messages = this.attributes.fifo ? inGroups(this.#messages, now) : this.#messages;
    for (const [number, message] of messages) {
      if (received.length >= max) break;
      if (message.visibleAt > now) continue;
      const handedOut = {
        ...message,
        visibleAt: now + visibilitySeconds * 1000,
        receiveCount: message.receiveCount + 1,
        receiptHandle: `${newHandle()}.${number}`,
        firstReceivedAt: message.firstReceivedAt ?? now,
        receivedAt: now,
      };
      this.put(number, handedOut);
      const digest = md5OfAttributes(message.messageAttributes);
      received.push({
        ...handedOut,
        md5OfBody: md5(message.body),
        ...(digest !== undefined && { md5OfMessageAttributes: digest }),
      });
    }
    return received;
  }

  /**
   * A FIFO queue takes only the handle of the last receive, and only while the message is invisible. A standard queue
   * takes that of any receive, as AWS was recorded; AWS promises it for the last one only.
   */
  delete(receiptHandle: string, now: number): Deletion {
    const found = this.#received(receiptHandle);
    if (!found) return HANDLE.test(receiptHandle) ? 'gone' : 'noHandle';
    const isTooOld = now >= (found.message.receivedAt ?? now) + INVISIBLE_MS_MAX;
    if (isTooOld || (this.attributes.fifo && !isHeldBy(found.message, receiptHandle, now))) return 'expired';
    this.#remove(found.number);
    return 'deleted';
  }

  /**
   * Makes a received message visible at another time, counted from now; less than 12 hours after its receive. The same
   * handles count as for {@link delete}.
   */
  changeVisibility(receiptHandle: string, visibilitySeconds: number, now: number): VisibilityChange {
    this.#dropExpired(now);
    const found = this.#received(receiptHandle);
    if (!found) return HANDLE.test(receiptHandle) ? 'unknownHandle' : 'noHandle';
    const { number, message } = found;
    if (this.attributes.fifo && !isHeldBy(message, receiptHandle, now)) return 'notInFlight';
    const visibleAt = now + visibilitySeconds * 1000;
    if (visibleAt >= (message.receivedAt ?? now) + INVISIBLE_MS_MAX) return 'tooLong';
    this.put(number, { ...message, visibleAt });
    return 'changed';
  }

  purge(): void {
    for (const number of [...this.#messages.keys()]) this.#remove(number);
  }

  /** Takes all messages out, and the queue with them. */
  end(): void {
    this.purge();
    this.#changes.push({ queue: this.name, isDeleted: true });
  }

  #remove(number: number): void {
    this.#messages.delete(number);
    this.#changes.push({ queue: this.name, number, message: undefined });
  }

  /** The message that a handle was given for. Its number is in the handles of all its receives. */
  #received(receiptHandle: string): { readonly number: number; readonly message: Message } | undefined {
    const number = Number(receiptHandle.slice(receiptHandle.lastIndexOf('.') + 1));
    const message = this.#messages.get(number);
    return message?.receiptHandle === undefined ? undefined : { number, message };
  }

  #retentionMs(): number {
    return (this.attributes.messageRetentionSeconds ?? RETENTION_SECONDS) * 1000;
  }

  /** Looks at the messages only when the oldest that was among them may be too old by now. */
  #dropExpired(now: number): void {
    if (this.#oldestSentAt + this.#retentionMs() > now) return;
    this.#oldestSentAt = Number.POSITIVE_INFINITY;
    for (const [number, { sentAt }] of [...this.#messages]) {
      if (sentAt + this.#retentionMs() <= now) this.#remove(number);
      else this.#oldestSentAt = Math.min(this.#oldestSentAt, sentAt);
    }
  }
}

/** A text that a receive gave. */
const HANDLE = /^.+\.\d+$/;

/** Whether the message is invisible by the receive that this handle is of. */
function isHeldBy({ receiptHandle, visibleAt }: Message, handle: string, now: number): boolean {
  return receiptHandle === handle && visibleAt > now;
}
