import * as fc from 'fast-check';
import { runs } from '../../../../../../test/support/scale';
import type { Json, JsonObject } from '../../../../json/json';
import type { ServiceResult, ServiceTable } from '../../../../runtime/calls/service';
import { type ExternalDynamoDb, externalDynamoDb } from '../../../../services/dynamodb/external';
import { dynamoDbIntegrations } from '../../../../services/dynamodb/integrations';
import { memoryTable } from '../../../../services/dynamodb/table/memory-table';
import type { TableOperation } from '../../../../services/dynamodb/table/operation';
import { performOn, type Table } from '../../../../services/dynamodb/table/table';
import { type EmbeddedDynamoDb, startEmbeddedDynamoDb } from '../dynalite';

const TableName = 'Things';

let database: EmbeddedDynamoDb;
let external: ExternalDynamoDb;

beforeAll(async () => {
  const table = {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' as const }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' as const }],
    BillingMode: 'PAY_PER_REQUEST' as const,
  };
  database = await startEmbeddedDynamoDb([table], { region: 'us-east-1', account: '111111111111' });
  external = await externalDynamoDb(database.endpoint, 'us-east-1', []);
});

afterAll(() => {
  external.close();
  return database.close();
});

interface Call {
  readonly operation: TableOperation;
  readonly request: JsonObject;
}

/** What both must agree on: members and errors, not what belongs to the connection. */
function visible(result: ServiceResult, comparesCause: boolean): Json {
  if (result.kind === 'failed') {
    const cause = result.cause.replace(/Request ID: [^;]*/, 'Request ID: ');
    return { error: result.error, ...(comparesCause && { cause }) };
  }
  const { SdkHttpMetadata: _http, SdkResponseMetadata: _response, ...members } = result.output as JsonObject;
  return inSetOrder(members);
}

// A set has no order, so an answer may have any.
function inSetOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inSetOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isSet = /^[SNB]S$/.test(name) && Array.isArray(member);
      return [name, isSet ? [...(member as string[])].sort() : inSetOrder(member as Json)];
    }),
  );
}

const EMPTY: Table = { schema: { partition: { name: 'id', type: 'S' } }, items: new Map() };

// Of several mistakes in one request, which is reported first is not documented. Random requests
// compare only the error.
async function agree(calls: readonly Call[], comparesCause: boolean): Promise<void> {
  const dynalite = dynamoDbIntegrations(external.ask);
  const memory = memoryTable('id');
  let table = EMPTY;
  for (const id of IDS)
    await answerOf(dynalite, { operation: 'deleteItem', request: { Key: { id: { S: id } } } });
  for (const call of calls) {
    const ours = performOn(table, call.operation, call.request);
    table = ours.table;
    const expected = { call, answer: visible(await answerOf(dynalite, call), comparesCause) };
    expect({ call, answer: visible(ours.result, comparesCause) }).toEqual(expected);
    expect({ call, answer: visible(await answerOf(memory, call), comparesCause) }).toEqual(expected);
  }

  async function answerOf(services: ServiceTable, { operation, request }: Call): Promise<ServiceResult> {
    const service = services.get(`dynamodb:${operation}`);
    if (!service) throw new Error(`no ${operation}`);
    const given = {
      resource: '',
      arguments: { TableName, ...request },
      executionArn: '',
      stateName: '',
      retryCount: 0,
    };
    return service.call(given, new AbortController().signal);
  }
}

const IDS = ['one', 'two'];
const NAMES = ['a', 'b', 'c'];
const TEXTS = ['', 'x', 'xy', 'y', 'Zürich'];
const NUMBERS = ['0', '1', '-1', '2.50', '1e3', '12345678901234567890123456789012345678', '-0.001', '1E-130'];

const text = fc.constantFrom(...TEXTS).map(S => ({ S }));
const number = fc.constantFrom(...NUMBERS).map(N => ({ N }));
const small = fc.constantFrom('1', '-7.25', '1e20', '0.125').map(N => ({ N }));
const bytes = fc.constantFrom('AA==', 'AAE=', '/w==').map(B => ({ B }));
const sets = fc.oneof(
  fc.subarray(['x', 'xy', 'z'], { minLength: 1 }).map(SS => ({ SS })),
  fc.subarray(['1', '2.5', '-3'], { minLength: 1 }).map(NS => ({ NS })),
);
const scalar = fc.oneof(
  text,
  number,
  bytes,
  fc.boolean().map(BOOL => ({ BOOL })),
  fc.constant({ NULL: true }),
);
const list = fc.array(scalar, { maxLength: 3 }).map(L => ({ L }));
const map = fc.dictionary(fc.constantFrom(...NAMES), scalar, { maxKeys: 2 }).map(M => ({ M: { ...M } }));
const value: fc.Arbitrary<JsonObject> = fc.oneof(scalar, sets, list, map);
const wrong: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { N: 'one' },
  { N: '123456789012345678901234567890123456789' },
  { N: '1e126' },
  { N: '1e-131' },
  { SS: [] },
  { SS: ['x', 'x'] },
  { NS: ['1', '1.0'] },
);
const key = fc.constantFrom(...IDS).map(S => ({ id: { S } }));
const path = fc.constantFrom('#a', '#b', 'c', '#a.#b', 'c[0]', '#b[1]', 'c.#a');
const ordinary = fc.constantFrom('#a', '#b', 'c');

