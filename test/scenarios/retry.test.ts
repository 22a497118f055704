import { Duration } from 'aws-cdk-lib';
import type { RetryProps } from 'aws-cdk-lib/aws-stepfunctions';
import { Recovery } from '../../infra/index';
import { GRACE_MS } from '../support/variant';
import { fails, openWorld, returns, type StepInput, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const retry: RetryProps = { errors: ['Busy'], interval: Duration.minutes(1), backoffRate: 1, maxAttempts: 2 };

describe('a step that is retried', () => {
  let world: World;
  beforeEach(async () => {
    const workflow = { recovery: Recovery.automatic() };
    world = await openWorld({ name: 'retries', workflow, settings: () => ({ retry }) });
  });
  afterEach(() => world.close());

  /** How the step was called: with which attempt, and after how many retries of it. */
  const calls = () =>
    world.runs.map(run => {
      const { attempt, retryCount } = run as StepInput & { readonly retryCount: number };
      return { attempt, retryCount };
    });

  test('it fails once, and succeeds: the same attempt, and told that it is tried again', async () => {
    world.step = () => (world.runs.length === 1 ? fails('Busy') : returns('paid'));
    const began = world.clock.now();
    const { output, startDate, stopDate } = await world.delivered(ORDER);

    expect(output).toBe('"paid"');
    expect(calls()).toEqual([
      { attempt: 1, retryCount: 0 },
      { attempt: 1, retryCount: 1 },
    ]);
    expect((stopDate ?? 0) - startDate).toBe(60_000);
    expect(await world.record(KEY)).toMatchObject({
      status: { S: 'COMPLETED' },
      attempt: { N: '1' },
      claimedAt: { S: new Date(began).toISOString() },
    });
  });

  test('it fails to the last: recorded as failed, and a later delivery begins with the next attempt', async () => {
    world.step = () => fails('Busy');
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'FAILED', error: 'Busy' });
    expect(calls()).toHaveLength(3);
    world.step = () => returns('paid');
    await world.delivered(ORDER);

    expect(calls().at(-1)).toEqual({ attempt: 2, retryCount: 0 });
  });

  test.each(['CardDeclined', 'Lambda.SdkClientException', 'Sandbox.Timedout'])(
    '%s, which is not to be retried: run once',
    async error => {
      world.step = () => fails(error);

      expect(await world.delivered(ORDER)).toMatchObject({ status: 'FAILED', error });
      expect(calls()).toHaveLength(1);
    },
  );

  test('a duplicate comes between two tries: in progress, and runs nothing', async () => {
    world.step = () => (world.runs.length === 1 ? fails('Busy') : returns('paid'));
    await world.deliver(ORDER);
    await world.pass(GRACE_MS + 1000);
    const duplicate = await world.deliver(ORDER);
    await world.stack.runtime.work.idle();

    expect(await world.execution(duplicate)).toMatchObject({ error: 'Idempotency.InProgress' });
    await world.settle();
    expect(calls()).toHaveLength(2);
  });

  test('stopped between two tries: redriven when the grace of the last one is over, with all its retries', async () => {
    world.step = () => fails('Busy');
    const owner = await world.deliver(ORDER);
    await world.pass(61_000);
    await world.stop(owner);
    world.step = () => (world.runs.length === 3 ? fails('Busy') : returns('paid'));
    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InProgress' });

    expect(calls()).toEqual([
      { attempt: 1, retryCount: 0 },
      { attempt: 1, retryCount: 1 },
      { attempt: 1, retryCount: 0 },
      { attempt: 1, retryCount: 1 },
    ]);
    expect(await world.execution(owner)).toMatchObject({ output: '"paid"', redriveCount: 1 });
  });
});

describe('a step that is retried for days', () => {
  test('stopped within a try, with recovery: redriven when the grace of that try is over', async () => {
    const world = await openWorld({
      name: 'retries for days, with recovery',
      workflow: { recovery: Recovery.automatic() },
      settings: () => ({ retry: { ...retry, interval: Duration.hours(12), maxAttempts: 4 } }),
    });
    try {
      world.step = () => world.never();
      const owner = await world.deliver(ORDER);
      await world.pass(1000);
      await world.stop(owner);
      world.step = () => returns('paid');
      // The first delay, and half of it at most at random.
      await world.pass(GRACE_MS + 16_000);

      expect(await world.execution(owner)).toMatchObject({ output: '"paid"', redriveCount: 1 });
    } finally {
      await world.close();
    }
  });
});
