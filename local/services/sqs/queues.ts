import { createHash } from 'node:crypto';

/** The names a queue goes by. */
export interface QueueIdentity {
  readonly name: string;
  readonly url: string;
  readonly arn: string;
}

/** A message as ReceiveMessage hands it out. */
export interface ReceivedMessage {
  readonly messageId: string;
  /** Good for deleting the message until it is received again. */
  readonly receiptHandle: string;
  readonly body: string;
  readonly md5OfBody: string;
  /** Epoch milliseconds. */
  readonly sentAt: number;
  /** 1 for the first time. */
  readonly receiveCount: number;
}

/** What queues work with. */
export interface QueuesOptions {
  readonly region: string;
  readonly account: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Beginning of queue URLs, asked for each time. @default - the service's own endpoint of the region */
  readonly endpoint?: string;
  /** Called after each change, before the operation answers. */
  readonly changed?: () => void;
}

/** A queue with its messages as plain JSON. */
export interface KeptQueue {
  readonly name: string;
  readonly messages: readonly Readonly<Message>[];
}

/** How long a received message stays out of sight unless it is asked otherwise (service default: 30 s). */
const VISIBILITY_SECONDS = 30;

/** Messages one request may receive (service limit). */
const MESSAGES_MAX = 10;

interface Message {
  readonly messageId: string;
  readonly body: string;
  readonly sentAt: number;
  visibleAt: number;
  receiveCount: number;
  receiptHandle: string | undefined;
}

interface Queue {
  readonly name: string;
  /** In the order they were sent. */
  messages: Message[];
}

/**
 * Standard queues in memory. Messages come in the order they were sent; one that was received and not deleted comes
 * again when its visibility timeout is over.
 */
export class Queues {
  readonly #options: QueuesOptions;
  readonly #queues = new Map<string, Queue>();

  constructor(options: QueuesOptions) {
    this.#options = options;
  }

  /** The queue of this name, made where there is none. */
  create(name: string): QueueIdentity {
    if (!this.#queues.has(name)) {
      this.#queues.set(name, { name, messages: [] });
      this.#changed();
    }
    return this.#identityOf(name);
  }

  /** All queues with their messages, to be kept. */
  content(): readonly KeptQueue[] {
    return [...this.#queues.values()];
  }

  /** Takes over queues that were kept; nobody is told of a change. */
  load(queues: readonly KeptQueue[]): void {
    for (const { name, messages } of queues) {
      this.#queues.set(name, { name, messages: messages.map(message => ({ ...message })) });
    }
  }

  /** The queue that a name, an ARN or a URL stands for. Of a URL only the path counts. */
  find(nameOrArnOrUrl: string): QueueIdentity | undefined {
    const queue = this.#find(nameOrArnOrUrl);
    return queue && this.#identityOf(queue.name);
  }

  list(): readonly QueueIdentity[] {
    return [...this.#queues.keys()].map(name => this.#identityOf(name));
  }

  /** Adds a message, which can be received after `delaySeconds`; undefined when there is no such queue. */
  send(queue: string, body: string, delaySeconds = 0): { messageId: string; md5OfBody: string } | undefined {
    const found = this.#find(queue);
    if (!found) return undefined;
    const sentAt = this.#options.now();
    const messageId = this.#options.newId();
    const visibleAt = sentAt + delaySeconds * 1000;
    found.messages.push({ messageId, body, sentAt, visibleAt, receiveCount: 0, receiptHandle: undefined });
    this.#changed();
    return { messageId, md5OfBody: md5(body) };
  }

  /** The first messages in sight, at most 10; undefined when there is no such queue. */
  receive(
    queue: string,
    { max = 1, visibilitySeconds = VISIBILITY_SECONDS }: { max?: number; visibilitySeconds?: number } = {},
  ): readonly ReceivedMessage[] | undefined {
    const now = this.#options.now();
    const visible = this.#find(queue)?.messages.filter(message => message.visibleAt <= now);
    const received = visible?.slice(0, Math.min(max, MESSAGES_MAX)).map(message => {
      message.visibleAt = now + visibilitySeconds * 1000;
      message.receiveCount += 1;
      message.receiptHandle = this.#options.newId();
      const { messageId, body, sentAt, receiveCount, receiptHandle } = message;
      return { messageId, receiptHandle, body, md5OfBody: md5(body), sentAt, receiveCount };
    });
    if (received && received.length > 0) this.#changed();
    return received;
  }

  /** Takes a received message out for good. An old handle, or one of a message that is gone, changes nothing. */
  delete(queue: string, receiptHandle: string): void {
    const found = this.#find(queue);
    if (!found) return;
    found.messages = found.messages.filter(message => message.receiptHandle !== receiptHandle);
    this.#changed();
  }

  #changed(): void {
    this.#options.changed?.();
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

function md5(text: string): string {
  return createHash('md5').update(text, 'utf8').digest('hex');
}
