import type { Message, ReceivedMessage } from '../message-queues';
import { md5, md5OfAttributes } from './message';

/** What a queue does with its messages; times are seconds. What is absent is the service's default. */
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
  readonly redrivePolicy?: { readonly deadLetterTargetArn: string; readonly maxReceiveCount: number };
}

/** How many messages a queue has. */
export interface QueueCounts {
  /** Can be received. */
  readonly visible: number;
  /** Received, and neither deleted nor visible again. */
  readonly notVisible: number;
  /** Sent, and not visible yet. */
  readonly delayed: number;
}

/** How changing a message's visibility timeout went, in the service's words. */
export type VisibilityChange = 'changed' | 'notInFlight' | 'unknownHandle';

const VISIBILITY_SECONDS = 30;
const RETENTION_SECONDS = 345_600;

/** One queue: its messages in the order they were sent. Times are epoch milliseconds and come in as arguments. */
export class Queue {
  readonly name: string;
  attributes: QueueAttributes;
  #messages: Message[];

  constructor(name: string, attributes: QueueAttributes = {}, messages: readonly Message[] = []) {
    this.name = name;
    this.attributes = attributes;
    this.#messages = [...messages];
  }

  /** The messages whose retention is not over, received or not. */
  messages(now: number): readonly Message[] {
    const retentionMs = (this.attributes.messageRetentionSeconds ?? RETENTION_SECONDS) * 1000;
    const isKept = (message: Message) => message.sentAt + retentionMs > now;
    if (!this.#messages.every(isKept)) this.#messages = this.#messages.filter(isKept);
    return this.#messages;
  }

  counts(now: number): QueueCounts {
    const messages = this.messages(now);
    const hidden = messages.filter(({ visibleAt }) => visibleAt > now);
    const notVisible = hidden.filter(({ receiptHandle }) => receiptHandle !== undefined).length;
    return { visible: messages.length - hidden.length, notVisible, delayed: hidden.length - notVisible };
  }

  /** When the next message becomes visible that is not, or the next one expires; undefined for an empty queue. */
  nextChangeAt(now: number): number | undefined {
    const retentionMs = (this.attributes.messageRetentionSeconds ?? RETENTION_SECONDS) * 1000;
    let next: number | undefined;
    for (const { visibleAt, sentAt } of this.messages(now)) {
      const expiresAt = sentAt + retentionMs;
      const changeAt = visibleAt > now ? Math.min(visibleAt, expiresAt) : expiresAt;
      if (next === undefined || changeAt < next) next = changeAt;
    }
    return next;
  }

  add(message: Message): void {
    this.#messages.push(message);
  }

  /** Takes the messages out that are in sight and were received as often as they may be. */
  takeExhausted(now: number): readonly Message[] {
    const { maxReceiveCount } = this.attributes.redrivePolicy ?? {};
    if (maxReceiveCount === undefined) return [];
    const isExhausted = ({ visibleAt, receiveCount }: Message) =>
      visibleAt <= now && receiveCount >= maxReceiveCount;
    const exhausted = this.messages(now).filter(isExhausted);
    if (exhausted.length > 0) this.#messages = this.#messages.filter(message => !isExhausted(message));
    return exhausted;
  }

  /** The first visible messages, which are invisible from now on. */
  receive(
    now: number,
    options: { readonly max: number; readonly visibilitySeconds?: number; readonly newHandle: () => string },
  ): readonly ReceivedMessage[] {
    const { visibilityTimeoutSeconds = VISIBILITY_SECONDS } = this.attributes;
    const { max, newHandle, visibilitySeconds = visibilityTimeoutSeconds } = options;
    const received = new Map<string, ReceivedMessage>();
    for (const message of this.messages(now)) {
      if (received.size >= max) break;
      if (message.visibleAt > now) continue;
      const digest = md5OfAttributes(message.messageAttributes);
      received.set(message.messageId, {
        ...message,
        visibleAt: now + visibilitySeconds * 1000,
        receiveCount: message.receiveCount + 1,
        receiptHandle: newHandle(),
        firstReceivedAt: message.firstReceivedAt ?? now,
        md5OfBody: md5(message.body),
        ...(digest !== undefined && { md5OfMessageAttributes: digest }),
      });
    }
    if (received.size > 0) {
      this.#messages = this.#messages.map(message => stored(received.get(message.messageId)) ?? message);
    }
    return [...received.values()];
  }

  /** False for the handle of an earlier receive, or of a message that is gone: nothing is deleted then. */
  delete(receiptHandle: string): boolean {
    const left = this.#messages.filter(message => message.receiptHandle !== receiptHandle);
    const isFound = left.length < this.#messages.length;
    this.#messages = left;
    return isFound;
  }

  /** Makes a received message visible at another time, counted from now. */
  changeVisibility(receiptHandle: string, visibilitySeconds: number, now: number): VisibilityChange {
    const found = this.messages(now).find(message => message.receiptHandle === receiptHandle);
    if (!found) return 'unknownHandle';
    if (found.visibleAt <= now) return 'notInFlight';
    const changed = { ...found, visibleAt: now + visibilitySeconds * 1000 };
    this.#messages = this.#messages.map(message => (message === found ? changed : message));
    return 'changed';
  }

  purge(): void {
    this.#messages = [];
  }
}

/** A message that was handed out, as its queue stores it. */
function stored(received: ReceivedMessage | undefined): Message | undefined {
  if (!received) return undefined;
  const { md5OfBody: _body, md5OfMessageAttributes: _attributes, ...message } = received;
  return message;
}
