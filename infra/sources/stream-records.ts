import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import type { RecordShape } from '../../state-machine/dispatcher/records-fragment';
import { describeValue } from '../../state-machine/words/describe-value';
import type { EnvelopeName } from './envelope/envelopes';

/**
 * The place where a pipe begins to read: new records only, or the oldest record that still exists.
 *
 * @example
 * RecordStream.dynamoDb(table, { startingPosition: 'LATEST' })
 */
export type StartingPosition = 'LATEST' | 'TRIM_HORIZON';

/**
 * What a pipe reads.
 *
 * @example
 * const orders: IRecordStream = RecordStream.kinesis(stream);
 */
export interface IRecordStream {
  /** What the source is called by default. */
  readonly id: string;
  /** The ARN or address of the stream. */
  readonly source: string;
  /** How a record becomes what is delivered: what is decoded, and what says something of the pipe only. */
  readonly shape: RecordShape;
  /** The form of a record: expressions that read what none has are rejected. @default - not checked */
  readonly envelope?: EnvelopeName;
  /** Members that differ when a producer sends the same again. */
  readonly volatile: readonly string[];
  /** Whether the pipe gives a record up at last, and keeps its place in the stream. */
  readonly isGivenUp: boolean;
  /** How old the oldest record is that was read, in milliseconds; undefined if AWS has no such metric. */
  readonly age?: IMetric;
  parameters(deadLetterConfig?: CfnPipe.DeadLetterConfigProperty): CfnPipe.PipeSourceParametersProperty;
  grantRead(role: Role): void;
}

/** Rejects a value that is not a starting position, as from JavaScript. @throws Error with the remedy */
export function validateStart(startingPosition: unknown): void {
  if (startingPosition === 'LATEST' || startingPosition === 'TRIM_HORIZON') return;
  throw new Error(
    `\`startingPosition\` is 'LATEST' or 'TRIM_HORIZON', got ${describeValue(startingPosition)}`,
  );
}
