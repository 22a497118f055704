import type { DeliveryInterceptor, Interceptor } from '@onceflow/local';
import { Recovery } from '../../infra/index';
import { noFault } from '../support/faults';
import { randomFrom } from '../support/random';
import { runs } from '../support/scale';
import { fails, openWorld, returns, type World } from '../support/world';

const VARIANT = { name: 'recovery', workflow: { recovery: Recovery.automatic() } };
const KEYS = ['order-1', 'order-2', 'order-3'];
const HOUR = 3_600_000;
const SEEDS = Number(process.env['ONCEFLOW_SEEDS'] ?? runs(10, 40));
/** So many executions die in one run, of the workflow and of recovery; then faults have stopped. */
const DEATHS_MAX = 12;

/** Executions die at their calls, before or after them, and answers are lost. */
function killing(world: World, chance: (probability: number) => boolean): Interceptor {
  let deaths = 0;
  return async (call, next) => {
    if (deaths < DEATHS_MAX && chance(0.3)) {
      deaths += 1;
      if (chance(0.5)) await next();
      void world.stop(call.executionArn);
      return world.never();
    }
    if (call.stateName === 'Business step' || !chance(0.1)) return next();
    await next();
    return fails('DynamoDB.SdkClientException', 'lost');
  };
}

/** Status changes are lost, come twice, or late. */
function unreliable(world: World, chance: (probability: number) => boolean): DeliveryInterceptor {
  return async ({ targetArn }, next) => {
    if (targetArn !== world.stack.output('RecoveryArn')) return next();
    if (chance(0.3)) return { executionArn: 'lost' };
    if (chance(0.3)) await world.pause(HOUR / 2);
    if (chance(0.3)) await next();
    return next();
  };
}

/** The keys that recovery has given up: those that an alarm tells of. */
async function givenUp(world: World): Promise<readonly string[]> {
  const { executions } = await world.stack.runtime.listExecutions({
    stateMachineArn: world.stack.output('RecoveryArn'),
    statusFilter: 'FAILED',
    maxResults: 1000,
  });
  const ends = await Promise.all(executions.map(({ executionArn }) => world.execution(executionArn)));
  expect(ends.filter(({ error }) => error !== 'Idempotency.RecoveryGivenUp')).toEqual([]);
  return ends.map(({ cause }) => (JSON.parse(cause ?? '{}') as { idempotencyKey: string }).idempotencyKey);
}

describe('orders that are each delivered once, without another delivery', () => {
  test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'seed %i: each is charged, and its record says so',
    async seed => {
      const world = await openWorld(VARIANT);
      const random = randomFrom(seed);
      const chance = (probability: number) => random() < probability;
      try {
        world.step = () => returns('paid');
        world.faults = killing(world, chance);
        world.deliveries = unreliable(world, chance);
        for (const orderId of KEYS) {
          await world.deliver({ orderId, amount: 12.5, currency: 'EUR' });
          await world.pass(Math.floor(random() * 20_000));
        }
        await world.pass(24 * HOUR);
        world.faults = noFault;

        const alarmed = await givenUp(world);
        for (const orderId of KEYS) {
          const key = `ChargePayment#${orderId}`;
          const { status } = (await world.record(key)) ?? {};
          // The owner of a key that is given up can have been stopped each time before its step.
          const ends = alarmed.includes(key) ? ['HELD', 'COMPLETED', undefined] : ['COMPLETED'];
          expect(ends).toContain(status?.S);
          const hasRun = world.runs.some(({ idempotencyKey }) => idempotencyKey === key);
          if (status?.S === 'COMPLETED') expect(hasRun).toBe(true);
        }
        expect(world.stack.runtime.running()).toEqual([]);
      } finally {
        await world.close();
      }
    },
  );
});
