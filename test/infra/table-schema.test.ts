import { type CfnResource, Duration } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { AttributeType, type CfnTable, type ITable, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { DefinitionBody, QueryLanguage, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import fc from 'fast-check';
import { claimsIn } from '../../cli/definition/claims';
import {
  IdempotentFragment,
  IdempotentWorkflow,
  type IRecordTable,
  OnInProgress,
  RecordTable,
  Recovery,
  Source,
  type TableSchema,
} from '../../infra/index';
import { runs } from '../support/scale';
import { definitionIn, newStack, someFunction, statementsOf } from '../support/synthesize';

const KEY = { idempotencyKey: '{% $states.input.detail.id %}', payload: '{% $states.input.detail.amount %}' };
const OWN: TableSchema = {
  partitionKey: 'PK',
  sortKey: { name: 'SK', value: 'IDEMPOTENCY' },
  timeToLiveAttribute: 'ttl',
};

function workflowOn(scope: Construct, table: ITable | IRecordTable, props: object = {}): IdempotentWorkflow {
  const step = someFunction(scope);
  return new IdempotentWorkflow(scope, 'Pay', { ...KEY, scope: 'Payments', table, step, ...props });
}

function fragmentOn(scope: Construct, table: ITable | IRecordTable): void {
  const step = someFunction(scope);
  const pay = new IdempotentFragment(scope, 'Pay', { ...KEY, scope: 'Payments', table, step });
  const definitionBody = DefinitionBody.fromChainable(pay);
  pay.grantTo(new StateMachine(scope, 'Orders', { definitionBody, queryLanguage: QueryLanguage.JSONATA }));
}

describe('a definition over a table with names of its own', () => {
  type Define = (scope: Construct, table: IRecordTable) => unknown;
  const WAITS = { delivery: 'at-most-once', onDuplicateInProgress: OnInProgress.wait(Duration.minutes(5)) };
  const RECOVERS = { recovery: Recovery.automatic({ searchEvery: Duration.minutes(15) }) };
  const fromBus = (scope: Construct) => Source.eventBridge(new EventBus(scope, 'Bus'), { source: ['shop'] });
  const variants: [string, RegExp, Define][] = [
    ['at least once', /^Pay/, (scope, table) => workflowOn(scope, table)],
    ['at most once, waiting', /^Pay/, (scope, table) => workflowOn(scope, table, WAITS)],
    ['Express', /^Pay/, (scope, table) => workflowOn(scope, table, { type: 'EXPRESS' })],
    ['a fragment', /^Orders/, fragmentOn],
    ['recovery', /Recovery(?!Search)/, (scope, table) => workflowOn(scope, table, RECOVERS)],
    ['a dispatcher', /Dispatcher/, (scope, table) => workflowOn(scope, table).startFrom(fromBus(scope))],
  ];
  // Their beginnings distinguish them from all else in a definition.
  const name = (prefix: string) => fc.stringMatching(/^[\w.:@#/-]{0,9}$/).map(rest => `${prefix}${rest}`);
  const schema: fc.Arbitrary<TableSchema> = fc.record(
    {
      partitionKey: name('zqa'),
      sortKey: fc.record({
        name: fc.oneof(name('zqb'), fc.constant('idempotencyKey')),
        value: fc.constantFrom('IDEMPOTENCY', "it's #1"),
      }),
      timeToLiveAttribute: name('zqc'),
    },
    { requiredKeys: ['partitionKey'] },
  );

  function textIn(id: RegExp, define: Define, of: TableSchema): string {
    const stack = newStack();
    define(stack, RecordTable.fromTable(Table.fromTableName(stack, 'Table', 'orders'), of));
    return JSON.stringify(definitionIn(Template.fromStack(stack), id));
  }

  test.each(variants)('%s: that over a RecordTable, except the names', (_, id, define) => {
    const expected = textIn(id, define, { partitionKey: 'idempotencyKey' });

    fc.assert(
      fc.property(schema, ({ partitionKey, sortKey, timeToLiveAttribute: ttl = 'expiry' }) => {
        const of = { partitionKey, timeToLiveAttribute: ttl, ...(sortKey && { sortKey }) };
        const sort = `,${JSON.stringify(sortKey?.name)}:${JSON.stringify({ S: sortKey?.value })}`;
        const text = textIn(id, define, of);
        const named = text
          .replaceAll(sort, '')
          .replaceAll(partitionKey, 'idempotencyKey')
          .replaceAll(`\`${ttl}\``, 'expiry')
          .replaceAll(ttl, 'expiry');

        expect(named).toBe(expected);
        // What the command line takes the table's names from.
        for (const claim of claimsIn(text)) expect(claim.schema).toEqual(of);
      }),
      { numRuns: Number(process.env['ONCEFLOW_SCHEMAS'] ?? runs(4, 12)) },
    );
  });
});

describe('the roles of a workflow whose records are in a table with a sort key', () => {
  test('reach the items of its scope, by the partition key', () => {
    const stack = newStack();
    workflowOn(stack, RecordTable.fromTable(Table.fromTableName(stack, 'Table', 'orders'), OWN));

    const text = JSON.stringify(statementsOf(Template.fromStack(stack), /./));
    const conditions = text.match(/"dynamodb:LeadingKeys":\[[^\]]*\]/g) ?? [];
    expect(new Set(conditions)).toEqual(new Set(['"dynamodb:LeadingKeys":["Payments#*"]']));
    expect(text.match(/"Action":\[?"dynamodb:/g)).toHaveLength(conditions.length);
  });
});

describe('a table of the app', () => {
  const STRING = AttributeType.STRING;
  const keys = {
    partitionKey: { name: 'PK', type: STRING },
    sortKey: { name: 'SK', type: STRING },
    timeToLiveAttribute: 'ttl',
  };
  const kinds: [string, (scope: Construct, props: typeof keys) => Table | TableV2][] = [
    ['Table', (scope, props) => new Table(scope, 'Table', props)],
    ['TableV2', (scope, props) => new TableV2(scope, 'Table', props)],
  ];

  describe.each(kinds)('%s', (_, tableIn) => {
    test.each([workflowOn, fragmentOn])('with the schema that is said: accepted', on => {
      const stack = newStack();
      on(stack, RecordTable.fromTable(tableIn(stack, keys), OWN));

      expect(() => Template.fromStack(stack)).not.toThrow();
      Annotations.fromStack(stack).hasNoWarning('*', Match.anyValue());
    });

    const rejected: [string, Partial<TableSchema> | undefined, object, string][] = [
      [
        'whose schema is not said',
        undefined,
        {},
        "`table` must have the partition key idempotencyKey, got PK. Use a RecordTable, or RecordTable.fromTable(table, { partitionKey: 'PK', sortKey: { name: 'SK', value: 'IDEMPOTENCY' }, timeToLiveAttribute: 'ttl' })",
      ],
      ['with another partition key', { partitionKey: 'pk' }, {}, 'must have the partition key pk, got PK.'],
      ['with a sort key that is not said', { sortKey: undefined }, {}, 'must have no sort key, got SK.'],
      ['with another sort key', { sortKey: { name: 'sk', value: 'x' } }, {}, 'the sort key sk, got SK.'],
      ['without the sort key', {}, { sortKey: undefined }, 'must have the sort key SK, got none.'],
      ['with another TTL attribute', { timeToLiveAttribute: 'TTL' }, {}, 'the TTL attribute TTL, got ttl.'],
      [
        'whose partition key is a number',
        {},
        { partitionKey: { name: 'PK', type: AttributeType.NUMBER } },
        'must have string keys, got PK of type N.',
      ],
      [
        'whose sort key is binary',
        {},
        { sortKey: { name: 'SK', type: AttributeType.BINARY } },
        'must have string keys, got SK of type B.',
      ],
    ];
    test.each(rejected)('%s: rejected with the remedy', (_case, schema, props, message) => {
      const stack = newStack();
      const table = tableIn(stack, { ...keys, ...props });
      const said = { ...OWN, ...schema };
      if (said.sortKey === undefined) delete (said as { sortKey?: unknown }).sortKey;

      workflowOn(stack, schema ? RecordTable.fromTable(table, said) : table);
      expect(() => Template.fromStack(stack)).toThrow(message);
    });

    test('without TTL: a warning that says which attribute', () => {
      const stack = newStack();
      workflowOn(stack, RecordTable.fromTable(tableIn(stack, { ...keys, timeToLiveAttribute: '' }), OWN));

      const found = Match.stringLikeRegexp("has no TTL.*Set timeToLiveAttribute to 'ttl'");
      Annotations.fromStack(stack).hasWarning('/Test/Table', found);
    });

    test.each([
      ['owner', AttributeType.NUMBER, "an index on 'owner' of type N, but records have type S there"],
      ['ttl', STRING, "an index on 'ttl' of type S, but records have type N there"],
      ['owner', STRING, undefined],
      ['expiry', STRING, undefined],
    ])('an index that comes later, on %s of type %s', (name, type, rejection) => {
      const stack = newStack();
      const table = tableIn(stack, keys);
      workflowOn(stack, RecordTable.fromTable(table, OWN));
      table.addGlobalSecondaryIndex({ indexName: 'Index', partitionKey: { name, type } });

      if (rejection === undefined) expect(() => Template.fromStack(stack)).not.toThrow();
      else expect(() => Template.fromStack(stack)).toThrow(rejection);
    });
  });

  const changed: [string, string, unknown, RegExp][] = [
    ['the partition key', 'KeySchema.0.AttributeName', 'pk', /the partition key PK, got pk/],
    ['its type', 'AttributeDefinitions.0.AttributeType', 'N', /must have string keys, got PK of type N/],
    ['the TTL attribute', 'TimeToLiveSpecification.AttributeName', 'TTL', /the TTL attribute ttl, got TTL/],
    ['the replicas', 'Replicas.1', { Region: 'eu-central-1' }, /`table` must be in one region/],
    [
      'the key that encrypts it',
      'Replicas.0.SSESpecification.KMSMasterKeyId',
      'arn:aws:kms:us-east-1:111111111111:key/other',
      /KMSMasterKeyId is ".*other" in the template, but was not set .*Set `encryptionKey` of the table/,
    ],
  ];
  test.each(changed)('a TableV2 with an override, %s: rejected', (_, property, value, message) => {
    const stack = newStack();
    const table = new TableV2(stack, 'Table', keys);
    workflowOn(stack, RecordTable.fromTable(table, OWN));
    (table.node.defaultChild as CfnResource).addPropertyOverride(property, value);

    expect(() => Template.fromStack(stack)).toThrow(message);
  });

  test('a TTL that is off: none', () => {
    const stack = newStack();
    const table = new Table(stack, 'Table', keys);
    (table.node.defaultChild as CfnTable).timeToLiveSpecification = { attributeName: 'x', enabled: false };
    workflowOn(stack, RecordTable.fromTable(table, OWN));

    Annotations.fromStack(stack).hasWarning('/Test/Table', Match.stringLikeRegexp('has no TTL'));
  });
});

describe('a schema that no table of records has', () => {
  const rejected: [string, unknown, string][] = [
    ['none', undefined, 'the schema of a table must be an object with partitionKey, sortKey and timeTo'],
    ['a list', ['PK'], 'the schema of a table must be an object with'],
    [
      'a misspelled member',
      { ...OWN, timetolive: 'ttl' },
      'the schema of a table has no `timetolive`; it has',
    ],
    ['no partition key', { sortKey: OWN.sortKey }, '`partitionKey` must be a name of 1 to 255 letters'],
    ['a partition key of two', { partitionKey: ['PK', 'SK'] }, '`partitionKey` must be a name of 1 to 255'],
    ['a name that is an expression', { partitionKey: '{% $x %}' }, '`partitionKey` must be a name of'],
    ['a sort key as a text', { ...OWN, sortKey: 'SK' }, '`sortKey` must be { name, value }, got "SK"'],
    [
      'a sort key without a value',
      { ...OWN, sortKey: { name: 'SK' } },
      '`sortKey.value` must be a text of 1',
    ],
    ['an empty value', { ...OWN, sortKey: { name: 'SK', value: '' } }, '`sortKey.value` must be a text of 1'],
    [
      'a value that is an expression',
      { ...OWN, sortKey: { name: 'SK', value: '{% $uuid() %}' } },
      '`sortKey.value` must be a text of 1 to 1024 bytes without control characters',
    ],
    ['half a surrogate', { ...OWN, sortKey: { name: 'SK', value: '\ud800' } }, '`sortKey.value` must be'],
    [
      '1,025 bytes',
      { ...OWN, sortKey: { name: 'SK', value: `${'ü'.repeat(512)}x` } },
      '`sortKey.value` must',
    ],
    ["another attribute's name", { ...OWN, partitionKey: 'owner' }, '`partitionKey` must be none of the rec'],
    ['one name twice', { ...OWN, timeToLiveAttribute: 'SK' }, '`timeToLiveAttribute` must differ from the'],
    ['the name that TTL has', { partitionKey: 'expiry' }, '`timeToLiveAttribute` must differ from the other'],
  ];

  test.each(rejected)('%s: rejected by fromTable, and by who gets it as an object', (_, schema, message) => {
    const stack = newStack();
    const table = Table.fromTableName(stack, 'Table', 'orders');

    expect(() => RecordTable.fromTable(table, schema as TableSchema)).toThrow(message);
    if (typeof schema !== 'object') return;
    expect(() => workflowOn(stack, { table, schema } as IRecordTable)).toThrow(message);
  });

  test('the longest value, and names with all that names may have: accepted', () => {
    const table = Table.fromTableName(newStack(), 'Table', 'orders');
    const sortKey = { name: '#s:k@/-._', value: 'ü'.repeat(512) };

    expect(() => RecordTable.fromTable(table, { partitionKey: 'p'.repeat(255), sortKey })).not.toThrow();
  });

  test('no table: rejected', () => {
    const table = { table: 'orders', schema: OWN } as never;

    expect(() => workflowOn(newStack(), table)).toThrow(
      '`table` must be a RecordTable, or a DynamoDB table as a construct, got "orders"',
    );
  });
});
