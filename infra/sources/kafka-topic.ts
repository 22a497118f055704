import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { describeValue } from '../../state-machine/words/describe-value';
import { validateNames } from '../../state-machine/words/validate-names';
import { acknowledge, FINDING } from '../cdk/acknowledge';
import { requireOwn } from '../cdk/resource-bounds';
import { isFilledListOf, type Kind, requireKind, TEXT } from '../validation/kinds';
import { type IRecordStream, type StartingPosition, validateStart } from './stream-records';

/**
 * Settings of a Kafka topic.
 *
 * @example
 * const topic: KafkaOptions = { topic: 'orders', startingPosition: 'TRIM_HORIZON' };
 */
export interface KafkaOptions {
  readonly topic: string;
  readonly startingPosition: StartingPosition;
  /** @default - one that the pipe makes up */
  readonly consumerGroupId?: string;
}

/**
 * Settings of a topic of Amazon MSK.
 *
 * @example
 * RecordStream.msk(clusterArn, { topic: 'orders', startingPosition: 'LATEST', saslScram512Auth: login })
 */
export interface MskOptions extends KafkaOptions {
  /** User and password, for SASL/SCRAM, with the KMS key of your own that MSK demands. */
  readonly saslScram512Auth: ISecret;
}

/**
 * Settings of a topic of a Kafka that you run, and that a pipe reaches over the internet.
 *
 * @example
 * RecordStream.kafka({
 *   bootstrapServers: ['kafka-1.example.com:9094'],
 *   topic: 'orders',
 *   startingPosition: 'LATEST',
 *   saslScram512Auth: login,
 * })
 */
export interface SelfManagedKafkaOptions extends KafkaOptions {
  /** `host:port` of each broker. */
  readonly bootstrapServers: readonly string[];
  /** User and password, for SASL/SCRAM. */
  readonly saslScram512Auth: ISecret;
}

const OPTIONS = {
  topic: true,
  startingPosition: true,
  consumerGroupId: true,
  saslScram512Auth: true,
} as const;

/** A topic of Amazon MSK. @throws Error with the remedy */
export function mskTopic(clusterArn: string, options: MskOptions): IRecordStream {
  if (typeof clusterArn !== 'string') {
    throw new Error(`\`RecordStream.msk\` takes the ARN of a cluster, got ${describeValue(clusterArn)}`);
  }
  validateNames('RecordStream.msk', options, OPTIONS);
  validateTopic(options);
  return {
    ...topicOf(options),
    source: clusterArn,
    parameters: () => ({ managedStreamingKafkaParameters: topicParameters(options) }),
    grantRead(role) {
      requireOwn('RecordStream.msk', {}, clusterArn, role);
      const ofCluster = ['DescribeCluster', 'DescribeClusterV2', 'GetBootstrapBrokers'];
      allow(role, 'kafka', ofCluster, clusterArn);
      allow(role, 'ec2', NETWORK, '*');
      acknowledge(role, FINDING.wildcard('*'), 'the network interfaces of the pipe have no names beforehand');
      grantLogin(role, options);
    },
  };
}

/** A topic of a self-managed Kafka. @throws Error with the remedy */
export function selfManagedTopic(options: SelfManagedKafkaOptions): IRecordStream {
  validateNames('RecordStream.kafka', options, { ...OPTIONS, bootstrapServers: true });
  validateTopic(options);
  const { bootstrapServers } = options;
  requireKind('bootstrapServers', bootstrapServers, SERVERS);
  const [first, ...others] = bootstrapServers;
  return {
    ...topicOf(options),
    source: `smk://${first}`,
    parameters: () => ({
      selfManagedKafkaParameters: {
        ...topicParameters(options),
        ...(others.length > 0 && { additionalBootstrapServers: others }),
      },
    }),
    grantRead: role => grantLogin(role, options),
  };
}

type Described = MskOptions | SelfManagedKafkaOptions;

const SERVERS: Kind = [value => isFilledListOf(value, TEXT[0]), "a list of 'host:port'"];

function validateTopic({ topic, startingPosition, consumerGroupId, saslScram512Auth }: Described): void {
  if (typeof topic !== 'string' || topic === '')
    throw new Error(`\`topic\` must be a name, got ${describeValue(topic)}`);
  validateStart(startingPosition);
  if (consumerGroupId !== undefined) requireKind('consumerGroupId', consumerGroupId, TEXT);
  if (typeof saslScram512Auth?.secretArn !== 'string') {
    throw new Error(
      `\`saslScram512Auth\` must be a secret of Secrets Manager, got ${describeValue(saslScram512Auth)}`,
    );
  }
}

function topicOf({
  topic,
}: KafkaOptions): Pick<IRecordStream, 'id' | 'shape' | 'envelope' | 'volatile' | 'isGivenUp'> {
  return {
    id: topic,
    shape: { json: 'value', text: 'key', without: [] },
    envelope: 'kafka',
    volatile: ['eventSourceKey', 'partition', 'offset', 'timestamp', 'timestampType'],
    // Pipes hand a record of Kafka over for as long as the topic has it.
    isGivenUp: false,
  };
}

function topicParameters({ topic, startingPosition, consumerGroupId, saslScram512Auth }: Described) {
  return {
    topicName: topic,
    startingPosition,
    batchSize: 1,
    ...(consumerGroupId !== undefined && { consumerGroupId }),
    credentials: { saslScram512Auth: saslScram512Auth.secretArn },
  };
}

const NETWORK = [
  'CreateNetworkInterface',
  'DeleteNetworkInterface',
  'DescribeNetworkInterfaces',
  'DescribeSecurityGroups',
  'DescribeSubnets',
  'DescribeVpcs',
];

function grantLogin(role: Role, { saslScram512Auth }: Described): void {
  requireOwn('saslScram512Auth', saslScram512Auth, saslScram512Auth.secretArn, role);
  saslScram512Auth.grantRead(role);
}

function allow(role: Role, service: string, operations: readonly string[], resource: string): void {
  const actions = operations.map(name => `${service}:${name}`);
  role.addToPolicy(new PolicyStatement({ actions, resources: [resource] }));
}
