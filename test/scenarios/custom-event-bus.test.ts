import { CfnEventBus } from 'aws-cdk-lib/aws-eventsv2';
import { type CustomEventBusSourceOptions, Recovery, Source } from '../../infra/index';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const HOUR = 3_600_000;
const DAY_MS = 24 * HOUR;
const SCOPE = 'ChargePayment';

/** A classic rule and the subscriber of a custom event bus, which start one workflow. */
const both = (options: CustomEventBusSourceOptions = {}): Variant => ({
  name: `both buses, ${JSON.stringify(options)}`,
  workflow: { recovery: Recovery.automatic() },
  more: (stack, workflow) => {
    const bus = new CfnEventBus(stack, 'CustomBus', { name: 'orders' });
    workflow.startFrom(Source.customEventBus(bus, { data: { source: ['shop.orders'] } }, options));
  },
});

const DAY = Array.from({ length: 12 }, (_, hour) => {
  return { orderId: `order-${hour}`, amount: hour + 0.5, currency: 'EUR' };
});
type Order = (typeof DAY)[number];
const EACH_ONCE = DAY.map(({ orderId }) => `${SCOPE}#${orderId}`).sort();
const [ONE, OTHER] = DAY as [Order, Order];

let world: World;
afterEach(() => world.close());

/** Publishes orders on the custom bus in one request: each is an event with an id and a time of its own. */
async function publish(...details: readonly object[]): Promise<void> {
  const found = world.stack.assembly.namedResources.find(({ type }) => type === 'AWS::EventsV2::EventBus');
  const Entries = details.map(detail => {
    return { Source: 'shop.orders', DetailType: 'OrderPlaced', Detail: JSON.stringify(detail) };
  });
  const answer = await world.stack.putEvents({ EventBusArn: found?.arn ?? '', Entries });
  expect(answer.FailedEntryCount).toBe(0);
}

/** The messages in the queue of the source with this name. */
function left(name: 'NotStarted' | 'NotDelivered'): readonly unknown[] {
  const queues = world.stack.assembly.namedResources.filter(
    ({ type, constructPath }) => type === 'AWS::SQS::Queue' && constructPath.endsWith(`CustomBus/${name}`),
  );
  expect(queues).toHaveLength(1);
  return (world.stack.queues.peek(queues[0]?.name ?? '') ?? []).map(({ body }) => JSON.parse(body));
}

/** Every start of the workflow fails. */
const failingStarts =
  (error: string): World['faults'] =>
  async (call, next) =>
    call.resource === 'states:startExecution' ? fails(error) : next();
/** Every start is too long whose arguments contain this text. */
const tooLong =
  (text: string): World['faults'] =>
  async (call, next) => {
    const isLong = call.resource === 'states:startExecution' && JSON.stringify(call.arguments).includes(text);
    return isLong ? fails('States.DataLimitExceeded') : next();
  };
const keysThatRan = () => world.runs.map(({ idempotencyKey }) => idempotencyKey).sort();
/** Attempts of the subscriber's deliveries; `more` happens around each of them. */
function attempts(more: World['deliveries'] = (_, next) => next()): readonly number[] {
  const counted: number[] = [];
  world.deliveries = (attempt, next) => {
    if (!attempt.ruleArn.includes(':subscriber/')) return next();
    counted.push(attempt.retryCount);
    return more(attempt, next);
  };
  return counted;
}

describe.each([
  ['one event at a time', both()],
  ['up to ten events at once', both({ batchSize: 10 })],
])('the events of a classic bus, on a custom event bus as well, %s', (_, variant) => {
  beforeEach(async () => {
    world = await openWorld(variant);
    world.step = async () => {
      await world.pause(5000);
      return returns('paid');
    };
  });

  type Deliver = (order: Order) => Promise<void>;
  const byClassic: Deliver = order => world.send(order);
  const byCustom: Deliver = order => publish(order);
  const byBoth = async (first: Deliver, second: Deliver, between: () => Promise<void>) => {
    for (const order of DAY) {
      await first(order);
      await between();
      await second(order);
    }
    await world.settle();
  };
  const atOnce = async () => undefined;

  test.each<[string, () => Promise<void>]>([
    ['at once', () => byBoth(byClassic, byCustom, atOnce)],
    ['at once, the custom bus first', () => byBoth(byCustom, byClassic, atOnce)],
    ['on the custom bus while the step runs', () => byBoth(byClassic, byCustom, () => world.pass(2000))],
    ['on the classic bus while the step runs', () => byBoth(byCustom, byClassic, () => world.pass(2000))],
    ['on the custom bus an hour later', () => byBoth(byClassic, byCustom, () => world.pass(HOUR))],
    ['on the classic bus an hour later', () => byBoth(byCustom, byClassic, () => world.pass(HOUR))],
  ])('%s: each key runs once, and nothing is left', async (__, deliver) => {
    await deliver();

    expect(keysThatRan()).toEqual(EACH_ONCE);
    expect([...left('NotStarted'), ...left('NotDelivered')]).toEqual([]);
  });

  test('a day is replayed on the custom bus after the classic rule had delivered it: nothing runs again', async () => {
    for (const order of DAY) await byClassic(order);
    await world.settle();
    await world.pass(DAY_MS);
    await publish(...DAY);
    await world.settle();

    expect(keysThatRan()).toEqual(EACH_ONCE);
    expect([...left('NotStarted'), ...left('NotDelivered')]).toEqual([]);
  });
});

