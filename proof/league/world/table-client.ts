import { Readable } from 'node:stream';
import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { VirtualClock, WorkTracker } from '@onceflow/local';
import type { Bill } from './bill';
import type { Play } from './play';
import { currentProcess, type Process } from './process';

/** Where the item of an event is that expires. */
export interface Expiring {
  readonly table: string;
  readonly keyAttribute: string;
  /** Epoch seconds. */
  readonly timeToLiveAttribute: string;
  /** The item's key, of the event's. */
  readonly keyOf: (key: string) => string;
}

/** What a client's requests go through. */
export interface Around {
  readonly inner: DynamoDBClient;
  readonly work: WorkTracker;
  readonly clock: VirtualClock;
  readonly bill: Bill;
  play(): Play;
  /** Done before each call that is carried out. */
  beforeCall(key: string): Promise<void>;
}

/**
 * The configuration of a client that a function makes, of whatever copy of the SDK: its requests are answered by the
 * embedded database, with the faults of the schedule. It tries three times, as the SDK does, without waiting between:
 * the SDK's own waits add up to less than a second.
 */
export function faultyConfig(around: Around): DynamoDBClientConfig {
  const { work, clock, bill } = around;
  const inner = around.inner.config.requestHandler;
  type Handled = Awaited<ReturnType<typeof inner.handle>>;
  const handle = async (request: Parameters<typeof inner.handle>[0]): Promise<Handled> => {
    const process = requireProcess();
    const operation = /\.(\w+)$/.exec(request.headers['x-amz-target'] ?? '')?.[1] ?? '';
    const make = async () => {
      await around.beforeCall(process.key);
      bill[operation === 'GetItem' ? 'reads' : 'writes'] += 1;
      bill.awaitedInFunction += 1;
      return inner.handle(request);
    };
    const result = await around.play().call<Handled>(process.key, {
      name: operation,
      isEffect: false,
      isTable: true,
      make,
      rejected: () => ({ response: throttledAnswer() }) as Handled,
      answerLost: () => Promise.reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })),
      killed: () => process.end(work),
      frozen: how => process.frozen(work, clock, { ...how, make }),
    });
    return process.isDead ? work.lose() : result;
  };
  return {
    region: 'us-east-1',
    endpoint: 'http://127.0.0.1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
    retryStrategy: THREE_TRIES,
    requestHandler: { handle, destroy: () => undefined } as unknown as typeof inner,
  };
}

/** An answer that an SDK client takes for throttling. */
function throttledAnswer() {
  const __type = 'com.amazonaws.dynamodb.v20120810#ThrottlingException';
  const body = JSON.stringify({ __type, message: 'Rate exceeded' });
  return {
    statusCode: 400,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Readable.from([Buffer.from(body)]),
  };
}

/** The SDK's standard number of tries, for the errors that it tries again. */
const THREE_TRIES: NonNullable<Exclude<DynamoDBClientConfig['retryStrategy'], Provider>> = {
  acquireInitialRetryToken: async () => token(0),
  refreshRetryTokenForRetry: async (last, { errorType }) => {
    const count = last.getRetryCount() + 1;
    if (count >= 3 || errorType === 'CLIENT_ERROR') throw new Error('no further try');
    return token(count);
  },
  recordSuccess: () => undefined,
};
type Provider = (...args: never[]) => unknown;

function token(count: number) {
  return { getRetryCount: () => count, getRetryDelay: () => 0 };
}

/** Deletes the event's item if it has expired so many milliseconds ago. */
export async function deleteExpired(
  client: DynamoDBClient,
  { table, keyAttribute, timeToLiveAttribute, keyOf }: Expiring,
  { key, now, afterMs }: { readonly key: string; readonly now: number; readonly afterMs: number },
): Promise<boolean> {
  const Key: Record<string, AttributeValue> = { [keyAttribute]: { S: keyOf(key) } };
  const { Item } = await client.send(new GetItemCommand({ TableName: table, Key }));
  const expires = Number(Item?.[timeToLiveAttribute]?.N);
  if (!(expires * 1000 + afterMs <= now)) return false;
  await client.send(new DeleteItemCommand({ TableName: table, Key }));
  return true;
}

function requireProcess(): Process {
  const process = currentProcess();
  if (process === undefined) throw new Error('a request outside of any invocation');
  return process;
}
