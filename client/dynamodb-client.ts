import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SFNClient } from '@aws-sdk/client-sfn';

const CLIENTS = new WeakMap<SFNClient, Promise<DynamoDBClient>>();

/**
 * A DynamoDB client like the Step Functions client: the same region, credentials, attempts and connections, so that
 * destroying that one leaves nothing open. One for each, however often it is asked for.
 */
export function dynamoDbClientLike(sfn: SFNClient): Promise<DynamoDBClient> {
  const client = CLIENTS.get(sfn) ?? newClient(sfn);
  CLIENTS.set(sfn, client);
  return client;
}

async function newClient({ config }: SFNClient): Promise<DynamoDBClient> {
  // Endpoints from the environment are not in here; the new client finds its own there.
  const endpoint = config.isCustomEndpoint ? await config.endpoint?.() : undefined;
  return new DynamoDBClient({
    region: config.region,
    credentials: config.credentials,
    requestHandler: config.requestHandler,
    maxAttempts: config.maxAttempts,
    useFipsEndpoint: config.useFipsEndpoint,
    useDualstackEndpoint: config.useDualstackEndpoint,
    logger: config.logger,
    ...(endpoint && !isOfAws(endpoint.hostname) && { endpoint }),
  });
}

/** An endpoint of AWS's own, such as the VPC endpoint of Step Functions, is for one service only. */
function isOfAws(hostname: string): boolean {
  return /\.(?:amazonaws\.com(?:\.cn)?|api\.aws|vpce\.[\w.-]+)$/.test(hostname);
}
