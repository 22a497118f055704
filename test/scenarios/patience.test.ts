import { failing, noFault } from '../support/faults';
import { GRACE_MS } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const REFUSED = 'DynamoDB.AmazonDynamoDBException';
const THROTTLED = 'DynamoDB.ProvisionedThroughputExceededException';

describe('patience', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());

  test.each(['Claim record', 'Business step'])('%s: an outage of three hours: waits it out', async state => {
    const recovery = world.clock.now() + 3 * 3600 * 1000;
    const error = state === 'Business step' ? 'Lambda.TooManyRequestsException' : THROTTLED;
    world.faults = async (call, next) =>
      call.stateName === state && world.clock.now() < recovery ? fails(error) : next();

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
  });

  test.each(['Read record', 'Take over', 'Ask about the owner'])(
    'a duplicate, %s: an outage of three hours: waits it out',
    async state => {
      world.step = () => (state === 'Ask about the owner' ? world.never() : fails('CardDeclined'));
      const owner = await world.deliver(ORDER);
      await world.stack.runtime.idle();
      if (state === 'Ask about the owner') await world.stop(owner);
      await world.pass(GRACE_MS);
      world.step = () => returns('paid');
      const recovery = world.clock.now() + 3 * 3600 * 1000;
      world.faults = async (call, next) =>
        call.stateName === state && world.clock.now() < recovery
          ? fails('DynamoDB.SdkClientException')
          : next();
      await world.delivered(ORDER);
      world.faults = noFault;

      expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '"paid"' });
    },
  );

  test('claim: refused for a quarter of an hour as a missing permission: says so, nothing has run', async () => {
    const startedAt = world.clock.now();
    world.faults = failing('Claim record', REFUSED);
    const execution = await world.delivered(ORDER);
    const minutes = (world.clock.now() - startedAt) / 60_000;
    world.faults = noFault;

    expect(execution).toMatchObject({ status: 'FAILED', error: 'Idempotency.TableRefused' });
    expect(JSON.parse(execution.cause ?? '')).toMatchObject({ serviceError: `${REFUSED}: injected` });
    expect(minutes).toBeGreaterThan(5);
    expect(minutes).toBeLessThan(30);
    expect(world.runs).toEqual([]);
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('claim: written, its answer lost, then refused to the last: taken over from after the grace', async () => {
    let tries = 0;
    world.faults = async (call, next) => {
      if (call.stateName !== 'Claim record') return next();
      tries += 1;
      if (tries === 1) await next();
      return fails(tries === 1 ? 'DynamoDB.SdkClientException' : REFUSED);
    };
    const owner = await world.delivered(ORDER);
    world.faults = noFault;
    await world.pass(GRACE_MS);

    expect(owner).toMatchObject({ error: 'Idempotency.TableRefused' });
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(await world.record(KEY)).toMatchObject({ attempt: { N: '2' } });
  });

  test.each(['Read record', 'Take over'])('%s: refused for a quarter of an hour: says so', async state => {
    world.step = () => fails('CardDeclined');
    await world.delivered(ORDER);
    world.faults = failing(state, REFUSED);

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.TableRefused' });
  });

  test('finalize: refused for hours as a missing permission: waits until that is mended, one run', async () => {
    const mended = world.clock.now() + 2 * 3600 * 1000;
    world.faults = async (call, next) =>
      call.stateName === 'Finalize: completed' && world.clock.now() < mended ? fails(REFUSED) : next();

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
  });

  test('asking about the owner throttled for good: in progress, as nothing is known', async () => {
    world.step = () => world.never();
    const owner = await world.deliver(ORDER);
    await world.stack.runtime.idle();
    await world.stop(owner);
    await world.pass(60_000);
    world.faults = failing('Ask about the owner', 'Sfn.SfnException');
    const duplicate = await world.deliver(ORDER);
    await world.settle();

    const end = await world.execution(duplicate);
    expect(end).toMatchObject({ status: 'FAILED', error: 'Idempotency.InProgress' });
    expect(JSON.parse(end.cause ?? '')).toMatchObject({ serviceError: 'Sfn.SfnException: injected' });
  });
});

test('at most once, reading the history throttled for good: in progress, and the next one reads it', async () => {
  const world = await openWorld({ name: 'at most once', workflow: { delivery: 'at-most-once' } });
  try {
    world.step = () => world.never();
    const owner = await world.deliver(ORDER);
    await world.stack.runtime.idle();
    await world.stop(owner);
    await world.pass(GRACE_MS);
    world.faults = failing("Read the owner's history", 'Sfn.SfnException');
    const throttled = await world.delivered(ORDER);
    world.faults = noFault;

    expect(throttled).toMatchObject({ status: 'FAILED', error: 'Idempotency.InProgress' });
    expect(JSON.parse(throttled.cause ?? '')).toMatchObject({ serviceError: 'Sfn.SfnException: injected' });
    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InDoubt' });
  } finally {
    await world.close();
  }
});
