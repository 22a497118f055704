import type { Answer } from '../../../cli/actions/answer';
import { stopOwner } from '../../../cli/actions/stop';
import { list } from '../../../cli/commands/list/list';
import { redriveFailed } from '../../../cli/commands/redrive';
import type { Terminal } from '../../../cli/terminal';
import { PLAIN } from '../../../cli/terminal';
import { failing } from '../../support/faults';
import { GRACE_MS } from '../../support/variant';
import { fails, returns } from '../../support/world';
import { type CliWorld, keyOfText, NOBODY, ORDER, openCliWorld } from '../world';

const HOUR = 3_600_000;
const FAILED = {
  range: { since: { ago: 2 * HOUR } },
  error: undefined,
  limit: 100,
  perSecond: 5,
  isConfirmed: true,
  isDryRun: false,
} as const;

let c: CliWorld;
beforeEach(async () => {
  c = await openCliWorld();
});
afterEach(() => c.close());

const order = (orderId: string, more: object = {}) => ({ ...ORDER, orderId, ...more });
const redriven = (more: object = {}) => redriveFailed(c.context, { ...FAILED, ...more });
const statusOf = async (orderId: string) => (await c.world.record(`ChargePayment#${orderId}`))?.['status']?.S;

/** The planned and done work, by the key. */
function actions(answer: Answer): Readonly<Record<string, string>> {
  const { planned } = answer.json as {
    readonly planned: readonly {
      readonly recordKey: string;
      readonly action: string;
      readonly reason?: string;
    }[];
  };
  return Object.fromEntries(
    planned.map(({ recordKey, action, reason }) => [recordKey.split('#')[1] ?? '', reason ?? action]),
  );
}

