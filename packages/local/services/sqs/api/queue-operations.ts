import { isJsonObject, type JsonObject, jsonOr } from '../../../json/json';
import { FIFO_SUFFIX } from '../fifo';
import { KEY_REUSE_SECONDS, MESSAGE_BYTES_MAX, RETENTION_SECONDS, VISIBILITY_SECONDS } from '../limits';
import type { QueueAttributes, QueueTags } from '../queue';
import type { Queues } from '../queues';
import { invalid, NAME, type Operation, operation, QUEUE_URL, SqsRejection } from './operation';

const TEXT = { kind: 'text' } as const;
const ATTRIBUTES = { kind: 'map', value: TEXT } as const;

/** The attributes of a queue that requests can set. */
const SETTABLE = [
  'VisibilityTimeout',
  'DelaySeconds',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'RedrivePolicy',
  'MaximumMessageSize',
  'Policy',
  'SqsManagedSseEnabled',
  'KmsMasterKeyId',
  'KmsDataKeyReusePeriodSeconds',
] as const;
const SETTABLE_OF_FIFO = [
  'FifoQueue',
  'ContentBasedDeduplication',
  'DeduplicationScope',
  'FifoThroughputLimit',
] as const;
const READABLE = [
  ...['All', 'QueueArn', 'CreatedTimestamp', 'LastModifiedTimestamp', 'RedriveAllowPolicy'],
  ...['', 'NotVisible', 'Delayed'].map(kind => `ApproximateNumberOfMessages${kind}`),
  ...SETTABLE,
  ...SETTABLE_OF_FIFO,
];

