import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Limiter } from './limiter';

// The two counters that teams write first, in the same table as the limiter's, so that the play can show what they do.

const LIMIT = 5;

/** The count by hand of a user and day. */
export async function countedByHand(limiter: Limiter, userAndDay: string): Promise<number> {
  const { client } = limiter.stack.dynamoDb;
  const { Item = {} } = await client.send(new GetItemCommand(itemOf(limiter, userAndDay)));
  return Number(Item['used']?.N ?? 0);
}

/** The first counter reads, and then writes. The requests come together: each reads before another one writes. */
export async function readThenWrite(limiter: Limiter, userAndDay: string, requests: number): Promise<number> {
  const reads = await Promise.all(Array.from({ length: requests }, () => countedByHand(limiter, userAndDay)));
  const passed = reads.filter(used => used < LIMIT);
  for (const used of passed)
    await update(limiter, userAndDay, 'SET used = :n', { ':n': { N: `${used + 1}` } });
  return passed.length;
}

/** The second counter is one conditional write. It does not know which request it has counted. */
export async function addIfBelow(limiter: Limiter, userAndDay: string): Promise<boolean> {
  const values = { ':n': { N: '1' }, ':limit': { N: String(LIMIT) } };
  const below = 'attribute_not_exists(used) OR used < :limit';
  return update(limiter, userAndDay, 'ADD used :n', values, below).then(
    () => true,
    () => false,
  );
}

async function update(
  limiter: Limiter,
  userAndDay: string,
  UpdateExpression: string,
  ExpressionAttributeValues: UpdateItemCommand['input']['ExpressionAttributeValues'],
  ConditionExpression?: string,
): Promise<void> {
  await limiter.stack.dynamoDb.client.send(
    new UpdateItemCommand({
      ...itemOf(limiter, userAndDay),
      UpdateExpression,
      ExpressionAttributeValues,
      ...(ConditionExpression !== undefined && { ConditionExpression }),
    }),
  );
}

function itemOf(limiter: Limiter, userAndDay: string) {
  return { TableName: limiter.stack.output('QuotaTableName'), Key: { userAndDay: { S: userAndDay } } };
}
