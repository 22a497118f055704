import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientsFor } from '../../../cli/aws/clients';
import { describe as describeExecution } from '../../../cli/aws/executions';

const ARN = 'arn:aws:states:us-east-1:111111111111:execution:M:e';
const NOBODY_ENDS = new AbortController().signal;

/** The clock of the command after a call whose answer bears this date. */
async function clockAfter(date: string): Promise<number> {
  const answer = JSON.stringify({ executionArn: ARN, stateMachineArn: ARN, status: 'RUNNING', startDate: 1 });
  const server = createServer((_request, response) => {
    response.sendDate = false;
    response.writeHead(200, { date, 'content-type': 'application/x-amz-json-1.0' }).end(answer);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const aws = clientsFor({ endpoint, region: undefined }, {}, NOBODY_ENDS);
  try {
    await describeExecution(aws, ARN);
    return aws.time.now();
  } finally {
    aws.close();
    server.close();
  }
}

describe('the clock of a command', () => {
  test("the machine's is ten minutes ahead: AWS's counts", async () => {
    const behind = new Date(Date.now() - 600_000);

    expect(Math.abs((await clockAfter(behind.toUTCString())) - behind.getTime())).toBeLessThan(5000);
  });

  test("no difference, or no date: the machine's", async () => {
    for (const date of [new Date().toUTCString(), 'sometime']) {
      const before = Date.now();
      expect(await clockAfter(date)).toBeGreaterThanOrEqual(before);
    }
  });
});

describe('clients for a place', () => {
  test.each(['localhost:8083', 'ftp://127.0.0.1', 'nonsense'])(
    '%s, by the environment: no endpoint',
    AWS_ENDPOINT_URL => {
      expect(() =>
        clientsFor({ endpoint: undefined, region: undefined }, { AWS_ENDPOINT_URL }, NOBODY_ENDS),
      ).toThrow(/^AWS_ENDPOINT_URL must be an http or https address such as .+ begins with http:\/\/$/);
    },
  );

  test('a path on this machine: no endpoint', () => {
    expect(() =>
      clientsFor({ endpoint: 'http://127.0.0.1:8083/foo', region: undefined }, {}, NOBODY_ENDS),
    ).toThrow(/must be an address without a path, such as/);
  });

  test.each(['http://127.0.0.1:8083//', 'https://gateway.example/aws'])('%s: an endpoint', endpoint => {
    expect(() => clientsFor({ endpoint, region: 'us-east-1' }, {}, NOBODY_ENDS).close()).not.toThrow();
  });

  test('a stack of this machine by the environment: needs neither region nor credentials', async () => {
    const aws = clientsFor(
      { endpoint: undefined, region: undefined },
      { AWS_ENDPOINT_URL: 'http://[::1]:1' },
      NOBODY_ENDS,
    );

    expect(await aws.sfn.config.region()).toBe('us-east-1');
    expect(await aws.sfn.config.credentials()).toMatchObject({ accessKeyId: 'local' });
    aws.close();
  });

  test.each([
    ['http://127.0.0.1:8083', true],
    ['https://states.eu-central-1.amazonaws.com', undefined],
  ])('%s: StartSyncExecution has a host of its own only on AWS', (endpoint, isDisabled) => {
    const aws = clientsFor({ endpoint, region: 'eu-central-1' }, {}, NOBODY_ENDS);

    expect(aws.sfn.config.disableHostPrefix || undefined).toBe(isDisabled);
    aws.close();
  });

  test('an endpoint that takes requests and does not answer: given up, an Express execution later', async () => {
    const aws = clientsFor({ endpoint: 'http://127.0.0.1:1', region: undefined }, {}, NOBODY_ENDS);
    const givesUpAfter = async ({ config }: { readonly config: { readonly requestHandler: unknown } }) => {
      const { configProvider } = config.requestHandler as {
        configProvider: Promise<Record<string, unknown>>;
      };
      const { requestTimeout, throwOnRequestTimeout } = await configProvider;
      return throwOnRequestTimeout === true ? requestTimeout : 'never';
    };

    expect(await givesUpAfter(aws.sfn)).toBe(20_000);
    expect(await givesUpAfter(aws.dynamodb)).toBe(20_000);
    expect(await givesUpAfter(aws.sfnForExpress)).toBeGreaterThan(300_000);
    aws.close();
  });

  test('the region that is passed counts', async () => {
    const aws = clientsFor({ endpoint: undefined, region: 'eu-central-1' }, {}, NOBODY_ENDS);

    expect(await aws.dynamodb.config.region()).toBe('eu-central-1');
    aws.close();
  });
});
