import { Recovery } from '../../infra/index';
import { CALL, chainInJsonPath } from '../support/chain-in-jsonpath';
import { openWorld, returns, type World } from '../support/world';

const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };

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

  const statusOf = async () => (await world.record('ChargePayment#order-7'))?.['status']?.S;

  async function endsOfRecoveries() {
    const stateMachineArn = world.stack.output('RecoveryArn');
    const { executions } = await world.stack.runtime.listExecutions({ stateMachineArn });
    const ends = await Promise.all(executions.map(({ executionArn }) => world.execution(executionArn)));
    return ends.map(({ status, error }) => error ?? status);
  }

  test('no state catches it: recovery redrives it as often as it may, and then holds it for review', async () => {
    await open('missing path', { recovery: Recovery.automatic() });
    await world.delivered(ORDER);

    expect(await statusOf()).toBe('HELD');
    expect(await endsOfRecoveries()).toContain('Idempotency.RecoveryGivenUp');
    // The state that the path is in runs again each time, with its call.
    expect(calls).toBe(4);
    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.RedrivesExhausted' });
    expect(calls).toBe(4);
  });

  test('at most once: recovery holds it for review, and nothing runs again', async () => {
    await open('missing path, at most once', {
      delivery: 'at-most-once',
      recovery: Recovery.automatic(),
    });
    expect(await world.delivered(ORDER)).toMatchObject({ error: 'States.Runtime' });

    expect(await statusOf()).toBe('HELD');
    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InDoubt' });
    expect(calls).toBe(1);
  });
});
