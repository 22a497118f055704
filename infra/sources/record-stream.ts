import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IStream } from 'aws-cdk-lib/aws-kinesis';
import type { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import { describeValue } from '../../state-machine/words/describe-value';
import { validateNames } from '../../state-machine/words/validate-names';
import { acknowledge, FINDING } from '../cdk/acknowledge';
import { requireOwn } from '../cdk/resource-bounds';
import { validateDuration } from '../validation/props';
import { type MskOptions, mskTopic, type SelfManagedKafkaOptions, selfManagedTopic } from './kafka-topic';
import { type IRecordStream, type StartingPosition, validateStart } from './stream-records';

/**
 * Settings of a stream in shards.
 *
 * @example
 * RecordStream.kinesis(stream, { startingPosition: 'TRIM_HORIZON' })
 */
export interface ShardedStreamOptions {
  readonly startingPosition: StartingPosition;
  /** Records of a shard that are started at the same time, 1 to 10, each of another partition key. @default 1 */
  readonly parallelizationFactor?: number;
  /**
   * How old a record may get that the pipe cannot hand over, 1 minute to 7 days. Then its place in the stream is in the
   * dead-letter queue: let the stream retain it for longer.
   *
   * @default 12 hours
   */
  readonly maximumRecordAge?: Duration;
}

/**
 * What a pipe can read, for {@link Source.pipe}.
 *
 * @example
 * Source.pipe(RecordStream.dynamoDb(table))
 */
export const RecordStream = {
  /**
   * A Kinesis stream. `data` is JSON, and decoded: a key is `{% $states.input.data.orderId %}`. What differs when a
   * producer puts a record twice is left out: `eventID`, `sequenceNumber`, `approximateArrivalTimestamp`.
   *
   * @throws Error for a value that is not a stream, and for an unknown option, or one out of bounds
   */
  kinesis(stream: IStream, options: ShardedStreamOptions): IRecordStream {
    if (typeof stream?.streamArn !== 'string') {
      throw new Error(`\`RecordStream.kinesis\` takes a Kinesis stream, got ${describeValue(stream)}`);
    }
    validateSharded('RecordStream.kinesis', options);
    return {
      id: stream.node.id,
      source: stream.streamArn,
      shape: { json: 'data', without: ['invokeIdentityArn'] },
      envelope: 'kinesis',
      volatile: ['eventID', 'sequenceNumber', 'approximateArrivalTimestamp'],
      isGivenUp: true,
      age: stream.metricGetRecordsIteratorAgeMilliseconds({ statistic: Stats.MAXIMUM }),
      parameters: queue => ({ kinesisStreamParameters: shardParameters(options, queue) }),
      grantRead(role) {
        requireOwn('RecordStream.kinesis', stream, stream.streamArn, role);
        stream.grantRead(role);
      },
    };
  },

  /**
   * The changes of a DynamoDB table, whose `stream` must be on. A record is the same in each of its deliveries, and
   * nothing is left out: a key is `{% $states.input.dynamodb.Keys.orderId.S %}`, or `{% $states.input.eventID %}`,
   * another for each change.
   *
   * @throws Error for a value that is not a table, or a table without a stream, and for an unknown option, or one out
   * of bounds
   */
  dynamoDb(table: ITable, options: ShardedStreamOptions): IRecordStream {
    if (typeof table?.tableArn !== 'string') {
      throw new Error(`\`RecordStream.dynamoDb\` takes a DynamoDB table, got ${describeValue(table)}`);
    }
    const source = table.tableStreamArn;
    if (source === undefined) {
      throw new Error(
        `\`RecordStream.dynamoDb\` needs a table with a stream, but ${table.node.path} has none. Set its \`stream\``,
      );
    }
    validateSharded('RecordStream.dynamoDb', options);
    return {
      id: table.node.id,
      source,
      shape: { without: [] },
      envelope: 'dynamoDb',
      volatile: [],
      isGivenUp: true,
      parameters: queue => ({ dynamoDbStreamParameters: shardParameters(options, queue) }),
      grantRead(role) {
        requireOwn('RecordStream.dynamoDb', table, table.tableArn, role);
        requireOwn('RecordStream.dynamoDb', table, source, role, 'tableStream');
        table.grantStreamRead(role);
        acknowledge(role, FINDING.wildcard('*'), 'the operation that lists streams knows no resource');
      },
    };
  },

  /**
   * A topic of Amazon MSK. `value` is JSON, `key` text, and both are decoded: a key is
   * `{% $states.input.value.orderId %}`. What differs when a producer sends a record twice is left out: `partition`,
   * `offset`, `timestamp` and their like.
   *
   * @throws Error for a text that is not an ARN, and for an unknown option
   */
  msk(clusterArn: string, options: MskOptions): IRecordStream {
    return mskTopic(clusterArn, options);
  },

  /** A topic of a Kafka that you run, as that of `msk`. @throws Error the same */
  kafka(options: SelfManagedKafkaOptions): IRecordStream {
    return selfManagedTopic(options);
  },
} as const;

const RECORD_AGE = Duration.hours(12);
const RECORD_AGE_SECONDS = { min: 60, max: 7 * 24 * 60 * 60 };
const SHARDED_OPTIONS: Readonly<Record<keyof ShardedStreamOptions, true>> = {
  startingPosition: true,
  parallelizationFactor: true,
  maximumRecordAge: true,
};

function validateSharded(name: string, options: ShardedStreamOptions): void {
  validateNames(name, options, SHARDED_OPTIONS);
  const { startingPosition, parallelizationFactor: factor = 1, maximumRecordAge = RECORD_AGE } = options;
  validateStart(startingPosition);
  if (!Number.isInteger(factor) || factor < 1 || factor > 10) {
    throw new Error(
      `\`parallelizationFactor\` must be a whole number from 1 to 10, got ${describeValue(factor)}`,
    );
  }
  validateDuration(maximumRecordAge, 'maximumRecordAge', 'Duration.hours(12)');
  const seconds = maximumRecordAge.toSeconds({ integral: false });
  const { min, max } = RECORD_AGE_SECONDS;
  if (!Number.isInteger(seconds) || seconds < min || seconds > max) {
    const got = maximumRecordAge.toHumanString();
    throw new Error(`\`maximumRecordAge\` must be whole seconds from 1 minute to 7 days, got ${got}`);
  }
}

function shardParameters(
  { startingPosition, parallelizationFactor, maximumRecordAge = RECORD_AGE }: ShardedStreamOptions,
  deadLetterConfig: CfnPipe.DeadLetterConfigProperty | undefined,
) {
  return {
    startingPosition,
    batchSize: 1,
    maximumRecordAgeInSeconds: maximumRecordAge.toSeconds(),
    ...(parallelizationFactor !== undefined && { parallelizationFactor }),
    ...(deadLetterConfig && { deadLetterConfig }),
  };
}
