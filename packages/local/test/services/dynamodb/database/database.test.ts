import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ListTablesCommand,
  ListTagsOfResourceCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TagResourceCommand,
  TransactGetItemsCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { Json } from '../../../../json/json';
import { openDatabase } from './sdk';
import { get, put, TABLE, TableName, withTable } from './things';

describe('a condition that is not met', () => {
  const condition = { ConditionExpression: 'attribute_not_exists(id)' };

  test.each([
    ['ALL_OLD: the item comes with the rejection', 'ALL_OLD' as const, { id: { S: 'a' }, n: { N: '1' } }],
    ['NONE: only the rejection', 'NONE' as const, undefined],
    ['nothing said: only the rejection', undefined, undefined],
  ])('%s', async (_title, ReturnValuesOnConditionCheckFailure, Item) => {
    const client = await withTable(openDatabase().client);
    await client.send(put('a', { n: { N: '1' } }));

    const again = { TableName, Item: { id: { S: 'a' } }, ...condition, ReturnValuesOnConditionCheckFailure };
    const rejected = client.send(new PutItemCommand(again)).catch((error: unknown) => error);

    expect(await rejected).toMatchObject({ name: 'ConditionalCheckFailedException' });
    expect((await rejected) as { Item?: object }).toHaveProperty('Item', Item);
  });
});