/** One comparison; `dynalite` orders and equals only scalars of one kind as the service does. */
const comparison = fc.oneof(
  fc.tuple(path, fc.constantFrom('=', '<>', '<', '<=', '>', '>=')).map(([p, o]) => `${p} ${o} :v`),
  path.map(p => `attribute_exists(${p})`),
  path.map(p => `attribute_not_exists(${p})`),
  fc.tuple(path, fc.constantFrom(':v', ':w')).map(([p, v]) => `contains(${p}, ${v})`),
  path.map(p => `begins_with(${p}, :v)`),
  path.map(p => `attribute_type(${p}, :type)`),
  path.map(p => `size(${p}) > :n`),
  path.map(p => `${p} IN (:v, :w)`),
  path.map(p => `${p} BETWEEN :n AND :m`),
);
const condition = fc.oneof(
  comparison,
  fc.tuple(comparison, fc.constantFrom('AND', 'or'), comparison).map(parts => parts.join(' ')),
  comparison.map(inner => `NOT ${inner}`),
  fc.tuple(comparison, comparison, comparison).map(([a, b, c]) => `(${a} OR ${b}) AND NOT (${c})`),
);

const assignment = fc.oneof(
  path.map(p => `${p} = :v`),
  fc.tuple(path, ordinary).map(([p, q]) => `${p} = if_not_exists(${q}, :v)`),
  fc.tuple(path, ordinary, fc.constantFrom('+', '-')).map(([p, q, s]) => `${p} = ${q} ${s} :n`),
  ordinary.map(p => `${p} = list_append(if_not_exists(${p}, :list), :list)`),
  fc.tuple(path, path).map(([p, q]) => `${p} = ${q}`),
);
const update = fc
  .tuple(
    fc.option(fc.array(assignment, { minLength: 1, maxLength: 2 }), { nil: [] }),
    fc.option(ordinary, { nil: undefined }),
    fc.option(fc.tuple(ordinary, fc.constantFrom(':n', ':set')), { nil: undefined }),
    fc.option(ordinary, { nil: undefined }),
  )
  .map(([sets, removed, added, deleted]) =>
    [
      ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
      ...(removed ? [`REMOVE ${removed}`] : []),
      ...(added ? [`ADD ${added.join(' ')}`] : []),
      ...(deleted ? [`DELETE ${deleted} :set`] : []),
    ].join(' '),
  )
  .filter(expression => expression !== '');

interface Expressions {
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ProjectionExpression?: string;
}

/** The request with just those names and values that its expressions mention. */
function worded(request: JsonObject, expressions: Expressions, values: JsonObject): JsonObject {
  const used = Object.values(expressions).join(' ');
  const mentions = (word: string) => new RegExp(`${word}\\b`).test(used);
  const names = Object.fromEntries(
    ['a', 'b'].filter(name => mentions(`#${name}`)).map(name => [`#${name}`, name]),
  );
  const mentioned = Object.fromEntries(Object.entries(values).filter(([word]) => mentions(word)));
  return {
    ...request,
    ...(expressions as JsonObject),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(mentioned).length > 0 && { ExpressionAttributeValues: mentioned }),
  };
}

const values = fc.record({
  ':v': fc.oneof({ weight: 9, arbitrary: fc.oneof(text, number, bytes) }, { weight: 1, arbitrary: wrong }),
  ':w': scalar,
  ':n': small,
  ':m': small,
  ':type': fc.constantFrom('S', 'N', 'L', 'M', 'SS', 'Q').map(S => ({ S })),
  ':list': list,
  ':set': sets,
}) as unknown as fc.Arbitrary<JsonObject>;
const maybe = fc.option(condition, { nil: undefined });
const returnsOld = fc.constantFrom<Json>('NONE', 'ALL_OLD');

const put: fc.Arbitrary<Call> = fc
  .tuple(key, fc.dictionary(fc.constantFrom(...NAMES), value), maybe, values, returnsOld)
  .map(([Key, attributes, given, words, ReturnValues]) => ({
    operation: 'putItem',
    request: worded(
      { Item: { ...attributes, ...Key }, ReturnValues },
      given === undefined ? {} : { ConditionExpression: given },
      words,
    ),
  }));
const get: fc.Arbitrary<Call> = fc
  .tuple(key, fc.option(fc.uniqueArray(path, { minLength: 1, maxLength: 2 }), { nil: undefined }))
  .map(([Key, paths]) => ({
    operation: 'getItem',
    request: worded(
      { Key, ConsistentRead: true },
      paths ? { ProjectionExpression: paths.join(', ') } : {},
      {},
    ),
  }));
