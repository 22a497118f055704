import type { Json, JsonObject } from '@onceflow/local';
import { oneOf, type Random } from './json';
import { type Body, type Operations, someName } from './known';

const VALUES: readonly Json[] = [
  { S: 'x' },
  { N: '1.5' },
  { N: '-9.9999999999999999999999999999999999999E+125' },
  { B: 'AAE=' },
  { BOOL: true },
  { NULL: true },
  { SS: ['a', 'b'] },
  { NS: ['1', '2'] },
  { BS: ['AA==', 'AQ=='] },
  { L: [{ S: 'x' }, { M: { a: { N: '1' } } }] },
  { M: { a: { L: [] }, constructor: { S: 'x' } } },
  { S: 'x'.repeat(100_000) },
];

const CONDITIONS = [
  'attribute_not_exists(#a) OR (#b < :v AND NOT contains(#b, :v))',
  'attribute_type(#b, :t) AND (#a BETWEEN :v AND :v OR #a IN (:v, :t))',
  'size(#b) > :n OR begins_with(#a, :v)',
];

function condition(random: Random): JsonObject {
  return {
    ConditionExpression: oneOf(random, CONDITIONS),
    ExpressionAttributeNames: { '#a': 'idempotencyKey', '#b': 'value' },
    ExpressionAttributeValues: { ':v': { S: 'm' }, ':t': { S: 'S' }, ':n': { N: '1' } },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

const UPDATES = [
  'SET #b = if_not_exists(#b, :v), c = list_append(:l, :l) REMOVE d ADD n :n',
  'SET m.a[0].b = :v, #b = n + :n',
  'ADD s :s, n :n DELETE s :s',
  'REMOVE c[0], c[100], #b.a',
];

/** The members of a request to put an item, besides its table. */
export function putRequest(random: Random): JsonObject {
  return {
    Item: {
      idempotencyKey: { S: someName(random) },
      id: { S: someName(random) },
      value: oneOf(random, VALUES),
    },
    ...oneOf<JsonObject>(random, [{}, condition(random)]),
  };
}

/** The members of a request to update an item, besides its table. */
export function updateRequest(random: Random): JsonObject {
  const update = oneOf(random, UPDATES);
  const values: JsonObject = {
    ':v': oneOf(random, VALUES),
    ':l': { L: [{ S: 'x' }] },
    ':n': { N: '1' },
    ':s': { SS: ['a', 'c'] },
  };
  const used = Object.entries(values).filter(([name]) => update.includes(name));
  return {
    ...key(random),
    UpdateExpression: update,
    ...(update.includes('#b') && { ExpressionAttributeNames: { '#b': 'value' } }),
    ...(used.length > 0 && { ExpressionAttributeValues: Object.fromEntries(used) }),
    ReturnValues: oneOf(random, ['ALL_NEW', 'UPDATED_OLD', 'NONE']),
  };
}

function key(random: Random): JsonObject {
  return { Key: { idempotencyKey: { S: someName(random) } } };
}

const onTable: Body = (random, known) => ({ TableName: oneOf(random, known.tables) });
const onItem: Body = (random, known) => ({ ...onTable(random, known), ...key(random) });
const onResource: Body = (random, { tables, environment: { region, account } }) => {
  return { ResourceArn: `arn:aws:dynamodb:${region}:${account}:table/${oneOf(random, tables)}` };
};
const filter: JsonObject = {
  FilterExpression: 'size(#b) > :n OR begins_with(#b, :k)',
  ExpressionAttributeNames: { '#b': 'value' },
};

/** The operations of DynamoDB. Tables of the stack are written, and only those that requests have made are deleted. */
export const DYNAMODB: Operations = {
  PutItem: (random, known) => ({ ...onTable(random, known), ...putRequest(random) }),
  UpdateItem: (random, known) => ({ ...onTable(random, known), ...updateRequest(random) }),
  GetItem: (random, known) => ({ ...onItem(random, known), ProjectionExpression: 'a.b[1].c' }),
  DeleteItem: (random, known) => ({ ...onItem(random, known), ReturnValues: 'ALL_OLD' }),
  Query: (random, known) => ({
    ...onTable(random, known),
    ...filter,
    KeyConditionExpression: 'idempotencyKey = :k',
    ExpressionAttributeValues: { ':k': { S: someName(random) }, ':n': { N: '1' } },
    ExclusiveStartKey: { idempotencyKey: { S: someName(random) } },
    Limit: 5,
  }),
  Scan: (random, known) => ({ ...onTable(random, known), Limit: 5, Segment: 1, TotalSegments: 3 }),
  BatchWriteItem: (random, known) => {
    const put = { PutRequest: { Item: putRequest(random)['Item'] ?? null } };
    return { RequestItems: { [oneOf(random, known.tables)]: [put, { DeleteRequest: key(random) }] } };
  },
  BatchGetItem: (random, known) => {
    const Keys = [{ idempotencyKey: { S: someName(random) } }];
    return { RequestItems: { [oneOf(random, known.tables)]: { Keys } } };
  },
  TransactWriteItems: (random, known) => {
    const Key = { idempotencyKey: { S: 'check' } };
    const check = { ...onTable(random, known), Key, ...condition(random) };
    const Put = { ...onTable(random, known), ...putRequest(random) };
    const TransactItems: readonly JsonObject[] = [{ Put }, { ConditionCheck: check }];
    return { TransactItems, ClientRequestToken: someName(random) };
  },
  TransactGetItems: (random, known) => ({ TransactItems: [{ Get: onItem(random, known) }] }),
  CreateTable: random => ({
    TableName: someName(random),
    KeySchema: [{ AttributeName: 'idempotencyKey', KeyType: 'HASH' }],
    AttributeDefinitions: [
      { AttributeName: 'idempotencyKey', AttributeType: 'S' },
      { AttributeName: 'id', AttributeType: 'S' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byId',
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  }),
  DeleteTable: random => ({ TableName: someName(random) }),
  DescribeTable: onTable,
  ListTables: () => ({ Limit: 10 }),
  DescribeTimeToLive: onTable,
  UpdateTimeToLive: (random, known) => ({
    ...onTable(random, known),
    TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: random() < 0.5 },
  }),
  TagResource: (random, known) => ({ ...onResource(random, known), Tags: [{ Key: 'k', Value: 'v' }] }),
  UntagResource: (random, known) => ({ ...onResource(random, known), TagKeys: ['k'] }),
  ListTagsOfResource: onResource,
};
