import { isDeepStrictEqual } from 'node:util';
import type { Message, MessageQueues, ReceivedMessage, ReceiveOptions, SendOptions } from '../message-queues';
import { fifoMembers, RecentMessages, type SendFault, sendFault } from './fifo';
import { MESSAGE_BYTES_MAX } from './limits';
import { contentFault, md5, md5OfAttributes } from './message';
import {
  type Deletion,
  Queue,
  type QueueAttributes,
  type QueueChange,
  type QueueCounts,
  type QueueTimes,
  type VisibilityChange,
} from './queue';

/** The names a queue goes by. */
export interface QueueIdentity {
  readonly name: string;
  readonly url: string;
  readonly arn: string;
}

export interface QueuesOptions {
  readonly region: string;
  readonly account: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Beginning of queue URLs, asked for each time. @default - the service's own endpoint of the region */
  readonly endpoint?: string;
  /** Called once for each operation that changes something, with all that it has changed. */
  readonly changed?: (changes: readonly QueueChange[]) => void;
  /** Resolves when all that `changed` was called with so far will outlive the process. @default - at once */
  readonly written?: () => Promise<void>;
  /** Resolves when a message that is not in its queue yet will outlive the process; rejects where none will. */
  readonly writeThrough?: (change: QueueChange) => Promise<void>;
}

/** The answer to a sender. */
export interface SentMessage {
  readonly messageId: string;
  readonly md5OfBody: string;
  readonly md5OfMessageAttributes?: string;
  /** Of a FIFO queue. */
  readonly sequenceNumber?: string;
}

/** Messages one request may receive (service limit). */
const MESSAGES_MAX = 10;

interface NewMessage {
  readonly number: number;
  readonly message: Message;
  readonly answer: SentMessage;
}

/**
 * Queues in memory. Messages come in the order they were sent. A message that was received and not deleted comes again
 * when its visibility timeout is over. The receive that finds a message exhausted moves it to the dead-letter queue.
 *
 * Every operation names its queue by name, ARN or URL, and answers undefined where there is no such queue.
 *
 * @example
 * stack.queues.send('orders', JSON.stringify({ orderId: 'order-7' }));
 */
export class Queues implements MessageQueues {
  readonly #options: QueuesOptions;
  readonly #queues = new Map<string, Queue>();
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #recent = new RecentMessages<SentMessage>();
  #lastNumber = 0;

  constructor(options: QueuesOptions) {
    this.#options = options;
  }

  /** The queue of this name, made where there is none. Attributes that are given replace those it has. */
  create(name: string, attributes?: QueueAttributes): QueueIdentity {
    const known = this.#queues.get(name);
    const isSame = known && (!attributes || isDeepStrictEqual(attributes, known.attributes));
    if (isSame) return this.#identityOf(name);
    const queue = known ?? this.#add(name);
    const now = this.#options.now();
    queue.configure(attributes ?? {}, { createdAt: known?.times.createdAt ?? now, modifiedAt: now });
    this.#changed(queue);
    return this.#identityOf(name);
  }

