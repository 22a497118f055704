import { runs } from '../../../../../test/support/scale';
import type { Json } from '../../../json/json';
import type { ServiceTable } from '../../../runtime/calls/service';
import { askingIn } from '../../../services/dynamodb/http';
import { dynamoDbIntegrations } from '../../../services/dynamodb/integrations';
import { openDatabase } from '../../../services/dynamodb/service';

const TABLE = {
  TableName: 'orders',
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' as const }],
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' as const }],
  BillingMode: 'PAY_PER_REQUEST' as const,
};

const ENVIRONMENT = { region: 'us-east-1', account: '111111111111' };

function call(services: ServiceTable, resource: string, args: Json) {
  const service = services.get(resource);
  if (!service) throw new Error(`no service for ${resource}`);
  const from = { executionArn: 'arn', stateName: 'State', retryCount: 0 };
  return service.call({ resource, arguments: args, ...from }, new AbortController().signal);
}

describe('the DynamoDB integrations', () => {
  let services: ServiceTable;
  beforeAll(async () => {
    const database = await openDatabase([TABLE], { ...ENVIRONMENT, now: Date.now });
    services = dynamoDbIntegrations(askingIn(database, () => 'R'));
  });

  const on = (resource: string, args: object) =>
    call(services, resource, { TableName: 'orders', ...args } as Json);
  const key = (id: string) => ({ Key: { id: { S: id } } });

  test('optimized put: the metadata of the HTTP answer', async () => {
    expect(await on('dynamodb:putItem', { Item: { id: { S: 'a' } } })).toMatchObject({
      kind: 'succeeded',
      output: {
        SdkHttpMetadata: {
          AllHttpHeaders: { 'content-type': ['application/x-amz-json-1.0'] },
          HttpHeaders: { 'content-type': 'application/x-amz-json-1.0' },
          HttpStatusCode: 200,
        },
        SdkResponseMetadata: { RequestId: 'R' },
      },
    });
  });

  test.each([
    ['optimized', 'dynamodb:'],
    ['through the SDK', 'aws-sdk:dynamodb:'],
  ])(
    '%s put with null for an attribute: the item is without it, and one in a list is rejected',
    async (_case, service) => {
      const id = { S: 'null' };
      // As the SDK of the service writes a request: what is null in a map is left out.
      expect(await on(`${service}putItem`, { Item: { id, n: null, m: { M: { a: null } } } })).toMatchObject({
        kind: 'succeeded',
      });
      expect(await on(`${service}getItem`, key('null'))).toMatchObject({
        output: { Item: { id, m: { M: {} } } },
      });

      for (const n of [{ S: null }, { L: [null] }, {}]) {
        const rejected = await on(`${service}putItem`, { Item: { id, n } });
        expect(rejected).toMatchObject({
          kind: 'failed',
          cause: expect.stringContaining('Supplied AttributeValue is empty, must contain exactly one'),
        });
      }
    },
  );

  test('a text without a type is of the type S, but not through the SDK', async () => {
    const Item = { id: 'plain', m: { M: { a: 'b', l: { L: ['c'] } } } };
    const update = { UpdateExpression: 'SET n = :n', ExpressionAttributeValues: { ':n': '' } };

    expect(await on('dynamodb:putItem', { Item })).toMatchObject({ kind: 'succeeded' });
    expect(await on('dynamodb:updateItem', { Key: { id: 'plain' }, ...update })).toMatchObject({
      kind: 'succeeded',
    });
    expect(await on('dynamodb:getItem', { Key: { id: 'plain' } })).toMatchObject({
      output: {
        Item: { id: { S: 'plain' }, m: { M: { a: { S: 'b' }, l: { L: [{ S: 'c' }] } } }, n: { S: '' } },
      },
    });
    expect(await on('dynamodb:putItem', { Item: { id: 5 } })).toMatchObject({ kind: 'failed' });
    expect(await on('aws-sdk:dynamodb:putItem', { Item })).toMatchObject({ kind: 'failed' });
  });

  test('the same through the SDK integration: nothing', async () => {
    const result = await on('aws-sdk:dynamodb:putItem', { Item: { id: { S: 'a' } } });

    expect(result).toEqual({ kind: 'succeeded', output: {} });
  });

  test('every kind of attribute value: comes back as it went', async () => {
    const Item = {
      id: { S: 'values' },
      number: { N: '12345678901234567890123456789012345678' },
      binary: { B: 'AQID' },
      binaries: { BS: ['AQ==', 'Ag=='] },
      nothing: { NULL: true },
      // An attribute that is only named like a type.
      map: { M: { B: { S: 'text' }, list: { L: [{ B: 'AQID' }, { BOOL: false }] } } },
    };
    await on('dynamodb:putItem', { Item });

    const result = await on('aws-sdk:dynamodb:getItem', { ...key('values'), ConsistentRead: true });

    expect(result).toEqual({ kind: 'succeeded', output: { Item } });
  });

  test('an answer that its reader changes: the table stays as it is', async () => {
    const Item = { id: { S: 'kept' }, list: { L: [{ S: 'a' }] } };
    await on('dynamodb:putItem', { Item });
    const read = async () => {
      const answer = await on('aws-sdk:dynamodb:getItem', key('kept'));
      return answer.kind === 'succeeded' ? (answer.output as { Item: typeof Item }).Item : undefined;
    };

    (await read())?.list.L.push({ S: 'b' });

    expect(await read()).toEqual(Item);
  });

  test.each<[object, RegExp]>([
    [{ Item: { id: { S: 'a' }, l: { L: 5 } } }, /^Unexpected field type/],
    [{ Item: { id: { S: 'a' }, m: [] } }, /^Unrecognized collection type/],
    [
      { Item: { id: { S: 'a' }, ss: { SS: { a: 'x' } } } },
      /^Start of structure or map found where not expected/,
    ],
    [
      { Item: { id: { S: 'a' }, b: { B: 'AA' } } },
      /^Base64 encoded length is expected a multiple of 4 bytes but found: 2/,
    ],
    [{ Item: { id: { S: 'a' } }, TableName: 5 }, /^NUMBER_VALUE cannot be converted to String/],
  ])('%j: rejected in the words of DynamoDB', async (request, cause) => {
    expect(await on('dynamodb:putItem', request)).toEqual({
      kind: 'failed',
      error: 'DynamoDB.AmazonDynamoDBException',
      cause: expect.stringMatching(cause),
    });
  });

  test('members that the operation does not have, and those that are null: are not looked at', async () => {
    await on('dynamodb:putItem', { Item: { id: { S: 'known' } } });
    const more = { Unknown: 1, KeyConditions: { id: 1 }, ProjectionExpression: null };

    expect(await on('aws-sdk:dynamodb:getItem', { ...key('known'), ...more })).toEqual({
      kind: 'succeeded',
      output: { Item: { id: { S: 'known' } } },
    });
  });

  test('a parameter that is older than expressions: not supported', async () => {
    expect(await on('dynamodb:putItem', { Item: { id: { S: 'a' } }, Expected: {} })).toMatchObject({
      error: 'DynamoDB.AmazonDynamoDBException',
      cause: expect.stringContaining('use ConditionExpression'),
    });
  });

  test('get of nothing: no member Item', async () => {
    expect(await on('aws-sdk:dynamodb:getItem', key('nobody'))).toEqual({ kind: 'succeeded', output: {} });
  });

  test('delete: the item is gone, and the answer has its old attributes if the request asks for them', async () => {
    await on('dynamodb:putItem', { Item: { id: { S: 'gone' }, n: { N: '1' } } });

    const deleted = await on('dynamodb:deleteItem', { ...key('gone'), ReturnValues: 'ALL_OLD' });

    expect(deleted).toMatchObject({ output: { Attributes: { id: { S: 'gone' }, n: { N: '1' } } } });
    expect(await on('aws-sdk:dynamodb:getItem', key('gone'))).toEqual({ kind: 'succeeded', output: {} });
  });

  const failures: [string, string, object, string, RegExp][] = [
    [
      'a condition that is not met',
      'dynamodb:putItem',
      { Item: { id: { S: 'taken' } }, ConditionExpression: 'attribute_not_exists(id)' },
      'DynamoDB.ConditionalCheckFailedException',
      /^The conditional request failed \(Service: AmazonDynamoDBv2; Status Code: 400; Error Code: ConditionalCheckFailedException; Request ID: R; Proxy: null\)$/,
    ],
    [
      'the same through the SDK integration',
      'aws-sdk:dynamodb:putItem',
      { Item: { id: { S: 'taken' } }, ConditionExpression: 'attribute_not_exists(id)' },
      'DynamoDb.ConditionalCheckFailedException',
      /^The conditional request failed \(Service: DynamoDb, Status Code: 400, Request ID: R\)$/,
    ],
    [
      'no such table',
      'dynamodb:getItem',
      { TableName: 'nowhere', ...key('a') },
      'DynamoDB.ResourceNotFoundException',
      /^Requested resource not found \(Service: AmazonDynamoDBv2;/,
    ],
    [
      'an item without its key',
      'dynamodb:putItem',
      { Item: { n: { N: '1' } } },
      'DynamoDB.AmazonDynamoDBException',
      /Error Code: ValidationException/,
    ],
    [
      'the same through the SDK integration',
      'aws-sdk:dynamodb:putItem',
      { Item: { n: { N: '1' } } },
      'DynamoDb.DynamoDbException',
      /Missing the key id/,
    ],
  ];
  test.each(failures)('%s (%s)', async (_, resource, args, error, cause) => {
    await on('dynamodb:putItem', { Item: { id: { S: 'taken' } } });

    expect(await on(resource, args)).toEqual({ kind: 'failed', error, cause: expect.stringMatching(cause) });
  });

  test('transactions, batches, queries and scans through the SDK: binary values as Base64 in and out', async () => {
    const item = (id: string) => ({ id: { S: id }, bytes: { B: 'AAEC' } });
    const sdk = (operation: string, args: object) =>
      call(services, `aws-sdk:dynamodb:${operation}`, args as Json);
    const TableName = 'orders';
    await sdk('transactWriteItems', { TransactItems: [{ Put: { TableName, Item: item('t1') } }] });
    await sdk('batchWriteItem', { RequestItems: { orders: [{ PutRequest: { Item: item('b1') } }] } });

    expect(
      await sdk('transactGetItems', { TransactItems: [{ Get: { TableName, ...key('t1') } }] }),
    ).toMatchObject({ output: { Responses: [{ Item: item('t1') }] } });
    expect(
      await sdk('batchGetItem', { RequestItems: { orders: { Keys: [{ id: { S: 'b1' } }] } } }),
    ).toMatchObject({ output: { Responses: { orders: [item('b1')] } } });
    expect(
      await sdk('query', {
        TableName,
        KeyConditionExpression: 'id = :id',
        FilterExpression: 'bytes = :bytes',
        ExpressionAttributeValues: { ':id': { S: 't1' }, ':bytes': { B: 'AAEC' } },
      }),
    ).toMatchObject({ output: { Items: [item('t1')], Count: 1 } });
    const scan = { TableName, ExclusiveStartKey: { id: { S: 'nobody' } } };
    expect(await sdk('scan', scan)).toMatchObject({
      kind: 'succeeded',
      output: { Items: expect.any(Array) },
    });
  });

  test('a transaction whose condition does not hold: canceled, as through the SDK', async () => {
    const Put = {
      TableName: 'orders',
      Item: { id: { S: 'once' } },
      ConditionExpression: 'attribute_not_exists(id)',
    };
    const write = { TransactItems: [{ Put }] } as Json;
    await call(services, 'aws-sdk:dynamodb:transactWriteItems', write);

    expect(await call(services, 'aws-sdk:dynamodb:transactWriteItems', write)).toMatchObject({
      kind: 'failed',
      error: 'DynamoDb.TransactionCanceledException',
      cause: expect.stringContaining('[ConditionalCheckFailed]'),
    });
  });

  test('conditional puts of one key, hundreds at once: one succeeds', async () => {
    const put = { Item: { id: { S: 'contended' } }, ConditionExpression: 'attribute_not_exists(id)' };

    const puts = Array.from({ length: runs(200, 1000) }, () => on('dynamodb:putItem', put));
    const results = await Promise.all(puts);

    expect(results.filter(({ kind }) => kind === 'succeeded')).toHaveLength(1);
  }, 20_000);
});
