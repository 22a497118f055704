import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const attributes = { ApproximateReceiveCount: '1' };
const BATCH = { Records: [{ messageId: 'm1', receiptHandle: 'r1', body: '{"a":1}', attributes }] };
interface Context {
  getRemainingTimeInMillis(): number;
}
type Handler = (batch: typeof BATCH, context?: Context) => Promise<object>;

const environment = { ...process.env };

afterEach(() => {
  process.env = { ...environment };
});

/** What the function answers for a batch, loaded with these variables in its environment. */
async function handled(variables: Readonly<Record<string, string>>, context?: Context): Promise<object> {
  const credentials = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' };
  const queue = { QUEUE_URL: 'https://sqs.invalid/1/q', DELETE_WHEN: 'started' };
  process.env = { ...environment, ...credentials, ...queue, ...variables, DISPATCHER_ARN: 'arn' };
  const handlers: Handler[] = [];
  jest.isolateModules(() => {
    handlers.push(
      jest.requireActual<{ handler: Handler }>('../../functions/start-from-queue/handler').handler,
    );
  });
  const [handler] = handlers;
  if (!handler) throw new Error('the function was not loaded');
  return handler(BATCH, context);
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

test('Step Functions does not answer: the message is postponed before the time of the function is over', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  const postponed: unknown[] = [];
  const server = createServer(async (request, response) => {
    if (String(request.headers['x-amz-target']).startsWith('AWSStepFunctions')) return;
    const chunks = await request.toArray();
    postponed.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const context = { getRemainingTimeInMillis: () => 2_100 };
  const answer = await handled({ AWS_ENDPOINT_URL: url, QUEUE_URL: `${url}/1/q` }, context);
  server.closeAllConnections();
  server.close();
  jest.restoreAllMocks();

  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
  expect(postponed).toEqual([{ QueueUrl: `${url}/1/q`, ReceiptHandle: 'r1', VisibilityTimeout: 60 }]);
});
