import { Recovery } from '../../infra/index';
import { atFirst, failing, noFault, stopping } from '../support/faults';
import { GRACE_MS, type Variant } from '../support/variant';
import { fails, openWithoutEvents, openWorld, returns, type World } from '../support/world';

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const DAY = 24 * 3_600_000;
const AT_MOST_ONCE: Variant = { name: 'at most once', workflow: { delivery: 'at-most-once' } };
const RECOVERED: Variant = {
  name: 'at most once, with recovery',
  workflow: { ...AT_MOST_ONCE.workflow, recovery: Recovery.automatic() },
};
const held = {
  status: { S: 'HELD' },
  error: { S: expect.stringContaining('Idempotency.InDoubt') },
};

let world: World;
afterEach(() => world.close());

describe('a step at most once', () => {
  beforeEach(async () => {
    world = await openWorld(AT_MOST_ONCE);
  });

  test.each([
    ['a lost answer', 'Lambda.SdkClientException'],
    ['an error of Lambda that has no name', 'Lambda.AWSLambdaException'],
    ['a timeout of the state', 'States.Timeout'],
    ['a timeout of the function', 'Sandbox.Timedout'],
    ['a crash of the function', 'Runtime.ExitError'],
    ['an end that nobody understands', 'Lambda.Unknown'],
    ['a result that is too long', 'States.DataLimitExceeded'],
  ])('%s: held for review, never run again, kept for good', async (_, error) => {
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
    expect(await world.record(KEY)).toMatchObject(held);
    expect(await world.record(KEY)).not.toHaveProperty('expiry');
  });

  test('held only when the function has certainly ended', async () => {
    world.step = () => fails('Lambda.SdkClientException');
    await world.deliver(ORDER);
    await world.pass(GRACE_MS - 1);

    expect(await world.record(KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });
  });

  test.each([
    ['its own error', 'CardDeclined'],
    ['a rejection before it ran', 'Lambda.TooManyRequestsException'],
    ['a function that is not there', 'Lambda.ResourceNotFoundException'],
    ['a missing permission', 'Lambda.AWSLambdaException'],
  ])('the step fails by %s: recorded as failed, a later delivery runs it again', async (_, error) => {
    world.step = () => fails(error, '(Status Code: 403; Error Code: AccessDeniedException; Proxy: null)');
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'FAILED', error });
    world.step = () => returns('paid');

    expect(await world.delivered(ORDER)).toMatchObject({ output: '"paid"' });
  });

  test('stopped before its claim was made, redriven by an operator, and declined: its own answer, and recorded as failed', async () => {
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

  test('in doubt when another execution has the record: ends so, by its own cause, and leaves the record', async () => {
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
});

describe('an owner at most once that is stopped', () => {
  beforeEach(async () => {
    world = await openWorld(RECOVERED);
  });

  /** The owner is stopped within its step. */
  async function stoppedInStep(): Promise<string> {
    world.step = async () => world.never();
    const owner = await world.deliver(ORDER);
    await world.pass(1000);
    await world.stop(owner);
    world.step = () => returns('by hand');
    return owner;
  }

  /** The owner is stopped in a state, no event tells of its end, and then it is too old to be redriven. */
  async function stoppedLongAgo(stateName: string, when: 'before' | 'after') {
    await world.close();
    world = await openWithoutEvents(RECOVERED);
    world.faults = stopping(world, stateName, when);
    await world.deliver(ORDER);
    await world.pass(15 * DAY);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });
  }

  test('within the step: held by recovery when the step has certainly ended, not before', async () => {
    const owner = await stoppedInStep();
    await world.pass(GRACE_MS - 1);
    const early = await world.deliver(ORDER);
    await world.stack.runtime.work.idle();
    expect(await world.execution(early)).toMatchObject({ error: 'Idempotency.InProgress' });
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });
    await world.settle();

    expect(await world.record(KEY)).toMatchObject({ ...held, owner: { S: owner } });
    const [one, other] = [await world.delivered(ORDER), await world.delivered(ORDER)];
    expect(one).toMatchObject({ error: 'Idempotency.InDoubt' });
    expect(JSON.parse(one.cause ?? '')).toMatchObject({ owner, attempt: 1, heldBy: 'recovery' });
    expect(other).toMatchObject({ error: 'Idempotency.InDoubt', cause: one.cause });
    expect(world.runs).toHaveLength(1);
  });

  describe('stopped within the step, behind many rejections', () => {
    const pagesRead = () => world.calls.filter(call => call.endsWith(" from Read the owner's history"));

    async function stopBehindRejections() {
      let rejections = 7;
      world.step = async () => {
        rejections -= 1;
        return rejections >= 0 ? fails('Lambda.TooManyRequestsException') : world.never();
      };
      const owner = await world.deliver(ORDER);
      while (world.runs.length < 8) await world.pass(1000);
      await world.stop(owner);
    }

    test('found further back in its history', async () => {
      await stopBehindRejections();
      await world.settle();

      expect(await world.record(KEY)).toMatchObject(held);
      expect(pagesRead().length).toBeGreaterThan(1);
    });

    test('the second page of its history is too long to be read: held, and not read again', async () => {
      await stopBehindRejections();
      const tooLong = failing("Read the owner's history", 'States.DataLimitExceeded');
      world.faults = (call, next) => (pagesRead().length > 1 ? tooLong(call, next) : next());
      await world.settle();

      expect(await world.record(KEY)).toMatchObject(held);
      expect(pagesRead()).toHaveLength(2);
    });
  });

  test('after the step and too old to be redriven: held, because its result is lost', async () => {
    await stoppedLongAgo('Record the result', 'before');
    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InProgress' });

    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InDoubt' });
    expect(world.runs).toHaveLength(1);
  });

  test('before the step and too old to be redriven: delivered again, because the step has never run', async () => {
    await stoppedLongAgo('Claim record', 'after');
    expect(await world.delivered(ORDER)).toMatchObject({ error: 'Idempotency.InProgress' });

    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' }, attempt: { N: '2' } });
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '{"charge":1}' });
    expect(world.runs).toHaveLength(1);
  });

  test('its history is too long to be read: held', async () => {
    const tooLong = failing("Read the owner's history", 'States.DataLimitExceeded');
    const stop = stopping(world, 'Record the result', 'before');
    world.faults = (call, next) => stop(call, () => tooLong(call, next));
    await world.deliver(ORDER);
    await world.settle();

    expect(await world.record(KEY)).toMatchObject(held);
  });

  test('it finishes after recovery has read its history: its result counts', async () => {
    const owner = await stoppedInStep();
    let isRedriven = false;
    world.faults = atFirst('Hold for review', async (_call, next) => {
      isRedriven = true;
      await world.stack.runtime.redriveExecution({ executionArn: owner });
      await world.stack.runtime.whenEnded(owner);
      return next();
    });
    await world.settle();

    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' } });
    expect(await world.delivered(ORDER)).toMatchObject({ status: 'SUCCEEDED', output: '"by hand"' });
    expect(isRedriven).toBe(true);
  });

  test('held, and redriven by an operator: its result counts', async () => {
    const owner = await stoppedInStep();
    await world.settle();
    expect(await world.record(KEY)).toMatchObject(held);

    await world.stack.runtime.redriveExecution({ executionArn: owner });
    await world.settle();

    expect(await world.delivered(ORDER)).toMatchObject({ output: '"by hand"' });
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' } });
  });
});
