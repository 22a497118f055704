import type { QueueCounts } from '@onceflow/local';
import type { Order } from './play';
import { Process, runAs } from './process';
import type { World } from './world';

/** What a function does with one message. Throwing leaves the message in the queue. */
export type Handler = (order: Order) => Promise<void>;

/** A queue and the function that takes from it, set as AWS advises. */
export interface QueueSettings {
  /** A FIFO queue, which forgets duplicates for five minutes. @default - a standard queue */
  readonly isFifo?: boolean;
}

/** How long an invocation may take, in milliseconds. */
export const FUNCTION_TIMEOUT_MS = 30_000;
/** Six times the function's timeout: Lambda Developer Guide, "Using Lambda with Amazon SQS". */
const VISIBILITY_SECONDS = 180;
/** The least that the same page advises. */
const MAX_RECEIVE_COUNT = 5;
const BATCH_SIZE = 10;

/**
 * An SQS queue and the function that takes from it in batches, which reports the messages that have failed
 * (`ReportBatchItemFailures`). A message that fails comes again, and is in the dead-letter queue in the end.
 */
export class QueueSource {
  readonly #world: World;
  readonly #handler: Handler;
  readonly #name: string;
  readonly #isFifo: boolean;
  #isLooking = false;
  #processes = 0;

  constructor(world: World, name: string, handler: Handler, { isFifo = false }: QueueSettings = {}) {
    this.#world = world;
    this.#handler = handler;
    this.#isFifo = isFifo;
    const suffix = isFifo ? '.fifo' : '';
    this.#name = `${name}${suffix}`;
    const { queues } = world.stack;
    const fifo = isFifo ? { fifo: { isContentBased: false } } : {};
    const dead = queues.create(`${name}-dead${suffix}`, { messageRetentionSeconds: 14 * 24 * 3600, ...fifo });
    queues.create(this.#name, {
      visibilityTimeoutSeconds: VISIBILITY_SECONDS,
      redrivePolicy: { deadLetterTargetArn: dead.arn, maxReceiveCount: MAX_RECEIVE_COUNT },
      ...fifo,
    });
    this.deadLetterQueue = dead.name;
    queues.watch(this.#name, () => this.#look());
  }

  readonly deadLetterQueue: string;

  get counts(): QueueCounts | undefined {
    return this.#world.stack.queues.counts(this.#name);
  }

  /** Sends one message. */
  send(order: Order): void {
    const options = this.#isFifo ? { messageGroupId: order.key, messageDeduplicationId: order.key } : {};
    // The id that distinguishes deliveries here is not among the values that a sender sends twice.
    const { delivery, ...body } = order;
    const sent = this.#world.stack.queues.send(this.#name, JSON.stringify(body), options);
    if (!sent) return;
    const first = this.#sent.get(sent.messageId);
    if (!first) this.#sent.set(sent.messageId, order);
    // A FIFO queue reads the id alone: it takes this order for the other, and the order is never processed.
    else if (first.amount !== order.amount) this.#world.play.answered(order, 'duplicate');
  }

  /** The first order that was sent under each message id. */
  readonly #sent = new Map<string, Order>();

  /** The keys of the events in the dead-letter queue. */
  deadLetterKeys(): readonly string[] {
    const messages = this.#world.stack.queues.peek(this.deadLetterQueue) ?? [];
    return messages.map(({ body }) => (JSON.parse(body) as Order).key);
  }

  /** Asks the queue anew when all that has just been sent is there. */
  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    queueMicrotask(() => {
      this.#isLooking = false;
      this.#receive();
    });
  }

  #receive(): void {
    const { queues } = this.#world.stack;
    const messages = queues.receive(this.#name, { max: BATCH_SIZE }) ?? [];
    const orders = messages.map(({ body, messageId, receiptHandle }) => ({
      order: {
        ...(JSON.parse(body) as Omit<Order, 'delivery'>),
        delivery: this.#sent.get(messageId)?.delivery,
      },
      receiptHandle,
    }));
    if (orders.length > 0) void this.#invoke(orders);
    const next = queues.nextChangeAt(this.#name);
    const { clock } = this.#world;
    if (next !== undefined && next > clock.now()) clock.at(next, () => this.#look());
  }

  /** One invocation: the messages one after the other, each deleted when all are through. */
  async #invoke(
    messages: readonly { readonly order: Order; readonly receiptHandle: string }[],
  ): Promise<void> {
    const { work, clock, play, bill, stack } = this.#world;
    const { clocks } = play.schedule;
    const offset = clocks[Math.min(this.#processes, clocks.length - 1)] ?? 0;
    this.#processes += 1;
    bill.invocations += 1;
    const done: string[] = [];
    const process = new Process(play.key, offset * 1000);
    work.begin();
    const handled = (async () => {
      for (const { order, receiptHandle } of messages) {
        process.key = order.key;
        try {
          await runAs(process, () => this.#handler(order));
          done.push(receiptHandle);
        } catch {
          // The guard has said what it is; the message comes again.
        }
      }
      work.end();
    })();
    const timeout = new Promise<'late'>(resolve => {
      const cancel = clock.at(clock.now() + FUNCTION_TIMEOUT_MS, () => resolve('late'));
      void handled.then(cancel);
      void process.killed.then(cancel);
    });
    const ended = await Promise.race([handled, process.killed.then(() => 'killed'), timeout]);
    if (ended === 'late') {
      play.note('calls', 'fault', 'the function is given up, as its time is over');
      // A suspended process cannot be ended.
      if (!process.isFrozen) process.kill();
    }
    // Lambda deletes at the end of an invocation, and only where it has an answer.
    if (ended === undefined) for (const handle of done) stack.queues.delete(this.#name, handle);
  }

  /** The next schedule begins with the first process. */
  reset(): void {
    this.#processes = 0;
    for (const queue of [this.#name, this.deadLetterQueue]) this.#world.stack.queues.purge(queue);
    this.#sent.clear();
  }
}
