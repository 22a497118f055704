import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const MESSAGE = { messageId: 'm', receiptHandle: 'r', executionArn: 'arn:own', recordKey: 'Pay#7' };
const CHECK = {
  messageId: 'check',
  receiptHandle: 'c',
  body: JSON.stringify(MESSAGE),
  attributes: { ApproximateReceiveCount: '1' },
};
type Handler = (batch: { readonly Records: readonly (typeof CHECK)[] }) => Promise<object>;

const environment = { ...process.env };

afterEach(() => {
  process.env = { ...environment };
  jest.restoreAllMocks();
});

/** What the function answers if Step Functions' clock says `now`, and the owner was stopped so many seconds before. */
function checkedAt(now: Date, secondsAgo: number): Promise<Checked> {
  return checked(now, {
    GetItem: { Item: { status: { S: 'IN_PROGRESS' }, owner: { S: 'arn:own' } } },
    DescribeExecution: { status: 'ABORTED', stopDate: now.getTime() / 1000 - secondsAgo },
  });
}

interface Checked {
  readonly answer: object;
  /** The operations that the endpoint got. */
  readonly operations: readonly string[];
}

/** A check, with what the endpoint answers to each operation. */
async function checked(now: Date, answers: Readonly<Record<string, object>>): Promise<Checked> {
  const operations: string[] = [];
  const server = createServer((request, response) => {
    const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
    operations.push(operation);
    response.setHeader('date', now.toUTCString());
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(JSON.stringify(answers[operation] ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env = {
    ...environment,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    AWS_ENDPOINT_URL: url,
    TABLE_NAME: 'Records',
    TABLE_SCHEMA: '{}',
    QUEUE_URL: 'https://sqs.invalid/1/orders',
    STARTED_QUEUE_URL: 'https://sqs.invalid/1/started',
    CHECK_AFTER_SECONDS: '40',
    STEP_SECONDS: '40',
  };
  const handlers: Handler[] = [];
  jest.isolateModules(() => {
    handlers.push(jest.requireActual<{ handler: Handler }>('../../functions/check-message/handler').handler);
  });
  const answer = await handlers[0]?.({ Records: [CHECK] });
  server.closeAllConnections();
  server.close();
  return { answer: answer ?? {}, operations };
}

describe('the function that checks messages', () => {
  test.each([
    ['2020-01-01T00:00:00Z', 60, 1],
    ['2020-01-01T00:00:00Z', 1_400, 0],
    ['2040-01-01T00:00:00Z', 60, 1],
    ['2040-01-01T00:00:00Z', 1_400, 0],
  ])('count the time since an end by the clock of Step Functions: %s, %i s ago', async (now, ago, again) => {
    jest.spyOn(console, 'log').mockImplementation(() => undefined);

    const { answer } = await checkedAt(new Date(now), ago);

    expect(answer).toEqual({ batchItemFailures: again === 0 ? [] : [{ itemIdentifier: CHECK.messageId }] });
  });

  test('the key is finished: delete the message at the endpoint, whatever the URL of the queue', async () => {
    const finished = { GetItem: { Item: { status: { S: 'COMPLETED' }, owner: { S: 'arn:own' } } } };

    const { answer, operations } = await checked(new Date(), finished);

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(operations).toEqual(['GetItem', 'DeleteMessage']);
  });
});