describe.each(['event', 'list'] as const)('with a batch of one that is delivered as %s', batchOfOne => {
  beforeEach(async () => {
    world = await openWorld(both(), { customBusBatchOfOne: batchOfOne });
  });

  test('each key runs once, and the step gets the event without `id` and `time`', async () => {
    await publish(...DAY);
    await world.settle();

    expect(keysThatRan()).toEqual(EACH_ONCE);
    for (const { input } of world.runs) {
      expect(Object.keys(input).sort()).toEqual(
        'account,detail,detail-type,region,resources,source,version'.split(','),
      );
    }
  });
});

describe('what the bus delivers again', () => {
  beforeEach(async () => {
    world = await openWorld(both({ batchSize: 10 }));
  });

  test('two events of one key in a batch: one runs, and the other is a duplicate', async () => {
    await publish(ONE, OTHER, ONE);
    await world.settle();

    expect(keysThatRan()).toEqual([`${SCOPE}#order-0`, `${SCOPE}#order-1`]);
  });

  test('two events of one key with different payloads in a batch: one runs, and the other one is rejected', async () => {
    const counted = attempts();
    await publish(ONE, { ...ONE, amount: 99 });
    await world.settle();

    expect(keysThatRan()).toEqual([`${SCOPE}#order-0`]);
    const errors = (await world.executions()).map(({ error }) => error).filter(error => error !== undefined);
    expect(errors).toEqual(['Idempotency.PayloadMismatch']);
    expect(counted).toEqual([0]);
  });

  test('two events of one key with different payloads in a batch, its name in use: each has an execution', async () => {
    world.step = () => fails('CardDeclined');
    await publish(ONE);
    await world.settle();
    await world.deleteRecord(`${SCOPE}#order-0`);
    world.step = () => returns('paid');
    await publish(ONE, { ...ONE, amount: 99 });
    await world.settle();

    const ends = (await world.executions()).map(({ status, error }) => error ?? status);
    expect(ends.slice(1).sort()).toEqual(['Idempotency.PayloadMismatch', 'SUCCEEDED']);
  });

  test('one event of a batch that is too long: stored as it came, and the others run', async () => {
    const exact = { ...OTHER, amount: 0.123_456_789_012_345_66 };
    world.faults = tooLong('order-1"');
    const counted = attempts();
    await publish(DAY[2] as Order, exact, ONE);
    await world.settle();

    expect(counted).toEqual([0]);
    expect(keysThatRan()).toEqual([`${SCOPE}#order-0`, `${SCOPE}#order-2`]);
    expect(left('NotStarted')).toEqual([expect.objectContaining({ detail: exact })]);
  });

  test('one event that is too long, and one that is not started for hours: the first one is stored once', async () => {
    const outage = failingStarts('StepFunctions.ServiceUnavailableException');
    const isLong = tooLong('order-1"');
    world.faults = (call, next) =>
      JSON.stringify(call.arguments).includes('order-0"') ? outage(call, next) : isLong(call, next);
    const counted = attempts();
    await publish(ONE, OTHER);
    await world.pass(5 * HOUR);
    expect(left('NotStarted')).toEqual([]);
    world.faults = isLong;
    await world.settle();

    expect(counted.length).toBeGreaterThan(2);
    expect(keysThatRan()).toEqual([`${SCOPE}#order-0`]);
    expect(left('NotStarted')).toEqual([expect.objectContaining({ detail: OTHER })]);
    expect(left('NotDelivered')).toEqual([]);
  });

  test('one event of a batch that cannot be started: all come again, and each key runs once', async () => {
    const isOther = (input: unknown) => JSON.stringify(input).includes('order-1"');
    let failures = 0;
    world.faults = async (call, next) => {
      if (call.resource !== 'states:startExecution' || !isOther(call.arguments) || failures > 6)
        return next();
      failures += 1;
      return fails('StepFunctions.ExecutionLimitExceededException');
    };
    const counted = attempts();

    await publish(...DAY);
    await world.settle();

    expect(counted.length).toBeGreaterThan(1);
    expect(keysThatRan()).toEqual(EACH_ONCE);
    expect([...left('NotStarted'), ...left('NotDelivered')]).toEqual([]);
  });

  test('an outage of starts for five hours: no operator is needed, and each key runs once', async () => {
    world.faults = failingStarts('StepFunctions.ServiceUnavailableException');
    await publish(...DAY);
    await world.pass(5 * HOUR);
    expect(world.runs).toEqual([]);
    world.faults = (_, next) => next();
    await world.settle();

    expect(keysThatRan()).toEqual(EACH_ONCE);
    expect([...left('NotStarted'), ...left('NotDelivered')]).toEqual([]);
  });

  test('an outage of more than a day, or fewer retries: the ids of all events are left, and a replay runs each key once', async () => {
    world.faults = failingStarts('StepFunctions.ServiceUnavailableException');
    await publish(...DAY);
    await world.settle();

    expect(world.runs).toEqual([]);
    const records = left('NotDelivered').map(record => record as { failedMessages: readonly unknown[] });
    expect(records.flatMap(({ failedMessages }) => failedMessages)).toHaveLength(DAY.length);
    expect(records[0]).toMatchObject({ errorCode: 'COMPUTE_EXECUTION_ERROR' });

    world.faults = (_, next) => next();
    await publish(...DAY);
    await world.settle();
    expect(keysThatRan()).toEqual(EACH_ONCE);
  });

  test.each<[string, World['deliveries']]>([
    [
      'its answer is lost',
      async (attempt, next) => {
        await next();
        if (attempt.retryCount === 0) throw new Error('lost');
        return {};
      },
    ],
    ['it is made twice at once', async (_, next) => (await Promise.all([next(), next()]))[0]],
  ])('a delivery, if %s: each key runs once', async (_, more) => {
    attempts(more);
    await publish(...DAY);
    await world.settle();

    expect(keysThatRan()).toEqual(EACH_ONCE);
    expect([...left('NotStarted'), ...left('NotDelivered')]).toEqual([]);
  });

  test('an outage, if the bus took a failed execution for a delivery: in no queue, and a replay of that time runs each key once', async () => {
    const failed: string[] = [];
    attempts(async (_, next) => {
      try {
        return await next();
      } catch (error) {
        failed.push(String(error));
        return {};
      }
    });
    world.faults = failingStarts('StepFunctions.ThrottlingException');
    await publish(ONE, OTHER);
    await world.settle();
    expect(failed.length).toBeGreaterThan(0);
    expect([...left('NotStarted'), ...left('NotDelivered')]).toEqual([]);

    world.faults = (_, next) => next();
    await publish(ONE, OTHER);
    await world.settle();
    expect(keysThatRan()).toEqual([`${SCOPE}#order-0`, `${SCOPE}#order-1`]);
  });

  test('a dispatcher that is slower than the bus waits: delivered again beside it, and each key runs once', async () => {
    let slow = 2;
    world.faults = async (call, next) => {
      if (call.resource === 'states:startExecution' && slow > 0) {
        slow -= 1;
        const answer = await next();
        await world.pause(40_000);
        return answer;
      }
      return next();
    };
    await publish(ONE, OTHER);
    await world.settle();

    expect(keysThatRan()).toEqual([`${SCOPE}#order-0`, `${SCOPE}#order-1`]);
    expect([...left('NotStarted'), ...left('NotDelivered')]).toEqual([]);
  });
});

