import { Duration, Stack, Token } from 'aws-cdk-lib';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { startDelaySeconds } from '../../state-machine/contract/start-delay';
import { CHECK_MARGIN_SECONDS } from '../../state-machine/contract/started-message';
import { numberIn, propertiesOf, resourceOf } from '../../state-machine/template/rendered-properties';
import { requireUnchanged } from '../../state-machine/template/require-unchanged';
import { describeValue } from '../../state-machine/words/describe-value';
import { countOf, requireKnown, validateKinds } from '../validation/kinds';
import { validateDuration } from '../validation/props';

/** The options of `Source.queue` that depend on each other, or on the queue. */
export interface QueueOptions {
  readonly batchSize?: number;
  readonly maxConcurrency?: number;
  readonly deleteWhen?: 'finished' | 'started';
  readonly checkAfter?: Duration;
  readonly visibilityTimeout?: Duration;
  readonly maxReceiveCount?: number;
}

/** The requirements on a queue, in seconds. */
export interface QueueUse {
  /** The timeout of the function that takes its messages. */
  readonly timeoutSeconds: number;
  /** How long after its start a message is looked at; undefined: messages do not wait for the end. */
  readonly checkAfter: number | undefined;
}

/** Rejects options with which messages would be lost, or handed out while they are worked on. */
export function validateQueueOptions(queue: IQueue, options: QueueOptions, isExpress: boolean): void {
  validateKinds(options, { batchSize: countOf(1, 10), maxConcurrency: countOf(2, 1000) });
  if (queue.fifo) requireKnown('batchSize', options.batchSize);
  if (queue.fifo && (options.batchSize ?? 1) !== 1) {
    throw new Error(
      `\`batchSize\` must be 1 for a FIFO queue, got ${options.batchSize}. In a larger batch, a message behind a failed ` +
        'one of its group would use up its `maxReceiveCount` without a start. Leave it out',
    );
  }
  validateOptions(queue, options, isExpress);
  requireUnchanged(queue, { [QUEUE]: ['FifoQueue'] }, queue.fifo, 'Set `fifo` of the Queue');
}

/** The same of the queue, as the template has it. @throws Error with the remedy */
export function validateQueue(queue: IQueue, options: QueueOptions, use: QueueUse): void {
  requireOneKind(queue);
  const settings = settingsOf(queue, options);
  requireVisibility(queue, settings.visibilityTimeout, use.timeoutSeconds);
  if (use.checkAfter) requireRedrive(queue, settings);
  requireRetention(queue, settings, use.checkAfter);
}

const DELETE_WHEN: readonly unknown[] = ['finished', 'started', undefined];
/** The longest time before the first check: a receipt handle is good for twelve hours. */
export const CHECK_AFTER_MAX = Duration.hours(3);

function validateOptions(queue: IQueue, options: QueueOptions, isExpress: boolean): void {
  const { deleteWhen, checkAfter, visibilityTimeout, maxReceiveCount } = options;
  validateDuration(checkAfter, 'checkAfter', 'Duration.minutes(5)');
  validateDuration(visibilityTimeout, 'visibilityTimeout', 'Duration.minutes(5)');
  for (const [name, value] of Object.entries({ checkAfter, visibilityTimeout, maxReceiveCount })) {
    requireKnown(name, value);
  }
  if (maxReceiveCount !== undefined && !Number.isInteger(maxReceiveCount)) {
    throw new Error(`\`maxReceiveCount\` must be a whole number, got ${describeValue(maxReceiveCount)}`);
  }
  if (!DELETE_WHEN.includes(deleteWhen)) {
    throw new Error(`\`deleteWhen\` must be 'finished' or 'started', got ${describeValue(deleteWhen)}`);
  }
  if (isExpress && deleteWhen === 'started') {
    throw new Error(
      "`deleteWhen: 'started'` needs a STANDARD workflow, because the caller of an Express workflow waits for its end. " +
        'Leave it out',
    );
  }
  if (checkAfter && (isExpress || deleteWhen === 'started')) {
    throw new Error(
      '`checkAfter` works only for messages that wait for the end of a STANDARD workflow. Leave it out',
    );
  }
  const seconds = checkAfter?.toSeconds({ integral: false }) ?? 1;
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > CHECK_AFTER_MAX.toSeconds()) {
    throw new Error(
      `\`checkAfter\` must be whole seconds from 1 second to 3 hours, got ${checkAfter?.toHumanString()}`,
    );
  }
  if (isDefinedHere(queue) && (visibilityTimeout ?? maxReceiveCount) !== undefined) {
    throw new Error(
      '`visibilityTimeout` and `maxReceiveCount` describe a queue of another app, but ' +
        `this app defines ${queue.node.path}. Leave them out`,
    );
  }
}