describe('redrive --failed', () => {
  test('steps that failed, an ended owner, a claim that never got through: brought to their ends; then nothing is left', async () => {
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(order('failed'));
    c.world.faults = failing('Claim record', 'DynamoDB.AmazonDynamoDBException');
    await c.world.delivered(order('unclaimed'));
    c.world.faults = (_, next) => next();
    c.world.step = () => returns('paid');
    await c.world.delivered(order('finished'));
    await c.world.delivered(order('finished', { amount: 13 }));
    await c.world.delivered({ amount: 1, currency: 'EUR' });
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);

    const answer = await redriven();

    expect(actions(answer)).toEqual({
      failed: 'deliver',
      unclaimed: 'deliver',
      finished: 'finished',
      'order-7': 'redrive',
    });
    expect(answer).toMatchObject({ code: 0, json: { withoutKey: 1 } });
    await c.world.settle();
    for (const orderId of ['failed', 'unclaimed', 'order-7'])
      expect(await statusOf(orderId)).toBe('COMPLETED');

    const second = await redriven();
    expect(Object.values(actions(second))).toEqual(['finished', 'finished', 'finished']);
    expect(second.text(PLAIN)).toMatch(
      /; 3 finished since; 1 execution without a usable key; nothing to redrive\n$/,
    );
  });

  test('run twice before anything has ended: started once', async () => {
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(order('failed'));
    c.world.step = async () => c.world.never();

    const first = await redriven();
    const second = await redriven();

    expect(actions(first)).toEqual({ failed: 'deliver' });
    expect(actions(second)).toEqual({ failed: 'running' });
    expect(await c.world.executions()).toHaveLength(2);
  });

  describe('what was delivered again was interrupted before its claim', () => {
    beforeEach(async () => {
      c.world.step = () => fails('CardDeclined');
      await c.world.delivered(order('failed'));
      c.world.step = () => returns('paid');
      c.world.faults = failing('Claim record', 'DynamoDB.AmazonDynamoDBException');
      await redriven();
      await c.world.settle();
      c.world.faults = (_, next) => next();
    });

    test('run once more: delivered once more', async () => {
      expect(await redriven()).toMatchObject({ code: 0 });
      await c.world.settle();

      expect(await statusOf('failed')).toBe('COMPLETED');
    });

    test('run once more for the first error only: says that it has ended, and does not succeed', async () => {
      const answer = await redriven({ error: 'CardDeclined' });

      expect(answer.code).toBe(1);
      expect(answer.text(PLAIN)).toMatch(/had already been started, and is FAILED\. Run the command again/);
    });
  });

  test('by error, and since: all others stay', async () => {
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(order('old'));
    await c.world.pass(3 * HOUR);
    await c.world.delivered(order('declined'));
    c.world.step = () => fails('Unreachable');
    await c.world.delivered(order('unreachable'));

    expect(actions(await redriven({ error: 'Unreachable' }))).toEqual({ unreachable: 'deliver' });
    expect(Object.keys(actions(await redriven())).sort()).toEqual(['declined', 'unreachable']);
  });

  test('a record that was there and is gone: not run again, because its outcome is unknown', async () => {
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(order('failed'));
    await c.world.deleteRecord('ChargePayment#failed');

    expect(actions(await redriven())).toEqual({ failed: 'recordGone' });
  });

  test('more than --limit: as many as that, one after the other in their time', async () => {
    c.world.step = () => fails('CardDeclined');
    for (const orderId of ['a', 'b', 'c']) await c.world.delivered(order(orderId));
    const before = c.world.clock.now();

    const answer = await redriven({ limit: 2, perSecond: 1 });

    expect((answer.json as { readonly done: readonly object[] }).done).toHaveLength(2);
    expect(c.world.clock.now() - before).toBeGreaterThanOrEqual(1000);
    expect(answer.text(PLAIN)).toContain('1 beyond --limit');
  });

  test('asks first: no user, or no, and nothing is done', async () => {
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(order('failed'));
    let shown = '';
    const somebody: Terminal = {
      ...NOBODY,
      isAttended: true,
      confirm: async (text, question) => {
        shown = text + question;
        return false;
      },
    };

    const unasked = await redriven({ isConfirmed: false });
    expect(unasked).toMatchObject({ code: 2, json: { planned: [{ action: 'deliver' }], done: [] } });
    expect(unasked.text(PLAIN)).toMatch(
      /redelivers \S+\n\n1 key .*\nnothing was done, because there is no terminal/s,
    );
    const asked = redriveFailed({ ...c.context, terminal: somebody }, { ...FAILED, isConfirmed: false });
    await expect(asked).rejects.toThrow('nothing was redriven');
    expect(shown).toMatch(/^failed +FAILED +CardDeclined +redelivers \S+$/m);
    expect(shown).toMatch(/Redrive 1 key of /);
    expect(await c.world.executions()).toHaveLength(1);
  });

  test('a dry run: the plan, and nothing is done; no user and nothing to do is wrong usage all the same', async () => {
    expect(await redriven({ isConfirmed: false })).toMatchObject({ code: 2 });
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(order('failed'));

    const answer = await redriven({ isDryRun: true });

    expect(answer).toMatchObject({ code: 0, json: { planned: [{ action: 'deliver' }], done: [] } });
    expect(await c.world.executions()).toHaveLength(1);
  });

  test('an item that is not a record: that key is left, named, and the others are completed', async () => {
    c.world.step = () => fails('CardDeclined');
    for (const orderId of ['odd', 'failed']) await c.world.delivered(order(orderId));
    await c.world.putRecord({ idempotencyKey: { S: 'ChargePayment#odd' }, note: { S: 'mine' } });

    const answer = await redriven();
    const listed = await list.run(c.context, {
      statuses: ['FAILED'],
      limit: 100,
      readMax: 1000,
      error: undefined,
      isUnfinished: true,
      isRejected: false,
      isPriced: false,
      by: undefined,
      range: { since: { ago: HOUR } },
    });

    expect(actions(answer)).toEqual({ failed: 'deliver', odd: 'noRecord' });
    expect(answer.code).toBe(0);
    expect(answer.text(PLAIN)).toContain(
      'ChargePayment#odd is left alone, because the item of this key is not a record',
    );
    expect(listed.text(PLAIN)).toMatch(/^odd +no record /m);
  });

  test('a step that may still be working: a reason of its own, with the time', async () => {
    await c.ownerStoppedInStep();

    const { json } = await redriven();

    const until = expect.stringMatching(/^2026-11-20T09:00:4\d\.\d{3}Z$/);
    expect(json).toMatchObject({ planned: [{ action: 'leave', reason: 'mayStillWork', until }] });
  });

  test('stopped for good: left alone, as recovery leaves it alone; stopped only: redriven', async () => {
    c.world.step = async () => c.world.never();
    for (const orderId of ['order-7', 'order-8']) await c.world.deliver(order(orderId));
    await c.world.pass(1000);
    const forGood = await stopOwner(c.context, keyOfText('order-7'), true);
    const forNow = await stopOwner(c.context, keyOfText('order-8'), false);
    await c.world.pass(GRACE_MS);

    expect(actions(await redriven({ isDryRun: true }))).toEqual({
      'order-7': 'stopped',
      'order-8': 'redrive',
    });
    expect(forGood.text(PLAIN)).toContain('is stopped for good, so recovery leaves it alone');
    expect(forNow.text(PLAIN)).toContain('--for-good');
  });

  test('Ctrl-C: says what has been done, and how many were not begun', async () => {
    c.world.step = () => fails('CardDeclined');
    for (const orderId of ['a', 'b', 'c']) await c.world.delivered(order(orderId));
    const ended = new AbortController();
    const terminal = {
      ...NOBODY,
      progress: (text: string) => {
        if (text === 'redriving: 1 of 3') ended.abort();
      },
    };
    const context = { ...c.context, terminal, aws: { ...c.aws, signal: ended.signal } };

    const answer = await redriveFailed(context, FAILED);

    expect(answer).toMatchObject({ code: 130, json: { done: [{ action: 'deliver' }], notBegun: 2 } });
  });

  test('an Express workflow: rejected, because its executions cannot be listed', async () => {
    const workflow = { ...c.workflow, type: 'EXPRESS' } as const;

    await expect(redriveFailed({ ...c.context, workflow }, FAILED)).rejects.toThrow('is an Express workflow');
  });
});

