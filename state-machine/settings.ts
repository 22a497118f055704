import type { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { ExecutionNames } from './contract/execution-name';
import type { TableSchema } from './contract/table-schema';
import type { Variant } from './contract/variant';
import type { KeyExpressions } from './expression/key-expressions';
import type { FailureDestination } from './options/failure-destination';
import type { NoticeTarget } from './options/notice-target';
import type { Results } from './options/results';
import type { ResolvedTime } from './template/resolved-time';

/**
 * A table with records, and how it names what every table has.
 *
 * @example
 * const records: IRecordTable = RecordTable.fromTable(shop, { partitionKey: 'PK' });
 */
export interface IRecordTable {
  readonly table: ITable;
  readonly schema: TableSchema;
}

/** The settings that all starters of a workflow by key share. */
export interface StartSettings {
  /** Whether the names of executions show what is readable of the key, or its hash alone. */
  readonly executionNames: ExecutionNames;
}

/** What the stages of one workflow share. */
export interface Settings {
  /** Where the records are. */
  readonly table: IRecordTable;
  /** What stands before the key in the record: two workflows on one table must not share it. */
  readonly scope: string;
  readonly key: KeyExpressions;
  /** JSONata of the validated payload, without `{% %}`; absent: payloads are not compared. */
  readonly payload: string | undefined;
  /** JSONata of the payload that the record keeps, without `{% %}`; absent: it keeps none. */
  readonly keptPayload: string | undefined;
  /** How long a record counts whose step has succeeded. */
  readonly retention: Duration;
  /** The same for a record of a step that has failed. */
  readonly failedRetention: Duration;
  /**
   * For how long a claim counts without an end. Absent if the owner can be asked about and resumed: then an unfinished
   * claim counts for ever.
   */
  readonly lease: ResolvedTime | undefined;
  /** For how long a request is tried again that a service has not carried out; undefined: for hours. */
  readonly patience: ResolvedTime | undefined;
  /** For how long the step may still be working after its execution has ended. */
  readonly stepTimeout: ResolvedTime;
  /** JSONata of the result, over the step's answer as `$states.input`; undefined: all of it. */
  readonly stepResult: string | undefined;
  /** How many characters of a failed step's cause the record keeps; undefined: all. */
  readonly causeCharacters: number | undefined;
  /** The ARN of the state machine that recovers owners; undefined: no delivery starts it. */
  readonly recoveryArn: string | undefined;
  /** Where results are kept that the record does not hold; undefined: with the owner's execution. */
  readonly results: Results | undefined;
  /** Where failures are sent; undefined: nowhere. */
  readonly failureDestination: FailureDestination | undefined;
  /** Where results are sent; undefined: nowhere. */
  readonly successDestination: NoticeTarget | undefined;
  /**
   * What its judgement depends on. If the states are part of an execution that does more than this, it may enter them
   * several times, also at the same time, and its output is not the step's result.
   */
  readonly variant: Variant;
}

/** The first state's input, passed on unchanged while variables carry what the stages found out. */
export const PASS_INPUT_ON = '{% $states.input %}';
