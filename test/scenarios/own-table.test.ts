import { type AttributeValue, GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { Duration } from 'aws-cdk-lib';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { list } from '../../cli/commands/list/list';
import { PLAIN } from '../../cli/terminal';
import { startOnce } from '../../client/index';
import { RecordTable, Recovery, Source, type TableSchema } from '../../infra/index';
import { type CliWorld, ORDER, openCliWorld } from '../cli/world';
import { GRACE_MS, type Variant } from '../support/variant';
import { fails, openWorld, returns } from '../support/world';

type Item = Record<string, AttributeValue>;

const SCHEMA: TableSchema = {
  partitionKey: 'PK',
  sortKey: { name: 'SK', value: 'IDEMPOTENCY' },
  timeToLiveAttribute: 'ttl',
};

/** A workflow whose records lie in the one table that a team has for everything. */
const SINGLE_TABLE: Variant = {
  name: 'single table',
  workflow: { scope: 'ORDER' },
  table: stack => {
    const table = new TableV2(stack, 'Shop', {
      partitionKey: { name: 'PK', type: AttributeType.STRING },
      sortKey: { name: 'SK', type: AttributeType.STRING },
      timeToLiveAttribute: 'ttl',
    });
    return RecordTable.fromTable(table, SCHEMA);
  },
};

/** What the team keeps there, also under the partition key that the record has. */
const ITEMS: readonly Item[] = [
  {
    PK: { S: 'ORDER#order-7' },
    SK: { S: 'DETAILS' },
    status: { S: 'FAILED' },
    owner: { S: 'ann' },
    attempt: { N: '1' },
  },
  { PK: { S: 'ORDER#order-7' }, SK: { S: 'ITEM#1' }, result: { N: '3' } },
  { PK: { S: 'CUSTOMER#ann' }, SK: { S: 'IDEMPOTENCY' }, status: { S: 'IN_PROGRESS' }, ttl: { N: '1' } },
];

describe('records in a table with a sort key, beside the items of a team', () => {
  let c: CliWorld;
  const tableName = () => c.workflow.table;
  beforeEach(async () => {
    c = await openCliWorld(SINGLE_TABLE);
    for (const Item of ITEMS) await c.aws.dynamodb.send(new PutItemCommand({ TableName: tableName(), Item }));
  });
  afterEach(async () => {
    const { Items = [] } = await c.aws.dynamodb.send(new ScanCommand({ TableName: tableName() }));
    const theirs = Items.filter(({ PK, SK }) => !(PK?.S?.startsWith('ORDER#') && SK?.S === 'IDEMPOTENCY'));
    await c.close();
    expect(theirs).toHaveLength(ITEMS.length);
    expect(theirs).toEqual(expect.arrayContaining([...ITEMS]));
  });

  async function record(): Promise<Item | undefined> {
    const Key = { PK: { S: 'ORDER#order-7' }, SK: { S: 'IDEMPOTENCY' } };
    return (await c.aws.dynamodb.send(new GetItemCommand({ TableName: tableName(), Key }))).Item;
  }

  const listed = async (): Promise<string> => {
    const statuses = ['IN_PROGRESS', 'FAILED', 'COMPLETED'];
    const wanted = { statuses, range: {}, limit: 100, readMax: 1000 } as const;
    const all = { error: undefined, isUnfinished: false, isRejected: false, isPriced: false, by: undefined };
    return (await list.run(c.context, { ...wanted, ...all })).text(PLAIN);
  };

  test('delivered twice, and from the bus: run once, the record with the names of the table', async () => {
    const first = await c.world.delivered(ORDER);
    const second = await c.world.delivered(ORDER);
    await c.world.publish(ORDER);

    expect(c.world.runs).toEqual([expect.objectContaining({ idempotencyKey: 'ORDER#order-7', attempt: 1 })]);
    expect(second.output).toBe(first.output);
    expect(await record()).toMatchObject({
      status: { S: 'COMPLETED' },
      owner: { S: first.executionArn },
      ttl: { N: expect.stringMatching(/^\d{10}$/) },
    });
    expect(Object.keys((await record()) ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:idempotencyKey|expiry)$/)]),
    );
    expect(await c.show()).toMatch(/COMPLETED[\s\S]*expires +20/);
    expect(await listed()).toMatch(
      /^key .*\norder-7 +COMPLETED .*\n\n1 record of ORDER \(1 completed\); the whole table was read, 4 items\n$/,
    );
  });

  test('delivered by the bus after its end: the dispatcher knows the record, and starts nothing', async () => {
    await c.world.publish(ORDER);
    const before = c.world.calls.length;
    await c.world.publish(ORDER);

    expect(c.world.calls.slice(before)).toEqual([
      'states:startExecution from Start by key',
      'dynamodb:getItem from Read record',
    ]);
  });

  test('its retention over: a new event', async () => {
    await c.world.delivered(ORDER);
    await c.world.pass(91 * 24 * 3_600_000);
    expect(await c.show()).toContain('expired');
    await c.world.delivered(ORDER);

    expect(c.world.runs.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  test('failed, and delivered again: taken over as the next attempt', async () => {
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(ORDER);
    c.world.step = () => returns('paid');
    await c.world.delivered(ORDER);

    expect(c.world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(await record()).toMatchObject({ status: { S: 'COMPLETED' }, attempt: { N: '2' } });
  });

  test('its owner stopped in the step: redriven by the command line', async () => {
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);

    expect(await c.redrive()).toContain('resumes where it stopped');
    await c.world.settle();
    expect(await record()).toMatchObject({ status: { S: 'COMPLETED' }, attempt: { N: '1' } });
  });

  test.each([
    ['released: marked, without an expiry', false],
    ['released and deleted: the record is gone', true],
  ])('its owner stopped in the step, %s', async (_, isDeleted) => {
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);

    expect(await c.release({ isForced: true, isDeleted })).toContain('released');
    const released = await record();
    expect(released?.['status']?.S).toBe(isDeleted ? undefined : 'RELEASED');
    expect(released?.['ttl']).toBeUndefined();
  });

  test('startOnce: finds the record when it knows the schema, and says so when it does not', async () => {
    await c.world.delivered(ORDER);
    const call = {
      stateMachineArn: c.workflow.stateMachineArn,
      table: tableName(),
      scope: 'ORDER',
      key: 'order-7',
      input: { detail: ORDER },
      dynamodb: c.aws.dynamodb,
    };
    const asked = startOnce(c.aws.sfn, { ...call, tableSchema: SCHEMA, waitUpTo: 10_000 });
    await c.world.settle();

    expect(await asked).toMatchObject({ outcome: 'duplicate', result: { charge: 1 } });
    await expect(startOnce(c.aws.sfn, { ...call, tableSchema: { partitionKey: '' } })).rejects.toThrow(
      '`tableSchema`: `partitionKey` must be a name of 1 to 255 letters',
    );
  });
});

describe('a message of a queue, whose key has its record in such a table', () => {
  // The functions run for real, in processes of their own: a busy machine takes its time.
  test('gone when its key is looked at first', async () => {
    const world = await openWorld({
      ...SINGLE_TABLE,
      name: 'single table, queue',
      workflow: { ...SINGLE_TABLE.workflow, recovery: Recovery.automatic() },
      bundles: true,
      more: (stack, workflow) => {
        const deadLetterQueue = { queue: new Queue(stack, 'Dead'), maxReceiveCount: 3 };
        const settings = { queueName: 'orders', visibilityTimeout: Duration.minutes(1), deadLetterQueue };
        workflow.startFrom(Source.queue(new Queue(stack, 'Messages', settings)));
      },
    });
    try {
      world.stack.queues.send('orders', JSON.stringify({ detail: ORDER }));
      await world.pass(39_000);
      expect(world.stack.queues.peek('orders')).toHaveLength(1);

      await world.pass(2000);
      expect(world.stack.queues.peek('orders')).toEqual([]);
      expect(world.runs).toHaveLength(1);
    } finally {
      await world.close();
    }
  }, 60_000);
});
