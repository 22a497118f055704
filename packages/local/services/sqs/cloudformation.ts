import { arnOf } from '../../assembly/stack';
import type {
  Identity,
  ResourceReader,
  ResourceSpec,
  ResourceType,
  ResourceTypes,
  Section,
} from '../../assembly/types';
import { isJsonObject, type Json } from '../../json/json';
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

function readQueue(resource: ResourceReader): QueueSpec {
  const isFifo = resource.optionalText('FifoQueue') === 'true';
  if (isFifo !== resource.identity.name.endsWith(FIFO_SUFFIX)) {
    resource.problem('QueueName', 'of a FIFO queue ends in .fifo, and no other; FifoQueue says which it is');
  }
  return {
    logicalId: resource.logicalId,
    stack: resource.stack.name,
    arn: arn(resource.identity),
    name: resource.identity.name,
    attributes: readAttributes(resource),
  };
}

function readAttributes(resource: ResourceReader): QueueAttributes {
  const visibility = within(resource, 'VisibilityTimeout', 0, VISIBILITY_SECONDS_MAX);
  const delay = within(resource, 'DelaySeconds', 0, DELAY_SECONDS_MAX);
  const retention = within(resource, 'MessageRetentionPeriod', RETENTION_SECONDS_MIN, RETENTION_SECONDS_MAX);
  const wait = within(resource, 'ReceiveMessageWaitTimeSeconds', 0, WAIT_SECONDS_MAX);
  const bytes = within(resource, 'MaximumMessageSize', MESSAGE_BYTES_MIN, MESSAGE_BYTES_MAX);
  const isSseManaged = resource.optionalText('SqsManagedSseEnabled');
  const kmsMasterKeyId = resource.optionalText('KmsMasterKeyId');
  const reuse = within(resource, 'KmsDataKeyReusePeriodSeconds', 60, 86_400);
  const isContentBased = resource.optionalText('ContentBasedDeduplication') === 'true';
  const redrivePolicy = readRedrivePolicy(resource);
  return {
    ...(visibility !== undefined && { visibilityTimeoutSeconds: visibility }),
    ...(delay !== undefined && { delaySeconds: delay }),
    ...(retention !== undefined && { messageRetentionSeconds: retention }),
    ...(wait !== undefined && { receiveMessageWaitTimeSeconds: wait }),
    ...(redrivePolicy && { redrivePolicy }),
    ...(bytes !== undefined && { maximumMessageBytes: bytes }),
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
    ...(reuse !== undefined && { kmsDataKeyReuseSeconds: reuse }),
  };
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
  const maxReceiveCount = within(section, 'maxReceiveCount', 1, RECEIVE_COUNT_MAX);
  if (section.value('maxReceiveCount') === undefined) section.problem('maxReceiveCount', 'is missing');
  return { deadLetterTargetArn: section.text('deadLetterTargetArn'), maxReceiveCount: maxReceiveCount ?? 1 };
}

function within(section: Section, name: string, min: number, max: number): number | undefined {
  const number = section.optionalNumber(name);
  if (number === undefined || (Number.isInteger(number) && number >= min && number <= max)) return number;
  return section.problem(name, `must be a whole number from ${min} to ${max}, got ${number}`);
}
