import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ServiceRoute } from '../../api/exchange';
import type { LocalService } from '../local-service';
import { clientOf } from './client';
import type { Database } from './database/database';
import { answerOver, askingIn, type Performing } from './http';
import { dynamoDbIntegrations } from './integrations';
import { withResourcePolicies } from './resource-policies';

/** The DynamoDB of a stack. */
export interface DynamoDbService extends LocalService {
  readonly route: ServiceRoute;
  readonly client: DynamoDBClient;
}

/** How requests of DynamoDB are recognized. */
export const ROUTE = {
  service: { title: 'DynamoDB', signingName: 'dynamodb' },
  requests: { target: 'DynamoDB_20120810' },
  /** DynamoDB takes no larger request (service quota: 16 MB for a batch). */
  bodyBytesMax: 16 * 1024 * 1024,
} as const;

/** The client, the integrations and the route of a database in this process, all behind the policies of its tables. */
export function inProcessDynamoDb(
  database: Database,
  region: string,
  newRequestId: () => string,
): DynamoDbService {
  const guarded = {
    perform: withResourcePolicies((operation, given) => database.perform(operation, given)),
  };
  const client = clientOf(guarded, region, newRequestId);
  return {
    client,
    integrations: dynamoDbIntegrations(askingIn(guarded, newRequestId)),
    route: databaseRoute(guarded),
    sdkName: 'DYNAMODB',
    close: () => client.destroy(),
  };
}

/** `x-amz-target: DynamoDB_20120810.<Operation>`, answered by this database. */
export function databaseRoute(database: Performing): ServiceRoute {
  return {
    ...ROUTE,
    handle: ({ headers, body }) => answerOver(database, headers, body),
  };
}
