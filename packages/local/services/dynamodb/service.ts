import type { CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ServiceRoute } from '../../api/exchange';
import type { Json } from '../../json/json';
import type { LocalService, ServiceDefinition } from '../local-service';
import { clientOf } from './client';
import { DYNAMODB_RESOURCE_TYPES, GLOBAL_TABLE, TABLE } from './cloudformation';
import { Database, type DatabaseOptions } from './database/database';
import { externalDynamoDb } from './external';
import { answerOver, askingIn, type Performing } from './http';
import { dynamoDbIntegrations } from './integrations';
import { changesIn, journalIn } from './journal';
import { withResourcePolicies } from './resource-policies';

/** The DynamoDB of a stack. */
export interface DynamoDbService extends LocalService {
  readonly route: ServiceRoute;
  readonly client: DynamoDBClient;
}

const ROUTE = {
  service: { title: 'DynamoDB', signingName: 'dynamodb' },
  requests: { target: 'DynamoDB_20120810' },
  /** DynamoDB takes no larger request (service quota: 16 MB for a batch). */
  bodyBytesMax: 16 * 1024 * 1024,
} as const;

/**
 * DynamoDB: tables in memory and, where the stack has a directory, each write in it before it is answered; or one that
 * somebody else runs.
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
    const perform = withResourcePolicies((operation, given) => database.perform(operation, given));
    const client = clientOf({ perform }, environment.region, newRequestId);
    return {
      client,
      integrations: dynamoDbIntegrations(askingIn({ perform }, newRequestId)),
      route: databaseRoute({ perform }),
      sdkName: 'DYNAMODB',
      close: () => client.destroy(),
    };
  },
};

/** The headers of a request that are forwarded: who asks for what. Not the origin, which was judged here. */
const FORWARDED = ['authorization', 'content-type', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-target'];

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

/** `x-amz-target: DynamoDB_20120810.<Operation>`, answered by this database. */
export function databaseRoute(database: Performing): ServiceRoute {
  return {
    ...ROUTE,
    handle: ({ headers, body }) => answerOver(database, headers, body),
  };
}