// A failure in the wrong column would be retried for a day in vain, or lose an event that could have been started.
describe('what another delivery changes, and what it does not', () => {
  beforeEach(async () => {
    world = await openWorld(both());
  });

  test('an event that is too long for its start: stored as it came, and delivered once', async () => {
    world.faults = failingStarts('States.DataLimitExceeded');
    const counted = attempts();
    await publish(ONE);
    await world.settle();

    expect(counted).toEqual([0]);
    expect(left('NotStarted')).toEqual([expect.objectContaining({ detail: ONE })]);
    expect(left('NotDelivered')).toEqual([]);
  });

  test.each([
    'StepFunctions.ExecutionLimitExceededException',
    'StepFunctions.AWSStepFunctionsException',
    'StepFunctions.StateMachineDoesNotExistException',
    'States.TaskFailed',
    'States.Timeout',
  ])('%s at the start: not stored, and delivered again until it runs', async error => {
    world.faults = failingStarts(error);
    const counted = attempts();
    await publish(ONE);
    await world.pass(HOUR);
    expect(counted.length).toBeGreaterThan(1);
    expect(left('NotStarted')).toEqual([]);
    world.faults = (_, next) => next();
    await world.settle();

    expect(keysThatRan()).toEqual([`${SCOPE}#order-0`]);
    expect([...left('NotStarted'), ...left('NotDelivered')]).toEqual([]);
  });

  test.each<[string, () => Promise<unknown>, object, string]>([
    ['no usable key', async () => undefined, { amount: 1 }, 'Idempotency.InvalidEvent'],
    [
      'another payload',
      () => publish(ONE).then(() => world.settle()),
      { ...ONE, amount: 99 },
      'Idempotency.PayloadMismatch',
    ],
  ])('%s: an execution rejects it, and the bus delivers it once', async (_, before, detail, error) => {
    await before();
    const counted = attempts();
    await publish(detail);
    await world.settle();

    expect(counted).toEqual([0]);
    expect((await world.executions()).at(-1)).toMatchObject({ status: 'FAILED', error });
    expect([...left('NotStarted'), ...left('NotDelivered')]).toEqual([]);
  });

  test('the step fails: the bus has delivered, and the failure is in the record', async () => {
    world.step = () => fails('CardDeclined');
    const counted = attempts();
    await publish(ONE);
    await world.settle();

    expect(counted).toEqual([0]);
    expect(await world.record(`${SCOPE}#order-0`)).toMatchObject({ status: { S: 'FAILED' } });
  });

  const EVENT = { 'detail-type': 'OrderPlaced', source: 'shop.orders', detail: ONE };
  const delivered = (input: unknown) => {
    const [subscriber] = world.stack.assembly.customBusSubscribers;
    const stateMachineArn = subscriber?.targetArn ?? '';
    return world.stack.runtime.startSyncExecution({ stateMachineArn, input: JSON.stringify(input) });
  };

  test.each<[string, readonly unknown[]]>([
    ['lists', [[1, 2], ['a'], []]],
    ['a list', [[1, 2]]],
    ['lists in lists', [[[1], [2, 3]], [[[4]]]]],
    ['a list beside others', [EVENT, [EVENT], {}]],
    ['no objects', [7, null, true, EVENT]],
  ])(
    'events of a batch that cannot be started, which are %s: each is stored as it came',
    async (_, events) => {
      world.faults = failingStarts('States.DataLimitExceeded');
      expect((await delivered(events)).status).toBe('SUCCEEDED');

      expect(left('NotStarted')).toEqual(events);
    },
  );

  test('an event that is a list of events, alone, beside another one or as text: stored as it came, and no key is made of it', async () => {
    const list = [EVENT, { ...EVENT, detail: OTHER }];
    const another = { ...EVENT, detail: DAY[2] };
    await delivered([list]);
    await delivered([list, another]);
    await delivered([` ${JSON.stringify(list)}`]);
    await world.settle();

    expect(keysThatRan()).toEqual([`${SCOPE}#order-2`]);
    expect(left('NotStarted')).toEqual([list, list, list]);
  });

  test.each<[string, unknown, readonly string[]]>([
    ['an event with its metadata around it', { Data: EVENT, Metadata: {}, SystemMetadata: {} }, []],
    ['the text of an event', JSON.stringify(EVENT), [`${SCOPE}#order-0`]],
    ['a list of texts', [JSON.stringify(EVENT), JSON.stringify(EVENT)], [`${SCOPE}#order-0`]],
  ])(
    'if the bus delivered %s: run once or rejected by an execution, and never lost',
    async (_, input, ran) => {
      expect([(await delivered(input)).status, (await delivered(input)).status]).toEqual([
        'SUCCEEDED',
        'SUCCEEDED',
      ]);
      await world.settle();

      expect(keysThatRan()).toEqual(ran);
      const rejected = (await world.executions()).filter(({ error }) => error === 'Idempotency.InvalidEvent');
      expect(rejected.length > 0).toBe(ran.length === 0);
    },
  );
});
