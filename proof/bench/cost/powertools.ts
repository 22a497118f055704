import { createRequire } from 'node:module';
import path from 'node:path';
import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { countCalls, type GuardedFunction } from './cost';

/** As much of Powertools as is called. */
interface Powertools {
  makeIdempotent(
    handler: (order: object) => Promise<object>,
    options: { readonly persistenceStore: object; readonly config: object },
  ): (order: object) => Promise<unknown>;
  readonly IdempotencyConfig: new (settings: object) => { registerLambdaContext(context: object): void };
}

interface PersistenceLayers {
  readonly DynamoDBPersistenceLayer: new (settings: object) => object;
}

interface Sdk {
  readonly DynamoDBClient: new (config: DynamoDBClientConfig) => DynamoDBClient;
}

/** Powertools' idempotency around the function, as installed into `folder`, with its own copy of the SDK. */
export function powertools(
  folder: string,
  config: DynamoDBClientConfig,
  tableName: string,
  step: () => object,
): { readonly fn: GuardedFunction; close(): void } {
  const load = createRequire(path.join(folder, 'package.json'));
  const { DynamoDBClient } = load('@aws-sdk/client-dynamodb') as Sdk;
  const { makeIdempotent, IdempotencyConfig } = load('@aws-lambda-powertools/idempotency') as Powertools;
  const layers = load('@aws-lambda-powertools/idempotency/dynamodb') as PersistenceLayers;
  const client = new DynamoDBClient(config);
  const settings = new IdempotencyConfig({ eventKeyJmesPath: 'orderId' });
  settings.registerLambdaContext({ getRemainingTimeInMillis: () => 10_000 });
  const guarded = makeIdempotent(async () => step(), {
    persistenceStore: new layers.DynamoDBPersistenceLayer({ tableName, awsSdkV3Client: client }),
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
