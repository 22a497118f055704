import { Arn, ArnFormat, CfnResource, Stack, Token } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';

// A name means the resource of this name in the account and region of the caller. So a request has the name of a
// resource only if synthesis knows that the resource is there, and otherwise its ARN.

/** Where a resource is; a token: only the deployment knows. */
export interface Environment {
  readonly account: string;
  readonly region: string;
}

/** Whether a resource is in the account, or the region, of its user; `unknown`: only the deployment knows. */
export type Comparison = 'same' | 'other' | 'unknown';

/** The account and region of a resource, as its ARN says, and otherwise its construct; otherwise those of its user. */
export function environmentOf(resource: object, arn: string, scope: IConstruct): Environment {
  const { env, node } = resource as { readonly env?: Partial<Environment> } & Partial<IConstruct>;
  const { account, region } = Stack.of(scope);
  // The ARN of a resource of the app is a token, and so may be that of an imported one, from a parameter.
  const isOfTheApp = node?.defaultChild !== undefined || CfnResource.isCfnResource(resource as IConstruct);
  const isImportedByToken = Token.isUnresolved(arn) && !isOfTheApp;
  const isReadable = arn.startsWith('arn:') || isImportedByToken;
  const inArn = isReadable ? Arn.split(arn, ArnFormat.NO_RESOURCE_NAME) : undefined;
  // The ARN of a bucket has neither, and that of a role has no region.
  return {
    account: inArn?.account || env?.account || account,
    region: inArn?.region || env?.region || region,
  };
}

/** Compares where a resource is with where it is used. */
export function compareEnvironment(
  resource: object,
  arn: string,
  scope: IConstruct,
): Readonly<Record<keyof Environment, Comparison>> {
  const its = environmentOf(resource, arn, scope);
  const own = Stack.of(scope);
  return { account: compare(own.account, its.account), region: compare(own.region, its.region) };
}

function compare(own: string, its: string): Comparison {
  if (own === its) return 'same';
  return Token.isUnresolved(own) || Token.isUnresolved(its) ? 'unknown' : 'other';
}

function isSame(resource: object, arn: string, scope: IConstruct): boolean {
  return Object.values(compareEnvironment(resource, arn, scope)).every(one => one === 'same');
}

/** What a request of DynamoDB has as `TableName`. */
export function tableNameFor(scope: IConstruct, table: ITable): string {
  return isSame(table, table.tableArn, scope) ? table.tableName : table.tableArn;
}

/** What a rule of EventBridge has as `EventBusName`. */
export function busNameFor(scope: IConstruct, bus: IEventBus): string {
  return isSame(bus, bus.eventBusArn, scope) ? bus.eventBusName : bus.eventBusArn;
}

/** The URL of a queue. The reference to a queue of the app is not a URL in another account. */
export function queueUrlFor(scope: IConstruct, queue: IQueue): string {
  const { queueArn, queueName, queueUrl } = queue;
  if (compareEnvironment(queue, queueArn, scope).account !== 'other') return queueUrl;
  const { account, region } = environmentOf(queue, queueArn, scope);
  return `https://sqs.${region}.${Stack.of(scope).urlSuffix}/${account}/${queueName}`;
}
