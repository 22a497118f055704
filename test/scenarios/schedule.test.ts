import { Duration } from 'aws-cdk-lib';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { Source } from '../../infra/index';
import type { Variant } from '../support/variant';
import { openWorld, T0, type World } from '../support/world';

const HOUR = 3_600_000;
const HOURLY: Variant = {
  name: 'hourly',
  workflow: { idempotencyKey: '{% $states.input.time %}', payload: '{% $states.input.detail %}' },
  source: Source.schedule(Schedule.rate(Duration.hours(1))),
};

describe('a schedule', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(HOURLY);
  });
  afterEach(() => world.close());

  test('fires twice for one time: one run', async () => {
    const [name = ''] = world.stack.schedules.names();
    await world.stack.schedules.fire(name);
    await world.stack.schedules.fire(name);
    await world.settle();

    expect(world.runs).toHaveLength(1);
    expect(await world.executions()).toMatchObject([
      { name: expect.stringMatching(/^2026-11-20T09-00-00Z/) },
    ]);
  });

  test('fires hour by hour: one run each, keyed by its time', async () => {
    await world.pass(3 * HOUR);
    await world.settle();

    expect(world.runs.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      [1, 2, 3].map(hours => `ChargePayment#${new Date(T0 + hours * HOUR).toISOString().slice(0, 19)}Z`),
    );
  });
});
