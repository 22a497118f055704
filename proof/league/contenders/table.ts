import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import type { World } from '../world/world';

/** Makes a table with the partition key `id`. */
export async function makeTable({ client }: World, TableName: string): Promise<string> {
  await client.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  return TableName;
}
