import { DynamoDBClient, PutItemCommand, type PutItemCommandInput } from '@aws-sdk/client-dynamodb';
import { startEmbeddedDynamoDb } from '../../../packages/local/services/dynamodb/embedded';
import type { CaseBase } from '../cases/recorded-case';
import { ENVIRONMENT, tableName } from './names';

/** A DynamoDB with the tables of a case. */
export interface OpenDynamoDb {
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  close(): Promise<void>;
}

/**
 * Starts the DynamoDB of a case, with its tables and what is in them. Most cases never call it: they get a client that
 * has nobody to talk to, because a server takes a while to start.
 */
export async function openDynamoDb({ tables, services }: CaseBase): Promise<OpenDynamoDb> {
  if (!services.includes('dynamodb') && Object.keys(tables).length === 0) {
    const endpoint = 'http://127.0.0.1:1';
    const client = new DynamoDBClient({
      endpoint,
      region: ENVIRONMENT.region,
      credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
      maxAttempts: 1,
    });
    return { endpoint, client, close: async () => client.destroy() };
  }
  const creations = Object.entries(tables).map(([id, { KeySchema, AttributeDefinitions }]) => ({
    TableName: tableName(id),
    KeySchema: [...KeySchema],
    AttributeDefinitions: [...AttributeDefinitions],
    BillingMode: 'PAY_PER_REQUEST' as const,
  }));
  const embedded = await startEmbeddedDynamoDb(creations, ENVIRONMENT);
  for (const [id, { items = [] }] of Object.entries(tables)) {
    for (const item of items) {
      const Item = item as PutItemCommandInput['Item'];
      await embedded.client.send(new PutItemCommand({ TableName: tableName(id), Item }));
    }
  }
  return embedded;
}