describe('list --unfinished', () => {
  const ALL = {
    statuses: ['IN_PROGRESS', 'FAILED'],
    limit: 100,
    readMax: 1000,
    isRejected: false,
    isPriced: false,
    by: undefined,
  } as const;

  test('records, and executions that left none', async () => {
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(order('failed'));
    c.world.faults = failing('Claim record', 'DynamoDB.AmazonDynamoDBException');
    await c.world.delivered(order('unclaimed'));

    const lines = async (error: string | undefined) =>
      (await list.run(c.context, { ...ALL, error, isUnfinished: true, range: { since: { ago: HOUR } } }))
        .text(PLAIN)
        .split('\n')
        .slice(1);

    expect(await lines(undefined)).toEqual([
      expect.stringMatching(/^failed +FAILED .*CardDeclined$/),
      expect.stringMatching(/^unclaimed +no record .*DynamoDB\.\w+Exception$/),
      '',
      expect.stringMatching(
        /^1 record of ChargePayment \(1 failed\); 1 execution without a record; the whole table was read, /,
      ),
      '',
    ]);
    expect((await lines('CardDeclined')).join('\n')).toMatch(
      /^failed .*; 0 executions without a record; the whole table was read, 1 item\n$/s,
    );
    const nothing = await list.run(c.context, { ...ALL, error: 'Foo', isUnfinished: false, range: {} });
    expect(nothing.text(PLAIN)).toMatch(
      /^0 records of ChargePayment that are IN_PROGRESS, FAILED, and failed with Foo;/,
    );
    expect((await lines('DynamoDB.AmazonDynamoDBException')).join('\n')).toMatch(
      /^unclaimed (.|\n)*0 records/,
    );
  });
});
