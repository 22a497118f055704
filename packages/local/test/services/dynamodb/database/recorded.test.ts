import type { Json, JsonObject } from '../../../../json/json';
import { asked, last, rejected, TableName, text } from './ask-database';

// What AWS answers, by the tests of other projects that are run against AWS.

describe('a write is rejected', () => {
  const put = (more: JsonObject): readonly [string, Json] => [
    'PutItem',
    { TableName, Item: { id: text('a'), ...more } },
  ];
  const update = (name: string, value: string): readonly [string, Json] => [
    'UpdateItem',
    {
      TableName,
      Key: { id: text('a') },
      UpdateExpression: 'SET #n = :v',
      ExpressionAttributeNames: { '#n': name },
      ExpressionAttributeValues: { ':v': text(value) },
    },
  ];
  const batch = (more: JsonObject): readonly [string, Json] => [
    'BatchWriteItem',
    { RequestItems: { [TableName]: [{ PutRequest: { Item: { id: text('a'), ...more } } }] } },
  ];

  test.each<[string, string, RegExp]>([
    ['an empty text', '', /cannot contain an empty string value\. IndexName: by-day, IndexKey: customer/],
    [
      '2,049 bytes',
      `${'é'.repeat(1024)}a`,
      /Size of hashkey has exceeded the maximum size limit of2048 bytes/,
    ],
  ])('with %s as the key of an index', async (_case, value, message) => {
    for (const request of [
      put({ customer: text(value) }),
      update('customer', value),
      batch({ customer: text(value) }),
    ]) {
      expect(await last(request)).toEqual(rejected(expect.stringMatching(message)));
    }
  });

  test('with 1,025 bytes as the sort key of an index, and not with 1,024', async () => {
    expect(await last(put({ day: text('a'.repeat(1025)) }))).toEqual(
      rejected(expect.stringMatching(/1024 bytes/)),
    );
    expect(await last(put({ day: text('a'.repeat(1024)) }))).toEqual({});
    expect(await last(put({ customer: text('é'.repeat(1024)) }))).toEqual({});
  });

  test.each([
    ['no characters', '', /must not be empty/],
    ['65,536 bytes', 'é'.repeat(32_768), /less than 65536 bytes/],
  ])('with a name of %s', async (_case, name, message) => {
    expect(await last(put({ [name]: text('x') }))).toEqual(rejected(expect.stringMatching(message)));
    expect(await last(update(name, 'x'))).toEqual(rejected(expect.stringMatching(message)));
    expect(await last(put({ [`${'é'.repeat(32_767)}a`]: text('x') }))).toEqual({});
  });

  test('with an item of a batch that lacks its key', async () => {
    const RequestItems = { [TableName]: [{ PutRequest: { Item: { n: { N: '1' } } } }] };

    expect(await last(['BatchWriteItem', { RequestItems }])).toEqual(
      rejected('The provided key element does not match the schema'),
    );
  });
});

