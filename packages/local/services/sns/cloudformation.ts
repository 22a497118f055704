import { arnOf } from '../../assembly/stack';
import type {
  Identity,
  Read,
  ResourceReader,
  ResourceSpec,
  ResourceType,
  ResourceTypes,
} from '../../assembly/types';
import { type Filter, readFilterPolicy } from './filter-policy';

/** A topic, as a template deploys it. */
export interface TopicSpec extends ResourceSpec {
  readonly arn: string;
  readonly name: string;
  /** The subscriptions that the template writes into the topic itself. */
  readonly subscriptions: readonly SubscriptionSpec[];
}

/** Who gets the messages of a topic. */
export interface SubscriptionSpec {
  readonly topicArn: string;
  readonly protocol: string;
  /** The ARN of a queue or a function. */
  readonly endpoint: string;
  /** Whether a queue gets the message as it was published, and not in an envelope. */
  readonly raw: boolean;
  /** Which messages it gets. @default - all */
  readonly filter?: Filter;
}

/** AWS::SNS::Topic, standard topics only. */
export const TOPIC: ResourceType<TopicSpec> = {
  nameProperty: 'TopicName',
  ref: arn,
  attributes: { TopicArn: arn, TopicName: ({ name }) => name },
  read: readTopic,
};

/**
 * AWS::SNS::Subscription of a queue or a function. Those of other protocols are not run, nor those that filter by the
 * body of messages, or by conditions that are not built.
 */
export const SUBSCRIPTION: ResourceType<SubscriptionSpec & ResourceSpec> = {
  attributes: {},
  read: readSubscription,
};

/** The types of CloudFormation that belong to SNS. */
export const SNS_RESOURCE_TYPES: ResourceTypes = new Map<string, ResourceType>([
  ['AWS::SNS::Topic', TOPIC],
  ['AWS::SNS::Subscription', SUBSCRIPTION],
  ['AWS::SNS::TopicPolicy', { attributes: {}, inert: true }],
]);

/** The protocols whose subscriptions are run. */
export const PROTOCOLS: readonly string[] = ['sqs', 'lambda'];

function arn({ environment, name }: Identity): string {
  return arnOf(environment, 'sns', name);
}

function readTopic(resource: ResourceReader): Read<TopicSpec> {
  if (resource.optionalText('FifoTopic') === 'true') resource.notRun('it is a FIFO topic');
  const topicArn = arn(resource.identity);
  const all = resource.objects('Subscription').map(section => {
    return { topicArn, protocol: section.text('Protocol'), endpoint: section.text('Endpoint'), raw: false };
  });
  // The topic runs without its readers of mail.
  const subscriptions = all.filter(({ protocol }) => PROTOCOLS.includes(protocol));
  return { arn: topicArn, name: resource.identity.name, subscriptions };
}

function readSubscription(resource: ResourceReader): SubscriptionSpec {
  const protocol = resource.text('Protocol');
  requireProtocol(protocol, resource);
  const filter = readFilter(resource);
  return {
    topicArn: resource.text('TopicArn'),
    protocol,
    endpoint: resource.optionalText('Endpoint') ?? '',
    raw: resource.optionalText('RawMessageDelivery') === 'true',
    ...(filter && { filter }),
  };
}

function readFilter(resource: ResourceReader): Filter | undefined {
  const policy = resource.value('FilterPolicy');
  if (policy === undefined) return undefined;
  if (resource.optionalText('FilterPolicyScope') === 'MessageBody') {
    return resource.notRun('it filters by the body of messages');
  }
  const read = readFilterPolicy(policy);
  return read.kind === 'filter' ? read.filter : resource.notRun(`its filter policy ${read.reason}`);
}

function requireProtocol(protocol: string, resource: ResourceReader): void {
  if (protocol !== '' && !PROTOCOLS.includes(protocol)) resource.notRun(`it delivers to ${protocol}`);
}
