import { arnOf } from '../../assembly/stack';
import type {
  Identity,
  Read,
  ResourceReader,
  ResourceSpec,
  ResourceType,
  ResourceTypes,
} from '../../assembly/types';
import { isJsonObject, type Json } from '../../json/json';
import { present } from '../../json/present';
import { FIFO_SUFFIX } from './fifo';
import { MESSAGE_BYTES_MAX } from './limits';
import type { QueueAttributes } from './queue';

/** A queue, as a template deploys it. */
export interface QueueSpec extends ResourceSpec {
  readonly arn: string;
  readonly name: string;
  readonly attributes: QueueAttributes;
}

/** SQS takes no longer name. */
const NAME_CHARACTERS_MAX = 80;
/** The service's bounds, in seconds and in bytes. */
const VISIBILITY_SECONDS_MAX = 43_200;
const DELAY_SECONDS_MAX = 900;
const RETENTION_SECONDS_MIN = 60;
const RETENTION_SECONDS_MAX = 1_209_600;
const WAIT_SECONDS_MAX = 20;
const MESSAGE_BYTES_MIN = 1_024;
/** The service's bound for `maxReceiveCount`. */
const RECEIVE_COUNT_MAX = 1_000;

/** AWS::SQS::Queue. */
export const QUEUE: ResourceType<QueueSpec> = {
  nameProperty: 'QueueName',
  nameLimit: NAME_CHARACTERS_MAX,
  nameSuffix: property => (isTrue(property('FifoQueue')) ? FIFO_SUFFIX : ''),
  ref: url,
  attributes: { Arn: arn, QueueName: ({ name }) => name, QueueUrl: url },
  read: readQueue,
};

/** The types of CloudFormation that belong to SQS. */
export const SQS_RESOURCE_TYPES: ResourceTypes = new Map<string, ResourceType>([
  ['AWS::SQS::Queue', QUEUE],
  ['AWS::SQS::QueuePolicy', { attributes: {}, inert: true }],
]);

function url({ environment: { account, region, urlSuffix }, name }: Identity): string {
  return `https://sqs.${region}.${urlSuffix}/${account}/${name}`;
}

function arn({ environment, name }: Identity): string {
  return arnOf(environment, 'sqs', name);
}

function readQueue(resource: ResourceReader): Read<QueueSpec> {
  const isFifo = resource.optionalText('FifoQueue') === 'true';
  if (isFifo !== resource.identity.name.endsWith(FIFO_SUFFIX)) {
    resource.problem('QueueName', 'of a FIFO queue ends in .fifo, and no other; FifoQueue says which it is');
  }
  return {
    arn: arn(resource.identity),
    name: resource.identity.name,
    attributes: readAttributes(resource),
  };
}

function readAttributes(resource: ResourceReader): QueueAttributes {
  const isSseManaged = resource.optionalText('SqsManagedSseEnabled');
  const kmsMasterKeyId = resource.optionalText('KmsMasterKeyId');
  const isContentBased = resource.optionalText('ContentBasedDeduplication') === 'true';
  const wholeNumber = resource.wholeNumber;
  return present({
    visibilityTimeoutSeconds: wholeNumber('VisibilityTimeout', 0, VISIBILITY_SECONDS_MAX),
    delaySeconds: wholeNumber('DelaySeconds', 0, DELAY_SECONDS_MAX),
    messageRetentionSeconds: wholeNumber(
      'MessageRetentionPeriod',
      RETENTION_SECONDS_MIN,
      RETENTION_SECONDS_MAX,
    ),
    receiveMessageWaitTimeSeconds: wholeNumber('ReceiveMessageWaitTimeSeconds', 0, WAIT_SECONDS_MAX),
    redrivePolicy: readRedrivePolicy(resource),
    maximumMessageBytes: wholeNumber('MaximumMessageSize', MESSAGE_BYTES_MIN, MESSAGE_BYTES_MAX),
    ...(resource.optionalText('FifoQueue') === 'true' && {
      fifo: {
        isContentBased,
        ...(resource.optionalText('DeduplicationScope') === 'messageGroup' && { isByGroup: true }),
        ...(resource.optionalText('FifoThroughputLimit') === 'perMessageGroupId' && {
          isLimitedByGroup: true,
        }),
      },
    }),
    ...(isSseManaged !== undefined && { isSseManaged: isSseManaged === 'true' }),
    // Returned, and not used: nothing is encrypted here.
    ...(kmsMasterKeyId !== undefined && { kmsMasterKeyId, isSseManaged: false }),
    kmsDataKeyReuseSeconds: wholeNumber('KmsDataKeyReusePeriodSeconds', 60, 86_400),
  });
}

function isTrue(value: Json | undefined): boolean {
  return value === true || value === 'true';
}

function readRedrivePolicy(resource: ResourceReader): QueueAttributes['redrivePolicy'] {
  const policy = resource.value('RedrivePolicy');
  // An empty object takes a policy away, as SetQueueAttributes does.
  if (isJsonObject(policy) && Object.keys(policy).length === 0) return undefined;
  const section = resource.object('RedrivePolicy');
  if (!section) return undefined;
  const maxReceiveCount = section.wholeNumber('maxReceiveCount', 1, RECEIVE_COUNT_MAX);
  if (section.value('maxReceiveCount') === undefined) section.problem('maxReceiveCount', 'is missing');
  return { deadLetterTargetArn: section.text('deadLetterTargetArn'), maxReceiveCount: maxReceiveCount ?? 1 };
}
