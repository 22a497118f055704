import { Duration, Token } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  JitterType,
  type TaskStateBase,
  type TaskStateJsonataBaseProps,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { RECORD } from './contract/record';
import { attributeIn, keyIn, type TableSchema } from './contract/table-schema';
import { RECORD_READ } from './jsonata/variables';
import { ServiceTask, type ServiceTaskProps } from './service-task';
import {
  CONDITION_FAILED,
  EVALUATION_FAILED,
  type IRecordTable,
  OWNER_UNKNOWN,
  PASS_INPUT_ON,
  type Settings,
  TABLE_REFUSED,
} from './settings';

/** The optimized DynamoDB operations the workflow uses, and the IAM action of each. */
const IAM_ACTION = { putItem: 'PutItem', updateItem: 'UpdateItem', getItem: 'GetItem' } as const;

/** A request to DynamoDB, by the fields that name attributes. */
interface DynamoRequest {
  readonly Key?: Item;
  readonly Item?: Item;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** DynamoDB values by attribute; the value of one may be an expression. */
type Item = Readonly<Record<string, unknown>>;

/** Settings of a {@link DynamoTask}. */
export interface DynamoTaskProps extends TaskStateJsonataBaseProps {
  readonly operation: keyof typeof IAM_ACTION;
  readonly table: IRecordTable;
  /** What stands before the key in each record that the operation is for. */
  readonly recordScope: string;
  /**
   * The operation's request without `TableName`; expressions in `{% %}` at any place. Its attributes have the names of
   * `RECORD`: each is sent under the name that the table has for it.
   */
  readonly request: DynamoRequest;
}

/**
 * A Task state that calls one DynamoDB operation on one table, without a Lambda.
 *
 * CDK's own tasks take an item attribute by attribute and no expression that yields a whole attribute value; the
 * finalizing write needs one. The policy allows this operation on this table, for keys of this scope.
 */
export class DynamoTask extends ServiceTask {
  constructor(
    scope: Construct,
    id: string,
    { operation, table: { table, schema }, recordScope, request, ...props }: DynamoTaskProps,
  ) {
    const policy = new PolicyStatement({
      actions: [`dynamodb:${IAM_ACTION[operation]}`],
      resources: [table.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [keysOf(recordScope)] } },
    });
    super(scope, id, {
      ...props,
      integration: `dynamodb:${operation}`,
      request: { TableName: table.tableName, ...namedIn(schema, request) },
      policies: [policy],
    });
  }
}

/** Settings of {@link readTheRecord}. */
export interface RecordReadProps
  extends Pick<TaskStateJsonataBaseProps, 'comment' | 'assign' | 'taskTimeout'> {
  readonly settings: Pick<Settings, 'table' | 'scope'>;
  /** The record's partition key, an expression. */
  readonly key: string;
}

/**
 * A strongly consistent read of one record, which passes its input on: the record is in the variable `record`, empty
 * where there is none. What `assign` has comes on top.
 */
export function readTheRecord(
  scope: Construct,
  id: string,
  { settings, key, assign, ...props }: RecordReadProps,
): DynamoTask {
  return new DynamoTask(scope, id, {
    ...props,
    operation: 'getItem',
    table: settings.table,
    recordScope: settings.scope,
    request: { Key: { [RECORD.idempotencyKey]: { S: key } }, ConsistentRead: true },
    assign: { record: RECORD_READ, ...assign },
    outputs: PASS_INPUT_ON,
  });
}

/** The same request in the names of a table. */
function namedIn(schema: TableSchema, request: DynamoRequest): DynamoRequest {
  const { Key, Item, ExpressionAttributeNames: names } = request;
  return {
    ...request,
    ...(Key && { Key: itemIn(schema, Key) }),
    ...(Item && { Item: itemIn(schema, Item) }),
    ...(names && {
      ExpressionAttributeNames: Object.fromEntries(
        Object.entries(names).map(([placeholder, name]) => [placeholder, attributeIn(schema, name)]),
      ),
    }),
  };
}

function itemIn(schema: TableSchema, { [RECORD.idempotencyKey]: key, ...others }: Item): Item {
  const named = Object.entries(others).map(([name, value]) => [attributeIn(schema, name), value]);
  return { ...keyIn(schema, key), ...Object.fromEntries(named) };
}

/** The pattern, for the condition of a policy, of a scope's partition keys. */
export function keysOf(recordScope: string): string {
  return `${patternOf(recordScope)}#*`;
}

/**
 * The pattern for exactly this text: what means something in a pattern of IAM is written as what it is. A policy is
 * written in Latin-1: what lies beyond is any text.
 */
export function patternOf(text: string): string {
  if (Token.isUnresolved(text)) return text;
  return text.replace(/[*?$]/g, '${$&}').replace(/[^\u0020-\u00ff]+/gu, '*');
}

/** Settings of an {@link SfnTask}. */
export interface SfnTaskProps extends Omit<ServiceTaskProps, 'integration' | 'policies'> {
  readonly operation:
    | 'describeExecution'
    | 'redriveExecution'
    | 'getExecutionHistory'
    | 'listExecutions'
    | 'startExecution';
}

/**
 * A Task state that calls one operation of Step Functions on the workflow or its executions, without a Lambda.
 *
 * The policy is the workflow's to give: here, where the state machine is not known yet, it could only name all
 * executions.
 */
