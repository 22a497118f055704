import { Token } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { TaskStateJsonataBaseProps } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { RECORD } from '../contract/record';
import { attributeIn, itemKeyIn, type TableSchema } from '../contract/table-schema';
import { RECORD_READ } from '../jsonata/variables';
import { type IRecordTable, PASS_INPUT_ON, type Settings } from '../settings';
import { tableNameFor } from '../template/environment';
import { ServiceTask } from './service-task';

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
      request: { TableName: tableNameFor(scope, table), ...namedIn(schema, request) },
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
  /** Whether the read is strongly consistent, an expression. @default - it is */
  readonly isConsistent?: string;
}

/**
 * A read of one record, which passes its input on: the record is in the variable `record`, empty where there is none.
 * What `assign` has comes on top.
 */
export function readTheRecord(
  scope: Construct,
  id: string,
  { settings, key, isConsistent, assign, ...props }: RecordReadProps,
): DynamoTask {
  return new DynamoTask(scope, id, {
    ...props,
    operation: 'getItem',
    table: settings.table,
    recordScope: settings.scope,
    request: { Key: { [RECORD.idempotencyKey]: { S: key } }, ConsistentRead: isConsistent ?? true },
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
  return { ...itemKeyIn(schema, key), ...Object.fromEntries(named) };
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
