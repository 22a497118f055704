import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { LocalError } from '../../../local-error';
import { externalClient } from '../../../services/dynamodb/external';
import { DYNAMODB } from '../../../services/dynamodb/service';
import { openApi } from '../../api/test-endpoint';
import { contextOf } from '../service-context';
import { type EmbeddedDynamoDb, startEmbeddedDynamoDb } from './dynalite';

const TABLE = {
  TableName: 'things',
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' as const }],
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' as const }],
  BillingMode: 'PAY_PER_REQUEST' as const,
};

let theirs: EmbeddedDynamoDb;

beforeAll(async () => {
  theirs = await startEmbeddedDynamoDb([], { region: 'us-east-1', account: '111111111111' });
});

afterAll(() => theirs.close());

describe('a DynamoDB that somebody else runs', () => {
  test('its tables are made once, and what is in them stays', async () => {
    const first = await externalClient(theirs.endpoint, 'us-east-1', [TABLE]);
    first.destroy();
    const second = await externalClient(theirs.endpoint, 'us-east-1', [TABLE]);

    const { Item } = await second.send(new GetItemCommand({ TableName: 'things', Key: { id: { S: 'a' } } }));
    expect(Item).toBeUndefined();
    second.destroy();
  });

  test('requests to the endpoint of the stack are handed on to it', async () => {
    const service = await DYNAMODB.open(contextOf({ dynamoDbEndpoint: theirs.endpoint }));
    const headers = {
      'x-amz-target': 'DynamoDB_20120810.ListTables',
      'content-type': 'application/x-amz-json-1.0',
      authorization: 'AWS4-HMAC-SHA256 Credential=x, SignedHeaders=host, Signature=x',
      'x-amz-date': '20260101T000000Z',
    };
    const answer = await service.route.handle({ headers, body: Buffer.from('{}') } as never);

    expect([answer.status, JSON.parse(String(answer.body))]).toEqual([200, { TableNames: ['things'] }]);
    await service.close();
  });

  test('nobody there: says so, and what to do', async () => {
    const { api, close } = await openApi();
    await close();

    const refused = externalClient(api.endpoint, 'us-east-1', [TABLE]).catch((error: unknown) => error);

    expect(await refused).toBeInstanceOf(LocalError);
    expect(String(await refused)).toMatch(
      /http:\/\/127.0.0.1:\d+: .*ECONNREFUSED.*start it, or leave the endpoint out/,
    );
  });
});
