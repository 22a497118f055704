import { isJsonObject } from '../../../json/json';
import { FIFO_SUFFIX } from '../fifo';
import { MESSAGE_BYTES_MAX, RETENTION_SECONDS, VISIBILITY_SECONDS } from '../limits';
import type { QueueAttributes } from '../queue';
import type { Queues } from '../queues';
import { NAME, type Operation, operation, QUEUE_URL, SqsRejection } from './operation';

const TEXT = { kind: 'text' } as const;
const ATTRIBUTES = {
  kind: 'structure',
  members: {
    VisibilityTimeout: TEXT,
    DelaySeconds: TEXT,
    MessageRetentionPeriod: TEXT,
    ReceiveMessageWaitTimeSeconds: TEXT,
    RedrivePolicy: TEXT,
    MaximumMessageSize: TEXT,
    Policy: TEXT,
    SqsManagedSseEnabled: TEXT,
    FifoQueue: TEXT,
    ContentBasedDeduplication: TEXT,
  },
} as const;

/** Operations on queues as a whole. */
export const QUEUE_OPERATIONS: readonly (readonly [string, Operation])[] = [
  [
    'CreateQueue',
    operation(
      { QueueName: { ...NAME, pattern: '^(?=.{1,80}$)[A-Za-z0-9_-]+([.]fifo)?$' }, Attributes: ATTRIBUTES },
      ({ queues }, { QueueName, Attributes }) => {
        const isFifo = Attributes?.FifoQueue === 'true';
        if (isFifo !== QueueName.endsWith(FIFO_SUFFIX)) return wrongName();
        if (Attributes === undefined) return { QueueUrl: queues.create(QueueName).url };
        const read = readAttributes(Attributes);
        if (read instanceof SqsRejection) return read;
        return { QueueUrl: queues.create(QueueName, { ...queues.attributesOf(QueueName), ...read }).url };
      },
    ),
  ],
  [
    'SetQueueAttributes',
    operation(
      { QueueUrl: QUEUE_URL, Attributes: { ...ATTRIBUTES, required: true } },
      ({ queues }, { QueueUrl, Attributes }) => {
        const queue = queues.find(QueueUrl);
        const { fifo } = queues.attributesOf(QueueUrl) ?? {};
        if (
          Attributes.FifoQueue !== undefined &&
          (Attributes.FifoQueue === 'true') !== (fifo !== undefined)
        ) {
          return rejection(
            'InvalidAttributeName',
            'You can specify the FifoQueue only when a queue is created.',
          );
        }
        const read = readAttributes({ ...(fifo && { FifoQueue: 'true' }), ...Attributes }, fifo);
        if (!queue || read instanceof SqsRejection) return queue && read;
        queues.create(queue.name, { ...queues.attributesOf(QueueUrl), ...read });
        return {};
      },
    ),
  ],
  [
    'GetQueueAttributes',
    operation(
      { QueueUrl: QUEUE_URL, AttributeNames: { kind: 'list', member: TEXT } },
      ({ queues }, { QueueUrl, AttributeNames: names = [] }) => {
        const attributes = describeAttributes(queues, QueueUrl);
        const asked = Object.entries(attributes ?? {}).filter(([name]) => {
          return names.includes('All') || names.includes(name);
        });
        return attributes && (asked.length === 0 ? {} : { Attributes: Object.fromEntries(asked) });
      },
    ),
  ],
  [
    'ListDeadLetterSourceQueues',
    operation({ QueueUrl: QUEUE_URL }, ({ queues }, { QueueUrl }) => {
      const arn = queues.find(QueueUrl)?.arn;
      const isSource = (name: string) => {
        return queues.attributesOf(name)?.redrivePolicy?.deadLetterTargetArn === arn;
      };
      const sources = queues.list().filter(({ name }) => isSource(name));
      return arn === undefined ? undefined : { queueUrls: sources.map(({ url }) => url) };
    }),
  ],
  [
    'PurgeQueue',
    operation({ QueueUrl: QUEUE_URL }, ({ queues }, { QueueUrl }) =>
      queues.purge(QueueUrl) ? {} : undefined,
    ),
  ],
];

