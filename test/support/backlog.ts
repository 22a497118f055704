import { randomFrom } from './random';

/** What decides how fast a queue's messages are started, and how often they may fail to be. */
export interface Backlog {
  readonly messages: number;
  /** The quota of StartExecution: a bucket, and what is added to it each second. */
  readonly quota: { readonly perSecond: number; readonly bucket: number };
  /** How long nothing at all can be started, from the first receive on. @default 0 */
  readonly outageMinutes?: number;
  /** The event source mapping. Without a bound Lambda goes up to 1,000. */
  readonly batchSize: number;
  readonly maximumConcurrency?: number;
  /** The queue, in seconds. */
  readonly visibilityTimeout: number;
  readonly maxReceiveCount: number;
  /** The dispatcher's retries of a rejected start, in Step Functions' own names. */
  readonly retry: {
    readonly IntervalSeconds: number;
    readonly BackoffRate: number;
    readonly MaxAttempts: number;
    readonly MaxDelaySeconds: number;
  };
  /** How long a message waits after its nth receive did not start it. @default - for the visibility timeout */
  readonly delayAfter?: (receiveCount: number) => number;
}

/** What became of a backlog. */
export interface BacklogOutcome {
  readonly started: number;
  /** In the dead-letter queue, without a start. */
  readonly givenUp: number;
  /** Until the last message was started, or given up. */
  readonly minutes: number;
  readonly invocations: number;
}

/** A moment of the model, in seconds. */
const TICK = 0.1;
/** AWS Lambda Developer Guide, "Configuring scaling behavior for SQS event source mappings". */
const SCALING = { first: 5, perMinute: 300, most: 1_000 } as const;
const SEED = 7;

/** Things that happen at later moments, in the order in which they were added. */
class Later<Thing> {
  readonly #things: (Thing[] | undefined)[] = [];

  at(tick: number, thing: Thing): void {
    const things = this.#things[tick];
    if (things) things.push(thing);
    else this.#things[tick] = [thing];
  }

  take(tick: number): readonly Thing[] {
    const things = this.#things[tick] ?? [];
    this.#things[tick] = undefined;
    return things;
  }
}

interface Batch {
  open: number;
}

interface Attempt {
  readonly message: number;
  readonly receivedAt: number;
  readonly retries: number;
  readonly batch: Batch;
}

/**
 * Lets a queue's backlog be started. Lambda scales up, and each batch starts its messages at once. Step Functions
 * rejects starts beyond the quota, and the dispatcher retries. A message that was not started then is received again.
 *
 * Only the quota fails a start. A start, and the rest of an invocation, take a tenth of a second each.
 */
export function workOff(backlog: Backlog): BacklogOutcome {
  const { messages, quota, batchSize, visibilityTimeout, maxReceiveCount, retry, delayAfter } = backlog;
  const { outageMinutes = 0 } = backlog;
  const most = backlog.maximumConcurrency ?? SCALING.most;
  const random = randomFrom(SEED);
  const receives = new Uint16Array(messages);
  const attempts = new Later<Attempt>();
  const visibleAgain = new Later<number>();
  const visible = Array.from({ length: messages }, (_, message) => message);
  const count = { started: 0, givenUp: 0, invocations: 0, busy: 0 };
  let [next, tokens, tick] = [0, quota.bucket, 0];

  const end = ({ batch }: Attempt) => {
    batch.open -= 1;
    if (batch.open === 0) count.busy -= 1;
  };
  const notStarted = (attempt: Attempt) => {
    const delay = delayAfter?.(receives[attempt.message] ?? 0);
    const from = delay === undefined ? attempt.receivedAt + visibilityTimeout / TICK : tick + delay / TICK;
    visibleAgain.at(Math.max(tick + 1, Math.round(from)), attempt.message);
    end(attempt);
  };
  const attemptStart = (attempt: Attempt) => {
    if (tokens >= 1) {
      tokens -= 1;
      count.started += 1;
      end(attempt);
    } else if (attempt.retries === retry.MaxAttempts) notStarted(attempt);
    else {
      const longest = Math.min(
        retry.IntervalSeconds * retry.BackoffRate ** attempt.retries,
        retry.MaxDelaySeconds,
      );
      const at = tick + 1 + Math.floor((random() * longest) / TICK);
      attempts.at(at, { ...attempt, retries: attempt.retries + 1 });
    }
  };
  const receive = () => {
    const batch: Batch = { open: 0 };
    while (batch.open < batchSize && next < visible.length) {
      const message = visible[next] ?? 0;
      next += 1;
      if (receives[message] === maxReceiveCount) {
        count.givenUp += 1;
        continue;
      }
      receives[message] = (receives[message] ?? 0) + 1;
      batch.open += 1;
      attempts.at(tick + 1, { message, receivedAt: tick, retries: 0, batch });
    }
    if (batch.open === 0) return;
    count.busy += 1;
    count.invocations += 1;
  };

  for (; count.started + count.givenUp < messages; tick += 1) {
    tokens = tick * TICK < outageMinutes * 60 ? 0 : Math.min(quota.bucket, tokens + quota.perSecond * TICK);
    for (const attempt of attempts.take(tick)) attemptStart(attempt);
    for (const message of visibleAgain.take(tick)) visible.push(message);
    const scaled = SCALING.first + Math.floor((SCALING.perMinute * tick * TICK) / 60);
    while (count.busy < Math.min(most, scaled) && next < visible.length) receive();
  }
  const { started, givenUp, invocations } = count;
  return { started, givenUp, minutes: Math.round((tick * TICK) / 60), invocations };
}
