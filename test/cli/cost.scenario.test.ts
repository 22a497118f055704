import { cost } from '../../cli/commands/cost';
import { costOfKeys, keysCostInWords } from '../../cli/key/list/executions-cost';
import { PLAIN } from '../../cli/terminal';
import { returns } from '../support/world';
import { type CliWorld, keyOfText, ORDER, openCliWorld } from './world';

describe('what it has cost', () => {
  let c: CliWorld;
  beforeAll(async () => {
    c = await openCliWorld();
    c.world.step = () => returns('paid');
    for (const orderId of ['order-7', 'order-8']) await c.world.delivered({ ...ORDER, orderId });
    await c.world.delivered(ORDER);
    await c.world.delivered({ ...ORDER, amount: 99 });
  });
  afterAll(() => c.close());
  const asked = (more: object = {}) =>
    cost.run(c.context, {
      key: undefined,
      range: { since: { ago: 86_400_000 } },
      sample: 100,
      openedMax: 100,
      ...more,
    });

  test('a workflow in a time: each execution counts, and the cost of duplicates is shown', async () => {
    const { json } = await asked();

    // Claim, step and finalize of two; claim, read, judge and the end of two others.
    expect(json).toMatchObject({
      listed: 4,
      opened: 4,
      cost: {
        executions: 4,
        duplicates: 2,
        transitions: 2 * 3 + 2 * 4,
        invocations: 2,
        reads: 2,
        writes: 2 * 2 + 2,
      },
    });
    expect((await asked()).text(PLAIN)).toMatch(
      /^ChargePayment {2}since .*: \$0\.00035\d .*: 4 executions, 14 transitions, .*; 2 did not run the step, 57 % of the cost\n$/,
    );
  });

  test('one key: its executions alone', async () => {
    const { json, text } = await asked({ key: keyOfText('order-8') });

    expect(json).toMatchObject({
      recordKey: 'ChargePayment#order-8',
      cost: { executions: 1, duplicates: 0, transitions: 3 },
    });
    expect(text(PLAIN)).toMatch(
      /^ChargePayment#order-8 {2}since .*: 1 execution, 3 transitions, 2 writes, 0 reads, 1 invocation;/,
    );
  });

  test('the keys of a list: their executions by name and by claim, and what was not looked into', async () => {
    const { time } = c.aws;
    const range = { since: time.now() - 86_400_000, until: time.now() };
    const keys = { texts: ['order-8'], executionArns: [] };
    const costAt = (sample: number) =>
      costOfKeys(c.context, keys, { range, sample, progress: () => undefined });

    expect(await costAt(100)).toMatchObject({ cost: { executions: 1, transitions: 3 }, unopened: 0 });
    expect(keysCostInWords(await costAt(1))).toMatch(/; 3 other executions of this time were not read$/);
  });

  test('a sample: the sum is estimated from it, and said to be', async () => {
    const answer = await asked({ sample: 2 });

    expect(answer.json).toMatchObject({ listed: 4, opened: 2, cost: { executions: 4 } });
    expect(answer.text(PLAIN)).toContain('estimated from 2 histories of 4');
  });
});