const change: fc.Arbitrary<Call> = fc
  .tuple(
    key,
    update,
    maybe,
    values,
    fc.constantFrom('NONE', 'ALL_OLD', 'UPDATED_OLD', 'ALL_NEW', 'UPDATED_NEW'),
  )
  .map(([Key, UpdateExpression, given, words, ReturnValues]) => ({
    operation: 'updateItem',
    request: worded(
      { Key, ReturnValues },
      { UpdateExpression, ...(given === undefined ? {} : { ConditionExpression: given }) },
      words,
    ),
  }));
const remove: fc.Arbitrary<Call> = fc
  .tuple(key, maybe, values, returnsOld)
  .map(([Key, given, words, ReturnValues]) => ({
    operation: 'deleteItem',
    request: worded({ Key, ReturnValues }, given === undefined ? {} : { ConditionExpression: given }, words),
  }));

describe('the table in memory, beside dynalite', () => {
  test('any calls one after another: the same answers', async () => {
    const calls = fc.array(fc.oneof(put, put, get, change, change, change, remove), {
      minLength: 1,
      maxLength: 8,
    });

    await fc.assert(
      fc.asyncProperty(calls, given => agree(given, false)),
      { numRuns: runs(15, 150), seed: 5 },
    );
  }, 60_000);

  test('members of maps and items of lists, set and removed beside whole attributes: the same answers', async () => {
    const Key = { id: { S: 'one' } };
    const M = { a: { S: 'x' }, b: { S: 'y' } };
    const Item = { ...Key, m: { M }, l: { L: [{ N: '1' }, { N: '2' }, { N: '3' }] }, gone: { S: 'z' } };
    const UpdateExpression = 'SET m.b = :v, l[0] = :v, whole = gone, l[9] = gone REMOVE l[1], m.a, gone';
    const change = { Key, UpdateExpression, ReturnValues: 'ALL_NEW' };

    await agree(
      [
        { operation: 'putItem', request: { Item } },
        { operation: 'updateItem', request: { ...change, ExpressionAttributeValues: { ':v': { N: '7' } } } },
        { operation: 'getItem', request: { Key } },
      ],
      true,
    );
  });

  test.each(['REMOVE =', 'REMOVE 1', 'REMOVE c.=', 'SET c = :v(c)', 'SET c = #b(c)', 'REMOVE c[-1]'])(
    '%s: rejected by both',
    async UpdateExpression => {
      const request = worded({ Key: { id: { S: 'one' } } }, { UpdateExpression }, { ':v': { S: 'x' } });

      await agree([{ operation: 'updateItem', request }], false);
      const rejected = performOn(EMPTY, 'updateItem', request);
      expect(rejected.result.kind).toBe('failed');
    },
  );

  test.each<[title: string, call: Call]>([
    [
      'reserved word',
      { operation: 'putItem', request: { Item: { id: { S: 'one' } }, ConditionExpression: 'status = id' } },
    ],
    [
      'key in an update',
      { operation: 'updateItem', request: { Key: { id: { S: 'one' } }, UpdateExpression: 'SET id = c' } },
    ],
    ['missing key', { operation: 'putItem', request: { Item: { a: { S: 'one' } } } }],
    ['key of another type', { operation: 'putItem', request: { Item: { id: { N: '1' } } } }],
    ['empty key', { operation: 'getItem', request: { Key: { id: { S: '' } } } }],
    ['two key attributes', { operation: 'getItem', request: { Key: { id: { S: 'one' }, a: { S: 'x' } } } }],
    [
      'name that is not given',
      {
        operation: 'getItem',
        request: {
          Key: { id: { S: 'one' } },
          ProjectionExpression: '#n, c',
          ExpressionAttributeNames: { '#m': 'x' },
        },
      },
    ],
    [
      'value that is not used',
      {
        operation: 'deleteItem',
        request: {
          Key: { id: { S: 'one' } },
          ConditionExpression: 'c = :a',
          ExpressionAttributeValues: { ':a': { S: 'x' }, ':b': { S: 'x' } },
        },
      },
    ],
    [
      'section given twice',
      {
        operation: 'updateItem',
        request: { Key: { id: { S: 'one' } }, UpdateExpression: 'REMOVE b REMOVE c' },
      },
    ],
    [
      'paths that overlap',
      { operation: 'updateItem', request: { Key: { id: { S: 'one' } }, UpdateExpression: 'REMOVE c, c.b' } },
    ],
    [
      'function of no expression',
      {
        operation: 'deleteItem',
        request: { Key: { id: { S: 'one' } }, ConditionExpression: 'attribute_is(c)' },
      },
    ],
  ])('%s: rejected in the same words', async (_title, call) => {
    await agree([call], true);
  });
});
