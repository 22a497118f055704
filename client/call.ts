import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SFNClient } from '@aws-sdk/client-sfn';
import { executionName } from '../state-machine/contract/execution-name';
import { recordKey } from '../state-machine/contract/idempotency-key';
import type { ObjectReader } from '../state-machine/contract/store-result';
import { RECORD_SCHEMA, type TableSchema } from '../state-machine/contract/table-schema';
import { dynamoDbClientLike } from './dynamodb-client';
import { inputText } from './input-text';
import { type StartOnceOptions, validatedKey, type WorkflowType } from './options';
import { Patience, type Time } from './time';

/** One call of `startOnce`, its options checked. */
export interface Call {
  readonly sfn: SFNClient;
  readonly dynamodb: DynamoDBClient;
  readonly s3: ObjectReader | undefined;
  readonly type: WorkflowType;
  readonly stateMachineArn: string;
  readonly table: string;
  readonly tableSchema: TableSchema;
  /** The key as it was given, as text, and as the partition key of its record. */
  readonly key: unknown;
  readonly keyText: string;
  readonly recordKey: string;
  /** The execution's name, as long as nothing else has taken it. */
  readonly name: string;
  readonly input: string;
  readonly isWaiting: boolean;
  readonly patience: Patience;
  readonly signal: AbortSignal | undefined;
  readonly time: Time;
}

/** Checks the options before anything is called. @throws MissingKeyError, StartOnceError */
export async function prepared(client: SFNClient, options: StartOnceOptions, time: Time): Promise<Call> {
  const keyText = validatedKey(options);
  const {
    stateMachineArn,
    table,
    tableSchema = RECORD_SCHEMA,
    key,
    executionNames,
    signal,
    waitUpTo,
  } = options;
  return {
    sfn: client,
    type: options.type ?? 'STANDARD',
    stateMachineArn,
    table,
    tableSchema,
    key,
    keyText,
    recordKey: recordKey(options.scope, keyText),
    name: executionName(keyText, executionNames),
    input: inputText(options.input),
    isWaiting: waitUpTo !== undefined,
    patience: new Patience(time, waitUpTo ?? 0, signal),
    signal,
    time,
    s3: options.s3,
    dynamodb: options.dynamodb ?? (await dynamoDbClientLike(client)),
  };
}
