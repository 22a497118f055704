import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';

/** A DynamoDB in this process, with the tables of a stack. */
export interface EmbeddedDynamoDb {
  /** Where any AWS SDK client reaches it, e.g. `http://127.0.0.1:34567`; loopback only. */
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  close(): Promise<void>;
}

/** Credentials that sign requests to something that checks none. */
const NO_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };
/** One connection per call in flight; above that calls queue in order, as the client would do with any endpoint. */
const SOCKETS_MAX = 64;

/** Starts an empty in-memory DynamoDB (dynalite) with these tables; ready when the promise resolves. */
export async function startEmbeddedDynamoDb(
  tables: readonly CreateTableCommandInput[],
  region: string,
): Promise<EmbeddedDynamoDb> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  // A connection that the server closes while the client sends on it is a lost answer; here nothing needs them closed.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = clientFor(endpoint, region);
  for (const table of tables) await client.send(new CreateTableCommand(table));
  return {
    endpoint,
    client,
    async close() {
      client.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function clientFor(endpoint: string, region: string): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region,
    credentials: NO_CREDENTIALS,
    // A retry here would hide from the workflow what its own Retry is there to see.
    maxAttempts: 1,
    requestHandler: { httpAgent: { maxSockets: SOCKETS_MAX, keepAlive: true }, logger: QUIET },
  });
}

// The handler warns of calls that wait for a socket; under a thousand deliveries that is as intended.
const nothing = () => undefined;
const QUIET = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };
