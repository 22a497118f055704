import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ExecutionNames } from '../state-machine/contract/execution-name';
import { isWellFormed, keyText } from '../state-machine/contract/idempotency-key';
import type { ObjectReader } from '../state-machine/contract/store-result';
import { schemaProblem, type TableSchema } from '../state-machine/contract/table-schema';
import { MissingKeyError, StartOnceError } from './errors';

/**
 * How a workflow is started.
 *
 * @example
 * await startOnce(client, { ...options, type: 'EXPRESS' })
 */
export type WorkflowType = 'STANDARD' | 'EXPRESS';

/**
 * What `startOnce` starts, for which key, and for how long it waits.
 *
 * @example
 * const options: StartOnceOptions = {
 *   stateMachineArn,
 *   table: 'records',
 *   scope: 'ChargePayment',
 *   key: 'order-7',
 *   input: { detail: { orderId: 'order-7', amount: 12 } },
 *   waitUpTo: 20_000,
 * };
 */
export interface StartOnceOptions {
  readonly stateMachineArn: string;
  /** Name (or ARN) of the table with the records. */
  readonly table: string;
  /**
   * What the workflow's table was given to `RecordTable.fromTable` as, where its attributes have names of its own.
   *
   * @default - the table's partition key is `idempotencyKey`, its TTL attribute `expiry`
   */
  readonly tableSchema?: TableSchema;
  /** The workflow's scope: the id of its construct, unless its own `scope` is set. */
  readonly scope: string;
  /**
   * The idempotency key: what the workflow's `idempotencyKey` gives for this input. A non-empty text, a whole number up
   * to 2^53 - 1, or a list of these for a composite key; `Key.ofPayload(payload)` for one that is made of a payload.
   *
   * The workflow must take it from the input: a key made of the execution's name would be another in each execution.
   */
  readonly key: unknown;
  /**
   * The workflow's `executionNames`. With another one nothing runs twice, as the record decides; but a call does not
   * share the execution that a source has started, and starts one more.
   *
   * @default 'readable'
   */
  readonly executionNames?: ExecutionNames;
  /**
   * The execution's input: any JSON value of up to 262,144 bytes. Members that are undefined are left out; what JSON
   * cannot hold (NaN, functions, a Map, a value within itself) is rejected.
   *
   * Keep times and request ids out of it where you can: calls with equal inputs share one execution.
   */
  readonly input: unknown;
  /**
   * How long to wait for the result, in milliseconds; calls under way at the end are brought to theirs.
   *
   * @default - not at all: a Standard workflow is started, an Express one is run, once
   */
  readonly waitUpTo?: number;
  /** Ends the call; what it has started goes on. */
  readonly signal?: AbortSignal;
  /** @default 'STANDARD' */
  readonly type?: WorkflowType;
  /**
   * Reads the records.
   *
   * @default - one with the region, credentials and connections of the Step Functions client, and its endpoint where
   * that is not AWS's own
   */
  readonly dynamodb?: DynamoDBClient;
  /**
   * Gets the results that the workflow keeps in a bucket, by its `results`: the client `S3` of `@aws-sdk/client-s3`.
   * The object is checked against the record's hash.
   *
   * @default - a result that only the bucket has is answered as `{storedResult}`, for `fetchResult`
   */
  readonly s3?: ObjectReader;
}

/**
 * The key's text. @throws MissingKeyError for a value that is not a key; StartOnceError for any other option that
 * cannot work
 */
export function validatedKey(options: StartOnceOptions): string {
  for (const option of ['stateMachineArn', 'table', 'scope'] as const) {
    if (typeof options[option] === 'string' && options[option] !== '') continue;
    throw new StartOnceError(`\`${option}\` must be a non-empty text; got ${kindOf(options[option])}`);
  }
  const problem = options.tableSchema === undefined ? undefined : schemaProblem(options.tableSchema);
  if (problem !== undefined) throw new StartOnceError(`\`tableSchema\`: ${problem}`);
  const { waitUpTo = 0, type = 'STANDARD', executionNames = 'readable' } = options;
  if (!(typeof waitUpTo === 'number' && waitUpTo >= 0)) {
    throw new StartOnceError(`\`waitUpTo\` must be a number of milliseconds of at least 0; got ${waitUpTo}`);
  }
  if (type !== 'STANDARD' && type !== 'EXPRESS') {
    throw new StartOnceError(`\`type\` must be 'STANDARD' or 'EXPRESS'; got ${String(type)}`);
  }
  if (executionNames !== 'readable' && executionNames !== 'hash') {
    throw new StartOnceError(
      `\`executionNames\` must be 'readable' or 'hash'; got ${String(executionNames)}`,
    );
  }
  const key = keyText(options.key);
  if (key.kind === 'key') return key.text;
  throw new MissingKeyError(
    '`key` must be a non-empty text, a whole number within ±(2^53 - 1), or a non-empty list of these; ' +
      `got ${kindOf(options.key)}`,
  );
}

// Never the value: it may be data that must not be in a log.
function kindOf(value: unknown): string {
  if (value === '') return 'an empty text';
  if (Array.isArray(value)) {
    return value.length === 0 ? 'an empty list' : `a list of ${value.map(kindOf).join(', ')}`;
  }
  if (typeof value === 'string') return isWellFormed(value) ? 'a text' : 'a text with half a surrogate pair';
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return 'a whole number';
    return Number.isInteger(value) ? 'a greater number' : 'a fraction or not a number';
  }
  return value === null ? 'null' : typeof value;
}
