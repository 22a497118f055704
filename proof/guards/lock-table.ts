import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type Guard, InUse, type Keyed } from './guard';

/** How a lock table is set up. */
export interface LockSettings {
  /** Seconds after which a lock counts no more, as `ttl` or as `lease`; undefined is never. */
  readonly lease: number | undefined;
  /** Whether the put's condition looks at the time itself, or leaves it to DynamoDB's deletion. */
  readonly isLeaseChecked: boolean;
  /** Whether the lock is deleted where the step fails. */
  readonly isReleased: boolean;
}

const DAY_SECONDS = 24 * 3600;

/**
 * A lock table, as it is written by hand: a conditional put, the step, an update; where the put is rejected, a read.
 */
export function lockTable<Order extends Keyed>(
  client: DynamoDBClient,
  TableName: string,
  settings: LockSettings,
): Guard<Order> {
  const { lease, isLeaseChecked, isReleased } = settings;
  return async (order, step) => {
    const Key = { id: { S: order.key } };
    const now = Math.floor(Date.now() / 1000);
    const ttl = { ttl: { N: String(now + (lease ?? 0)) } };
    try {
      await client.send(
        new PutItemCommand({
          TableName,
          Item: { ...Key, status: { S: 'IN_PROGRESS' }, ...(lease !== undefined && ttl) },
          ConditionExpression: isLeaseChecked
            ? 'attribute_not_exists(id) OR (#status = :inProgress AND #ttl < :now)'
            : 'attribute_not_exists(id)',
          ...(isLeaseChecked && {
            ExpressionAttributeNames: { '#status': 'status', '#ttl': 'ttl' },
            ExpressionAttributeValues: { ':inProgress': { S: 'IN_PROGRESS' }, ':now': { N: String(now) } },
          }),
        }),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const { Item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
      if (Item?.['status']?.S !== 'COMPLETED') throw new InUse('in progress');
      return { kind: 'duplicate', result: Item['result']?.S };
    }
    let result: string;
    try {
      result = await step(order);
    } catch (error) {
      if (isReleased) await client.send(new DeleteItemCommand({ TableName, Key }));
      throw error;
    }
    await client.send(
      new UpdateItemCommand({
        TableName,
        Key,
        UpdateExpression: `SET #status = :status, #result = :result${lease === undefined ? '' : ', #ttl = :ttl'}`,
        ExpressionAttributeNames: {
          '#status': 'status',
          '#result': 'result',
          ...(lease !== undefined && { '#ttl': 'ttl' }),
        },
        ExpressionAttributeValues: {
          ':status': { S: 'COMPLETED' },
          ':result': { S: result },
          ...(lease !== undefined && { ':ttl': { N: String(now + 7 * DAY_SECONDS) } }),
        },
      }),
    );
    return { kind: 'result', result };
  };
}
