import { Duration } from 'aws-cdk-lib';
import { OnInProgress, Recovery } from '../../infra/index';
import { GRACE_MS, type Variant } from '../support/variant';
import { openWorld } from '../support/world';

const HOUR = 3_600_000;
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };

const WAITS: Variant = {
  name: 'waits an hour',
  workflow: { onDuplicateInProgress: OnInProgress.wait(Duration.hours(1)), recovery: Recovery.automatic() },
};

describe('what a duplicate costs that waits', () => {
  // Each state that is entered is a billed transition.
  test.each([
    ['1 minute', HOUR / 60, 0, 20],
    ['5 minutes', HOUR / 12, 0, 26],
    ['an hour', 2 * HOUR, 0, 80],
    ['an hour for an owner that is overdue at once', 2 * HOUR, GRACE_MS, 80],
  ])('%s: few transitions, four a look', async (_, stepMs, headStartMs, most) => {
    const world = await openWorld(WAITS);
    try {
      world.deliveries = async () => 'lost';
      world.faults = async (call, next) => {
        if (call.stateName === 'Record the result') await world.pause(stepMs);
        return next();
      };
      await world.deliver(ORDER);
      await world.pass(headStartMs);
      const duplicate = await world.deliver(ORDER);
      await world.settle();
      const states = await world.statesOf(duplicate);
      const count = (state: string) => states.filter(name => name === state).length;

      expect(states.length).toBeLessThanOrEqual(most);
      // One more in each quarter of an hour in which the owner is overdue.
      expect(count('Call recovery')).toBeLessThanOrEqual(5);
      // Beside the looks: the claim, and the last state.
      expect(states.length - count('Call recovery')).toBeLessThanOrEqual(4 * count('Read record') + 2);
    } finally {
      await world.close();
    }
  });
});
