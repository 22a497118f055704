import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { runs } from '../../../../../../test/support/scale';
import { createTable, deleteTable, type EmbeddedDynamoDb, startEmbeddedDynamoDb } from '../dynalite';
import { openDatabase } from './sdk';

// The same requests to both, through real SDK clients: the same answers and the same errors.

const TableName = 'Orders';
const TABLE = {
  TableName,
  BillingMode: 'PAY_PER_REQUEST' as const,
  KeySchema: [
    { AttributeName: 'shop', KeyType: 'HASH' as const },
    { AttributeName: 'number', KeyType: 'RANGE' as const },
  ],
  AttributeDefinitions: [
    { AttributeName: 'shop', AttributeType: 'S' as const },
    { AttributeName: 'number', AttributeType: 'N' as const },
    { AttributeName: 'status', AttributeType: 'S' as const },
    { AttributeName: 'at', AttributeType: 'S' as const },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'byStatus',
      KeySchema: [
        { AttributeName: 'status', KeyType: 'HASH' as const },
        { AttributeName: 'at', KeyType: 'RANGE' as const },
      ],
      Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: ['note'] },
    },
  ],
  LocalSecondaryIndexes: [
    {
      IndexName: 'byTime',
      KeySchema: [
        { AttributeName: 'shop', KeyType: 'HASH' as const },
        { AttributeName: 'at', KeyType: 'RANGE' as const },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' as const },
    },
  ],
};

let dynalite: EmbeddedDynamoDb;

beforeAll(async () => {
  dynalite = await startEmbeddedDynamoDb([], { region: 'us-east-1', account: '111111111111' });
});

afterAll(() => dynalite.close());

type Send = (client: DynamoDBClient) => Promise<object>;

const shop = fc.constantFrom('a', 'b').map(S => ({ S }));
const number = fc.constantFrom('1', '2', '10', '-1', '2.5').map(N => ({ N }));
const at = fc.constantFrom('08:00', '09:00', '09:30', '10:00').map(S => ({ S }));
const status = fc.constantFrom('open', 'done').map(S => ({ S }));
const key = fc.record({ shop, number });
const item = fc.record(
  {
    shop,
    number,
    at,
    status,
    note: fc.constantFrom({ S: 'x' }, { N: '1' }),
    other: fc.constant({ BOOL: true }),
  },
  { requiredKeys: ['shop', 'number'] },
);
const wrongItem = fc.constantFrom<Record<string, { S: string } | { N: string }>>(
  { shop: { S: 'a' } },
  { shop: { N: '1' }, number: { N: '1' } },
  { shop: { S: '' }, number: { N: '1' } },
  { shop: { S: 'a' }, number: { N: '1' }, status: { N: '1' } },
);

const write = fc.oneof(
  {
    weight: 6,
    arbitrary: item.map(
      (Item): Send =>
        c =>
          c.send(new PutItemCommand({ TableName, Item })),
    ),
  },
  {
    weight: 1,
    arbitrary: wrongItem.map(
      (Item): Send =>
        c =>
          c.send(new PutItemCommand({ TableName, Item })),
    ),
  },
  {
    weight: 2,
    arbitrary: key.map(
      (Key): Send =>
        c =>
          c.send(new DeleteItemCommand({ TableName, Key, ReturnValues: 'ALL_OLD' })),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(key, status).map(([Key, value]): Send => {
      const update = {
        UpdateExpression: 'SET #s = :s',
        ExpressionAttributeNames: { '#s': 'status' },
        ExpressionAttributeValues: { ':s': value },
      };
      return c => c.send(new UpdateItemCommand({ TableName, Key, ...update, ReturnValues: 'ALL_NEW' }));
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .uniqueArray(item, {
        minLength: 1,
        maxLength: 4,
        selector: ({ shop, number }) => `${shop.S} ${number.N}`,
      })
      .map((items): Send => {
        const RequestItems = { [TableName]: items.map(Item => ({ PutRequest: { Item } })) };
        return c => c.send(new BatchWriteItemCommand({ RequestItems }));
      }),
  },
);

const ofTable = fc.constantFrom(
  { text: 'shop = :shop' },
  { text: 'shop = :shop AND #n = :n', n: true },
  { text: 'shop = :shop AND #n < :n', n: true },
  { text: '#n >= :n AND shop = :shop', n: true },
  { text: 'shop = :shop AND #n BETWEEN :n AND :m', n: true, m: true },
);
const reading = fc.record(
  {
    Limit: fc.integer({ min: 1, max: 3 }),
    ScanIndexForward: fc.boolean(),
    Select: fc.constantFrom('COUNT' as const),
  },
  { requiredKeys: [] },
);
const filtered = fc.constantFrom({}, { FilterExpression: 'note = :note' });

/** All pages of a query or scan, each with all that it tells. */
function pages(send: (client: DynamoDBClient, start: object) => Promise<object>): Send {
  return async client => {
    const all: object[] = [];
    let start: object = {};
    for (let page = 0; page < 20; page += 1) {
      const answer = await send(client, start);
      all.push(members(answer));
      const { LastEvaluatedKey } = answer as { LastEvaluatedKey?: object };
      if (LastEvaluatedKey === undefined) return { all };
      start = { ExclusiveStartKey: LastEvaluatedKey };
    }
    throw new Error('there is no last page');
  };
}

const queryOfTable = fc
  .tuple(ofTable, shop, number, number, reading, filtered)
  .map(([{ text, n, m }, shopValue, one, two, options, filter]): Send => {
    const [low, high] = Number(one.N) <= Number(two.N) ? [one, two] : [two, one];
    const request = {
      TableName,
      KeyConditionExpression: text,
      ...(n && { ExpressionAttributeNames: { '#n': 'number' } }),
      ExpressionAttributeValues: {
        ':shop': shopValue,
        ...(n && { ':n': low }),
        ...(m && { ':m': high }),
        ...('FilterExpression' in filter && { ':note': { S: 'x' } }),
      },
      ...options,
      ...filter,
    };
    return pages((client, start) => client.send(new QueryCommand({ ...request, ...start })));
  });

const queryOfIndex = fc
  .tuple(fc.constantFrom('byStatus', 'byTime'), shop, status, at, reading)
  .map(([IndexName, shopValue, statusValue, time, options]): Send => {
    const isGlobal = IndexName === 'byStatus';
    const request = {
      TableName,
      IndexName,
      KeyConditionExpression: '#p = :p AND #at >= :at',
      ExpressionAttributeNames: { '#p': isGlobal ? 'status' : 'shop', '#at': 'at' },
      ExpressionAttributeValues: { ':p': isGlobal ? statusValue : shopValue, ':at': time },
      ...options,
    };
    // Items of one index key come in an order that nothing says.
    return async client => {
      const { all } = (await pages((c, start) => c.send(new QueryCommand({ ...request, ...start })))(
        client,
      )) as {
        all: { Items?: object[]; Count: number }[];
      };
      return {
        count: all.reduce((sum, { Count }) => sum + Count, 0),
        items: all.flatMap(({ Items = [] }) => Items.map(text => JSON.stringify(sorted(text)))).sort(),
      };
    };
  });

const scanOf = fc
  .tuple(fc.constantFrom(undefined, 'byStatus', 'byTime'), fc.constantFrom(undefined, 2, 3))
  .map(
    ([IndexName, Limit]): Send =>
      async client => {
        const items: string[] = [];
        let start: object = {};
        for (let page = 0; page < 20; page += 1) {
          const answer = await client.send(new ScanCommand({ TableName, IndexName, Limit, ...start }));
          items.push(...(answer.Items ?? []).map(text => JSON.stringify(sorted(text))));
          if (answer.LastEvaluatedKey === undefined) return { items: items.sort() };
          start = { ExclusiveStartKey: answer.LastEvaluatedKey };
        }
        throw new Error('there is no last page');
      },
  );

const getMany = fc
  .uniqueArray(key, { minLength: 1, maxLength: 4, selector: value => JSON.stringify(value) })
  .map(
    (Keys): Send =>
      async client => {
        const { Responses = {} } = await client.send(
          new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys } } }),
        );
        return { items: (Responses[TableName] ?? []).map(text => JSON.stringify(sorted(text))).sort() };
      },
  );

