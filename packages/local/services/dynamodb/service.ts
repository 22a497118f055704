import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LocalService, ServiceDefinition } from '../local-service';
import { dynamoDbRoute } from './api';
import { DYNAMODB_RESOURCE_TYPES, GLOBAL_TABLE, TABLE } from './cloudformation';
import { startEmbeddedDynamoDb } from './embedded';
import { dynamoDbIntegrations } from './integrations';

/** The DynamoDB of a stack. */
export interface DynamoDbService extends LocalService {
  /** Where any AWS SDK client reaches it; loopback only. */
  readonly endpoint: string;
  readonly client: DynamoDBClient;
}

/** DynamoDB, on an embedded one that keeps its tables in the stack's directory by itself. */
export const DYNAMODB: ServiceDefinition<DynamoDbService> = {
  resourceTypes: DYNAMODB_RESOURCE_TYPES,
  async open({ environment, resources, directory }) {
    const { endpoint, client, close } = await startEmbeddedDynamoDb(
      resources.of(TABLE, GLOBAL_TABLE).map(({ createTable }) => createTable),
      { ...environment, ...(directory && { path: directory.tablesPath }) },
    );
    const route = dynamoDbRoute(endpoint);
    return {
      endpoint,
      client,
      integrations: dynamoDbIntegrations(client),
      route,
      sdkName: 'DYNAMODB',
      async close() {
        route.close();
        await close();
      },
    };
  },
};
