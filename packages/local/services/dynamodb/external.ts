import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  DynamoDBServiceException,
  paginateListTables,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { LocalError } from '../../local-error';
import { CREDENTIALS, quietClient } from './client';

/** How long a table may take until it is active, in seconds. */
const TABLE_SECONDS_MAX = 60;

/**
 * A client for a DynamoDB that somebody else runs, such as DynamoDB Local, with these tables: those that are there
 * already stay as they are. It signs with the credentials of the environment, where there are any.
 *
 * @throws LocalError `DynamoDbUnavailable` where nobody answers there, or a table cannot be made
 */
export async function externalClient(
  endpoint: string,
  region: string,
  tables: readonly CreateTableCommandInput[],
): Promise<DynamoDBClient> {
  const hasOwn = process.env['AWS_ACCESS_KEY_ID'] !== undefined;
  const client = quietClient({
    endpoint,
    region,
    ...(!hasOwn && { credentials: CREDENTIALS }),
    // A retry here would hide from the workflow what its own Retry is there to see.
    maxAttempts: 1,
  });
  try {
    await createMissing(client, tables);
    return client;
  } catch (error) {
    client.destroy();
    const reason =
      error instanceof DynamoDBServiceException ? `${error.name}: ${error.message}` : reasonOf(error);
    throw new LocalError('DynamoDbUnavailable', [
      `${endpoint}: ${reason}; start it, or leave the endpoint out`,
    ]);
  }
}

async function createMissing(
  client: DynamoDBClient,
  tables: readonly CreateTableCommandInput[],
): Promise<void> {
  const known = new Set<string>();
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
    for (const name of TableNames) known.add(name);
  }
  for (const table of tables) {
    const { TableName } = table;
    if (TableName === undefined || known.has(TableName)) continue;
    await client.send(new CreateTableCommand(table));
    await waitUntilTableExists(
      { client, maxWaitTime: TABLE_SECONDS_MAX, minDelay: 1, maxDelay: 2 },
      { TableName },
    );
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return message || code || String(error);
}
