import { buildChildren, type Children } from '../../../proof/bench/child';

describe('measuring programs', () => {
  let children: Children;

  beforeAll(async () => {
    children = await buildChildren(['pass-through', 'memory-growth']);
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

  test('executions that are kept: each thousand with its heap', async () => {
    expect(await children.run('memory-growth', [2000])).toEqual({
      thousands: Array.from({ length: 2 }, () => ({
        seconds: expect.any(Number),
        heapBytes: expect.any(Number),
      })),
    });
  });

  test('one that was not built: rejects with what it said', async () => {
    await expect(children.run('charge-payment', [])).rejects.toThrow('charge-payment.js ended with 1');
  });
});