/** The settings of a queue, in seconds; undefined: unknown. */
interface QueueSettings {
  readonly visibilityTimeout: number | undefined;
  /** Null: the queue has no redrive policy. */
  readonly maxReceiveCount: number | null | undefined;
  readonly retentionPeriod: number | undefined;
  /** Of its dead-letter queue. */
  readonly deadLetterRetentionPeriod?: number | undefined;
}

const VISIBILITY_DEFAULT_SECONDS = 30;
const RETENTION_DEFAULT_SECONDS = 4 * 24 * 60 * 60;

/** Whether the app defines the queue, so that its settings are known at synthesis. */
export function isDefinedHere(queue: IQueue): boolean {
  return resourceOf(queue, QUEUE) !== undefined;
}

const QUEUE = 'AWS::SQS::Queue';

function settingsOf(queue: IQueue, { visibilityTimeout, maxReceiveCount }: QueueOptions): QueueSettings {
  const properties = propertiesOf(queue, QUEUE);
  if (!properties) {
    return { visibilityTimeout: visibilityTimeout?.toSeconds(), maxReceiveCount, retentionPeriod: undefined };
  }
  const { VisibilityTimeout = VISIBILITY_DEFAULT_SECONDS, RedrivePolicy } = properties;
  const dead = deadLetterQueueOf(queue);
  return {
    visibilityTimeout: numberIn(VisibilityTimeout),
    maxReceiveCount: RedrivePolicy === undefined ? null : numberIn(inPolicy(RedrivePolicy).maxReceiveCount),
    retentionPeriod: retentionOf(queue),
    ...(dead && { deadLetterRetentionPeriod: retentionOf(dead) }),
  };
}

interface RedrivePolicy {
  readonly deadLetterTargetArn?: unknown;
  readonly maxReceiveCount?: unknown;
}

/** A policy, which a template may have as a text. One that is a reference says nothing. */
function inPolicy(policy: unknown): RedrivePolicy {
  const value: unknown = typeof policy === 'string' && policy.startsWith('{') ? JSON.parse(policy) : policy;
  return typeof value === 'object' && value !== null ? value : {};
}

/** The dead-letter queue of a queue, if the construct's own is still the one of the template. */
function deadLetterQueueOf(queue: IQueue): IQueue | undefined {
  const dead = queue instanceof Queue ? queue.deadLetterQueue?.queue : undefined;
  if (!dead) return undefined;
  const { deadLetterTargetArn } = inPolicy(propertiesOf(queue, QUEUE)?.['RedrivePolicy']);
  const isOwn =
    JSON.stringify(deadLetterTargetArn) === JSON.stringify(Stack.of(queue).resolve(dead.queueArn));
  return isOwn ? dead : undefined;
}

/** A queue's visibility timeout in seconds; undefined: it is not known. */
export function visibilityOf(queue: IQueue, options: QueueOptions): number | undefined {
  return settingsOf(queue, options).visibilityTimeout;
}

function retentionOf(queue: IQueue): number | undefined {
  const properties = propertiesOf(queue, QUEUE);
  return properties && numberIn(properties['MessageRetentionPeriod'] ?? RETENTION_DEFAULT_SECONDS);
}

/** Rejects a dead-letter queue of the other kind: SQS rejects it, too, when it is deployed. */
function requireOneKind(queue: IQueue): void {
  const dead = deadLetterQueueOf(queue);
  // The name tells a FIFO queue, and so does the ARN of one that is defined elsewhere, unless it is a token.
  const isKnown = dead !== undefined && (isDefinedHere(dead) || !Token.isUnresolved(dead.queueArn));
  if (!isKnown || dead.fifo === queue.fifo) return;
  const remedy = queue.fifo
    ? 'is a FIFO queue, but its dead-letter queue is not. Set `fifo: true` there'
    : 'is not a FIFO queue, but its dead-letter queue is. Leave `fifo` out there';
  throw new Error(
    `\`Source.queue\` needs a dead-letter queue of the same kind, because SQS rejects others: ${queue.node.path} ${remedy}`,
  );
}

/** Rejects a queue that hands a message out again while the function still works on it: Lambda would reject it, too. */
function requireVisibility(queue: IQueue, seconds: number | undefined, needed: number): void {
  if (seconds === undefined || seconds >= needed) return;
  throw new Error(
    `\`Source.queue\` needs a visibility timeout of at least ${needed} seconds, the time to start a ` +
      `batch; ${queue.node.path} has ${seconds} seconds. Raise its \`visibilityTimeout\``,
  );
}

/** Rejects a queue that would start a failing message again forever. */
function requireRedrive(queue: IQueue, { maxReceiveCount }: QueueSettings): void {
  if (maxReceiveCount === null) {
    throw new Error(
      '`Source.queue` needs a queue with a dead-letter queue, because otherwise a message whose step fails is started ' +
        `forever; ${queue.node.path} has none. Give it a \`deadLetterQueue\`, or set \`deleteWhen: 'started'\``,
    );
  }
  if (maxReceiveCount !== undefined && maxReceiveCount < RECEIVES_MIN) {
    throw new Error(
      `\`Source.queue\` needs a \`maxReceiveCount\` of at least ${RECEIVES_MIN}, because resuming a failed execution uses ` +
        `two more receives; ${queue.node.path} has ${maxReceiveCount}. Raise its \`maxReceiveCount\``,
    );
  }
}

/** Rejects a queue that would forget a message before its last start. */
function requireRetention(queue: IQueue, settings: QueueSettings, checkAfter: number | undefined): void {
  const { maxReceiveCount, retentionPeriod, deadLetterRetentionPeriod } = settings;
  const receives = maxReceiveCount ?? 1;
  // After each receive a message waits for the end of its key, or for the next start.
  const attempt = checkAfter ? checkAfter + CHECK_MARGIN_SECONDS : 0;
  const delays = Array.from({ length: Math.min(receives, DELAYED_RECEIVES) }, (_, index) =>
    startDelaySeconds(index + 1, 1),
  );
  const needed = Math.max(
    attempt * receives,
    delays.reduce((sum, delay) => sum + delay, 0),
  );
  if (retentionPeriod !== undefined && retentionPeriod <= needed) {
    throw new Error(
      `\`Source.queue\` needs a retention period of more than ${needed} seconds, the time to receive a message ` +
        `${receives} times; ${queue.node.path} has ${retentionPeriod} seconds. ` +
        'Raise its `retentionPeriod`',
    );
  }
  // A message keeps the time at which it was sent first.
  if (deadLetterRetentionPeriod === undefined || deadLetterRetentionPeriod > needed) return;
  throw new Error(
    `\`Source.queue\` needs a dead-letter queue with a retention period of more than ${needed} seconds, because the ` +
      `period counts from the first send; that of ${queue.node.path} has ${deadLetterRetentionPeriod} ` +
      'seconds, so messages would expire on arrival. Raise its `retentionPeriod`',
  );
}

/**
 * An outage that lasts for more receives than these, some 3.5 hours, may outlast the retention: with a large
 * `maxReceiveCount` no retention that SQS allows is longer than all delays together.
 */
const DELAYED_RECEIVES = 5;
/** A start, one that brings an ended execution back, and one that finds its key finished. */
export const RECEIVES_MIN = 3;
