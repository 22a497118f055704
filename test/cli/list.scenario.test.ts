import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import type { GetExecutionHistoryOutput } from '@aws-sdk/client-sfn';
import { type Workflow, workflowOf } from '../../cli/aws/workflow';
import { list } from '../../cli/commands/list/list';
import { PLAIN } from '../../cli/terminal';
import { failing, noFault } from '../support/faults';
import { fails, returns } from '../support/world';
import { type CliWorld, ORDER, openCliWorld } from './world';

const ALL = {
  statuses: ['IN_PROGRESS', 'FAILED'],
  range: {},
  limit: 100,
  readMax: 1000,
  error: undefined,
  isUnfinished: false,
  isRejected: false,
  isPriced: false,
  by: undefined,
} as const;
const NARROW = { width: 80, isColored: false };
const DAY = 24 * 3_600_000;

describe('list', () => {
  let c: CliWorld;
  beforeEach(async () => {
    c = await openCliWorld();
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered({ ...ORDER, orderId: 'failed-1' });
    await c.world.pass(60_000);
    c.world.step = () => returns('paid');
    await c.world.delivered({ ...ORDER, orderId: 'paid-1' });
    c.world.step = async () => c.world.never();
    await c.world.deliver({ ...ORDER, orderId: 'open-1' });
    await c.world.pass(20_000);
  });
  afterEach(() => c.close());

  const listed = async (more: object = {}, workflow: Workflow = c.workflow, style = PLAIN) =>
    (await list.run({ ...c.context, workflow }, { ...ALL, ...more })).text(style);

  test('unfinished and failed records, in a table that fits', async () => {
    const lines = (await listed({}, c.workflow, NARROW)).split('\n');

    expect(lines[0]).toMatch(/^key +status +attempt +since +owner +error$/);
    expect(lines[1]).toMatch(/^failed-1 +FAILED +1 +1 min 20 s +[0-9a-f-]+…? +CardDe/);
    expect(lines[2]).toMatch(/^open-1 +IN_PROGRESS +1 +20 s +[0-9a-f-]+…?$/);
    expect(lines.slice(3).join(' ')).toBe(
      ' 2 records of ChargePayment (1 failed, 1 in progress); the whole table was read, 3 items ',
    );
    expect(lines.every(line => line.length <= 80)).toBe(true);
  });

  test('by status and age', async () => {
    expect(await listed({ statuses: ['COMPLETED'] })).toMatch(/^key.*\npaid-1 /);
    expect(await listed({ range: { until: { ago: 60_000 } } })).toMatch(/^key.*\nfailed-1 .*\n\n1 record /);
    expect(await listed({ range: { until: { ago: DAY } } })).toMatch(/^0 records/);
  });

  test('--json has every count, also of what there is none of', async () => {
    const { json } = await list.run(c.context, { ...ALL, statuses: ['RELEASED'] });

    expect(json).toMatchObject({
      counts: {
        held: 0,
        overdue: 0,
        failed: 0,
        released: 0,
        inProgress: 0,
        unknown: 0,
        completed: 0,
        expired: 0,
      },
    });
  });

  test('none: says which statuses were looked for, and what was read', async () => {
    expect(await listed({ statuses: ['RELEASING', 'FAILED'], range: { until: { ago: DAY } } })).toBe(
      '0 records of ChargePayment that are RELEASING, FAILED; the whole table was read, 3 items\n',
    );
  });

  test("an owner of another workflow: with its state machine's name", async () => {
    const owner = { S: 'arn:aws:states:us-east-1:111111111111:execution:Refund:e' };
    const more = { status: { S: 'IN_PROGRESS' }, attempt: { N: '1' } };
    await c.world.putRecord({ idempotencyKey: { S: 'ChargePayment#theirs' }, ...more, owner });

    expect(await listed()).toMatch(/^theirs .* Refund:e$/m);
  });

  test('more than asked for: says that there is more', async () => {
    expect(await listed({ limit: 1 })).toMatch(
      /^key.*\nfailed-1 .*\n\n2 records of ChargePayment \(1 failed, 1 in progress\); shown: the 1 most urgent; --limit shows more; the whole table was read, 3 items\n$/,
    );
    expect(await listed({ readMax: 1 })).toMatch(/after 1 item the table has more: read further with/);
  });

  const put = (key: string, status: string, minutes: number, more: object = {}) => {
    const claimedAt = { S: new Date(c.world.clock.now() - minutes * 60_000).toISOString() };
    return c.world.putRecord({
      ...{ idempotencyKey: { S: `ChargePayment#${key}` }, status: { S: status }, owner: { S: 'o' } },
      ...{ attempt: { N: '1' }, claimedAt, ...more },
    });
  };
  const keysIn = (text: string) =>
    text
      .split('\n\n')[0]
      ?.split('\n')
      .slice(1)
      .map(line => line.split(' ')[0]);

  test('an owner that ended in doubt: held, and not a rejected delivery', async () => {
    await c.close();
    c = await openCliWorld({ name: 'at most once', workflow: { delivery: 'at-most-once' } });
    c.world.step = () => fails('Lambda.Unknown');
    await c.world.deliver(ORDER);
    await c.world.pass(1000);
    expect(await c.show()).toContain('was waiting until the step had certainly ended, at 09:00:40Z');
    await c.world.settle();
    const wanted = { statuses: ['HELD'], isRejected: true };

    expect(await listed(wanted)).toMatch(/1 held for review\)?.*0 rejected/s);
    expect(await c.show()).toContain(
      '  did not complete the key: the record is held for review; an operator',
    );
    await c.world.delivered(ORDER);
    expect(await listed(wanted)).toMatch(/1 rejected/);
    expect(await c.show()).toContain('  rejected the delivery: the record is held for review');
  });

  test('any table, with any limit: held for review, overdue, failed, and of each the oldest come first', async () => {
    const error = { S: JSON.stringify({ Error: 'Idempotency.InDoubt', Cause: '{}' }) };
    const workflow = { ...c.workflow, isAtMostOnce: true };
    const kinds = ['doubt', 'overdue', 'declined'];
    const wanted = kinds.flatMap(kind => Array.from({ length: 40 }, (_, index) => `${kind}-${index}`));
    const order = wanted.map((key, index) => [key, (index * 77) % wanted.length] as const);
    for (const [key] of order.toSorted(([, one], [, other]) => one - other)) {
      const [kind, age = '0'] = key.split('-');
      const minutes = 200 - Number(age);
      if (kind === 'doubt') await put(key, 'FAILED', minutes, { error });
      else await put(key, kind === 'overdue' ? 'IN_PROGRESS' : 'FAILED', minutes);
    }

    expect(keysIn(await listed({ limit: 110 }, workflow))).toEqual(wanted.slice(0, 110));
    expect(keysIn(await listed({ limit: 3 }, workflow))).toEqual(wanted.slice(0, 3));
    expect(await listed({ limit: 3 }, workflow)).toMatch(
      /\n122 records of ChargePayment \(40 held for review, 40 overdue, 41 failed, 1 in progress\); shown: the 3 most urgent;/,
    );
    const { json } = await list.run({ ...c.context, workflow }, { ...ALL, limit: 3 });
    expect(json).toMatchObject({
      counts: { held: 40, overdue: 40, failed: 41, inProgress: 1 },
      records: wanted.slice(0, 3).map(key => ({ recordKey: `ChargePayment#${key}` })),
    });
  });

  test('executions without a record: with the records within the limit', async () => {
    c.world.faults = failing('Claim record', 'DynamoDB.AccessDeniedException');
    for (const orderId of ['rejected-1', 'rejected-2']) await c.world.delivered({ ...ORDER, orderId });
    c.world.faults = noFault;
    const text = await listed({ isUnfinished: true, range: { since: { ago: DAY } }, limit: 3 });

    expect(keysIn(text)).toEqual(['failed-1', 'open-1', 'rejected-1']);
    expect(text).toMatch(/; 2 executions without a record; shown: the 3 most urgent;/);
  });

  test('a history that does not say its key: the key of its input', async () => {
    c.world.faults = failing('Claim record', 'DynamoDB.AccessDeniedException');
    await c.world.delivered({ ...ORDER, orderId: 'rejected-1' });
    await c.world.delivered({ amount: 1 });
    c.aws.sfn.middlewareStack.add(
      next => async args => {
        const answer = await next(args);
        const { events = [] } = answer.output as GetExecutionHistoryOutput;
        for (const { taskScheduledEventDetails: details } of events)
          if (details) details.parameters = undefined;
        return answer;
      },
      { step: 'initialize' },
    );
    const text = await listed({ isUnfinished: true, range: { since: { ago: DAY } } });

    expect(text).toMatch(/^rejected-1 +no record /m);
    expect(text).toMatch(/^\? +no record .*InvalidEvent$/m);
  });

  const scoped = async (scope: string) => {
    const overrides = { table: undefined, scope, stepTimeoutMs: undefined };
    return workflowOf(c.aws, c.workflow.stateMachineArn, overrides);
  };

  test('a scope that nothing in the table has: rejected, with the scopes that are there', async () => {
    await expect(listed({}, await scoped('nope'))).rejects.toThrow(
      /^table \S+ has no item with the scope nope; 3 items of it have other scopes: ChargePayment\. The scope of \S+ is ChargePayment\. Check --scope$/,
    );
  });

  test('a former scope of which nothing is unfinished: an answer', async () => {
    await c.world.putRecord({
      ...{ idempotencyKey: { S: 'Former#7' }, status: { S: 'COMPLETED' } },
      ...{ owner: { S: 'o' }, attempt: { N: '1' } },
    });

    expect(await listed({}, await scoped('Former'))).toMatch(/^0 records of Former that are /);
  });

  test('records of another scope: not among them', async () => {
    expect(await listed({}, { ...c.workflow, scope: 'Charge' })).toMatch(
      /^0 records of Charge that .*, 3 items$/m,
    );
  });

  test('a table of something else, and one that is not there: said', async () => {
    await c.aws.dynamodb.send(
      new CreateTableCommand({
        TableName: 'Others',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    const others = { ...c.workflow, table: 'Others' };
    const theirs =
      /table Others cannot hold records of onceflow: their key is idempotencyKey, and its key is id; check --table/;

    await expect(listed({}, others)).rejects.toThrow(theirs);
    await expect(listed({}, { ...c.workflow, table: 'Nowhere' })).rejects.toThrow(
      'there is no table Nowhere',
    );
  });
});
