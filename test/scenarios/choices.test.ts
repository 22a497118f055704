import { Duration } from 'aws-cdk-lib';
import { type Delivery, OnFailed, OnInProgress, Recovery, StoreError } from '../../infra/index';
import { at, failing } from '../support/faults';
import { GRACE_MS, type Variant } from '../support/variant';
import { fails, openWithoutEvents, openWorld, returns, type World } from '../support/world';

const HOUR = 3_600_000;
const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const WAITS: Variant = {
  name: 'waits',
  workflow: {
    onDuplicateInProgress: OnInProgress.wait(Duration.minutes(5)),
    recovery: Recovery.automatic(),
  },
};
const RETURNS: Variant = {
  name: 'returns failures',
  workflow: { onFailedBefore: OnFailed.returnStoredFailure(), retention: Duration.hours(1) },
};

describe('a duplicate that waits for the owner', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWithoutEvents(WAITS);
  });
  afterEach(() => world.close());

  test('the owner succeeds meanwhile: its result', async () => {
    world.step = async () => {
      await world.pause(9000);
      return returns('paid');
    };
    const arns = [await world.deliver(ORDER), await world.deliver(ORDER), await world.deliver(ORDER)];
    await world.settle();

    const ends = await Promise.all(arns.map(world.execution));
    expect(ends.map(({ output }) => output)).toEqual(['"paid"', '"paid"', '"paid"']);
    expect(world.runs).toHaveLength(1);
  });

  test('the owner fails meanwhile: takes over', async () => {
    world.step = async ({ attempt }) => {
      await world.pause(3000);
      return attempt === 1 ? fails('CardDeclined') : returns('second');
    };
    await world.deliver(ORDER);
    const duplicate = await world.deliver(ORDER);
    await world.settle();

    expect(await world.execution(duplicate)).toMatchObject({ output: '"second"' });
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('the owner is stopped meanwhile, and no event tells of it: calls recovery, and answers with its result', async () => {
    world.step = async () => world.never();
    const owner = await world.deliver(ORDER);
    const duplicate = await world.deliver(ORDER);
    await world.pass(2000);
    await world.stop(owner);
    world.step = () => returns('resumed');
    await world.settle();

    expect(await world.execution(owner)).toMatchObject({ output: '"resumed"', redriveCount: 1 });
    expect(await world.execution(duplicate)).toMatchObject({ output: '"resumed"' });
  });

  test('the owner takes too long: in progress after the time that was given, in few reads', async () => {
    world.faults = at('Record the result', async (_call, next) => {
      await world.pause(HOUR);
      return next();
    });
    const owner = await world.deliver(ORDER);
    const duplicate = await world.deliver(ORDER);
    await world.settle();

    const end = await world.execution(duplicate);
    const reads = (await world.statesOf(duplicate)).filter(name => name === 'Read record').length;
    expect(end).toMatchObject({ status: 'FAILED', error: 'Idempotency.InProgress' });
    // Recovery, which it called, leaves an owner alone that is running.
    expect(await world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 0 });
    expect(JSON.parse(end.cause ?? '')).not.toHaveProperty('serviceError');
    expect((end.stopDate ?? 0) - end.startDate).toBe(5 * 60_000);
    expect(reads).toBeGreaterThan(8);
    expect(reads).toBeLessThan(30);
  });

  test.each([
    ['before a wait: the cause does not tell it', 1, undefined],
    ['behind the last wait: the cause tells it', 100, 'Sfn.SfnException: injected'],
  ])('an error %s', async (_, times, serviceError) => {
    world.faults = at('Record the result', async () => world.never());
    await world.deliver(ORDER);
    await world.pass(GRACE_MS);
    world.faults = failing('Call recovery', 'Sfn.SfnException', times);

    const duplicate = await world.deliver(ORDER);
    await world.pass(HOUR);
    const { error, cause = '' } = await world.execution(duplicate);

    expect(error).toBe('Idempotency.InProgress');
    expect((JSON.parse(cause) as { serviceError?: string }).serviceError).toBe(serviceError);
  });

  test('looks come later and later, and never after the end', async () => {
    const seconds: number[] = [];
    world.step = async () => world.never();
    const owner = await world.deliver(ORDER);
    const duplicate = await world.deliver(ORDER);
    await world.pass(6 * 60_000);
    await world.stop(owner);
    const { events } = await world.stack.runtime.getExecutionHistory({
      executionArn: duplicate,
      maxResults: 1000,
    });
    const looks = events.filter(({ type }) => type === 'WaitStateEntered' || type === 'WaitStateExited');
    for (let i = 1; i < looks.length; i += 2) {
      seconds.push(((looks[i]?.timestamp ?? 0) - (looks[i - 1]?.timestamp ?? 0)) / 1000);
    }

    expect(seconds[0]).toBe(1);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(30);
    expect(seconds.every(Number.isInteger)).toBe(true);
    expect(seconds[1]).toBeLessThanOrEqual(2);
    expect(seconds.slice(6, 9).every(second => second > 4)).toBe(true);
  });
});

