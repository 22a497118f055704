import { withSynthesizedApp } from '../../../cli/app/synthesize';
import { buildChildren, type Children } from '../../../proof/bench/child';

describe('measuring programs', () => {
  let children: Children;

  beforeAll(async () => {
    children = await buildChildren(['pass-through', 'charge-payment', 'memory-growth']);
  });
  afterAll(() => children.close());

  test('three tasks: every execution with its whole history', async () => {
    expect(await children.run('pass-through', [20])).toEqual({
      executions: 20,
      seconds: expect.any(Number),
      // Started, five for each state, succeeded.
      events: 20 * 17,
    });
  });

  test('the reference app: its workflow runs, with fresh orders and with duplicates', async () => {
    const measured = { executions: 20, seconds: expect.any(Number), events: expect.any(Number) };
    const both = await withSynthesizedApp(async assembly => [
      await children.run('charge-payment', [20, assembly, 'fresh']),
      await children.run('charge-payment', [20, assembly, 'duplicate']),
    ]);

    expect(both).toEqual([measured, measured]);
  });

  test('executions that are kept: each thousand with its heap', async () => {
    expect(await children.run('memory-growth', [2000])).toEqual({
      thousands: Array.from({ length: 2 }, () => ({
        seconds: expect.any(Number),
        heapBytes: expect.any(Number),
      })),
    });
  });

  test('one without its arguments: rejects with what it said', async () => {
    await expect(children.run('charge-payment', [])).rejects.toThrow('charge-payment.js ended with 1');
  });
});
