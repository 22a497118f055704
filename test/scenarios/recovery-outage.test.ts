import type { Interceptor, ServiceResult } from '@onceflow/local';
import { Recovery } from '../../infra/index';
import { runs } from '../support/scale';
import { fails, openWorld, returns } from '../support/world';

jest.setTimeout(1_800_000);

const MINUTE = 60_000;
/** The page of limits says 25. */
const MINUTES_MAX = 30;
// By quotas that are smaller by as much as there are fewer owners than 10,000, the minutes are the same.
const OWNERS = runs(200, 9_000);
const PART = OWNERS / 10_000;

/** The quotas of us-east-1, of an account: what a bucket holds, and what it gets back in a second. */
const QUOTAS: Readonly<Record<string, readonly [bucket: number, perSecond: number]>> = {
  describeExecution: [300, 15],
  redriveExecution: [1300, 300],
};

/** Throttles the calls of Step Functions by a token bucket for each action. */
function quotas(now: () => number): Interceptor {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return async (call, next): Promise<ServiceResult> => {
    const action = /^aws-sdk:sfn:(\w+)$/.exec(call.resource)?.[1] ?? '';
    const [size, perSecond] = QUOTAS[action] ?? [];
    if (size === undefined || perSecond === undefined) return next();
    const before = buckets.get(action) ?? { tokens: size * PART, at: now() };
    const refilled = before.tokens + ((now() - before.at) / 1000) * perSecond * PART;
    const tokens = Math.min(size * PART, refilled);
    const isServed = tokens >= 1;
    buckets.set(action, { tokens: isServed ? tokens - 1 : tokens, at: now() });
    return isServed ? next() : fails('Sfn.ThrottlingException', 'Rate exceeded');
  };
}

describe('an outage in which all owners end at once', () => {
  test(`${OWNERS} owners within the quotas: each finishes once, and fresh events do not wait`, async () => {
    const world = await openWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
    const { clock, stack } = world;
    try {
      const order = (number: number) => ({ orderId: `order-${number}`, amount: 1, currency: 'EUR' });
      const isCompleted = async (number: number) =>
        (await world.record(`ChargePayment#order-${number}`))?.['status']?.S === 'COMPLETED';
      world.step = () => returns('charged');
      world.faults = async (call, next) => {
        if (call.stateName !== 'Record the result') return next();
        void world.stop(call.executionArn);
        return world.never();
      };
      for (let number = 0; number < OWNERS; number += 1) await world.deliver(order(number));
      await world.pass(1000);
      world.faults = quotas(() => clock.now());

      let left = Array.from({ length: OWNERS }, (_, number) => number);
      let minutes = 0;
      while (left.length > 0 && minutes < MINUTES_MAX) {
        await world.pass(MINUTE);
        minutes += 1;
        const isDone = await Promise.all(left.map(isCompleted));
        left = left.filter((_, index) => !isDone[index]);
        const fresh = await world.deliver(order(OWNERS + minutes));
        await world.pass(1000);
        expect(await world.execution(fresh)).toMatchObject({ status: 'SUCCEEDED' });
      }

      expect(left).toEqual([]);
      await world.settle();
      expect(world.runs).toHaveLength(OWNERS + minutes);
      expect(stack.runtime.running()).toEqual([]);
    } finally {
      await world.close();
    }
  });
});
