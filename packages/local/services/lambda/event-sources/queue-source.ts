import type { JsonObject } from '../../../json/json';
import type { Clock } from '../../../runtime/time/clock';
import type { WorkTracker } from '../../../runtime/time/work-tracker';
import type { MessageQueues, ReceivedMessage } from '../../message-queues';
import type { Invocations } from '../invocations';
import { type RecordOrigin, recordOf, succeededMessages } from './batch';

/** How a queue's messages are handed to a function. */
export interface QueueSourceSettings {
  readonly queueArn: string;
  /** Name or ARN, without a qualifier. */
  readonly functionName: string;
  readonly batchSize: number;
  readonly maximumBatchingWindowInSeconds: number;
  readonly reportBatchItemFailures: boolean;
  /** Batches that are worked on at the same time. */
  readonly maximumConcurrency: number;
}

export interface QueueSourceDependencies extends Omit<RecordOrigin, 'queueArn'> {
  readonly queues: MessageQueues;
  readonly invocations: Invocations;
  readonly clock: Clock;
  readonly work: WorkTracker;
}

/** Messages one receive brings. */
const RECEIVE_MAX = 10;
/** Lambda closes a batch before its event gets too large: 6 MB, less what surrounds the records. */
const BATCH_BYTES_MAX = 6_000_000;

interface Entry {
  readonly message: ReceivedMessage;
  readonly record: JsonObject;
}

/** A batch that waits for more messages. */
interface Gathering {
  readonly entries: Entry[];
  bytes: number;
  cancelTimer: () => void;
}

/**
 * Hands the messages of a queue to a function, as an event source mapping does.
 *
 * It receives when the queue changes and when a message becomes visible by the clock, and never in between. A message
 * whose batch failed stays in the queue and comes again when its visibility timeout is over. On a virtual clock it
 * counts as work that is still to come until it is deleted, moved to a dead-letter queue, or its retention is over.
 */
export class QueueSource {
  readonly #settings: QueueSourceSettings;
  readonly #dependencies: QueueSourceDependencies;
  readonly #stopWatching: () => void;
  #gathering: Gathering | undefined;
  /** Batches that are complete, and begin when there is room. */
  readonly #complete: (readonly Entry[])[] = [];
  #batches = 0;
  #isScheduled = false;
  #isClosed = false;
  #cancelTimer: () => void = () => undefined;
  #arrived: (() => void) | undefined;

  /** Begins at once. */
  constructor(settings: QueueSourceSettings, dependencies: QueueSourceDependencies) {
    this.#settings = settings;
    this.#dependencies = dependencies;
    this.#stopWatching = dependencies.queues.watch(settings.queueArn, () => this.#receiveSoon());
    this.#receiveSoon();
  }

  /** Takes no messages any more. What a function has is deleted if it goes well. */
  close(): void {
    this.#isClosed = true;
    this.#stopWatching();
    this.#cancelTimer();
    this.#gathering?.cancelTimer();
    this.#arrived?.();
  }

  /** Not within the change: messages that are sent together come together. */
  #receiveSoon(): void {
    if (this.#isScheduled || this.#isClosed) return;
    const { work } = this.#dependencies;
    this.#isScheduled = true;
    work.begin();
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (!this.#isClosed) this.#receive();
      work.end();
    });
  }

  #receive(): void {
    const { queues, clock } = this.#dependencies;
    const { queueArn, batchSize } = this.#settings;
    this.#cancelTimer();
    while (this.#hasRoom()) {
      const missing = batchSize - (this.#gathering?.entries.length ?? 0);
      const received = queues.receive(queueArn, { max: Math.min(missing, RECEIVE_MAX) }) ?? [];
      if (received.length === 0) break;
      for (const message of received) this.#gather(message);
      if (this.#settings.maximumBatchingWindowInSeconds === 0) this.#flush();
    }
    const changeAt = queues.nextChangeAt(queueArn);
    this.#expect(changeAt !== undefined);
    // Without room, the end of a batch receives again.
    const isWaiting = changeAt !== undefined && this.#hasRoom();
    this.#cancelTimer = isWaiting ? clock.at(changeAt, () => this.#receiveSoon()) : () => undefined;
  }

  #hasRoom(): boolean {
    return this.#batches + this.#complete.length < this.#settings.maximumConcurrency;
  }

  #expect(isExpected: boolean): void {
    const { work } = this.#dependencies;
    if (isExpected) this.#arrived ??= work.expect(`messages of ${this.#settings.queueArn}`);
    else {
      this.#arrived?.();
      this.#arrived = undefined;
    }
  }

  #gather(message: ReceivedMessage): void {
    const { queueArn, batchSize, maximumBatchingWindowInSeconds: seconds } = this.#settings;
    const { clock } = this.#dependencies;
    const record = recordOf(message, { ...this.#dependencies, queueArn });
    const bytes = Buffer.byteLength(JSON.stringify(record)) + 1;
    if (this.#gathering && this.#gathering.bytes + bytes > BATCH_BYTES_MAX) this.#flush();
    this.#gathering ??= {
      entries: [],
      bytes: 0,
      cancelTimer:
        seconds > 0 ? clock.at(clock.now() + seconds * 1000, () => this.#flush()) : () => undefined,
    };
    this.#gathering.entries.push({ message, record });
    this.#gathering.bytes += bytes;
    if (this.#gathering.entries.length >= batchSize) this.#flush();
  }

  #flush(): void {
    const gathered = this.#gathering;
    if (!gathered) return;
    this.#gathering = undefined;
    gathered.cancelTimer();
    this.#complete.push(gathered.entries);
    this.#begin();
  }

  #begin(): void {
    while (this.#batches < this.#settings.maximumConcurrency) {
      const entries = this.#complete.shift();
      if (!entries) return;
      void this.#invoke(entries);
    }
  }

  async #invoke(entries: readonly Entry[]): Promise<void> {
    const { queues, invocations } = this.#dependencies;
    const { queueArn, functionName, reportBatchItemFailures } = this.#settings;
    this.#batches += 1;
    const event = { Records: entries.map(({ record }) => record) };
    const outcome = await invocations.invoke(functionName, event);
    const messages = entries.map(({ message }) => message);
    for (const { receiptHandle } of succeededMessages(messages, outcome, reportBatchItemFailures)) {
      queues.delete(queueArn, receiptHandle);
    }
    this.#batches -= 1;
    if (!this.#isClosed) this.#begin();
    this.#receiveSoon();
  }
}
