import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientOf } from '../../../../services/dynamodb/client';
import { Database, type DatabaseOptions } from '../../../../services/dynamodb/database/database';

/** A database of its own with an SDK client for it. */
export function openDatabase(options: Partial<DatabaseOptions> = {}): {
  readonly database: Database;
  readonly client: DynamoDBClient;
} {
  const database = new Database({ region: 'us-east-1', account: '111111111111', now: Date.now, ...options });
  let requests = 0;
  const client = clientOf(database, 'us-east-1', () => {
    requests += 1;
    return `request-${requests}`;
  });
  return { database, client };
}
