import type { Json, JsonObject } from '../../../../json/json';
import { ALL, asked, attribute, key, last, rejected, TABLE, TableName, text } from './ask-database';

// What AWS answers, by the tests of other projects that are run against AWS.

describe('the capacity that is consumed', () => {
  const TOTAL = { ReturnConsumedCapacity: 'TOTAL' };
  const long = (id: string) => ({ id: text(id), x: text('x'.repeat(1024)) });
  const capacity = (units: number) => [{ TableName, CapacityUnits: units }];
  const put = (Item: JsonObject) => ['PutItem', { TableName, Item }] as const;

  test('of batches: the sum of their items', async () => {
    const writes: readonly JsonObject[] = [
      { PutRequest: { Item: long('a') } },
      { DeleteRequest: { Key: { id: text('b') } } },
    ];
    const Keys = [{ id: text('a') }, { id: text('none') }];

    expect(await last(['BatchWriteItem', { RequestItems: { [TableName]: writes }, ...TOTAL }])).toMatchObject(
      {
        ConsumedCapacity: capacity(3),
      },
    );
    for (const [ConsistentRead, units] of [
      [true, 2],
      [false, 1],
    ] as const) {
      const RequestItems = { [TableName]: { Keys, ConsistentRead } };
      expect(await last(put(long('a')), ['BatchGetItem', { RequestItems, ...TOTAL }])).toMatchObject({
        ConsumedCapacity: capacity(units),
      });
    }
    expect(await last(['BatchWriteItem', { RequestItems: { [TableName]: writes } }])).toEqual({
      UnprocessedItems: {},
    });
  });

  test('of transactions: each twice', async () => {
    const TransactItems = [{ Put: { TableName, Item: long('a') } }];
    const gets = [{ Get: { TableName, Key: { id: text('a') } } }];

    expect(await last(['TransactWriteItems', { TransactItems, ...TOTAL }])).toEqual({
      ConsumedCapacity: capacity(4),
    });
    expect(await last(['TransactGetItems', { TransactItems: gets, ...TOTAL }])).toMatchObject({
      ConsumedCapacity: capacity(2),
    });
  });

  test('of a read with a projection: the whole item', async () => {
    const item = { id: text('a'), x: text('x'.repeat(5000)), y: text('y') };
    const get = { TableName, Key: { id: text('a') }, ProjectionExpression: 'y', ConsistentRead: true };

    expect(await last(put(item), ['GetItem', { ...get, ...TOTAL }])).toEqual({
      Item: { y: text('y') },
      ConsumedCapacity: { TableName, CapacityUnits: 2 },
    });
  });
});

