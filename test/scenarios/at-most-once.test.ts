import { failing, noFault, stopping } from '../support/faults';
import { GRACE_MS, type Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const DAY = 24 * 3_600_000;
const AT_MOST_ONCE: Variant = { name: 'at most once', workflow: { delivery: 'at-most-once' } };

describe('at most once', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(AT_MOST_ONCE);
  });
  afterEach(() => world.close());

  const parked = {
    status: { S: 'FAILED' },
    error: { S: expect.stringContaining('Idempotency.InDoubt') },
  };

  test.each([
    ['a lost answer', 'Lambda.SdkClientException'],
    ['an error of Lambda that has no name', 'Lambda.AWSLambdaException'],
    ['a timeout of the state', 'States.Timeout'],
    ['a timeout of the function', 'Sandbox.Timedout'],
    ['a crash of the function', 'Runtime.ExitError'],
    ['an end that nobody understands', 'Lambda.Unknown'],
    ['a result that is too long', 'States.DataLimitExceeded'],
  ])('%s: parked for a person, never run again, kept for good', async (_, error) => {
    world.step = () => fails(error);
    const first = await world.delivered(ORDER);
    world.step = () => returns('again');
    await world.pass(100 * DAY);
    const later = await world.delivered(ORDER);

    expect(first).toMatchObject({ status: 'FAILED', error: 'Idempotency.InDoubt' });
    expect(later).toMatchObject({ status: 'FAILED', error: 'Idempotency.InDoubt', cause: first.cause });
    expect(JSON.parse(first.cause ?? '')).toMatchObject({
      idempotencyKey: KEY,
      owner: first.executionArn,
      error,
    });
    expect(world.runs).toHaveLength(1);
    expect(await world.record(KEY)).toMatchObject(parked);
    expect(await world.record(KEY)).not.toHaveProperty('expiry');
  });

  test('parked only when the function has certainly ended', async () => {
    world.step = () => fails('Lambda.SdkClientException');
    await world.deliver(ORDER);
    await world.pass(GRACE_MS - 1);

    expect(await world.record(KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });
  });

  test.each([
    ['its own error', 'CardDeclined'],
    ['a refusal before it ran', 'Lambda.TooManyRequestsException'],
    ['a function that is not there', 'Lambda.ResourceNotFoundException'],
    ['a missing permission', 'Lambda.AWSLambdaException'],
  ])('the step fails by %s: recorded as failed, a later delivery runs it again', async (_, error) => {
    world.step = () => fails(error, '(Status Code: 403; Error Code: AccessDeniedException; Proxy: null)');
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'FAILED', error });
    world.step = () => returns('paid');

    expect(await world.delivered(ORDER)).toMatchObject({ output: '"paid"' });
  });

  test('aborted during the step: parked by the next delivery after the grace, not before', async () => {
    world.step = async () => world.never();
    const owner = await world.deliver(ORDER);
    await world.pass(1000);
    await world.stop(owner);
    world.step = () => returns('again');

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InProgress' });
    await world.pass(GRACE_MS);
    const parking = await world.delivered(ORDER);

    expect(parking).toMatchObject({ error: 'Idempotency.InDoubt' });
    expect(JSON.parse(parking.cause ?? '')).toMatchObject({ owner, attempt: 1 });
    expect(await world.delivered(ORDER)).toMatchObject({
      error: 'Idempotency.InDoubt',
      cause: parking.cause,
    });
    expect(world.runs).toHaveLength(1);
    expect(await world.record(KEY)).toMatchObject({ ...parked, owner: { S: owner } });
  });

  test('aborted during the step behind many refusals: found further back in its history', async () => {
    let refusals = 7;
    world.step = async () => {
      refusals -= 1;
      return refusals >= 0 ? fails('Lambda.TooManyRequestsException') : world.never();
    };
    const owner = await world.deliver(ORDER);
    while (world.runs.length < 8) await world.pass(1000);
    await world.stop(owner);
    await world.pass(GRACE_MS);

    const parking = await world.delivered(ORDER);

    expect(parking).toMatchObject({ error: 'Idempotency.InDoubt' });
    expect(
      (await world.statesOf(parking.executionArn)).filter(name => name === "Read the owner's history").length,
    ).toBeGreaterThan(1);
  });

  test.each(['Finalize: completed', 'Claim record'])(
    'aborted in %s, outside the step: redriven as ever',
    async state => {
      world.faults = stopping(world, state, state === 'Claim record' ? 'after' : 'before');
      const owner = await world.deliver(ORDER);
      await world.settle();
      world.faults = noFault;
      await world.pass(GRACE_MS);

      await world.delivered(ORDER);

      expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
      expect(world.runs).toHaveLength(1);
    },
  );

  test('aborted before its claim was made, redriven, and declined: its own answer, and recorded as failed', async () => {
    world.faults = stopping(world, 'Claim record', 'before');
    const owner = await world.deliver(ORDER);
    await world.settle();
    world.faults = noFault;
    world.step = () => fails('CardDeclined');
    await world.stack.runtime.redriveExecution({ executionArn: owner });
    await world.settle();

    expect(await world.execution(owner)).toMatchObject({ status: 'FAILED', error: 'CardDeclined' });
    world.step = () => returns('paid');
    expect(await world.delivered(ORDER)).toMatchObject({ output: '"paid"' });
  });

  test('aborted after the step and too old to be redriven: parked, as its result is lost', async () => {
    world.faults = stopping(world, 'Finalize: completed', 'before');
    await world.deliver(ORDER);
    await world.settle();
    world.faults = noFault;
    await world.pass(15 * DAY);

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InDoubt' });
    expect(world.runs).toHaveLength(1);
  });

  test('aborted before the step and too old to be redriven: taken over, the step has never run', async () => {
    world.faults = stopping(world, 'Claim record', 'after');
    await world.deliver(ORDER);
    await world.settle();
    world.faults = noFault;
    await world.pass(15 * DAY);

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED' });
    expect(world.runs).toHaveLength(1);
  });

  test('an owner that Step Functions does not know any more: parked', async () => {
    world.faults = stopping(world, 'Business step', 'before');
    await world.deliver(ORDER);
    await world.settle();
    world.faults = async (call, next) =>
      ['Ask about the owner', "Read the owner's history"].includes(call.stateName)
        ? fails('Sfn.ExecutionDoesNotExistException')
        : next();
    await world.pass(GRACE_MS + 15 * 60_000);

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InDoubt' });
    expect(world.runs).toHaveLength(0);
  });

  test('a history that is too long to be read: parked', async () => {
    world.faults = stopping(world, 'Finalize: completed', 'before');
    await world.deliver(ORDER);
    await world.settle();
    world.faults = failing("Read the owner's history", 'States.DataLimitExceeded');
    await world.pass(GRACE_MS);

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InDoubt' });
  });

  test('two deliveries park at once: both end in doubt', async () => {
    world.step = async () => world.never();
    const owner = await world.deliver(ORDER);
    await world.pass(1000);
    await world.stop(owner);
    await world.pass(GRACE_MS);
    const arns = [await world.deliver(ORDER), await world.deliver(ORDER)];
    await world.settle();

    const ends = await Promise.all(arns.map(world.execution));
    expect(ends.map(({ error }) => error)).toEqual(['Idempotency.InDoubt', 'Idempotency.InDoubt']);
  });

  test('the owner finishes between the look at its history and the parking: its result counts', async () => {
    world.step = async () => world.never();
    const owner = await world.deliver(ORDER);
    await world.pass(1000);
    await world.stop(owner);
    await world.pass(GRACE_MS);
    world.step = () => returns('by hand');
    let isRedriven = false;
    world.faults = async (call, next) => {
      if (isRedriven || call.stateName !== 'Finalize: owner in doubt') return next();
      isRedriven = true;
      await world.stack.runtime.redriveExecution({ executionArn: owner });
      await world.stack.runtime.whenEnded(owner);
      return next();
    };

    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '"by hand"' });
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' } });
    expect(isRedriven).toBe(true);
  });

  test('in doubt when somebody else has the record: ends so, by its own cause, and leaves the record', async () => {
    world.step = () => fails('Lambda.SdkClientException');
    const owner = await world.deliver(ORDER);
    await world.pass(1000);
    const freed = { ...(await world.record(KEY)), owner: { S: 'arn:of:another' }, attempt: { N: '2' } };
    await world.putRecord(freed);
    await world.settle();

    const end = await world.execution(owner);
    expect(end).toMatchObject({ status: 'FAILED', error: 'Idempotency.InDoubt' });
    expect(JSON.parse(end.cause ?? '')).toMatchObject({ owner, error: 'Lambda.SdkClientException' });
    expect(await world.record(KEY)).toEqual(freed);
  });

  test('parked, its owner redriven by a person and finished: the result counts', async () => {
    world.step = async () => world.never();
    const owner = await world.deliver(ORDER);
    await world.pass(1000);
    await world.stop(owner);
    await world.pass(GRACE_MS);
    await world.delivered(ORDER);
    world.step = () => returns('by hand');

    await world.stack.runtime.redriveExecution({ executionArn: owner });
    await world.settle();

    expect(await world.delivered(ORDER)).toMatchObject({ output: '"by hand"' });
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' } });
  });
});
