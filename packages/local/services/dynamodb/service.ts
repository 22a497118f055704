import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import type { Json } from '../../json/json';
import type { ServiceDefinition } from '../local-service';
import { DYNAMODB_RESOURCE_TYPES, GLOBAL_TABLE, TABLE } from './cloudformation';
import { Database, type DatabaseOptions } from './database/database';
import { externalDynamoDb } from './external';
import { type DynamoDbService, inProcessDynamoDb, ROUTE } from './in-process';
import { dynamoDbIntegrations } from './integrations';
import { changesIn, journalIn } from './journal';

/**
 * DynamoDB: tables in memory. If the stack has a directory, each write is stored there before it is answered. With an
 * endpoint, the tables are in another DynamoDB.
 */
export const DYNAMODB: ServiceDefinition<DynamoDbService> = {
  resourceTypes: DYNAMODB_RESOURCE_TYPES,
  async open({ environment, resources, directory, clock, newRequestId, dynamoDbEndpoint }) {
    const tables = resources.of(TABLE, GLOBAL_TABLE).map(({ createTable }) => createTable);
    if (dynamoDbEndpoint !== undefined) return openExternal(dynamoDbEndpoint, environment.region, tables);
    const database = new Database({
      ...environment,
      now: () => clock.now(),
      ...(directory && { journal: journalIn(directory) }),
    });
    if (directory) database.restore(await changesIn(directory));
    await createMissing(database, tables);
    return inProcessDynamoDb(database, environment.region, newRequestId);
  },
};

/** The headers of a request that are forwarded: who asks for what. Not the origin, which was judged here. */
const FORWARDED = [
  'authorization',
  'content-encoding',
  'content-type',
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-target',
];

/** The headers of an answer that are returned. */
const RETURNED = ['content-type', 'x-amz-crc32'];

async function openExternal(
  endpoint: string,
  region: string,
  tables: readonly CreateTableCommandInput[],
): Promise<DynamoDbService> {
  const { client, ask, send, close } = await externalDynamoDb(endpoint, region, tables);
  return {
    client,
    integrations: dynamoDbIntegrations(ask),
    route: {
      ...ROUTE,
      async handle({ headers, body }) {
        const answer = await send(only(FORWARDED, headers), body);
        return { ...answer, headers: only(RETURNED, answer.headers) };
      },
    },
    sdkName: 'DYNAMODB',
    close,
  };
}

function only<Value>(
  names: readonly string[],
  headers: { readonly [name: string]: Value | undefined },
): { [name: string]: Value } {
  return Object.fromEntries(
    names.flatMap(name => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}

/** A database in memory with these tables. */
export async function openDatabase(
  tables: readonly CreateTableCommandInput[],
  options: DatabaseOptions,
): Promise<Database> {
  const database = new Database(options);
  await createMissing(database, tables);
  return database;
}

/** A table that is there already stays as it is. */
async function createMissing(database: Database, tables: readonly CreateTableCommandInput[]): Promise<void> {
  const known = new Set(database.tableNames);
  for (const table of tables) {
    if (!known.has(table.TableName ?? '')) await database.perform('CreateTable', table as unknown as Json);
  }
}