/** Operations on queues as a whole. */
export const QUEUE_OPERATIONS: readonly (readonly [string, Operation])[] = [
  [
    'CreateQueue',
    operation(
      {
        QueueName: { ...NAME, pattern: '^(?=.{1,80}$)[A-Za-z0-9_-]+([.]fifo)?$' },
        Attributes: ATTRIBUTES,
        tags: ATTRIBUTES,
      },
      ({ queues }, { QueueName, Attributes, tags }) => {
        const isFifo = flagIn(Attributes?.['FifoQueue']) === true;
        if (isFifo !== QueueName.endsWith(FIFO_SUFFIX)) return wrongName();
        if (Attributes === undefined && tags === undefined) return { QueueUrl: queues.create(QueueName).url };
        const read = readAttributes(Attributes ?? {}, isFifo ? { isContentBased: false } : undefined);
        if (read instanceof SqsRejection) return read;
        const known = queues.attributesOf(QueueName);
        const other =
          known && differenceOf(Attributes ?? {}, describe(known), describe({ ...known, ...read }));
        const made = { ...read, ...(tags && { tags }) };
        return other ?? { QueueUrl: queues.create(QueueName, known ? undefined : made).url };
      },
    ),
  ],
  [
    'SetQueueAttributes',
    operation(
      { QueueUrl: QUEUE_URL, Attributes: { ...ATTRIBUTES, required: true } },
      ({ queues }, { QueueUrl, Attributes }) => {
        const queue = queues.find(QueueUrl);
        const { fifo, ...known } = queues.attributesOf(QueueUrl) ?? {};
        if (!queue) return undefined;
        if (fifo && flagIn(Attributes['FifoQueue']) === false) {
          const message =
            'Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported.';
          return rejection('InvalidAttributeValue', message);
        }
        const read = readAttributes(Attributes, fifo);
        if (read instanceof SqsRejection) return read;
        queues.create(queue.name, { ...known, ...read });
        return {};
      },
    ),
  ],
  [
    'GetQueueAttributes',
    operation(
      { QueueUrl: QUEUE_URL, AttributeNames: { kind: 'list', member: TEXT } },
      ({ queues }, { QueueUrl, AttributeNames: names = [] }) => {
        const unknown = names.find(name => !READABLE.includes(name));
        if (unknown !== undefined) return unknownAttribute(unknown);
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
    'DeleteQueue',
    operation({ QueueUrl: QUEUE_URL }, ({ queues }, { QueueUrl }) =>
      queues.deleteQueue(QueueUrl) ? {} : undefined,
    ),
  ],
  [
    'TagQueue',
    operation(
      { QueueUrl: QUEUE_URL, Tags: { ...ATTRIBUTES, required: true } },
      ({ queues }, { QueueUrl, Tags }) => changeTags(queues, QueueUrl, tags => ({ ...tags, ...Tags })),
    ),
  ],
  [
    'UntagQueue',
    operation(
      { QueueUrl: QUEUE_URL, TagKeys: { kind: 'list', member: TEXT, required: true } },
      ({ queues }, { QueueUrl, TagKeys }) =>
        changeTags(queues, QueueUrl, tags => {
          return Object.fromEntries(Object.entries(tags).filter(([key]) => !TagKeys.includes(key)));
        }),
    ),
  ],
  [
    'ListQueueTags',
    operation({ QueueUrl: QUEUE_URL }, ({ queues }, { QueueUrl }) => {
      const attributes = queues.attributesOf(QueueUrl);
      const { tags = {} } = attributes ?? {};
      return attributes && (Object.keys(tags).length === 0 ? {} : { Tags: tags });
    }),
  ],
  [
    'PurgeQueue',
    operation({ QueueUrl: QUEUE_URL }, ({ queues }, { QueueUrl }) =>
      queues.purge(QueueUrl) ? {} : undefined,
    ),
  ],
];

function changeTags(queues: Queues, url: string, change: (tags: QueueTags) => QueueTags): object | undefined {
  const [queue, attributes] = [queues.find(url), queues.attributesOf(url)];
  if (!queue || !attributes) return undefined;
  queues.create(queue.name, { ...attributes, tags: change(attributes.tags ?? {}) });
  return {};
}

function describeAttributes(queues: Queues, url: string): Record<string, string> | undefined {
  const [queue, counts, attributes] = [queues.find(url), queues.counts(url), queues.attributesOf(url)];
  const times = queues.timesOf(url);
  if (!queue || !counts || !attributes || !times) return undefined;
  return {
    QueueArn: queue.arn,
    ApproximateNumberOfMessages: String(counts.visible),
    ApproximateNumberOfMessagesNotVisible: String(counts.notVisible),
    ApproximateNumberOfMessagesDelayed: String(counts.delayed),
    CreatedTimestamp: String(Math.floor(times.createdAt / 1000)),
    LastModifiedTimestamp: String(Math.floor(times.modifiedAt / 1000)),
    ...describe(attributes),
  };
}

/** The attributes that can be set, as texts. */
function describe(attributes: QueueAttributes): Record<string, string> {
  const { redrivePolicy, policy, fifo, kmsMasterKeyId: key, kmsDataKeyReuseSeconds: reuse } = attributes;
  return {
    VisibilityTimeout: String(attributes.visibilityTimeoutSeconds ?? VISIBILITY_SECONDS),
    MessageRetentionPeriod: String(attributes.messageRetentionSeconds ?? RETENTION_SECONDS),
    MaximumMessageSize: String(attributes.maximumMessageBytes ?? MESSAGE_BYTES_MAX),
    DelaySeconds: String(attributes.delaySeconds ?? 0),
    ReceiveMessageWaitTimeSeconds: String(attributes.receiveMessageWaitTimeSeconds ?? 0),
    SqsManagedSseEnabled: String(attributes.isSseManaged ?? key === undefined),
    ...(key !== undefined && {
      KmsMasterKeyId: key,
      KmsDataKeyReusePeriodSeconds: String(reuse ?? KEY_REUSE_SECONDS),
    }),
    ...(fifo && {
      FifoQueue: 'true',
      ContentBasedDeduplication: String(fifo.isContentBased),
      DeduplicationScope: fifo.isByGroup ? 'messageGroup' : 'queue',
      FifoThroughputLimit: fifo.isLimitedByGroup ? 'perMessageGroupId' : 'perQueue',
    }),
    ...(redrivePolicy && { RedrivePolicy: JSON.stringify(redrivePolicy) }),
    ...(policy !== undefined && policy !== '' && { Policy: policy }),
  };
}

/** The rejection of a queue that is there with another value of an attribute that was given. */
function differenceOf(
  given: Given,
  known: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): SqsRejection | undefined {
  const name = Object.keys(given).find(one => known[one] !== wanted[one]);
  const message = `A queue already exists with the same name and a different value for attribute ${name}`;
  return name === undefined ? undefined : new SqsRejection('QueueNameExists', 'QueueAlreadyExists', message);
}

type Given = Readonly<Record<string, string>>;
type Fifo = NonNullable<QueueAttributes['fifo']>;

/** Attributes as requests give them, all of them text. `known` is what a FIFO queue has so far. */
function readAttributes(given: Given, known: Fifo | undefined): QueueAttributes | SqsRejection {
  const settable: readonly string[] = known ? [...SETTABLE, ...SETTABLE_OF_FIFO] : SETTABLE;
  const unknown = Object.keys(given).find(name => !settable.includes(name));
  if (unknown !== undefined) return unknownAttribute(unknown);
  const fifo = known && readFifo(given, known);
  const visibility = numberIn(given['VisibilityTimeout'], 0, 43_200);
  const delay = numberIn(given['DelaySeconds'], 0, 900);
  const retention = numberIn(given['MessageRetentionPeriod'], 60, 1_209_600);
  const wait = numberIn(given['ReceiveMessageWaitTimeSeconds'], 0, 20);
  const bytes = numberIn(given['MaximumMessageSize'], 1_024, MESSAGE_BYTES_MAX);
  const { KmsMasterKeyId: key = '', Policy: policy, RedrivePolicy: givenRedrive = '' } = given;
  // An empty text takes a redrive policy away.
  const redrive = givenRedrive === '' ? undefined : redrivePolicyIn(givenRedrive);
  const managed = flagIn(given['SqsManagedSseEnabled']);
  const reuse = numberIn(given['KmsDataKeyReusePeriodSeconds'], 60, 86_400);
  const wrong = Object.entries({
    VisibilityTimeout: visibility,
    DelaySeconds: delay,
    MessageRetentionPeriod: retention,
    ReceiveMessageWaitTimeSeconds: wait,
    MaximumMessageSize: bytes,
    Policy: isPolicy(given['Policy']) ? undefined : 'invalid',
    SqsManagedSseEnabled: managed,
    KmsDataKeyReusePeriodSeconds: reuse,
    ...(fifo && fifo.wrong !== undefined && { [fifo.wrong]: 'invalid' }),
  }).find(([, value]) => value === 'invalid');
  if (wrong) return rejection('InvalidAttributeValue', `Invalid value for the parameter ${wrong[0]}.`);
  if (redrive instanceof SqsRejection) return redrive;
  if (key !== '' && managed === true) {
    const message =
      'You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE.';
    return rejection('InvalidAttributeName', message);
  }
  return {
    ...(typeof visibility === 'number' && { visibilityTimeoutSeconds: visibility }),
    ...(typeof delay === 'number' && { delaySeconds: delay }),
    ...(typeof retention === 'number' && { messageRetentionSeconds: retention }),
    ...(typeof wait === 'number' && { receiveMessageWaitTimeSeconds: wait }),
    ...(given['RedrivePolicy'] !== undefined && { redrivePolicy: redrive }),
    ...(typeof bytes === 'number' && { maximumMessageBytes: bytes }),
    ...(fifo && { fifo: fifo.attributes }),
    ...(policy !== undefined && { policy }),
    ...(typeof managed === 'boolean' && { isSseManaged: managed }),
    ...(managed === true && { kmsMasterKeyId: undefined }),
    ...(key !== '' && { kmsMasterKeyId: key, isSseManaged: false }),
    ...(typeof reuse === 'number' && { kmsDataKeyReuseSeconds: reuse }),
  };
}

/** The attributes of a FIFO queue alone, and the name of one that is wrong. */
function readFifo(given: Given, known: Fifo): { readonly attributes: Fifo; readonly wrong?: string } {
  const contentBased = flagIn(given['ContentBasedDeduplication']) ?? known.isContentBased;
  const isOther = (name: string, other: string, usual: string, before = false) => {
    const value = given[name];
    if (value === undefined) return before;
    return value === other || (value === usual ? false : 'invalid');
  };
  const flags = {
    FifoQueue: flagIn(given['FifoQueue']) ?? true,
    ContentBasedDeduplication: contentBased,
    DeduplicationScope: isOther('DeduplicationScope', 'messageGroup', 'queue', known.isByGroup),
    FifoThroughputLimit: isOther(
      'FifoThroughputLimit',
      'perMessageGroupId',
      'perQueue',
      known.isLimitedByGroup,
    ),
  };
  const wrong = Object.entries(flags).find(([, flag]) => flag === 'invalid')?.[0];
  return {
    attributes: {
      isContentBased: contentBased === true,
      ...(flags.DeduplicationScope === true && { isByGroup: true }),
      ...(flags.FifoThroughputLimit === true && { isLimitedByGroup: true }),
    },
    ...(wrong !== undefined && { wrong }),
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

function unknownAttribute(name: string): SqsRejection {
  return rejection('InvalidAttributeName', `Unknown Attribute ${name}.`);
}

/** True or false, in letters of any case. */
function flagIn(text: string | undefined): boolean | 'invalid' | undefined {
  if (text === undefined) return undefined;
  const flag = text.toLowerCase();
  return flag === 'true' || (flag === 'false' ? false : 'invalid');
}

function numberIn(text: string | undefined, min: number, max: number): number | 'invalid' | undefined {
  if (text === undefined) return undefined;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : 'invalid';
}

/** An empty text takes a policy away. */
function isPolicy(text = ''): boolean {
  return text === '' || objectIn(text) !== undefined;
}

function redrivePolicyIn(text: string): NonNullable<QueueAttributes['redrivePolicy']> | SqsRejection {
  const wrong = (reason: string) => {
    return invalid(`Value ${text} for parameter RedrivePolicy is invalid. Reason: ${reason}`);
  };
  const policy = objectIn(text);
  if (!policy) return wrong('Redrive policy is not a valid JSON map.');
  const { deadLetterTargetArn: arn, maxReceiveCount } = policy;
  for (const name of ['maxReceiveCount', 'deadLetterTargetArn']) {
    if (policy[name] === undefined) {
      return wrong(`Redrive policy does not contain mandatory attribute: ${name}.`);
    }
  }
  const count = numberIn(String(maxReceiveCount), 1, 1_000);
  if (typeof count !== 'number') {
    const valid = 'valid values are from 1 to 1000 both inclusive.';
    return wrong(`Invalid value for maxReceiveCount: ${String(maxReceiveCount)}, ${valid}`);
  }
  if (typeof arn !== 'string' || !/^arn:[^:]+:sqs:[^:]*:[^:]*:[^:]+$/.test(arn)) {
    return wrong('Invalid value for deadLetterTargetArn.');
  }
  return { deadLetterTargetArn: arn, maxReceiveCount: count };
}

function objectIn(text: string): JsonObject | undefined {
  const value = jsonOr(text, undefined);
  return isJsonObject(value) ? value : undefined;
}
