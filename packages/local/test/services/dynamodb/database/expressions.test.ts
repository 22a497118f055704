import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type ReturnValue,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { openDatabase } from './sdk';
import { put, TableName, withTable } from './things';

// What AWS answers, by the tests of other projects that are run against AWS.

const opened = () => withTable(openDatabase().client);
const namesOf = (sent: Promise<unknown>) =>
  sent.then(() => 'accepted').catch((error: Error) => error.message);

describe('parentheses', () => {
  const REDUNDANT = expect.stringContaining('The expression has redundant parentheses;');

  test.each([
    ['((attribute_not_exists(id)) OR n = :n)', 'accepted'],
    ['((attribute_not_exists(id) AND attribute_not_exists(q)) OR n = :n)', 'accepted'],
    ['(((n = :n) OR attribute_not_exists(id)) AND (NOT (n = :n)))', 'accepted'],
    ['(NOT ((n = :n) OR q = :n))', 'accepted'],
    ['((n = :n))', REDUNDANT],
    ['((attribute_not_exists(id) OR n = :n))', REDUNDANT],
    ['n = :n OR ((n = :n))', REDUNDANT],
    [`${'('.repeat(2000)}n = :n${')'.repeat(2000)}`, REDUNDANT],
  ])('a condition %.80s', async (ConditionExpression, expected) => {
    const client = await opened();
    const ExpressionAttributeValues = { ':n': { N: '1' } };
    const Item = { id: { S: 'a' } };
    const sent = client.send(
      new PutItemCommand({ TableName, Item, ConditionExpression, ExpressionAttributeValues }),
    );

    expect(await namesOf(sent)).toEqual(expected);
  });

  test.each(['id = :a', '(id = :a)', '((id = :a))', `${'('.repeat(100)}id = :a${')'.repeat(100)}`])(
    'a key condition %.40s',
    async KeyConditionExpression => {
      const client = await opened();
      await client.send(put('a'));
      const ExpressionAttributeValues = { ':a': { S: 'a' } };
      const found = await client.send(
        new QueryCommand({ TableName, KeyConditionExpression, ExpressionAttributeValues }),
      );

      expect(found.Items).toEqual([{ id: { S: 'a' } }]);
    },
  );

  test('a key condition with a pair around the whole, as boto3 writes it', async () => {
    const client = await opened();
    const query = new QueryCommand({
      TableName,
      KeyConditionExpression: '(id = :a AND n < :n)',
      ExpressionAttributeValues: { ':a': { S: 'a' }, ':n': { N: '1' } },
    });

    // The table has no sort key: the parentheses are read.
    expect(await namesOf(client.send(query))).toContain('Query key condition not supported');
  });
});

describe('an update', () => {
  const update = (
    client: DynamoDBClient,
    UpdateExpression: string,
    ReturnValues: ReturnValue = 'NONE',
    values?: Record<string, AttributeValue>,
  ) =>
    client.send(
      new UpdateItemCommand({
        TableName,
        Key: { id: { S: 'a' } },
        UpdateExpression,
        ReturnValues,
        ...(values && { ExpressionAttributeValues: values }),
      }),
    );
  const itemIn = async (client: DynamoDBClient) =>
    (await client.send(new GetItemCommand({ TableName, Key: { id: { S: 'a' } } }))).Item;

  test.each<[string, Record<string, AttributeValue> | undefined]>([
    ['REMOVE n', undefined],
    ['REMOVE x.y, n[3]', undefined],
    ['DELETE n :set', { ':set': { SS: ['x'] } }],
    ['REMOVE n DELETE m :set', { ':set': { SS: ['x'] } }],
  ])('that only removes makes no item: %s', async (expression, values) => {
    const client = await opened();
    const { Attributes } = await update(client, expression, 'ALL_NEW', values);

    expect(Attributes).toBeUndefined();
    expect(await itemIn(client)).toBeUndefined();
  });

  test('that sets and removes makes one', async () => {
    const client = await opened();
    await update(client, 'SET n = :n REMOVE m', 'NONE', { ':n': { N: '1' } });

    expect(await itemIn(client)).toEqual({ id: { S: 'a' }, n: { N: '1' } });
  });

  test.each<ReturnValue>(['UPDATED_NEW', 'UPDATED_OLD'])(
    'of nothing: no attributes with %s',
    async returns => {
      const client = await opened();
      await client.send(put('a', { n: { N: '1' } }));

      expect((await update(client, 'REMOVE z', returns)).Attributes).toBeUndefined();
    },
  );

  test('beyond the end of a list adds by the index, whatever the order of the expression', async () => {
    const client = await opened();
    await client.send(put('a', { l: { L: [{ S: 'x' }, { S: 'y' }] }, m: { M: { l: { L: [] } } } }));
    await update(client, 'SET l[4] = :4, m.l[9] = :4, l[2] = :2, m.l[7] = :2, l[0] = :2', 'NONE', {
      ':4': { S: 'four' },
      ':2': { S: 'two' },
    });

    expect(await itemIn(client)).toEqual({
      id: { S: 'a' },
      l: { L: [{ S: 'two' }, { S: 'y' }, { S: 'two' }, { S: 'four' }] },
      m: { M: { l: { L: [{ S: 'two' }, { S: 'four' }] } } },
    });
  });

  test.each(['list_append(list_append(n, :l), :l)', 'list_append(:l, list_append(n, :l))'])(
    'with a list that is appended to within another: rejected, %s',
    async source => {
      const client = await opened();
      await client.send(put('a', { n: { L: [] } }));

      expect(await namesOf(update(client, `SET n = ${source}`, 'NONE', { ':l': { L: [] } }))).toContain(
        'not allowed to be used this way in an expression; function: list_append',
      );
    },
  );
});
