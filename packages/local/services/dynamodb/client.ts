import { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Database } from './database/database';
import { answerOver } from './http';

/** Credentials that sign requests to something that checks none. */
export const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

/** As much of the SDK's HTTP request as the database reads. */
interface SdkRequest {
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

/**
 * An SDK client whose requests are answered by a database in this process: serialized, signed and parsed as any other,
 * but with no connection in between.
 */
export function clientOf(database: Database, region: string, newRequestId: () => string): DynamoDBClient {
  return new DynamoDBClient({
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
