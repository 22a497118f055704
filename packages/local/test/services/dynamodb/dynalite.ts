import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  paginateListTables,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';

/** A DynamoDB in this process, with the tables of a stack. */
export interface EmbeddedDynamoDb {
  /** Any AWS SDK client reaches it, e.g. `http://127.0.0.1:34567`; loopback only. */
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  close(): Promise<void>;
}

/** Where the tables are. */
export interface EmbeddedOptions {
  readonly region: string;
  readonly account: string;
  /** Directory that keeps them. @default - memory */
  readonly path?: string;
}

/** Credentials that sign requests to something that checks none. */
const NO_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };
/** One connection per call in flight; above that calls queue in order, as the client would do with any endpoint. */
const SOCKETS_MAX = 64;

/**
 * Starts a DynamoDB (dynalite) with these tables; ready when the promise resolves.
 *
 * Empty and in memory, or with what `path` has kept: a table that is there already stays as it is. No other process may
 * have `path` open; the database would end this process.
 */
export async function startEmbeddedDynamoDb(
  tables: readonly CreateTableCommandInput[],
  { region, account, path }: EmbeddedOptions,
): Promise<EmbeddedDynamoDb> {
  const timing = { createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 };
  const place = { AWS_REGION: region, AWS_ACCOUNT_ID: account };
  const server = withEnvironment(place, () => dynalite({ ...timing, ...(path !== undefined && { path }) }));
  // A connection that the server closes while the client sends on it is a lost answer; here nothing needs them closed.
  server.keepAliveTimeout = 0;
  const answered = whenAllAnswered(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = clientFor(endpoint, region);
  const kept = await tableNames(client);
  for (const table of tables) {
    if (!kept.has(table.TableName ?? '')) await createTable(client, table);
  }
  return {
    endpoint,
    client,
    async close() {
      await answered();
      client.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Creates a table; it is active when the promise resolves, which dynalite makes it some time after its answer. */
export async function createTable(client: DynamoDBClient, table: CreateTableCommandInput): Promise<void> {
  await client.send(new CreateTableCommand(table));
  await whenTableIs('ACTIVE', client, table.TableName);
}

/** Deletes a table; it is gone when the promise resolves. */
export async function deleteTable(client: DynamoDBClient, TableName: string): Promise<void> {
  await client.send(new DeleteTableCommand({ TableName }));
  await whenTableIs('gone', client, TableName);
}

async function whenTableIs(
  wanted: string,
  client: DynamoDBClient,
  TableName: string | undefined,
): Promise<void> {
  const statusOf = async () =>
    (await client.send(new DescribeTableCommand({ TableName }))).Table?.TableStatus;
  const gone = (error: Error) => {
    if (error.name !== 'ResourceNotFoundException') throw error;
    return 'gone';
  };
  while ((await statusOf().catch(gone)) !== wanted) await new Promise(resolve => setTimeout(resolve, 1));
}

/** How long closing waits for requests that are being answered, in milliseconds; each takes a few. */
const ANSWER_MS_MAX = 1000;

/**
 * Watches a server's requests; the function resolves when none is being answered. A database that is closed under a
 * request makes dynalite throw an error that cannot be caught, whether or not the client is still there.
 */
function whenAllAnswered(server: Server): () => Promise<void> {
  const underWay = new Set<ServerResponse>();
  let wake: () => void = () => undefined;
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    underWay.add(response);
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
    response.end = (...args: unknown[]) => {
      underWay.delete(response);
      if (underWay.size === 0) wake();
      return end(...args);
    };
  });
  return async () => {
    if (underWay.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>(resolve => {
      wake = resolve;
      timer = setTimeout(resolve, ANSWER_MS_MAX);
    });
    clearTimeout(timer);
  };
}

/** For dynalite, which asks the environment whose its tables are, and only while it is made. */
function withEnvironment<Result>(values: Readonly<Record<string, string>>, make: () => Result): Result {
  const before = Object.keys(values).map(name => [name, process.env[name]] as const);
  Object.assign(process.env, values);
  try {
    return make();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

async function tableNames(client: DynamoDBClient): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const page of paginateListTables({ client }, {})) {
    for (const name of page.TableNames ?? []) names.add(name);
  }
  return names;
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