function describeAttributes(queues: Queues, url: string): Record<string, string> | undefined {
  const [queue, counts, attributes] = [queues.find(url), queues.counts(url), queues.attributesOf(url)];
  const times = queues.timesOf(url);
  if (!queue || !counts || !attributes || !times) return undefined;
  const { redrivePolicy, policy } = attributes;
  return {
    QueueArn: queue.arn,
    ApproximateNumberOfMessages: String(counts.visible),
    ApproximateNumberOfMessagesNotVisible: String(counts.notVisible),
    ApproximateNumberOfMessagesDelayed: String(counts.delayed),
    CreatedTimestamp: String(Math.floor(times.createdAt / 1000)),
    LastModifiedTimestamp: String(Math.floor(times.modifiedAt / 1000)),
    VisibilityTimeout: String(attributes.visibilityTimeoutSeconds ?? VISIBILITY_SECONDS),
    MessageRetentionPeriod: String(attributes.messageRetentionSeconds ?? RETENTION_SECONDS),
    MaximumMessageSize: String(attributes.maximumMessageBytes ?? MESSAGE_BYTES_MAX),
    DelaySeconds: String(attributes.delaySeconds ?? 0),
    ReceiveMessageWaitTimeSeconds: String(attributes.receiveMessageWaitTimeSeconds ?? 0),
    SqsManagedSseEnabled: String(attributes.isSseManaged ?? true),
    ...(attributes.fifo && {
      FifoQueue: 'true',
      ContentBasedDeduplication: String(attributes.fifo.isContentBased),
    }),
    ...(redrivePolicy && { RedrivePolicy: JSON.stringify(redrivePolicy) }),
    ...(policy !== undefined && policy !== '' && { Policy: policy }),
  };
}

type Given = { readonly [Name in keyof typeof ATTRIBUTES.members]?: string };

/** Attributes as requests give them, all of them text. */
function readAttributes(given: Given, known?: QueueAttributes['fifo']): QueueAttributes | SqsRejection {
  const isFifo = given.FifoQueue === 'true';
  const contentBased = given.ContentBasedDeduplication ?? String(known?.isContentBased ?? false);
  if (given.ContentBasedDeduplication !== undefined && !isFifo) {
    return rejection('InvalidAttributeName', 'Unknown Attribute ContentBasedDeduplication.');
  }
  const visibility = numberIn(given.VisibilityTimeout, 0, 43_200);
  const delay = numberIn(given.DelaySeconds, 0, 900);
  const retention = numberIn(given.MessageRetentionPeriod, 60, 1_209_600);
  const wait = numberIn(given.ReceiveMessageWaitTimeSeconds, 0, 20);
  const bytes = numberIn(given.MaximumMessageSize, 1_024, MESSAGE_BYTES_MAX);
  const redrive = given.RedrivePolicy === undefined ? undefined : redrivePolicyIn(given.RedrivePolicy);
  const managed = given.SqsManagedSseEnabled;
  const wrong = Object.entries({
    VisibilityTimeout: visibility,
    DelaySeconds: delay,
    MessageRetentionPeriod: retention,
    ReceiveMessageWaitTimeSeconds: wait,
    RedrivePolicy: redrive,
    MaximumMessageSize: bytes,
    Policy: isPolicy(given.Policy) ? undefined : 'invalid',
    SqsManagedSseEnabled: ['true', 'false', undefined].includes(managed) ? undefined : 'invalid',
    FifoQueue: ['true', 'false', undefined].includes(given.FifoQueue) ? undefined : 'invalid',
    ContentBasedDeduplication: ['true', 'false'].includes(contentBased) ? undefined : 'invalid',
  }).find(([, value]) => value === 'invalid');
  if (wrong) return rejection('InvalidAttributeValue', `Invalid value for the parameter ${wrong[0]}.`);
  return {
    ...(typeof visibility === 'number' && { visibilityTimeoutSeconds: visibility }),
    ...(typeof delay === 'number' && { delaySeconds: delay }),
    ...(typeof retention === 'number' && { messageRetentionSeconds: retention }),
    ...(typeof wait === 'number' && { receiveMessageWaitTimeSeconds: wait }),
    ...(typeof redrive === 'object' && { redrivePolicy: redrive }),
    ...(typeof bytes === 'number' && { maximumMessageBytes: bytes }),
    ...(isFifo && { fifo: { isContentBased: contentBased === 'true' } }),
    ...(given.Policy !== undefined && { policy: given.Policy }),
    ...(managed !== undefined && { isSseManaged: managed === 'true' }),
  };
}

function wrongName(): SqsRejection {
  const message =
    'The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with ' +
    '.fifo suffix and be 1 to 80 in length.';
  return new SqsRejection('InvalidParameterValueException', 'InvalidParameterValue', message);
}

function rejection(name: string, message: string): SqsRejection {
  return new SqsRejection(name, name, message);
}

function numberIn(text: string | undefined, min: number, max: number): number | 'invalid' | undefined {
  if (text === undefined) return undefined;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : 'invalid';
}

/** An empty text takes a policy away. */
function isPolicy(text: string | undefined): boolean {
  if (text === undefined || text === '') return true;
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function redrivePolicyIn(text: string): NonNullable<QueueAttributes['redrivePolicy']> | 'invalid' {
  try {
    const policy: unknown = JSON.parse(text);
    if (!isJsonObject(policy)) return 'invalid';
    const { deadLetterTargetArn, maxReceiveCount } = policy;
    const count = numberIn(String(maxReceiveCount), 1, 1_000);
    if (typeof deadLetterTargetArn !== 'string' || typeof count !== 'number') return 'invalid';
    return { deadLetterTargetArn, maxReceiveCount: count };
  } catch {
    return 'invalid';
  }
}
