import { createRequire } from 'node:module';
import path from 'node:path';
import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

type Handler = (event: object) => Promise<unknown>;

/** As much of Powertools as is called, and of the SDK that it comes with. */
interface Powertools {
  makeIdempotent(
    handler: Handler,
    options: { readonly persistenceStore: object; readonly config: object },
  ): Handler;
  readonly IdempotencyConfig: new (settings: object) => { registerLambdaContext(context: object): void };
  readonly DynamoDBPersistenceLayer: new (settings: object) => object;
  readonly DynamoDBClient: new (config: DynamoDBClientConfig) => DynamoDBClient;
}

/** Where the guard's records are. */
export interface PowertoolsTable {
  readonly tableName: string;
  /** What the client is made with, of Powertools' own copy of the SDK. */
  readonly config: DynamoDBClientConfig;
}

/**
 * Puts the guard of Powertools around a handler, with these settings. `remainingMs` is the time that the invocation has
 * left. @default 10 seconds
 */
export type PowertoolsGuard = (handler: Handler, settings: object, remainingMs?: () => number) => Handler;

/** Powertools' idempotency as it is released, installed into `folder`. */
export function openPowertools(
  folder: string,
  { tableName, config }: PowertoolsTable,
): { readonly client: DynamoDBClient; readonly guard: PowertoolsGuard } {
  const load = createRequire(path.join(folder, 'package.json'));
  const sdk: Pick<Powertools, 'DynamoDBClient'> = load('@aws-sdk/client-dynamodb');
  const layers: Pick<Powertools, 'DynamoDBPersistenceLayer'> = load(
    '@aws-lambda-powertools/idempotency/dynamodb',
  );
  const { makeIdempotent, IdempotencyConfig }: Powertools = load('@aws-lambda-powertools/idempotency');
  const client = new sdk.DynamoDBClient(config);
  return {
    client,
    guard: (handler, settings, remainingMs = () => 10_000) => {
      const used = new IdempotencyConfig(settings);
      used.registerLambdaContext({ getRemainingTimeInMillis: remainingMs });
      const persistenceStore = new layers.DynamoDBPersistenceLayer({ tableName, awsSdkV3Client: client });
      return makeIdempotent(handler, { persistenceStore, config: used });
    },
  };
}
