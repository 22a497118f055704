import {
  CreateTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';

/** The name of the table that these tests have. */
export const TableName = 'things';
/** How it is created. */
export const TABLE = {
  TableName,
  BillingMode: 'PAY_PER_REQUEST' as const,
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' as const }],
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' as const }],
};

/** Creates it, and returns the client. */
export async function withTable(client: DynamoDBClient): Promise<DynamoDBClient> {
  await client.send(new CreateTableCommand(TABLE));
  return client;
}

/** Puts an item under an id. */
export function put(id: string, more: object = {}) {
  return new PutItemCommand({ TableName, Item: { id: { S: id }, ...more } });
}

/** Reads the item of an id. */
export function get(id: string) {
  return new GetItemCommand({ TableName, Key: { id: { S: id } } });
}
