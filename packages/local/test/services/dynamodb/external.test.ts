import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Json } from '../../../json/json';
import { LocalError } from '../../../local-error';
import { type ExternalDynamoDb, externalDynamoDb } from '../../../services/dynamodb/external';
import { dynamoDbIntegrations } from '../../../services/dynamodb/integrations';
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

describe('an external DynamoDB', () => {
  test('its tables are made once, and what is in them stays', async () => {
    const first = await externalDynamoDb(theirs.endpoint, 'us-east-1', [TABLE]);
    first.close();
    const second = await externalDynamoDb(theirs.endpoint, 'us-east-1', [TABLE]);

    const get = new GetItemCommand({ TableName: 'things', Key: { id: { S: 'a' } } });
    expect((await second.client.send(get)).Item).toBeUndefined();
    second.close();
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

  test('Task states put, read and query its items', async () => {
    const there = await externalDynamoDb(theirs.endpoint, 'us-east-1', [TABLE]);
    const Item = { id: { S: 'Zürich' }, bytes: { B: 'AQID' } };
    const on = (resource: string, args: object) => call(there, resource, { TableName: 'things', ...args });

    expect(await on('dynamodb:putItem', { Item: { ...Item, nothing: null } })).toMatchObject({
      kind: 'succeeded',
      output: {
        SdkHttpMetadata: {
          HttpHeaders: { 'content-type': 'application/x-amz-json-1.0' },
          HttpStatusCode: 200,
        },
        SdkResponseMetadata: { RequestId: expect.stringMatching(/./) },
      },
    });
    expect(await on('aws-sdk:dynamodb:getItem', { Key: { id: Item.id } })).toEqual({
      kind: 'succeeded',
      output: { Item },
    });
    const twice = { Item, ConditionExpression: 'attribute_not_exists(id)' };
    expect(await on('dynamodb:putItem', twice)).toMatchObject({
      kind: 'failed',
      error: 'DynamoDB.ConditionalCheckFailedException',
      cause: expect.stringMatching(
        /^The conditional request failed \(Service: .*; Request ID: .+; Proxy: null\)$/,
      ),
    });
    there.close();
  });

  test('no server there: says so with the remedy, without the password of the address', async () => {
    const { api, close } = await openApi();
    await close();
    const endpoint = api.endpoint.replace('http://', 'http://me:PASS@');

    const rejected = externalDynamoDb(endpoint, 'us-east-1', [TABLE]).catch((error: unknown) => error);

    expect(await rejected).toBeInstanceOf(LocalError);
    expect(String(await rejected)).toMatch(
      /http:\/\/127.0.0.1:\d+: .*ECONNREFUSED.*start it, or leave the endpoint out/,
    );
    expect(String(await rejected)).not.toContain('PASS');
  });
});

describe('answers of AWS that the embedded DynamoDB does not give', () => {
  let server: Server;
  let there: ExternalDynamoDb;
  let asked: IncomingMessage[] = [];
  let answer: (response: ServerResponse) => void;

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request);
      request.resume();
      const isList = request.headers['x-amz-target'] === 'DynamoDB_20120810.ListTables';
      request.on('end', () => (isList ? response.end('{"TableNames":[]}') : answer(response)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    there = await externalDynamoDb(endpoint, 'us-east-1', []);
  });

  beforeEach(() => {
    asked = [];
  });

  afterAll(async () => {
    there.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const put = () => call(there, 'dynamodb:putItem', { TableName: 'orders', Item: {} });
  test.each([
    ['in a header', 400, { 'x-amzn-errortype': 'ConditionalCheckFailedException' }, '{}'],
    ['in front of an address', 400, {}, '{"__type":"x#ConditionalCheckFailedException:http://x/"}'],
    ['as a code', 400, {}, '{"code":"ConditionalCheckFailedException"}'],
  ])('the name of an error %s: known', async (_where, status, headers, body) => {
    answer = response => response.writeHead(status, headers).end(body);

    expect(await put()).toMatchObject({ error: 'DynamoDB.ConditionalCheckFailedException' });
  });

  test.each([
    [500, 'null', 'DynamoDB.AmazonDynamoDBException'],
    [502, '<html>', 'DynamoDB.AmazonDynamoDBException'],
    [500, '', 'DynamoDB.AmazonDynamoDBException'],
    [200, '[1]', 'DynamoDB.SdkClientException'],
    [200, 'null', 'DynamoDB.SdkClientException'],
  ])('status %i with %j: an error by name', async (status, body, error) => {
    answer = response => response.writeHead(status).end(body);

    const result = await put();

    expect(result).toMatchObject({ kind: 'failed', error });
    if (status !== 200)
      expect(result).toMatchObject({ cause: expect.stringContaining(`Status Code: ${status}`) });
  });

  const failing = (status: number, content: object) => (response: ServerResponse) => {
    response.writeHead(status, { 'x-amzn-requestid': 'R' }).end(JSON.stringify(content));
  };

  test('requests are signed', async () => {
    answer = response => response.end('{}');
    await put();

    expect(asked.map(({ headers }) => headers)).toEqual([
      expect.objectContaining({
        'x-amz-target': 'DynamoDB_20120810.PutItem',
        'content-type': 'application/x-amz-json-1.0',
        authorization: expect.stringMatching(
          /^AWS4-HMAC-SHA256 Credential=.+\/us-east-1\/dynamodb\/aws4_request/,
        ),
      }),
    ]);
  });

  test('an error code without the suffix Exception: the name has it, the cause tells the code', async () => {
    answer = failing(500, {
      __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError',
      message: 'oops',
    });

    expect(await put()).toEqual({
      kind: 'failed',
      error: 'DynamoDB.InternalServerErrorException',
      cause:
        'oops (Service: AmazonDynamoDBv2; Status Code: 500; Error Code: InternalServerError; Request ID: R; Proxy: null)',
    });
  });

  test('the item of a failed condition: is not told, as on AWS', async () => {
    answer = failing(400, {
      __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
      message: 'The conditional request failed',
      Item: { secret: { S: 'x' } },
    });

    const failed = await put();
    expect(failed).toMatchObject({ error: 'DynamoDB.ConditionalCheckFailedException' });
    expect(JSON.stringify(failed)).not.toContain('secret');
  });

  test('a connection that is closed without an answer: a failure of the SDK client', async () => {
    answer = response => response.destroy();

    expect(await put()).toEqual({
      kind: 'failed',
      error: 'DynamoDB.SdkClientException',
      cause: 'Unable to execute HTTP request: socket hang up',
    });
  });

  test('an answer that is not JSON: a failure of the SDK client', async () => {
    answer = response => response.end('<html>');

    expect(await put()).toMatchObject({
      error: 'DynamoDB.SdkClientException',
      cause: expect.stringContaining('is not valid JSON'),
    });
  });
});

function call({ ask }: ExternalDynamoDb, resource: string, args: object) {
  const service = dynamoDbIntegrations(ask).get(resource);
  if (!service) throw new Error(`no service for ${resource}`);
  const given = { resource, arguments: args as Json, executionArn: 'arn', stateName: 'State', retryCount: 0 };
  return service.call(given, new AbortController().signal);
}
