import { Recovery } from '../../infra/index';
import { CALL, CHAIN_TIMEOUT_MS, chainInJsonPath } from '../support/chain-in-jsonpath';
import { openWorld, returns, type World } from '../support/world';

const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const DAY = 86_400_000;

describe('a path that is not there, in a step in JSONPath', () => {
  let world: World;
  let calls: number;

  async function open(...variant: Parameters<typeof chainInJsonPath>): Promise<void> {
    world = await openWorld(chainInJsonPath(...variant));
    calls = 0;
    world.faults = async (call, next) => {
      if (call.stateName !== CALL) return next();
      calls += 1;
      return returns({ another: calls });
    };
  }
  afterEach(() => world.close());

  const errors = async () => (await world.executions()).map(({ error }) => error);

  test('nobody catches it: later deliveries redrive it as often as they may, and then leave it to a person', async () => {
    await open('missing path');
    for (let count = 1; count <= 5; count += 1) {
      await world.delivered(ORDER);
      await world.pass(CHAIN_TIMEOUT_MS);
    }

    expect(await errors()).toEqual([
      'States.Runtime',
      ...Array(3).fill('Idempotency.InProgress'),
      'Idempotency.RedrivesExhausted',
    ]);
    expect(await world.record('ChargePayment#order-7')).toMatchObject({ status: { S: 'IN_PROGRESS' } });
    // The state that the path is in runs again each time, with its call.
    expect(calls).toBe(4);
  });

  test('with recovery: given up by name, without another delivery', async () => {
    await open('missing path, recovered', { recovery: Recovery.automatic() });
    await world.delivered(ORDER);
    await world.pass(2 * DAY);

    const stateMachineArn = world.stack.output('RecoveryArn');
    const { executions } = await world.stack.runtime.listExecutions({ stateMachineArn, maxResults: 100 });
    const ends = await Promise.all(executions.map(({ executionArn }) => world.execution(executionArn)));
    expect(ends.map(({ error }) => error)).toContain('Idempotency.RecoveryGivenUp');
    expect(calls).toBe(4);
  });

  test('at most once: the next delivery leaves it in doubt, and nothing runs again', async () => {
    await open('missing path, at most once', { delivery: 'at-most-once' });
    await world.delivered(ORDER);
    await world.pass(CHAIN_TIMEOUT_MS);
    await world.delivered(ORDER);

    expect(await errors()).toEqual(['States.Runtime', 'Idempotency.InDoubt']);
    expect(calls).toBe(1);
  });
});
