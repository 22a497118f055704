import { SFNClient, type SFNClientConfig } from '@aws-sdk/client-sfn';
import { dynamoDbClientLike } from '../../client/dynamodb-client';

describe('the DynamoDB client that is like the Step Functions client', () => {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' };
  const like = (config: SFNClientConfig) =>
    dynamoDbClientLike(new SFNClient({ region: 'eu-central-1', credentials, ...config }));

  test('region, credentials, attempts, connections: the same', async () => {
    const sfn = new SFNClient({ region: 'eu-central-1', credentials, maxAttempts: 7, useFipsEndpoint: true });

    const { config } = await dynamoDbClientLike(sfn);

    expect(await config.region()).toBe('eu-central-1');
    expect(await config.credentials()).toMatchObject(credentials);
    expect(await config.maxAttempts()).toBe(7);
    expect(await config.useFipsEndpoint()).toBe(true);
    expect(config.requestHandler).toBe(sfn.config.requestHandler);
  });

  test('asked for twice: one client', async () => {
    const sfn = new SFNClient({ region: 'eu-central-1' });

    expect(await dynamoDbClientLike(sfn)).toBe(await dynamoDbClientLike(sfn));
  });

  test.each(['http://127.0.0.1:8083', 'https://localstack:4566/base'])(
    'the endpoint %s: the same',
    async endpoint => {
      const { config } = await like({ endpoint });
      const { protocol, hostname, port, path } = (await config.endpoint?.()) ?? {};

      expect(`${protocol}//${hostname}:${port}${path}`.replace(/\/$/, '')).toBe(endpoint);
    },
  );

  test.each([
    undefined,
    'https://states.eu-central-1.amazonaws.com',
    'https://vpce-0-x.states.eu-central-1.vpce.amazonaws.com',
    'https://states.cn-north-1.amazonaws.com.cn',
    'https://states.eu-central-1.api.aws',
  ])('the endpoint %s: DynamoDB has its own', async endpoint => {
    const { config } = await like(endpoint === undefined ? {} : { endpoint });

    expect(config.isCustomEndpoint).toBe(false);
  });
});