  /** Takes over what an earlier process had, as changes that lead there; this counts as no change. */
  restore(changes: readonly QueueChange[]): void {
    for (const change of changes) {
      const queue = this.#queues.get(change.queue) ?? this.#add(change.queue);
      if ('attributes' in change) queue.configure(change.attributes, change.times);
      else if ('number' in change && change.message) queue.put(change.number, change.message);
      if ('number' in change) this.#lastNumber = Math.max(this.#lastNumber, change.number);
    }
    for (const queue of this.#queues.values()) queue.takeChanges();
  }

  /** Resolves when what the operations have changed so far outlives the process. Rejects where it cannot be written. */
  async written(): Promise<void> {
    await this.#options.written?.();
  }

  /** The queue that a name, an ARN or a URL stands for. Of a URL only the path counts. */
  find(nameOrArnOrUrl: string): QueueIdentity | undefined {
    const queue = this.#find(nameOrArnOrUrl);
    return queue && this.#identityOf(queue.name);
  }

  list(): readonly QueueIdentity[] {
    return [...this.#queues.keys()].map(name => this.#identityOf(name));
  }

  attributesOf(queue: string): QueueAttributes | undefined {
    return this.#find(queue)?.attributes;
  }

  timesOf(queue: string): QueueTimes | undefined {
    return this.#find(queue)?.times;
  }

  /** How many messages there are. */
  counts(queue: string): QueueCounts | undefined {
    return this.#find(queue)?.counts(this.#options.now());
  }

  /** All messages, visible or not, without receiving them. */
  peek(queue: string): readonly Message[] | undefined {
    return this.#find(queue)?.messages(this.#options.now());
  }

  /** Why the queue does not take a message; undefined if it does, and if there is no queue. */
  faultOf(queue: string, body: string, options: SendOptions): SendFault | undefined {
    const attributes = this.attributesOf(queue) ?? {};
    const { maximumMessageBytes: max = MESSAGE_BYTES_MAX } = attributes;
    return contentFault(body, options.messageAttributes ?? {}, max) ?? sendFault(attributes, options);
  }

  /**
   * Adds a message, which can be received when its delay is over. A queue that cannot be written is there all the same.
   * @throws TypeError for options that the queue does not take
   */
  send(queue: string, body: string, options: SendOptions = {}): SentMessage | undefined {
    const found = this.#find(queue);
    if (!found) return undefined;
    const sent = this.#recent.find(found, { body, options }, this.#options.now());
    if (sent) return sent;
    const added = this.#newMessage(found, body, options);
    this.#append(found, added);
    this.#changed(found);
    return added.answer;
  }

  /**
   * Adds a message when it will outlive the process. Rejects where it cannot be written: it is not in the queue then,
   * and a sender that tries again does not make a second one.
   */
  async sendDurably(
    queue: string,
    body: string,
    options: SendOptions = {},
  ): Promise<SentMessage | undefined> {
    const { writeThrough } = this.#options;
    const found = this.#find(queue);
    if (!found || !writeThrough) return this.send(queue, body, options);
    const sent = this.#recent.find(found, { body, options }, this.#options.now());
    if (sent) return sent;
    const added = this.#newMessage(found, body, options);
    const { number } = added;
    await writeThrough({ queue: found.name, number, message: added.message });
    if (this.#queues.get(found.name) !== found) {
      // Deleted meanwhile.
      this.#options.changed?.([{ queue: found.name, number, message: undefined }]);
      return undefined;
    }
    this.#append(found, added);
    // It is written already.
    found.takeChanges();
    this.#notify(found);
    return added.answer;
  }

  #append(queue: Queue, { number, message, answer }: NewMessage): void {
    queue.put(number, message);
    this.#recent.add(queue, message, answer, message.sentAt);
  }

  #newMessage({ attributes }: Queue, body: string, options: SendOptions): NewMessage {
    const { messageAttributes = {}, messageGroupId, traceHeader } = options;
    // A FIFO queue delays all its messages alike.
    const ownDelay = attributes.fifo ? undefined : options.delaySeconds;
    const delaySeconds = ownDelay ?? attributes.delaySeconds ?? 0;
    const sentAt = this.#options.now();
    const messageId = this.#options.newId();
    const digest = md5OfAttributes(messageAttributes);
    this.#lastNumber += 1;
    const message: Message = {
      messageId,
      body,
      ...(digest !== undefined && { messageAttributes }),
      ...(traceHeader && { traceHeader }),
      sentAt,
      visibleAt: sentAt + delaySeconds * 1000,
      receiveCount: 0,
      ...(messageGroupId !== undefined && { messageGroupId }),
      ...fifoMembers(attributes, { body, number: this.#lastNumber, options }),
    };
    const answer = {
      messageId,
      md5OfBody: md5(body),
      ...(digest !== undefined && { md5OfMessageAttributes: digest }),
      ...(message.sequenceNumber !== undefined && { sequenceNumber: message.sequenceNumber }),
    };
    return { number: this.#lastNumber, message, answer };
  }

  /** The first visible messages, at most 10. Those that were received too often go to the dead-letter queue first. */
  receive(queue: string, options: ReceiveOptions = {}): readonly ReceivedMessage[] | undefined {
    const found = this.#find(queue);
    if (!found) return undefined;
    const now = this.#options.now();
    const { max = 1, visibilitySeconds } = options;
    const target = this.#moveExhausted(found, now);
    const received = found.receive(now, {
      max: Math.min(max, MESSAGES_MAX),
      newHandle: this.#options.newId,
      ...(visibilitySeconds !== undefined && { visibilitySeconds }),
    });
    if (target) this.#changed(target, found);
    else if (received.length > 0) this.#changed(found);
    return received;
  }

  /** Takes a received message out for good. */
  delete(queue: string, receiptHandle: string): Deletion | undefined {
    const found = this.#find(queue);
    const deletion = found?.delete(receiptHandle, this.#options.now());
    if (found && deletion === 'deleted') this.#changed(found);
    return deletion;
  }

  /** Makes a received message visible after so many seconds from now; 0 for at once. */
  changeVisibility(
    queue: string,
    receiptHandle: string,
    visibilitySeconds: number,
  ): VisibilityChange | undefined {
    const found = this.#find(queue);
    const change = found?.changeVisibility(receiptHandle, visibilitySeconds, this.#options.now());
    if (found && change === 'changed') this.#changed(found);
    return change;
  }

  /** Takes all messages out. False where there is no such queue. */
  purge(queue: string): boolean {
    const found = this.#find(queue);
    found?.purge();
    if (found) {
      this.#recent.forget(found);
      this.#changed(found);
    }
    return found !== undefined;
  }

  /** Deletes a queue with its messages. False if there is none. */
  deleteQueue(queue: string): boolean {
    const found = this.#find(queue);
    if (!found) return false;
    found.end();
    this.#queues.delete(found.name);
    this.#recent.forget(found);
    this.#changed(found);
    return true;
  }

  /** When a message of the queue becomes visible or expires next, epoch milliseconds; undefined for an empty queue. */
  nextChangeAt(queue: string): number | undefined {
    return this.#find(queue)?.nextChangeAt(this.#options.now());
  }

  /** Calls back after each change of one queue's messages or attributes, until the returned function is called. */
  watch(queue: string, listener: () => void): () => void {
    const name = this.#find(queue)?.name ?? queue;
    const watchers = this.#watchers.get(name) ?? new Set();
    this.#watchers.set(name, watchers.add(listener));
    return () => watchers.delete(listener);
  }

  /**
   * The dead-letter queue, where messages went there. Without one that is there nothing is moved: a message is never
   * lost.
   */
  #moveExhausted(queue: Queue, now: number): Queue | undefined {
    const target = this.#find(queue.attributes.redrivePolicy?.deadLetterTargetArn ?? '');
    if (!target || target === queue) return undefined;
    const exhausted = queue.takeExhausted(now);
    const deadLetterQueueSourceArn = this.#identityOf(queue.name).arn;
    for (const { receiptHandle: _handle, ...message } of exhausted) {
      this.#lastNumber += 1;
      target.put(this.#lastNumber, { ...message, visibleAt: now, deadLetterQueueSourceArn });
    }
    return exhausted.length > 0 ? target : undefined;
  }

  #add(name: string): Queue {
    const queue = new Queue(name);
    this.#queues.set(name, queue);
    return queue;
  }

  #changed(...queues: readonly Queue[]): void {
    const changes = queues.flatMap(queue => queue.takeChanges());
    this.#options.changed?.(changes);
    for (const queue of queues) this.#notify(queue);
  }

  #notify({ name }: Queue): void {
    for (const listener of this.#watchers.get(name) ?? []) listener();
  }

  #identityOf(name: string): QueueIdentity {
    const { region, account, endpoint = `https://sqs.${region}.amazonaws.com` } = this.#options;
    return { name, url: `${endpoint}/${account}/${name}`, arn: `arn:aws:sqs:${region}:${account}:${name}` };
  }

  #find(queue: string): Queue | undefined {
    const { account } = this.#options;
    const inArn = /^arn:[^:]+:sqs:[^:]*:[^:]*:([^:]+)$/.exec(queue)?.[1];
    const inUrl = /^https?:\/\/[^/]+\/(\d+)\/([^/]+)$/.exec(queue);
    const name = inUrl?.[1] === account ? inUrl[2] : (inArn ?? queue);
    return this.#queues.get(name ?? '');
  }
}
