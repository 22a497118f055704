import { gate, openWorld, returns, until, type World } from './world';

describe('an Express workflow', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({ name: 'express', workflow: { type: 'EXPRESS' } });
  });
  afterEach(() => world.close());

  const ask = (orderId: string, more: object = {}) => world.startOnce(orderId, { type: 'EXPRESS', ...more });

  test('a new key, and again: its result, and the same as a duplicate', async () => {
    const first = await ask('order-1');
    const again = await ask('order-1');

    expect(first).toEqual({
      outcome: 'started',
      executionArn: expect.stringMatching(/:express:[^:]+:order-1:/),
      result: { charge: 1 },
    });
    expect(again).toEqual({ ...first, outcome: 'duplicate' });
  });

  test('while another runs: in progress at once, or its result when it is waited for', async () => {
    const { passed, open } = gate();
    world.step = () => passed.then(() => returns('paid'));
    const first = ask('order-1');
    await until(() => world.runs.length === 1);

    const meanwhile = await ask('order-1');
    const waiting = ask('order-1', { waitUpTo: 30_000 });
    setTimeout(open, 200);

    expect(meanwhile).toEqual({ outcome: 'inProgress', executionArn: (await first).executionArn });
    expect(await waiting).toEqual({ ...(await first), outcome: 'duplicate' });
    expect(world.runs).toHaveLength(1);
  });

  test('the step fails, then another payload comes', async () => {
    world.step = () => ({ kind: 'failed', error: 'CardDeclined', cause: 'no money' });
    const input = { detail: { orderId: 'order-1', amount: 13, currency: 'EUR' } };

    expect(await ask('order-1')).toMatchObject({
      outcome: 'failed',
      error: 'CardDeclined',
      cause: 'no money',
    });
    await expect(ask('order-1', { input })).rejects.toMatchObject({ name: 'PayloadMismatchError' });
  });

  test('the signal aborts: rejects, and the execution goes on', async () => {
    const { passed, open } = gate();
    world.step = () => passed.then(() => returns('paid'));
    const controller = new AbortController();
    const running = ask('order-1', { signal: controller.signal });
    await until(() => world.runs.length === 1);

    controller.abort('closed');
    await expect(running).rejects.toBe('closed');
    open();

    expect(await ask('order-1', { waitUpTo: 30_000 })).toMatchObject({
      outcome: 'duplicate',
      result: 'paid',
    });
  });

  test('called as Standard: says so', async () => {
    await expect(world.startOnce('order-1')).rejects.toThrow(
      /is an Express workflow, and has been started; set `type: 'EXPRESS'`/,
    );
  });
});

test('a Standard workflow, called as Express: says so', async () => {
  const world = await openWorld();
  try {
    await expect(world.startOnce('order-1', { type: 'EXPRESS' })).rejects.toThrow(
      /StateMachineTypeNotSupported: check `type`: the state machine has the other type/,
    );
  } finally {
    await world.close();
  }
});
