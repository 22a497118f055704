import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const BATCH = { Records: [{ messageId: 'm1', receiptHandle: 'r1', body: '{"a":1}' }] };
type Handler = (batch: typeof BATCH) => Promise<object>;

const environment = { ...process.env };

afterEach(() => {
  process.env = { ...environment };
});

/** What the function answers for a batch, loaded with these variables in its environment. */
async function handled(variables: Readonly<Record<string, string>>): Promise<object> {
  const credentials = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' };
  process.env = { ...environment, ...credentials, ...variables, DISPATCHER_ARN: 'arn' };
  const handlers: Handler[] = [];
  jest.isolateModules(() => {
    handlers.push(
      jest.requireActual<{ handler: Handler }>('../../functions/start-from-queue/handler').handler,
    );
  });
  const [handler] = handlers;
  if (!handler) throw new Error('the function was not loaded');
  return handler(BATCH);
}

describe('the function that starts from a queue, where a variable names the endpoint', () => {
  test.each(['AWS_ENDPOINT_URL_SFN', 'AWS_ENDPOINT_URL'])(
    '%s: called as it is named, without `sync-`',
    async name => {
      const hosts: (string | undefined)[] = [];
      const server = createServer((request, response) => {
        hosts.push(request.headers.host);
        response.setHeader('content-type', 'application/x-amz-json-1.0');
        response.end('{"executionArn":"e","status":"SUCCEEDED"}');
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

      const answer = await handled({ [name]: `http://${host}` });
      server.closeAllConnections();
      server.close();

      expect(answer).toEqual({ batchItemFailures: [] });
      expect(hosts).toEqual([host]);
    },
  );
});
