import { Readable } from 'node:stream';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { answerOver, type Performing } from './http';

/** Credentials that sign requests to something that checks none. */
export const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

const NO_VERSION_WARNING = 'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED';

/**
 * Makes a client without the SDK's notice that coming versions of it need a newer Node.js: that notice is for
 * developers who chose the SDK, and this client is not theirs.
 */
export function quietClient(config: DynamoDBClientConfig): DynamoDBClient {
  const before = process.env[NO_VERSION_WARNING];
  process.env[NO_VERSION_WARNING] = 'true';
  try {
    return new DynamoDBClient(config);
  } finally {
    if (before === undefined) delete process.env[NO_VERSION_WARNING];
    else process.env[NO_VERSION_WARNING] = before;
  }
}

/** As much of the SDK's HTTP request as the database reads. */
interface SdkRequest {
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

/**
 * An SDK client whose requests are answered by a database in this process: serialized, signed and parsed as any other,
 * but with no connection in between.
 */
export function clientOf(database: Performing, region: string, newRequestId: () => string): DynamoDBClient {
  return quietClient({
    region,
    endpoint: 'http://127.0.0.1',
    credentials: CREDENTIALS,
    // A retry here would hide from the workflow what its own Retry is there to see.
    maxAttempts: 1,
    requestHandler: {
      handle: async ({ headers, body }: SdkRequest) => {
        const answer = await answerOver(database, headers, textOf(body));
        return {
          response: {
            statusCode: answer.status,
            headers: { ...answer.headers, 'x-amzn-requestid': newRequestId() },
            body: Readable.from([Buffer.from(answer.body)]),
          },
        };
      },
      destroy: () => undefined,
    },
  });
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (!(body instanceof Uint8Array)) return '';
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}
