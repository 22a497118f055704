import { Recovery } from '../../infra/index';
import { at, failing, noFault, stopping } from '../support/faults';
import { GRACE_MS } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const HOUR = 3_600_000;
const REJECTED = 'DynamoDB.AmazonDynamoDBException';
const THROTTLED = 'DynamoDB.ProvisionedThroughputExceededException';

let world: World;
afterEach(() => world.close());

/** The calls of a state fail from now on. */
function outage(stateName: string, error: string, hours = 3) {
  const end = world.clock.now() + hours * HOUR;
  return at(stateName, async (_call, next) => (world.clock.now() < end ? fails(error) : next()));
}

describe('patience', () => {
  beforeEach(async () => {
    world = await openWorld();
  });

  test.each([
    ['Claim record', THROTTLED],
    ['Business step', 'Lambda.TooManyRequestsException'],
  ])('%s: an outage of three hours: waits it out', async (state, error) => {
    world.faults = outage(state, error);

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
  });

  test.each(['Read record', 'Take over'])(
    'a duplicate, %s: an outage of three hours: waits it out',
    async state => {
      world.step = () => fails('CardDeclined');
      await world.delivered(ORDER);
      world.step = () => returns('paid');
      world.faults = outage(state, 'DynamoDB.SdkClientException');

      expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '"paid"' });
    },
  );

  test.each(['Claim record', 'Read record', 'Take over'])(
    '%s: denied for a quarter of an hour, for a missing permission: fails there, and a redrive makes it again',
    async state => {
      world.step = () => fails('CardDeclined');
      if (state !== 'Claim record') await world.delivered(ORDER);
      const runs = world.runs.length;
      world.step = () => returns('paid');
      const startedAt = world.clock.now();
      world.faults = failing(state, REJECTED);
      const { executionArn, ...end } = await world.delivered(ORDER);
      const minutes = (world.clock.now() - startedAt) / 60_000;
      world.faults = noFault;

      expect(end).toMatchObject({ status: 'FAILED', error: REJECTED, cause: 'injected' });
      expect(minutes).toBeGreaterThan(5);
      expect(minutes).toBeLessThan(30);
      expect(world.runs).toHaveLength(runs);
      await world.stack.runtime.redriveExecution({ executionArn });
      await world.settle();
      expect(await world.execution(executionArn)).toMatchObject({ status: 'SUCCEEDED', output: '"paid"' });
      expect(world.runs).toHaveLength(runs + 1);
    },
  );

  test('finalize: denied for hours, for a missing permission: waits until that is fixed, one run', async () => {
    world.faults = outage('Record the result', REJECTED);

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
  });
});

describe('patience of recovery', () => {
  beforeEach(async () => {
    world = await openWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
  });

  /** An order whose execution is stopped when its step is done. */
  async function stopped(): Promise<string> {
    world.faults = stopping(world, 'Record the result', 'before');
    const owner = await world.deliver(ORDER);
    await world.stack.runtime.work.idle();
    return owner;
  }

  test.each([
    ['Ask about the owner', 3, 'Sfn.SfnException'],
    ['Read record', 3, THROTTLED],
    ['Redrive the owner', 1, 'Lambda.TooManyRequestsException'],
  ])('%s: an outage of %i hours: waits it out', async (state, hours, error) => {
    const owner = await stopped();
    world.faults = outage(state, error, hours);
    await world.settle();

    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
    expect(world.runs).toHaveLength(1);
  });

  test('a claim is written, its answer lost, and then rejected to the last: the owner is redriven', async () => {
    let tries = 0;
    world.faults = at('Claim record', async ({ executionArn }, next) => {
      if ((await world.execution(executionArn)).redriveCount > 0) return next();
      tries += 1;
      if (tries === 1) await next();
      return fails(tries === 1 ? 'DynamoDB.SdkClientException' : REJECTED);
    });
    const owner = await world.deliver(ORDER);
    await world.settle();

    const end = { status: 'SUCCEEDED', output: '{"charge":1}', redriveCount: 1 };
    expect(await world.execution(owner)).toMatchObject(end);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' }, attempt: { N: '1' } });
    expect(world.runs).toHaveLength(1);
  });
});

describe('patience of recovery at most once', () => {
  test.each(['Ask about the owner', "Read the owner's history"])(
    '%s: throttled for good: recovery fails there, the record stays, and a search begins it again',
    async state => {
      const workflow = { delivery: 'at-most-once', recovery: Recovery.automatic() } as const;
      world = await openWorld({ name: 'recovery, at most once', workflow });
      world.faults = stopping(world, 'Business step', 'before');
      await world.deliver(ORDER);
      await world.stack.runtime.work.idle();
      world.faults = failing(state, 'Sfn.SfnException');
      await world.settle();
      expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InProgress' });
      expect(await world.record(KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });
      world.faults = noFault;
      await world.pass(HOUR + GRACE_MS);
      await world.settle();

      expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InDoubt' });
      expect(world.runs).toEqual([]);
    },
  );
});
