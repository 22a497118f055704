import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { countCalls, type GuardedFunction } from './cost';

/**
 * A lock table in the function, as it is written by hand: a conditional put, the step, an update; where the put is
 * refused, a read.
 */
export function lockTable(client: DynamoDBClient, TableName: string, step: () => object): GuardedFunction {
  const calls = countCalls(client);
  return {
    what: 'a lock table in the function',
    calls,
    async invoke(orderId) {
      const Key = { id: { S: `lock#${orderId}` } };
      try {
        const Item = { ...Key, status: { S: 'IN_PROGRESS' } };
        const ConditionExpression = 'attribute_not_exists(id)';
        await client.send(new PutItemCommand({ TableName, Item, ConditionExpression }));
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const { Item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
        if (Item?.['status']?.S !== 'COMPLETED') throw new Error('in progress');
        return JSON.parse(Item['result']?.S ?? 'null');
      }
      const result = step();
      await client.send(
        new UpdateItemCommand({
          TableName,
          Key,
          UpdateExpression: 'SET #status = :status, #result = :result',
          ExpressionAttributeNames: { '#status': 'status', '#result': 'result' },
          ExpressionAttributeValues: {
            ':status': { S: 'COMPLETED' },
            ':result': { S: JSON.stringify(result) },
          },
        }),
      );
      return result;
    },
  };
}