describe('a transaction', () => {
  const puts = (...items: readonly JsonObject[]) => ({
    TransactItems: items.map(Item => ({ Put: { TableName, Item } })),
  });

  test('again with the members in another order: the same transaction', async () => {
    const ClientRequestToken = 'token';
    const item = { id: text('a'), n: { N: '1' }, m: { M: { x: text('1'), y: text('2') } } };
    const other = { m: { M: { y: text('2'), x: text('1') } }, n: { N: '1' }, id: text('a') };
    const third = { ...item, n: { N: '2' } };

    const answers = await asked(
      ['TransactWriteItems', { ...puts(item), ClientRequestToken }],
      ['TransactWriteItems', { ...puts(other), ClientRequestToken }],
      ['TransactWriteItems', { ...puts(third), ClientRequestToken }],
    );

    expect(answers).toEqual([{}, {}, rejected(expect.any(String), 'IdempotentParameterMismatchException')]);
  });

  test('with a token of 36 characters: taken, and with 37 or none: rejected', async () => {
    const send = (ClientRequestToken: string) =>
      last(['TransactWriteItems', { ...puts({ id: text('a') }), ClientRequestToken }]);

    expect(await send('x'.repeat(36))).toEqual({});
    expect(await send('x'.repeat(37))).toEqual(
      rejected(expect.stringMatching(/'clientRequestToken'.*equal to 36/)),
    );
    expect(await send('')).toEqual(rejected(expect.stringMatching(/'clientRequestToken'.*equal to 1/)));
  });

  test.each<[string, JsonObject, RegExp]>([
    ['a key of another type', { id: { N: '1' } }, /Type mismatch for key id expected: S actual: N/],
    ['no key', { n: { N: '1' } }, /Missing the key id/],
    ['an index key of another type', { id: text('b'), customer: { N: '1' } }, /Type mismatch for Index Key/],
  ])('with %s: canceled, with the reason at its place', async (_case, item, message) => {
    expect(await last(['TransactWriteItems', puts({ id: text('a') }, item)])).toEqual({
      code: 'TransactionCanceledException',
      message: expect.stringMatching(/\[None, ValidationError\]$/),
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ValidationError', Message: expect.stringMatching(message) },
      ],
    });
  });

  test('a Key of another type in an update, a deletion, a check: canceled', async () => {
    const Key = { id: { N: '1' } };
    const actions: readonly JsonObject[] = [
      {
        Update: {
          TableName,
          Key,
          UpdateExpression: 'SET a = :a',
          ExpressionAttributeValues: { ':a': text('x') },
        },
      },
      { Delete: { TableName, Key } },
      { ConditionCheck: { TableName, Key, ConditionExpression: 'attribute_exists(id)' } },
    ];
    for (const action of actions) {
      expect(await last(['TransactWriteItems', { TransactItems: [action] }])).toMatchObject({
        code: 'TransactionCanceledException',
        CancellationReasons: [{ Code: 'ValidationError' }],
      });
    }
  });

  test('of 5 MB: rejected; of 3 MB: taken; a deletion of 5 MB: taken', async () => {
    const items = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ id: text(`${n}`), x: text('x'.repeat(100_000)) }));
    const [five, three] = [items(50), items(30)];
    const singles = five.map(Item => ['PutItem', { TableName, Item }] as const);
    const deletions = five.map(({ id }) => ({ Delete: { TableName, Key: { id } } }));

    expect(await last(['TransactWriteItems', puts(...five)])).toEqual(
      rejected(expect.stringMatching(/size cannot exceed/)),
    );
    expect(await last(['TransactWriteItems', puts(...three)])).toEqual({});
    expect(await last(...singles, ['TransactWriteItems', { TransactItems: deletions }])).toEqual({});
  });
});

describe('for a table that is not there', () => {
  const NONE = { TableName: 'none' };
  const Key = { id: text('a') };
  const notFound = rejected(expect.any(String), 'ResourceNotFoundException');

  test.each<[operation: string, request: JsonObject, message: RegExp]>([
    ['GetItem', { Key, ProjectionExpression: 'a b' }, /Invalid ProjectionExpression/],
    ['DeleteItem', { Key, ConditionExpression: 'a' }, /Invalid ConditionExpression/],
    ['UpdateItem', { Key, UpdateExpression: 'SET a' }, /Invalid UpdateExpression/],
    ['PutItem', { Item: { ...Key, x: text('x'.repeat(410_000)) } }, /Item size has exceeded/],
    ['PutItem', { Item: { id: {} } }, /Supplied AttributeValue is empty/],
    ['Scan', { FilterExpression: 'a' }, /Invalid FilterExpression/],
    ['Query', { KeyConditionExpression: 'id' }, /Invalid KeyConditionExpression/],
    ['Query', {}, /must be specified in the request/],
  ])('%s with %.50j: the fault of the request', async (operation, request, message) => {
    expect(await last([operation, { ...NONE, ...request }])).toEqual(
      rejected(expect.stringMatching(message)),
    );
  });

  test.each<[operation: string, request: JsonObject]>([
    ['GetItem', { Key }],
    ['PutItem', { Item: Key }],
    ['UpdateItem', { Key }],
    ['DeleteItem', { Key }],
    ['Scan', {}],
  ])('a right %s: not found', async (operation, request) => {
    expect(await last([operation, { ...NONE, ...request }])).toEqual(notFound);
  });

  test.each([
    ['ab', 'TableName must be at least 3 characters long and at most 255 characters long'],
    ['x'.repeat(256), 'TableName must be at least 3 characters long and at most 255 characters long'],
    ['a;bc', expect.stringMatching(/'tableName'.*\[a-zA-Z0-9_.-\]\+$/)],
  ])('the name %.10s: the fault of the name, in each operation', async (name, message) => {
    for (const [operation, request] of [
      ['GetItem', { Key }],
      ['PutItem', { Item: Key }],
      ['Scan', {}],
      ['DescribeTable', {}],
    ] as const) {
      expect(await last([operation, { TableName: name, ...request }])).toEqual(rejected(message));
    }
  });
});

