import { createRequire } from 'node:module';
import path from 'node:path';
import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { countCalls, type GuardedFunction } from './cost';

type Handler = (event: object) => Promise<unknown>;

/** As much of Powertools as is called, and of the SDK that it comes with. */
export interface Powertools {
  makeIdempotent(
    handler: Handler,
    options: { readonly persistenceStore: object; readonly config: object },
  ): Handler;
  readonly IdempotencyConfig: new (settings: object) => { registerLambdaContext(context: object): void };
  readonly DynamoDBPersistenceLayer: new (settings: object) => object;
  readonly DynamoDBClient: new (config: DynamoDBClientConfig) => DynamoDBClient;
}

/** Powertools' idempotency as installed into `folder`, with its own copy of the SDK. */
export function loadPowertools(folder: string): Powertools {
  const load = createRequire(path.join(folder, 'package.json'));
  const { DynamoDBClient } = load('@aws-sdk/client-dynamodb');
  const { DynamoDBPersistenceLayer } = load('@aws-lambda-powertools/idempotency/dynamodb');
  return { ...load('@aws-lambda-powertools/idempotency'), DynamoDBPersistenceLayer, DynamoDBClient };
}

/** Powertools' idempotency, as installed into `folder`, around the function. */
export function powertools(
  folder: string,
  config: DynamoDBClientConfig,
  tableName: string,
  step: () => object,
): { readonly fn: GuardedFunction; close(): void } {
  const { makeIdempotent, IdempotencyConfig, DynamoDBPersistenceLayer, DynamoDBClient } =
    loadPowertools(folder);
  const client = new DynamoDBClient(config);
  const settings = new IdempotencyConfig({ eventKeyJmesPath: 'orderId' });
  settings.registerLambdaContext({ getRemainingTimeInMillis: () => 10_000 });
  const guarded = makeIdempotent(async () => step(), {
    persistenceStore: new DynamoDBPersistenceLayer({ tableName, awsSdkV3Client: client }),
    config: settings,
  });
  return {
    fn: {
      what: 'Powertools idempotency',
      calls: countCalls(client),
      invoke: orderId => guarded({ orderId }),
    },
    close: () => client.destroy(),
  };
}
