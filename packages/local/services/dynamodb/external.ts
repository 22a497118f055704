import { Agent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  DynamoDBServiceException,
  paginateListTables,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { ApiAnswer } from '../../api/exchange';
import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { LocalError } from '../../local-error';
import { CREDENTIALS, quietClient } from './client';
import type { AskDynamoDb } from './integrations';

/** An external DynamoDB, such as DynamoDB Local. */
export interface ExternalDynamoDb {
  /** Signs with the credentials of the environment, if there are any. */
  readonly client: DynamoDBClient;
  /** Asks with the client's signature. */
  readonly ask: AskDynamoDb;
  /** Sends a request as it is. Rejects with the connection's error if no server answers. */
  send(headers: OutgoingHttpHeaders, body: Buffer): Promise<ApiAnswer & { readonly body: Buffer }>;
  close(): void;
}

/** How long a table may take until it is active, in seconds. */
const TABLE_SECONDS_MAX = 60;

/**
 * The DynamoDB at a URL, with these tables: those that are there already stay as they are.
 *
 * @throws LocalError `DynamoDbUnavailable` if no server answers there, or a table cannot be made
 */
export async function externalDynamoDb(
  endpoint: string,
  region: string,
  tables: readonly CreateTableCommandInput[],
): Promise<ExternalDynamoDb> {
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
  } catch (error) {
    client.destroy();
    const reason =
      error instanceof DynamoDBServiceException ? `${error.name}: ${error.message}` : reasonOf(error);
    throw new LocalError('DynamoDbUnavailable', [
      // Not the address as it was given: it may hold a password.
      `${new URL(endpoint).origin}: ${reason}; start it, or leave the endpoint out`,
    ]);
  }
  const url = new URL(endpoint);
  const { send, close } = connectionTo(url);
  return {
    client,
    ask: asking(client, url, send),
    send,
    close() {
      close();
      client.destroy();
    },
  };
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

/** One connection per call in flight, as the stack's own client has. */
const SOCKETS_MAX = 64;

function connectionTo(url: URL): Pick<ExternalDynamoDb, 'send' | 'close'> {
  const isTls = url.protocol === 'https:';
  const options = { keepAlive: true, maxSockets: SOCKETS_MAX };
  const agent = isTls ? new TlsAgent(options) : new Agent(options);
  const request = isTls ? httpsRequest : httpRequest;
  return {
    send: (given, body) =>
      new Promise((resolve, reject) => {
        const sent = { ...given, 'content-length': body.length };
        const call = request(url, { agent, method: 'POST', headers: sent }, response => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const { statusCode: status = 500 } = response;
            const got = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
            resolve({ status, headers: Object.fromEntries(got), body: Buffer.concat(chunks) });
          });
        });
        call.on('error', reject);
        call.end(body);
      }),
    close: () => agent.destroy(),
  };
}

function asking(client: DynamoDBClient, url: URL, send: ExternalDynamoDb['send']): AskDynamoDb {
  return async (operation, request) => {
    const body = JSON.stringify(request);
    const { headers } = await signed(client, url, operation, body);
    try {
      const answer = await send(headers, Buffer.from(body));
      return { ...answer, content: contentOf(answer) };
    } catch (error) {
      return { unanswered: reasonOf(error) };
    }
  };
}

/** The JSON document of an answer. An error can come from a proxy, which sends no document. */
function contentOf({ status, body }: { readonly status: number; readonly body: Buffer }): JsonObject {
  const text = body.toString();
  try {
    const content = JSON.parse(text) as Json;
    if (isJsonObject(content)) return content;
  } catch (error) {
    if (status === 200) throw error;
  }
  if (status === 200) throw new Error('the answer is not a JSON object');
  return {};
}

async function signed(client: DynamoDBClient, url: URL, operation: string, body: string) {
  const signer = await client.config.signer();
  return signer.sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: {},
    headers: {
      host: url.host,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
    },
    body,
  });
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return message || code || String(error);
}