describe('an expression', () => {
  const list = { L: [] };
  test.each<[condition: string, values: JsonObject | undefined, message: string]>([
    [
      'a BETWEEN :l AND :l',
      { ':l': list },
      'Incorrect operand type for operator or function; operator: BETWEEN, operand type: L',
    ],
    [
      ':l BETWEEN a AND b',
      { ':l': { BOOL: true } },
      'Incorrect operand type for operator or function; operator: BETWEEN, operand type: BOOL',
    ],
    [
      'size(size(a)) = :n',
      { ':n': { N: '1' } },
      'The function is not allowed to be used this way in an expression; function: size',
    ],
    [
      'size(a, a) = :n',
      { ':n': { N: '1' } },
      'Incorrect number of operands for operator or function; operator or function: size, number of operands: 2',
    ],
    [
      'if_not_exists(a, :n) = :n',
      { ':n': { N: '1' } },
      'The function is not allowed in a condition expression; function: if_not_exists',
    ],
    [
      'list_append(a, :n)',
      { ':n': list },
      'The function is not allowed in a condition expression; function: list_append',
    ],
    [
      'a = contains(a, :n)',
      { ':n': { N: '1' } },
      'The function is not allowed to be used this way in an expression; function: contains',
    ],
    ['nothing(a)', undefined, 'Invalid function name; function: nothing'],
  ])('%s: rejected', async (ConditionExpression, values, message) => {
    const request = {
      TableName,
      Item: { id: text('a') },
      ConditionExpression,
      ...(values && { ExpressionAttributeValues: values }),
    };

    expect(await last(['PutItem', request])).toEqual(rejected(`Invalid ConditionExpression: ${message}`));
  });

  test.each<[path: string, message: string]>([
    [`a${'.b'.repeat(32)}`, 'The document path has too many nesting elements; nesting levels: 33'],
    ['a[9999999999]', 'List index is not within the allowable range; index: [9999999999]'],
  ])('with the path %.20s: rejected', async (ProjectionExpression, message) => {
    const request = { TableName, Key: { id: text('a') }, ProjectionExpression };

    expect(await last(['GetItem', request])).toEqual(rejected(`Invalid ProjectionExpression: ${message}`));
    expect(await last(['GetItem', { ...request, ProjectionExpression: `a${'.b'.repeat(31)}` }])).toEqual({});
  });

  const SCALARS =
    "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ";
  test.each<[operation: string, request: JsonObject, message: string]>([
    ['GetItem', { Key: { id: text('a') }, ProjectionExpression: 'id.x' }, `${SCALARS}Key: id`],
    ['Scan', { ProjectionExpression: 'id[0]' }, `${SCALARS}Key: id`],
    ['Scan', { FilterExpression: 'attribute_exists(customer.x)' }, `${SCALARS}IndexKey: customer`],
  ])('of %s that goes on within a key: rejected', async (operation, request, message) => {
    expect(await last([operation, { TableName, ...request }])).toEqual(rejected(message));
  });
});

describe('a query', () => {
  const query = (KeyConditionExpression: string, values: JsonObject, more: JsonObject = {}) =>
    last(['Query', { TableName, KeyConditionExpression, ExpressionAttributeValues: values, ...more }]);
  const a = { ':a': text('a') };
  const INVALID = 'Invalid KeyConditionExpression: ';

  test.each<[string, JsonObject, JsonObject, string]>([
    ['n = :a', a, {}, 'Query condition missed key schema element: id'],
    ['id < :a', a, {}, 'Query key condition not supported'],
    [
      'id = :a',
      { ':a': { N: '1' } },
      {},
      'One or more parameter values were invalid: Condition parameter type does not match schema type',
    ],
    [
      'id = :a AND id = :a',
      a,
      {},
      `${INVALID}KeyConditionExpressions must only contain one condition per key`,
    ],
    [
      'customer = :a AND #d BETWEEN :b AND :a',
      { ...a, ':b': text('b') },
      { IndexName: 'by-day', ExpressionAttributeNames: { '#d': 'day' } },
      `${INVALID}The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ` +
        'lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}',
    ],
    [
      'id = :a',
      a,
      { ExclusiveStartKey: { id: text('a') } },
      'The query can return at most one row and cannot be restarted',
    ],
  ])('%s: rejected', async (expression, values, more, message) => {
    expect(await query(expression, values, more)).toEqual(rejected(message));
  });
});