describe('a table', () => {
  test('described: its id, its size, and that of its indexes', async () => {
    const item = { id: text('a'), customer: text('c'), day: text('d') };
    const describe: readonly [string, Json] = ['DescribeTable', { TableName }];
    const described = await asked(
      describe,
      ['PutItem', { TableName, Item: item }],
      ['PutItem', { TableName, Item: { id: text('b') } }],
      describe,
    );

    expect(described.at(0)).toMatchObject({ Table: { ItemCount: 0, TableSizeBytes: 0 } });
    expect(described.at(3)).toMatchObject({
      Table: {
        TableId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
        ItemCount: 2,
        TableSizeBytes: 19,
        BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST', LastUpdateToPayPerRequestDateTime: 0 },
        GlobalSecondaryIndexes: [{ ItemCount: 1, IndexSizeBytes: 16 }],
      },
    });
    expect((described[0] as JsonObject)['Table']).toHaveProperty(
      'TableId',
      ((described[3] as JsonObject)['Table'] as JsonObject)['TableId'],
    );
  });

  test('deleted: described without its keys', async () => {
    const answer = (await last(['DeleteTable', { TableName }])) as { TableDescription: object };

    expect(answer.TableDescription).toMatchObject({ TableName, TableStatus: 'DELETING' });
    expect(answer.TableDescription).not.toHaveProperty('KeySchema');
    expect(answer.TableDescription).not.toHaveProperty('AttributeDefinitions');
  });

  const index = (more: JsonObject) => ({
    GlobalSecondaryIndexes: [{ IndexName: 'index', KeySchema: [key('customer')], Projection: ALL, ...more }],
    AttributeDefinitions: [attribute('id'), attribute('customer')],
  });
  const tags = (...pairs: readonly (readonly [string, string])[]) => ({
    Tags: pairs.map(([Key, Value]) => ({ Key, Value })),
  });
  test.each<[string, JsonObject, RegExp]>([
    ['an attribute twice', { AttributeDefinitions: [attribute('id'), attribute('id', 'N')] }, /same name/],
    ['a key name of 256 characters', { KeySchema: [key('x'.repeat(256))] }, /less than or equal to 255/],
    ['an index name of two characters', index({ IndexName: 'ab' }), /greater than or equal to 3/],
    ['an index name with a star', index({ IndexName: 'ab*' }), /regular expression pattern/],
    [
      'projected names beside ALL',
      index({ Projection: { ...ALL, NonKeyAttributes: ['x'] } }),
      /ProjectionType is ALL, but NonKeyAttributes is specified/,
    ],
    [
      'a projected name twice',
      index({ Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['x', 'x'] } }),
      /Duplicate attribute/,
    ],
    [
      'a projected name of 256 characters',
      index({ Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['x'.repeat(256)] } }),
      /less than or equal to 255/,
    ],
    ['51 tags', tags(...Array.from({ length: 51 }, (_, n) => [`${n}`, ''] as const)), /Too many tags/],
  ])('with %s: rejected', async (_case, more, message) => {
    const { GlobalSecondaryIndexes: _none, ...bare } = TABLE;
    const request = { ...bare, TableName: 'other', AttributeDefinitions: [attribute('id')], ...more };

    expect(await last(['CreateTable', request])).toEqual(rejected(expect.stringMatching(message)));
  });

  test.each([
    [
      'two partition keys',
      [key('customer'), key('id')],
      /several partition key attributes in an index, as index has/,
    ],
    [
      'two sort keys',
      [key('customer'), key('id', 'RANGE'), key('day', 'RANGE')],
      /several sort key attributes in an index, as index has/,
    ],
  ])('with an index of %s: rejected by name', async (_case, KeySchema, message) => {
    const request = {
      ...TABLE,
      TableName: 'other',
      ...index({ KeySchema }),
      AttributeDefinitions: TABLE['AttributeDefinitions'] ?? [],
    };

    expect(await last(['CreateTable', request])).toEqual(
      rejected(expect.stringMatching(message), 'UnsupportedOperationException'),
    );
  });

  const ARN = `arn:aws:dynamodb:us-east-1:111111111111:table/${TableName}`;
  test.each<[string, JsonObject]>([
    ['none', tags()],
    ['an empty key', tags(['', 'x'])],
    ['a key of 129 characters', tags(['x'.repeat(129), 'x'])],
    ['a value of 257 characters', tags(['x', 'x'.repeat(257)])],
    ['a key with !', tags(['hi!', 'x'])],
    ['a value with %', tags(['x', 'd%g'])],
    ['one key twice', tags(['x', 'a'], ['x', 'b'])],
  ])('tagged with %s: rejected', async (_case, given) => {
    expect(await last(['TagResource', { ResourceArn: ARN, ...given }])).toEqual(rejected(expect.any(String)));
  });

  test.each<[string, JsonObject]>([
    ['no value', tags(['x', ''])],
    ['128 and 256 letters of any alphabet', tags(['א'.repeat(128), 'א'.repeat(256)])],
    ['spaces and signs', tags([' ', 'a+b-c=d._:/@'])],
  ])('tagged with %s: taken', async (_case, given) => {
    expect(
      await last(
        ['TagResource', { ResourceArn: ARN, ...given }],
        ['ListTagsOfResource', { ResourceArn: ARN }],
      ),
    ).toEqual(given);
  });

  test.each([`${ARN}/index/by-day`, 'I_do_not_exist', 'arn:not/a/good/format'])(
    'of the ARN %s: rejected; of another table: not found',
    async ResourceArn => {
      expect(await last(['ListTagsOfResource', { ResourceArn }])).toEqual(
        rejected(expect.stringMatching(/ResourceArn/)),
      );
      expect(await last(['ListTagsOfResource', { ResourceArn: `${ARN}x` }])).toEqual(
        rejected(expect.any(String), 'ResourceNotFoundException'),
      );
    },
  );
});