export class SfnTask extends ServiceTask {
  constructor(scope: Construct, id: string, { operation, ...props }: SfnTaskProps) {
    super(scope, id, { ...props, integration: `aws-sdk:sfn:${operation}` });
  }
}

/**
 * How a request is tried again that a service has not carried out: for hours, or within a shorter `patience`. The
 * delays grow from a second, each twice as long as the one before (the defaults of the States Language), to five
 * minutes,
 * in a shorter time to half a minute, and each is on average half of its bound.
 */
export function retriesOf(patience: Duration | undefined) {
  const maxDelay = patience && patience.toSeconds() < 600 ? Duration.seconds(30) : Duration.minutes(5);
  return {
    maxAttempts: patience ? retriesWithin(patience.toSeconds(), maxDelay.toSeconds()) : RETRIES_OF_HOURS,
    maxDelay,
    jitterStrategy: JitterType.FULL,
  };
}

/** Sixteen hours with delays of five minutes; half of that on average. */
const RETRIES_OF_HOURS = 200;

/** How often a request can be tried again before its delays, each at its longest, come to more than so many seconds. */
function retriesWithin(seconds: number, delayMax: number): number {
  let retries = 0;
  for (let waited = 1; waited <= seconds; waited += Math.min(2 ** retries, delayMax)) retries += 1;
  return Math.max(retries, 1);
}

/** A quarter of an hour on average: for so long an error is tried again that may be a missing permission. */
const REFUSED_FOR = Duration.minutes(30);

interface Patiently {
  readonly refused: string;
  readonly answers: readonly string[];
  /** @default 1 */
  readonly evaluations?: number;
}

/**
 * Retries a request before the step: for hours, or within `patience`. One that is refused by the name `refused`,
 * which stands for a missing permission as well, for about a quarter of an hour: then its catcher decides.
 *
 * The errors in `answers` and a failed evaluation are answers, not faults; they go to the catchers at once, or when the
 * expressions have been evaluated so many times. A write that was done although its answer was lost is admitted again
 * by its own condition.
 */
export function retryPatiently(
  task: TaskStateBase,
  patience: Duration | undefined,
  { refused, answers, evaluations = 1 }: Patiently,
): void {
  task.addRetry({ errors: [...answers, EVALUATION_FAILED], maxAttempts: evaluations - 1 });
  const isShort = patience && patience.toSeconds() < REFUSED_FOR.toSeconds();
  task.addRetry({ errors: [refused], ...retriesOf(isShort ? patience : REFUSED_FOR) });
  task.addRetry(retriesOf(patience));
}

/** The same for a request to the table. A failed condition is an answer. */
export function retryBeforeTheStep(
  task: TaskStateBase,
  patience: Duration | undefined,
  evaluations = 1,
): void {
  if (evaluations > 1) task.addRetry({ errors: [CONDITION_FAILED], maxAttempts: 0 });
  const answers = evaluations > 1 ? [] : [CONDITION_FAILED];
  retryPatiently(task, patience, { refused: TABLE_REFUSED, answers, evaluations });
}

/**
 * Retries a request for hours, whatever the error; those in `answers` go to the catchers at once, and a failed
 * evaluation, which may have met a limit of the service, after so many tries more: three take seven seconds.
 */
export function retryUnless(task: TaskStateBase, answers: readonly string[], evaluations = 3): void {
  if (answers.length > 0) task.addRetry({ errors: [...answers], maxAttempts: 0 });
  task.addRetry({ errors: [EVALUATION_FAILED], maxAttempts: evaluations });
  task.addRetry(retriesOf(undefined));
}

/**
 * Retries the read of an owner's output: for some minutes after faults, for ten seconds while an owner that has
 * finished does not look so yet (its output is undefined, and the evaluation fails), or is not known yet, not at all if
 * it is too long.
 */
export function retryUntilVisible(task: TaskStateBase): void {
  task.addRetry({ errors: ['States.DataLimitExceeded'], maxAttempts: 0 });
  task.addRetry({
    errors: [EVALUATION_FAILED, ...OWNER_UNKNOWN],
    interval: Duration.seconds(2),
    maxAttempts: 5,
    backoffRate: 1,
  });
  retryFaults(task);
}

/**
 * Retries a finalizing write for hours: the work is done, and only the record does not say so yet.
 *
 * That goes for every error, a missing permission too: as long as the execution waits, a mended permission heals it,
 * and one that has ended must be redriven by somebody. After the last attempt the error is caught by nobody: the
 * execution fails in this very state, where a redrive goes on with the business result that Step Functions has kept.
 */
export function retryForHours(task: TaskStateBase, answers = [CONDITION_FAILED], evaluations = 3): void {
  task.addRetry({ errors: [...answers], maxAttempts: 0 });
  task.addRetry({ errors: [EVALUATION_FAILED], maxAttempts: evaluations });
  task.addRetry(retriesOf(undefined));
}

/**
 * Retries a notice for hours, whatever is wrong: the record is written, and somebody waits to be told. After the last
 * attempt nobody catches the error: the execution fails in this very state, where a redrive sends again.
 */
export function retryNotice(task: TaskStateBase): void {
  task.addRetry({ errors: [EVALUATION_FAILED], maxAttempts: 3 });
  task.addRetry(retriesOf(undefined));
}

/** Retries a read for three and a half minutes: with full jitter each delay is on average half of its bound. */
export function retryFaults(task: TaskStateBase): void {
  task.addRetry({
    maxAttempts: 12,
    maxDelay: Duration.minutes(1),
    jitterStrategy: JitterType.FULL,
  });
}