const wrongQuery = fc
  .constantFrom(
    { KeyConditionExpression: 'shop > :v' },
    { KeyConditionExpression: 'number = :v' },
    { KeyConditionExpression: 'shop = :v OR shop = :v' },
    { KeyConditionExpression: 'shop = :v AND other = :v' },
    { KeyConditionExpression: 'size(shop) = :v' },
    { KeyConditionExpression: 'shop = :v', IndexName: 'nowhere' },
    { KeyConditionExpression: 'shop = :v', FilterExpression: 'shop = :v' },
    { KeyConditionExpression: 'shop = :v', ExclusiveStartKey: { shop: { S: 'a' } } },
    { KeyConditionExpression: '#s = :v', IndexName: 'byStatus', ConsistentRead: true },
    { KeyConditionExpression: 'shop = :v AND begins_with(shop, :v)' },
    { KeyConditionExpression: 'shop <> :v' },
    { KeyConditionExpression: 'shop = ' },
  )
  .map((request): Send => {
    const names = request.KeyConditionExpression.includes('#s')
      ? { ExpressionAttributeNames: { '#s': 'status' } }
      : {};
    const ExpressionAttributeValues = { ':v': { S: 'a' } };
    return c => c.send(new QueryCommand({ TableName, ...request, ...names, ExpressionAttributeValues }));
  });

const read = fc.oneof(queryOfTable, queryOfIndex, scanOf, getMany);

function members({ $metadata: _metadata, ...answer }: object & { readonly $metadata?: object }): object {
  return sorted(answer) as object;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

async function outcomeOf(client: DynamoDBClient, send: Send): Promise<object> {
  try {
    return members(await send(client));
  } catch (error) {
    return { error: (error as Error).name };
  }
}

async function agree(sends: readonly Send[]): Promise<void> {
  const { client } = openDatabase();
  for (const one of [client, dynalite.client]) await createTable(one, TABLE);
  try {
    for (const [index, send] of sends.entries()) {
      const ours = await outcomeOf(client, send);
      expect({ index, answer: ours }).toEqual({ index, answer: await outcomeOf(dynalite.client, send) });
    }
  } finally {
    await deleteTable(dynalite.client, TableName);
  }
}

test('writes, queries, scans and batches: as dynalite answers', async () => {
  const sends = fc.tuple(
    fc.array(write, { minLength: 4, maxLength: 12 }),
    fc.array(read, { minLength: 1, maxLength: 6 }),
  );
  await fc.assert(
    fc.asyncProperty(sends, ([writes, reads]) => agree([...writes, ...reads])),
    { numRuns: runs(10, 150) },
  );
}, 120_000);

test('queries that are rejected: with the same error', async () => {
  await fc.assert(
    fc.asyncProperty(wrongQuery, send => agree([send])),
    { numRuns: 30 },
  );
});
