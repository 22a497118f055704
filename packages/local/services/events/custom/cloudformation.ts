import { createHash } from 'node:crypto';
import { arnOf } from '../../../assembly/stack';
import type {
  Identity,
  Read,
  ResourceReader,
  ResourceSpec,
  ResourceType,
  Section,
} from '../../../assembly/types';
import type { RetryPolicy } from '../target/target';

/** A custom event bus, as a template deploys it. */
export interface CustomBusSpec extends ResourceSpec {
  readonly arn: string;
  readonly name: string;
}

/** The part of an event that a filter reads, or of which its pattern consists. */
export type FilterScope = 'DATA' | 'METADATA' | 'SYSTEM_METADATA';

/** A subscriber of a custom event bus, as a template deploys it. */
export interface SubscriberSpec extends ResourceSpec {
  readonly arn: string;
  readonly name: string;
  readonly busArn: string;
  readonly enabled: boolean;
  readonly targetArn: string;
  /** How long the target may take to answer, in seconds; undefined: the start is the answer. */
  readonly waitSeconds?: number;
  readonly filters: readonly { readonly scope: FilterScope; readonly pattern: string }[];
  /** What the target gets of an event: the event, all three parts, or what the expression makes. */
  readonly transformer: 'RAW' | 'WITH_METADATA' | { readonly expression: string };
  readonly batchSize: number;
  readonly retryPolicy: RetryPolicy;
  /** The queue for the ids of events that the target did not take. */
  readonly deadLetterArn?: string;
}

/** AWS::EventsV2::EventBus. */
export const CUSTOM_BUS: ResourceType<CustomBusSpec> = {
  nameProperty: 'Name',
  ref: busArn,
  attributes: { EventBusArn: busArn },
  read: ({ identity }) => ({ arn: busArn(identity), name: identity.name }),
};

/** AWS::EventsV2::Subscriber. What the local runtime has not, is not run, with the reason. */
export const SUBSCRIBER: ResourceType<SubscriberSpec> = {
  nameProperty: 'Name',
  ref: subscriberArn,
  attributes: { SubscriberArn: subscriberArn },
  read: readSubscriber,
};

function busArn(identity: Identity): string {
  return arnOf(identity.environment, 'events', `event-busv2/${identity.name}/${idOf(identity)}`);
}

function subscriberArn(identity: Identity): string {
  return arnOf(identity.environment, 'events', `subscriber/${identity.name}/${idOf(identity)}`);
}

/** An id of 25 characters, as the service generates, but the same in each run. */
function idOf({ logicalId, name }: Identity): string {
  return createHash('sha256').update(`${logicalId}/${name}`).digest('hex').slice(0, 25);
}

/** What AWS delivers at once by default to a target of this kind, and at most. A queue gets each event as a message. */
const BATCH = 10;
const BATCH_MAX = 100;
const WAIT_SECONDS = 30;

function readSubscriber(resource: ResourceReader): Read<SubscriberSpec> {
  const invoke = resource.object('InvokeConfiguration');
  const parameters = invoke?.object('StepFunctionsParameters');
  const transformer = resource.object('Transformer');
  const deadLetterArn = resource.object('OnFailureConfiguration')?.optionalText('Arn');
  const batchSize = resource.object('BatchConfiguration')?.wholeNumber('MaxBatchSize', 1, BATCH_MAX);
  const targetArn = invoke?.text('TargetArn') ?? '';
  const reason = notRunReason(resource, parameters);
  if (reason !== undefined) resource.notRun(reason);
  const isAwaited = parameters?.optionalText('InvocationType') === 'REQUEST_RESPONSE';
  const waitSeconds = parameters?.optionalNumber('InvocationTimeoutSeconds') ?? WAIT_SECONDS;
  return {
    arn: subscriberArn(resource.identity),
    name: resource.identity.name,
    busArn: resource.text('EventBusArn'),
    enabled: resource.optionalText('State') !== 'STOPPED',
    targetArn,
    ...(isAwaited && { waitSeconds }),
    filters: (resource.object('FilterConfiguration')?.objects('Filters') ?? []).map(readFilter),
    transformer: transformer ? readTransformer(transformer) : 'RAW',
    batchSize: targetArn.split(':')[2] === 'sqs' ? 1 : (batchSize ?? BATCH),
    retryPolicy: readRetryPolicy(resource.object('RetryPolicy')),
    ...(deadLetterArn !== undefined && { deadLetterArn }),
  };
}

function readFilter(filter: Section): SubscriberSpec['filters'][number] {
  const scope = filter.oneOf('Scope', ['DATA', 'METADATA', 'SYSTEM_METADATA'] as const) ?? 'DATA';
  return { scope, pattern: filter.text('Pattern') };
}

function readTransformer(transformer: Section): SubscriberSpec['transformer'] {
  const type = transformer.oneOf('Type', ['RAW', 'WITH_METADATA', 'JSONATA'] as const) ?? 'RAW';
  if (type !== 'JSONATA') return type;
  const written = transformer.object('JsonataConfiguration')?.text('Expression') ?? '';
  const [, expression] = /^\{%([\s\S]+?)%\}$/.exec(written.trim()) ?? [];
  if (expression === undefined) transformer.problem('JsonataConfiguration', 'must be an expression in {% %}');
  return { expression: expression ?? '' };
}

/** The defaults are those of a custom event bus, not those of rules. */
function readRetryPolicy(policy: Section | undefined): RetryPolicy {
  return {
    maximumRetryAttempts: policy?.optionalNumber('MaxRetryAttempts') ?? 5,
    maximumEventAgeInSeconds: policy?.optionalNumber('MaxEventAgeInSeconds') ?? 300,
  };
}

function notRunReason(resource: ResourceReader, parameters: Section | undefined): string | undefined {
  if (resource.optionalText('Type') === 'FIFO') return 'it is a FIFO subscriber';
  const pointType = resource.object('PointInTimeConfiguration')?.optionalText('PointType');
  // A bus has no events before the stack starts, so that all of them are those from then on.
  if (resource.optionalText('StartingPosition') === 'POINT_IN_TIME' && pointType !== 'HORIZON')
    return 'it starts at a point in time';
  if (parameters?.optionalText('Name') !== undefined) return 'it names executions by an expression';
  return undefined;
}
