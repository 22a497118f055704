import { list } from '../../../cli/commands/list/list';
import { redeliver } from '../../../cli/commands/redeliver';
import { PLAIN } from '../../../cli/terminal';
import { failing, noFault } from '../../support/faults';
import { fails, returns } from '../../support/world';
import { type CliWorld, keyOfText, NOBODY, ORDER, openCliWorld } from '../world';

let c: CliWorld;
beforeEach(async () => {
  c = await openCliWorld();
});
afterEach(() => c.close());

const order = (orderId: string, amount = 12.5) => ({ ...ORDER, orderId, amount });
const again = (orderId: string, more: object = {}) =>
  redeliver.run(
    { ...c.context, terminal: NOBODY },
    {
      key: keyOfText(orderId),
      isConfirmed: true,
      isDryRun: false,
      ...more,
    },
  );
const statusOf = async (orderId: string) => (await c.world.record(`ChargePayment#${orderId}`))?.['status']?.S;

describe('redeliver', () => {
  test('a key that has failed: its input is delivered once more, and only after it was said', async () => {
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(order('a'));
    c.world.step = () => returns('paid');

    expect(await again('a', { isConfirmed: false })).toMatchObject({ code: 2 });
    const planned = await again('a', { isDryRun: true });
    expect(planned.text(PLAIN)).toMatch(/^a +FAILED +CardDeclined +redelivers \S+$/m);
    expect(c.world.runs).toHaveLength(1);

    const done = await again('a');
    await c.world.settle();
    expect(done.text(PLAIN)).toContain('1 key redriven or redelivered');
    expect(await statusOf('a')).toBe('COMPLETED');
    expect(c.world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  describe('a delivery without its payload was rejected', () => {
    beforeEach(async () => {
      await c.close();
      const payload = '{% $states.input.detail.amount %}';
      c = await openCliWorld({ name: 'payload of a member', workflow: { payload } });
    });

    test('after one that has not come to its claim: that one is delivered', async () => {
      c.world.faults = failing('Claim record', 'DynamoDB.AmazonDynamoDBException');
      await c.world.delivered(order('b'));
      c.world.faults = noFault;
      await c.world.pass(1000);
      await c.world.delivered({ orderId: 'b' });
      await again('b');
      await c.world.settle();

      expect(await statusOf('b')).toBe('COMPLETED');
    });

    test('alone: left, because it would be rejected again', async () => {
      await c.world.delivered({ orderId: 'b' });

      const { json } = await again('b');
      expect(json).toMatchObject({ planned: [{ action: 'leave', reason: 'rejected' }], done: [] });
    });
  });

  test('twice at the same moment: delivered once', async () => {
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(order('a'));
    c.world.step = () => returns('paid');
    await Promise.all([again('a'), again('a')]);
    await c.world.settle();

    expect(c.world.runs).toHaveLength(2);
  });

  test('a key that was never claimed: found by its execution', async () => {
    c.world.faults = failing('Claim record', 'DynamoDB.AmazonDynamoDBException');
    await c.world.delivered(order('b'));
    c.world.faults = noFault;
    await again('b');
    await c.world.settle();

    expect(await statusOf('b')).toBe('COMPLETED');
  });

  test('what is finished, or at work: left alone, with the reason', async () => {
    await c.world.delivered(order('c'));

    const finished = { code: 0, answer: '1 key; 1 finished since; nothing to redrive\n' };
    for (const isConfirmed of [true, false]) {
      const { code, text } = await again('c', { isConfirmed });
      expect({ code, answer: text(PLAIN) }).toEqual(finished);
    }
    expect(c.world.runs).toHaveLength(1);
  });

  test('a key that is mistyped: nothing is known of it', async () => {
    expect((await again('cc')).text(PLAIN)).toMatch(
      /^1 key; 1 without a record and a known execution: check/,
    );
  });
});

describe('list of rejected events, and its counts', () => {
  const ALL = {
    statuses: ['IN_PROGRESS', 'FAILED', 'HELD'],
    range: {},
    limit: 100,
    readMax: 1000,
    error: undefined,
    isUnfinished: false,
    isRejected: true,
    isPriced: false,
    by: undefined,
  } as const;
  const textOf = async (more: object = {}) => (await list.run(c.context, { ...ALL, ...more })).text(PLAIN);
  beforeEach(async () => {
    c.world.step = ({ input }) => (input.detail['orderId'] === 'd' ? fails('CardDeclined') : returns('paid'));
    await c.world.delivered(order('d'));
    await c.world.delivered(order('e'));
    await c.world.pass(2 * 3_600_000);
    await c.world.delivered(order('e', 99));
    await c.world.delivered({ amount: 1, currency: 'EUR' });
  });

  test('each with its key, its error and its execution', async () => {
    const text = await textOf();

    expect(text).toMatch(/^d +FAILED +1 .* CardDeclined$/m);
    expect(text).toMatch(/^e +rejected .* Idempotency\.PayloadMismatch$/m);
    expect(text).toMatch(/^\? +rejected .* Idempotency\.InvalidEvent$/m);
    expect(text).toContain(
      '1 record of ChargePayment (1 failed); 2 rejected deliveries; the whole table was read',
    );
  });

  test('within a time range', async () => {
    expect(await textOf({ range: { since: { ago: 3_600_000 } } })).not.toContain('CardDeclined');
    expect(await textOf({ range: { until: { ago: 3_600_000 } } })).toMatch(
      /1 failed\); 0 rejected deliveries/,
    );
  });

  test('counted by error, and by the hour', async () => {
    expect(
      (await textOf({ by: 'error' }))
        .split('\n')
        .slice(0, 4)
        .map(line => line.split(/ {2,}/).slice(0, 3)),
    ).toEqual([
      ['error', 'records', 'rejected deliveries'],
      ['CardDeclined', '1', '0'],
      ['Idempotency.InvalidEvent', '0', '1'],
      ['Idempotency.PayloadMismatch', '0', '1'],
    ]);
    expect(
      (await textOf({ by: 'hour' }))
        .split('\n')
        .slice(1, 3)
        .map(line => line.split(/ {2,}/).slice(0, 3)),
    ).toEqual([
      ['2026-11-20 11:00Z', '0', '2'],
      ['2026-11-20 09:00Z', '1', '0'],
    ]);
  });
});