describe('a duplicate of a failure that is returned', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(RETURNS);
  });
  afterEach(() => world.close());

  test('the same error and cause, nothing runs', async () => {
    world.step = () => fails('CardDeclined', 'no "credit" left');
    const first = await world.delivered(ORDER);
    const second = await world.delivered(ORDER);

    expect(second).toMatchObject({ status: 'FAILED', error: 'CardDeclined', cause: 'no "credit" left' });
    expect(second.cause).toBe(first.cause);
    expect(world.runs).toHaveLength(1);
  });

  test('after the retention: runs again', async () => {
    world.step = () => fails('CardDeclined');
    await world.delivered(ORDER);
    world.step = () => returns('paid');
    await world.pass(3_600_000);

    expect(await world.delivered(ORDER)).toMatchObject({ output: '"paid"' });
  });
});

describe('stored failures of some errors are answers', () => {
  // A name with all that is escaped on its way into the definition.
  const ODD = `It's "a" \\ ] name`;
  let world: World;
  beforeEach(async () => {
    const onFailedBefore = OnFailed.returnStoredFailure({ errors: ['CardDeclined', ODD] });
    world = await openWorld({ name: 'returns some failures', workflow: { onFailedBefore } });
  });
  afterEach(() => world.close());

  test.each(['CardDeclined', ODD])('%s: the same error again, nothing runs', async error => {
    world.step = () => fails(error, 'no "credit" left');
    await world.delivered(ORDER);

    expect(await world.delivered(ORDER)).toMatchObject({ error, cause: 'no "credit" left' });
    expect(world.runs).toHaveLength(1);
  });

  test.each(['Declined', 'CardDeclined2', 'cardDeclined', 'CardDeclined because of the limit'])(
    '%s is none of them: the step runs again',
    async error => {
      world.step = () => fails(error);
      await world.delivered(ORDER);
      world.step = () => returns('paid');

      expect(await world.delivered(ORDER)).toMatchObject({ output: '"paid"' });
      expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
    },
  );
});

describe('a retention of failures of its own', () => {
  let world: World;
  beforeEach(async () => {
    const failedRetention = Duration.minutes(10);
    world = await openWorld({
      name: 'keeps failures briefly',
      workflow: { ...RETURNS.workflow, failedRetention },
    });
  });
  afterEach(() => world.close());

  test('the failure is forgotten when its time is over, a success that follows is kept for the other one', async () => {
    world.step = () => fails('CardDeclined');
    await world.delivered(ORDER);
    await world.pass(9 * 60_000);
    expect(await world.delivered(ORDER)).toMatchObject({ error: 'CardDeclined' });

    world.step = () => returns('paid');
    await world.pass(60_000);
    expect(await world.delivered(ORDER)).toMatchObject({ output: '"paid"' });
    await world.pass(59 * 60_000);
    expect(await world.delivered(ORDER)).toMatchObject({ output: '"paid"' });
    expect(world.runs).toHaveLength(2);
  });
});

describe('the stored error of a step', () => {
  const SECRET = 'card 4242 of "Ada"';
  const DENIED = 'not authorized (Status Code: 403; Error Code: AccessDeniedException; Request ID: 1)';

  async function answered(storeError: StoreError, delivery: Delivery, error: string, cause: string) {
    const variant = { ...RETURNS.workflow, storeError, delivery };
    const world = await openWorld({ name: `${delivery} ${storeError.causeCharacters}`, workflow: variant });
    try {
      world.step = () => fails(error, cause);
      const first = await world.delivered(ORDER);
      const stored = JSON.parse((await world.record(KEY))?.['error']?.S ?? '') as object;
      return { first, stored, second: await world.delivered(ORDER) };
    } finally {
      await world.close();
    }
  }

  test.each([
    ['all', StoreError.all(), SECRET],
    ['up to four characters', StoreError.upTo(4), 'card'],
    ['more than there are', StoreError.upTo(500), SECRET],
    ['its name only', StoreError.nameOnly(), ''],
  ])(
    '%s: so it is stored and answered; the execution that ran the step has it all',
    async (_, store, kept) => {
      const { first, stored, second } = await answered(store, 'at-least-once', 'CardDeclined', SECRET);

      expect(first).toMatchObject({ error: 'CardDeclined', cause: SECRET });
      expect(stored).toEqual({ Error: 'CardDeclined', Cause: kept });
      expect(second).toMatchObject({ status: 'FAILED', error: 'CardDeclined', cause: kept });
    },
  );

  test('at most once, a rejection that only its cause shows: kept, so that it is not a doubt', async () => {
    const error = 'Lambda.AWSLambdaException';
    const { second } = await answered(StoreError.nameOnly(), 'at-most-once', error, DENIED);

    expect(second).toMatchObject({ error, cause: DENIED });
  });

  test.each([0, -1, 1.5, 32_769, Number.NaN])('up to %s characters: rejected with the bounds', characters => {
    expect(() => StoreError.upTo(characters)).toThrow(/from 1 to 32768, got .*StoreError\.nameOnly\(\)/);
  });
});

describe('OnInProgress.wait', () => {
  test.each([
    ['nothing', Duration.seconds(0)],
    ['more than a day', Duration.hours(25)],
  ])('%s: rejected with the bounds', (_, total) => {
    expect(() => OnInProgress.wait(total)).toThrow(/takes 1 second to 1 day, got/);
  });
});
