import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** Makes a table with the partition key `id`. */
export async function makeTable(client: DynamoDBClient, TableName: string): Promise<string> {
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