describe('TransactWriteItems', () => {
  const Key = (id: string) => ({ TableName, Key: { id: { S: id } } });
  const absent = { ConditionExpression: 'attribute_not_exists(id)' };
  const send = (client: DynamoDBClient, TransactItems: TransactWriteItem[], ClientRequestToken?: string) =>
    client.send(new TransactWriteItemsCommand({ TransactItems, ClientRequestToken }));

  test('all conditions met: everything is written', async () => {
    const client = await withTable(openDatabase().client);
    await client.send(put('b'));
    await client.send(put('c'));

    await send(client, [
      { Put: { TableName, Item: { id: { S: 'a' } }, ...absent } },
      {
        Update: {
          ...Key('b'),
          UpdateExpression: 'SET n = :n',
          ExpressionAttributeValues: { ':n': { N: '1' } },
        },
      },
      { Delete: Key('c') },
      { ConditionCheck: { ...Key('d'), ...absent } },
    ]);

    const { Items } = await client.send(new ScanCommand({ TableName }));
    expect(Items).toHaveLength(2);
    expect((await client.send(get('b'))).Item).toEqual({ id: { S: 'b' }, n: { N: '1' } });
  });

  test('one condition not met: nothing is written, and each element has its reason', async () => {
    const client = await withTable(openDatabase().client);
    await client.send(put('b', { n: { N: '7' } }));

    const rejected = send(client, [
      { Put: { TableName, Item: { id: { S: 'a' } } } },
      { ConditionCheck: { ...Key('b'), ...absent, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
      {
        Update: {
          ...Key('c'),
          UpdateExpression: 'SET x = y',
        },
      },
    ]);

    await expect(rejected).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      message:
        'Transaction cancelled, please refer cancellation reasons for specific reasons ' +
        '[None, ConditionalCheckFailed, ValidationError]',
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ConditionalCheckFailed', Item: { id: { S: 'b' }, n: { N: '7' } } },
        { Code: 'ValidationError' },
      ],
    });
    expect((await client.send(get('a'))).Item).toBeUndefined();
  });

  test.each([
    ['two operations on one item', [{ Delete: Key('a') }, { ConditionCheck: { ...Key('a'), ...absent } }]],
    ['two actions in one element', [{ Delete: Key('a'), Put: { TableName, Item: { id: { S: 'b' } } } }]],
    ['a check without condition', [{ ConditionCheck: Key('a') } as unknown as TransactWriteItem]],
    ['no action', [{}]],
  ])('%s: rejected', async (_title, items: TransactWriteItem[]) => {
    const client = await withTable(openDatabase().client);

    await expect(send(client, items)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('a token that comes again within ten minutes: once; with another content: rejected; later: anew', async () => {
    let now = 0;
    const client = await withTable(openDatabase({ now: () => now }).client);
    const add = {
      Update: {
        ...Key('a'),
        UpdateExpression: 'ADD n :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      },
    };
    const count = async () => (await client.send(get('a'))).Item?.['n']?.N;

    await send(client, [add], 'token');
    await send(client, [add], 'token');
    expect(await count()).toBe('1');
    await expect(send(client, [{ Delete: Key('a') }], 'token')).rejects.toMatchObject({
      name: 'IdempotentParameterMismatchException',
    });
    now += 10 * 60 * 1000;
    await send(client, [add], 'token');
    expect(await count()).toBe('2');
  });

  test('TransactGetItems: one answer an element, also for a missing item', async () => {
    const client = await withTable(openDatabase().client);
    await client.send(put('a'));

    const gets = [{ Get: Key('b') }, { Get: Key('a') }];
    const { Responses } = await client.send(new TransactGetItemsCommand({ TransactItems: gets }));

    expect(Responses).toEqual([{}, { Item: { id: { S: 'a' } } }]);
  });
});

describe('tables', () => {
  test('describe, list, tags, time to live', async () => {
    const { client } = openDatabase({ now: () => 1_700_000_000_000 });
    await withTable(client);
    await client.send(put('a'));

    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    expect(Table).toMatchObject({
      TableStatus: 'ACTIVE',
      ItemCount: 1,
      CreationDateTime: new Date(1_700_000_000_000),
    });
    expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual([TableName]);
    const ResourceArn = Table?.TableArn;
    await client.send(new TagResourceCommand({ ResourceArn, Tags: [{ Key: 'k', Value: 'v' }] }));
    const { Tags } = await client.send(new ListTagsOfResourceCommand({ ResourceArn }));
    expect(Tags).toEqual([{ Key: 'k', Value: 'v' }]);
    const TimeToLiveSpecification = { AttributeName: 'expiry', Enabled: true };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
    expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expiry' });
  });

  test.each([
    ['a table that is there already', { ...TABLE }, 'ResourceInUseException'],
    [
      'a key without definition',
      { ...TABLE, TableName: 'other', AttributeDefinitions: [] },
      'ValidationException',
    ],
    ['a name that is too short', { ...TABLE, TableName: 'x' }, 'ValidationException'],
    ['a name with other characters', { ...TABLE, TableName: 'a b c' }, 'ValidationException'],
    ['no throughput', { ...TABLE, TableName: 'other', BillingMode: undefined }, 'ValidationException'],
  ])('%s: rejected', async (_title, request, name) => {
    const client = await withTable(openDatabase().client);

    await expect(client.send(new CreateTableCommand(request))).rejects.toMatchObject({ name });
  });
});

describe('requests of another form', () => {
  const nested = (levels: number): Json => (levels === 0 ? { S: 'x' } : { L: [nested(levels - 1)] });
  const Item = (value: Json) => ({ TableName, Item: { id: { S: 'a' }, value } });
  const EMPTY = 'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes';

  const cases: [title: string, operation: string, request: Json, code: string, message: RegExp][] = [
    ['null as the body', 'ListTables', null, 'SerializationException', /Unexpected field type/],
    ['a list as the body', 'ListTables', [], 'SerializationException', /collection/],
    ['no table to list', 'ListTables', { Limit: 0 }, 'ValidationException', /'0' at 'limit' .*equal to 1$/],
    ['null as an attribute', 'PutItem', Item(null), 'ValidationException', new RegExp(EMPTY)],
    ['null in a list', 'PutItem', Item({ L: [null] }), 'ValidationException', new RegExp(EMPTY)],
    ['null in a map', 'PutItem', Item({ M: { a: null } }), 'ValidationException', new RegExp(EMPTY)],
    ['null as the content', 'PutItem', Item({ S: null }), 'ValidationException', new RegExp(EMPTY)],
    [
      'null in a set of texts',
      'PutItem',
      Item({ SS: ['a', null] }),
      'ValidationException',
      /^One or more parameter values were invalid: An string set may not have a null string as a member$/,
    ],
    [
      'null in a set of numbers',
      'PutItem',
      Item({ NS: ['1', null] }),
      'ValidationException',
      /^The parameter cannot be converted to a numeric value$/,
    ],
    [
      'null in a set of bytes',
      'PutItem',
      Item({ BS: ['QQ==', null] }),
      'ValidationException',
      /^One or more parameter values were invalid: Binary sets may not contain null or empty values$/,
    ],
    ['a text as a value', 'PutItem', Item('x'), 'SerializationException', /Unexpected value type/],
    ['two types', 'PutItem', Item({ S: 'x', N: '1' }), 'ValidationException', /more than one datatypes/],
    [
      'a number as a text',
      'PutItem',
      Item({ S: 1 }),
      'SerializationException',
      /NUMBER_VALUE cannot be converted/,
    ],
    ['no base64', 'PutItem', Item({ B: '*' }), 'SerializationException', /multiple of 4/],
    ['32 levels', 'PutItem', Item(nested(31)), '', /^$/],
    ['33 levels', 'PutItem', Item(nested(32)), 'ValidationException', /Nesting Levels/],
    ['very many levels', 'PutItem', Item(nested(2000)), 'ValidationException', /Nesting Levels/],
    ['no table', 'PutItem', { Item: {} }, 'ValidationException', /'tableName' failed to satisfy constraint/],
    ['no key', 'GetItem', { TableName }, 'ValidationException', /Value null at 'key'/],
    [
      'a value that is none of several',
      'PutItem',
      { ...Item({ S: 'x' }), ReturnValues: 'SOME' },
      'ValidationException',
      /enum value set/,
    ],
    [
      'a table that is not there',
      'GetItem',
      { TableName: 'none', Key: {} },
      'ResourceNotFoundException',
      /^Requested resource not found$/,
    ],
    [
      'an item that is too large',
      'PutItem',
      Item({ S: 'x'.repeat(400 * 1024) }),
      'ValidationException',
      /Item size has exceeded/,
    ],
    ['an operation that nobody has', 'Nope', {}, 'UnknownOperationException', /no operation 'Nope'/],
    [
      'a parameter of the old API',
      'PutItem',
      { ...Item({ S: 'x' }), Expected: {} },
      'UnsupportedOperationException',
      /use ConditionExpression/,
    ],
    [
      'a parameter of the old API for one table of several',
      'BatchGetItem',
      {
        RequestItems: {
          [TableName]: { Keys: [{ id: { S: 'a' } }] },
          other: { Keys: [{ id: { S: 'a' } }], AttributesToGet: ['value'] },
        },
      },
      'UnsupportedOperationException',
      /support AttributesToGet, .*use ProjectionExpression/,
    ],
    [
      'an expression that is too long',
      'PutItem',
      { ...Item({ S: 'x' }), ConditionExpression: `a = ${'b'.repeat(4096)}` },
      'ValidationException',
      /Expression size/,
    ],
    [
      '200 parentheses',
      'PutItem',
      { ...Item({ S: 'x' }), ConditionExpression: `${'('.repeat(200)}a = b${')'.repeat(200)}` },
      'ValidationException',
      /redundant parentheses/,
    ],
    [
      '1,000 nested conditions',
      'PutItem',
      { ...Item({ S: 'x' }), ConditionExpression: `${'NOT '.repeat(1000)} a = b` },
      'ValidationException',
      /too many operators; operator count: 301/,
    ],
    ['a limit of zero', 'Scan', { TableName, Limit: 0 }, 'ValidationException', /'limit'/],
    [
      'a name of the prototype',
      'PutItem',
      Item({ constructor: { S: 'x' } }),
      'ValidationException',
      new RegExp(EMPTY),
    ],
  ];

  test.each(cases)('%s', async (_title, operation, request, code, message) => {
    const { database, client } = openDatabase();
    await withTable(client);

    const outcome = await database.perform(operation, request).then(
      () => ({ code: '', message: '' }),
      (error: unknown) => error as { code: string; message: string },
    );

    expect(outcome.code).toBe(code);
    expect(outcome.message).toMatch(message);
  });
});

describe('pages', () => {
  test('of one megabyte: as many as it takes', async () => {
    const client = await withTable(openDatabase().client);
    const text = { S: 'x'.repeat(300 * 1024) };
    for (const id of ['a', 'b', 'c', 'd', 'e']) await client.send(put(id, { text }));

    const first = await client.send(new ScanCommand({ TableName }));
    const second = await client.send(
      new ScanCommand({ TableName, ExclusiveStartKey: first.LastEvaluatedKey }),
    );

    expect([first.Count, second.Count, second.LastEvaluatedKey]).toEqual([4, 1, undefined]);
  });

  test('segments: each item in one of them', async () => {
    const client = await withTable(openDatabase().client);
    const ids = Array.from({ length: 50 }, (_, index) => `id-${index}`);
    for (const id of ids) await client.send(put(id));

    const segments = [0, 1, 2].map(Segment =>
      client.send(new ScanCommand({ TableName, Segment, TotalSegments: 3 })),
    );
    const found = (await Promise.all(segments)).map(({ Items = [] }) => Items.map(({ id }) => id?.S));

    expect(found.every(({ length }) => length > 0)).toBe(true);
    expect(found.flat().sort()).toEqual([...ids].sort());
  });

  test('capacity: half a unit for each 4 kB that are read, one for each 1 kB that is written', async () => {
    const client = await withTable(openDatabase().client);
    const ReturnConsumedCapacity = 'TOTAL' as const;
    const Item = { id: { S: 'a' }, text: { S: 'x'.repeat(5000) } };

    const written = await client.send(new PutItemCommand({ TableName, Item, ReturnConsumedCapacity }));
    const query = {
      TableName,
      KeyConditionExpression: 'id = :id',
      ExpressionAttributeValues: { ':id': { S: 'a' } },
      ReturnConsumedCapacity,
    };
    const read = await client.send(new QueryCommand(query));

    expect(written.ConsumedCapacity?.CapacityUnits).toBe(5);
    expect(read.ConsumedCapacity?.CapacityUnits).toBe(1);
  });
});

describe('the size of an expression', () => {
  const filter = (FilterExpression: string, values: number) =>
    new ScanCommand({
      TableName,
      FilterExpression,
      ExpressionAttributeValues: Object.fromEntries(
        Array.from({ length: values }, (_, n) => [`:${n}`, { N: String(n) }]),
      ),
    });
  const list = (values: number) => `a IN (${Array.from({ length: values }, (_, n) => `:${n}`).join(',')})`;
  // Each has a comparison, or a function, and the operator before it.
  const chain = (terms: number) => Array.from({ length: terms }, () => 'a=:0').join(' OR ');

  test.each([
    ['IN with 100 values', filter(list(100), 100)],
    ['300 operators', filter(`NOT ${chain(150)}`, 1)],
  ])('%s: taken', async (_case, scan) => {
    const client = await withTable(openDatabase().client);

    expect(await client.send(scan)).toMatchObject({ Count: 0 });
  });

  test.each([
    [
      'IN with 101 values',
      filter(list(101), 101),
      'The IN operator is provided with too many operands; number of operands: 101',
    ],
    [
      '301 operators',
      filter(chain(151), 1),
      'The expression contains too many operators; operator count: 301',
    ],
    [
      '301 of NOT and a function',
      filter(`${'NOT '.repeat(300)}contains(a,:0)`, 1),
      'The expression contains too many operators; operator count: 301',
    ],
  ])('%s: rejected in the words of the service', async (_case, scan, words) => {
    const client = await withTable(openDatabase().client);

    await expect(client.send(scan)).rejects.toMatchObject({
      name: 'ValidationException',
      message: `Invalid FilterExpression: ${words}`,
    });
  });
});
