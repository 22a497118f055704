import { Duration } from 'aws-cdk-lib';
import { CfnEventBus } from 'aws-cdk-lib/aws-eventsv2';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  type CustomEventBusSourceOptions,
  FailureDestination,
  type IdempotentWorkflowProps,
  OnFailed,
  Source,
} from '../../infra/index';
import { FINAL_ERRORS } from '../../state-machine/contract/error-names';
import { at, atFirst, noFault } from '../support/faults';
import { randomFrom } from '../support/random';
import { runs } from '../support/scale';
import { STEP_TIMEOUT_MS, type Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const SCOPE = 'ChargePayment';
const TIMEOUT = Duration.minutes(2);
const LEASE_MS = TIMEOUT.toMilliseconds() + STEP_TIMEOUT_MS + 30_000;
const [ONE, OTHER] = [
  { orderId: 'order-1', amount: 12.5, currency: 'EUR' },
  { orderId: 'order-2', amount: 7, currency: 'EUR' },
];
const KEY = `${SCOPE}#order-1`;

const onBus = (
  name: string,
  options: CustomEventBusSourceOptions = {},
  settings: Partial<IdempotentWorkflowProps> = {},
): Variant => ({
  name: `express-custom-bus-${name}`,
  workflow: { type: 'EXPRESS', timeout: TIMEOUT, ...settings },
  settings: stack => ({
    onFailure: FailureDestination.queue(new Queue(stack, 'Failures'), { rejections: true }),
  }),
  source: null,
  more: (stack, workflow) => {
    const bus = new CfnEventBus(stack, 'CustomBus', { name: 'orders' });
    workflow.startFrom(Source.customEventBus(bus, {}, options));
  },
});

let world: World;
afterEach(() => world.close());

/** Publishes orders in one request: each is an event with an id and a time of its own. */
async function publish(...details: readonly object[]): Promise<void> {
  const found = world.stack.assembly.namedResources.find(({ type }) => type === 'AWS::EventsV2::EventBus');
  const Entries = details.map(detail => {
    return { Source: 'shop.orders', DetailType: 'OrderPlaced', Detail: JSON.stringify(detail) };
  });
  const answer = await world.stack.putEvents({ EventBusArn: found?.arn ?? '', Entries });
  expect(answer.FailedEntryCount).toBe(0);
}

/** The messages in the queue with this name. */
function left(name: 'NotStarted' | 'NotDelivered' | 'Failures'): readonly unknown[] {
  const queue = world.stack.assembly.namedResources.find(
    ({ type, constructPath }) => type === 'AWS::SQS::Queue' && constructPath.endsWith(`/${name}`),
  );
  return (world.stack.queues.peek(queue?.name ?? name) ?? []).map(({ body }) => JSON.parse(body));
}

/** How often the subscriber has delivered, with the retries before each delivery. */
function deliveries(): readonly number[] {
  const counted: number[] = [];
  world.deliveries = (attempt, next) => {
    if (attempt.ruleArn.includes(':subscriber/')) counted.push(attempt.retryCount);
    return next();
  };
  return counted;
}

const attemptsOf = (orderId = 'order-1') =>
  world.runs.flatMap(run => (run.idempotencyKey === `${SCOPE}#${orderId}` ? [run.attempt] : []));
const statusOf = async (orderId = 'order-1') => (await world.record(`${SCOPE}#${orderId}`))?.['status']?.S;

describe.each(['event', 'list'] as const)('a batch of one that is delivered as %s', batchOfOne => {
  beforeEach(async () => {
    world = await openWorld(onBus('plain'), { customBusBatchOfOne: batchOfOne });
  });

  test('an event, and the same a day later: the step runs once, with the event without `id` and `time`', async () => {
    const counted = deliveries();
    await publish(ONE);
    await world.settle();
    await world.pass(Duration.days(1).toMilliseconds());
    await publish(ONE);
    await world.settle();

    expect(counted).toEqual([0, 0]);
    expect(attemptsOf()).toEqual([1]);
    expect(Object.keys(world.runs[0]?.input ?? {})).not.toEqual(expect.arrayContaining(['id', 'time']));
    expect(world.runs[0]?.input).toMatchObject({ detail: ONE });
    expect([...left('NotStarted'), ...left('NotDelivered')]).toEqual([]);
  });
});

describe('what the bus delivers again', () => {
  beforeEach(async () => {
    world = await openWorld(onBus('plain'));
  });

  test('an event that comes twice at once: one runs, and the other one is delivered until the key is completed', async () => {
    world.step = async () => {
      await world.pause(9000);
      return returns('paid');
    };
    const counted = deliveries();
    await Promise.all([publish(ONE), publish(ONE)]);
    await world.settle();

    expect(attemptsOf()).toEqual([1]);
    expect(counted.filter(retries => retries > 0).length).toBeGreaterThan(0);
    expect(await statusOf()).toBe('COMPLETED');
    expect(left('NotDelivered')).toEqual([]);
  });

  test('a step that fails: runs again with the next delivery, until it succeeds', async () => {
    let failures = 0;
    world.step = () => (failures++ < 2 ? fails('Unlucky') : returns('paid'));
    const counted = deliveries();
    await publish(ONE);
    await world.settle();

    expect(attemptsOf()).toEqual([1, 2, 3]);
    expect(counted).toEqual([0, 1, 2]);
    expect(await statusOf()).toBe('COMPLETED');
  });

  test.each(FINAL_ERRORS)(
    'a step that fails by the name %s: runs again, because the key is not finished',
    async name => {
      let failures = 0;
      world.step = () => (failures++ < 1 ? fails(name) : returns('paid'));
      await publish(ONE);
      await world.settle();

      expect(attemptsOf()).toEqual([1, 2]);
      expect(await statusOf()).toBe('COMPLETED');
    },
  );

  test.each(FINAL_ERRORS)(
    'the same by the name %s, and an execution that no source delivers again takes the key over before the record is read: completed',
    async name => {
      world.step = ({ attempt }) =>
        attempt === 1 ? fails(name) : attempt === 2 ? world.never() : returns('paid');
      world.faults = atFirst('Read its record', async (_call, next) => {
        const stateMachineArn = world.stack.output('StateMachineArn');
        const input = JSON.stringify({ detail: ONE });
        void world.stack.runtime.startSyncExecution({ stateMachineArn, input });
        await world.pause(1000);
        return next();
      });
      await publish(ONE);
      await world.settle();

      expect(attemptsOf()).toEqual([1, 2, 3]);
      expect(await statusOf()).toBe('COMPLETED');
    },
  );

  test('a step that lasts beyond the patience of the bus: its redeliveries are in progress, and it runs once', async () => {
    world.step = async () => {
      await world.pause(35_000);
      return returns('paid');
    };
    const counted = deliveries();
    await publish(ONE);
    await world.pass(30_500);
    expect(await statusOf()).toBe('IN_PROGRESS');
    await world.settle();

    expect(attemptsOf()).toEqual([1]);
    expect(counted.length).toBeGreaterThan(1);
    expect(await statusOf()).toBe('COMPLETED');
    expect(left('NotDelivered')).toEqual([]);
  });

  test('an execution that is interrupted in its last write: the next attempt begins when its lease is over', async () => {
    world.faults = atFirst('Record the result', () => world.never());
    await publish(ONE);
    await world.pass(LEASE_MS - 5000);
    expect(attemptsOf()).toEqual([1]);
    await world.settle();

    expect(attemptsOf()).toEqual([1, 2]);
    expect(await statusOf()).toBe('COMPLETED');
    expect(left('NotDelivered')).toEqual([]);
  });

  test('a step that fails, if the bus took its execution for a delivery: a replay completes the key', async () => {
    world.step = ({ attempt }) => (attempt === 1 ? fails('Unlucky') : returns('paid'));
    world.deliveries = (_, next) => next().catch(() => ({}));
    await publish(ONE);
    await world.settle();
    expect([await statusOf(), left('NotDelivered')]).toEqual(['FAILED', []]);
    await publish(ONE);
    await world.settle();

    expect(attemptsOf()).toEqual([1, 2]);
    expect(await statusOf()).toBe('COMPLETED');
  });

  test('numbers that are rounded on their way to the execution: a step that fails runs again, and succeeds once', async () => {
    const exact = { ...ONE, amount: 0.123_456_789_012_345_66 };
    world.step = ({ attempt }) => (attempt === 1 ? fails('Unlucky') : returns('paid'));
    world.faults = at('Run the workflow', async call => {
      const { Input } = call.arguments as { readonly Input: { readonly detail: typeof ONE } };
      const detail = { ...Input.detail, amount: 0.123_456_789_012_346 };
      const stateMachineArn = world.stack.output('StateMachineArn');
      const input = JSON.stringify({ ...Input, detail });
      const { status, error } = await world.stack.runtime.startSyncExecution({ stateMachineArn, input });
      return { kind: 'succeeded', output: { Status: status, ...(error !== undefined && { Error: error }) } };
    });
    await publish(exact);
    await world.settle();

    expect(attemptsOf()).toEqual([1, 2]);
    expect(await statusOf()).toBe('COMPLETED');
  });

  test.each(['Sfn.SfnException', 'States.Timeout'])('%s at the start: delivered again', async error => {
    world.faults = atFirst('Run the workflow', async () => fails(error));
    const counted = deliveries();
    await publish(ONE);
    await world.settle();

    expect(attemptsOf()).toEqual([1]);
    expect(counted).toEqual([0, 1]);
  });

  test('the table is away for an hour: the step runs once afterwards', async () => {
    world.faults = at('Claim record', async () => fails('DynamoDB.AmazonDynamoDBException'));
    await publish(ONE);
    await world.pass(Duration.hours(1).toMilliseconds());
    world.faults = noFault;
    await world.settle();

    expect(attemptsOf()).toEqual([1]);
    expect(await statusOf()).toBe('COMPLETED');
  });
});

describe('what no other delivery changes', () => {
  test.each<[string, Partial<IdempotentWorkflowProps>, () => Promise<unknown>, object, string]>([
    ['no usable key', {}, async () => undefined, { amount: 1 }, 'Idempotency.InvalidEvent'],
    [
      'another payload',
      {},
      () => publish(ONE).then(() => world.settle()),
      { ...ONE, amount: 99 },
      'Idempotency.PayloadMismatch',
    ],
  ])('%s: delivered once, with a notice', async (_, settings, before, detail, error) => {
    world = await openWorld(onBus('plain', {}, settings));
    await before();
    const counted = deliveries();
    await publish(detail);
    await world.settle();

    expect(counted).toEqual([0]);
    expect(left('Failures')).toEqual([expect.objectContaining({ status: 'REJECTED', error })]);
    expect([...left('NotStarted'), ...left('NotDelivered')]).toEqual([]);
  });

  test('a key that is held for review: delivered once, with a notice', async () => {
    world = await openWorld(onBus('at-most-once', {}, { delivery: 'at-most-once' }));
    world.step = () => fails('Lambda.Unknown');
    const counted = deliveries();
    await publish(ONE);
    await world.settle();
    expect(await statusOf()).toBe('HELD');
    const before = counted.length;
    await publish(ONE);
    await world.settle();

    expect(counted).toHaveLength(before + 1);
    expect(left('Failures')).toEqual([expect.objectContaining({ status: 'IN_DOUBT' })]);
  });

  test('a failure that is the answer: delivered once, with a notice, and once for each duplicate', async () => {
    const onFailedBefore = OnFailed.returnStoredFailure({ errors: ['CardDeclined'] });
    world = await openWorld(onBus('stored', {}, { onFailedBefore }));
    world.step = () => fails('CardDeclined');
    const counted = deliveries();
    await publish(ONE);
    await world.settle();
    await publish(ONE);
    await world.settle();

    expect(counted).toEqual([0, 0]);
    expect(attemptsOf()).toEqual([1]);
    expect(left('Failures')).toEqual([expect.objectContaining({ status: 'FAILED', error: 'CardDeclined' })]);
  });

  test('with every failure as the answer, a table that is away is none: delivered again', async () => {
    world = await openWorld(onBus('any-stored', {}, { onFailedBefore: OnFailed.returnStoredFailure() }));
    world.faults = at('Claim record', async () => fails('DynamoDB.AmazonDynamoDBException'));
    const counted = deliveries();
    await publish(ONE);
    await world.pass(Duration.minutes(10).toMilliseconds());
    expect(counted.length).toBeGreaterThan(1);
    world.faults = noFault;
    await world.settle();

    expect(attemptsOf()).toEqual([1]);
  });

  test('an answer that is too long for the dispatcher: the record says that the key is completed', async () => {
    world = await openWorld(onBus('plain'));
    world.faults = async (call, next) => {
      const answer = await next();
      return call.stateName === 'Run the workflow' ? fails('States.DataLimitExceeded') : answer;
    };
    const counted = deliveries();
    await publish(ONE);
    await world.settle();

    expect(counted).toEqual([0]);
    expect(await statusOf()).toBe('COMPLETED');
    expect([...left('NotStarted'), ...left('NotDelivered')]).toEqual([]);
  });
});

test('a batch, of which the step of one event fails: all come again, and each step has succeeded once', async () => {
  world = await openWorld(onBus('batches', { batchSize: 10 }));
  let failures = 0;
  world.step = run => (run.idempotencyKey === KEY && failures++ < 2 ? fails('Unlucky') : returns('paid'));
  await publish(OTHER, ONE, { amount: 1 });
  await world.settle();

  expect(attemptsOf()).toEqual([1, 2, 3]);
  expect(attemptsOf('order-2')).toEqual([1]);
  expect([await statusOf(), await statusOf('order-2')]).toEqual(['COMPLETED', 'COMPLETED']);
  expect([...left('NotStarted'), ...left('NotDelivered')]).toEqual([]);
});

test.each(Array.from({ length: runs(3, 50) }, (_, seed) => seed))(
  'chaos, every event published once, seed %i: each key is completed',
  async seed => {
    world = await openWorld(onBus('plain'));
    const random = randomFrom(seed);
    const ids = Array.from({ length: 12 }, (_, n) => `order-${n}`);
    world.step = async () => {
      await world.pause(random() * 9000);
      const chance = random();
      return chance < 0.2 ? fails('Unlucky') : chance < 0.3 ? world.never() : returns('paid');
    };
    world.faults = async (_call, next) => {
      const chance = random();
      if (chance < 0.05) return world.never();
      if (chance < 0.15) return fails('DynamoDB.AmazonDynamoDBException');
      const answer = await next();
      return chance < 0.25 ? fails('DynamoDB.SdkClientException') : answer;
    };
    await Promise.all(ids.map(orderId => publish({ ...ONE, orderId })));
    await world.settle();

    for (const orderId of ids) expect([orderId, await statusOf(orderId)]).toEqual([orderId, 'COMPLETED']);
    expect(left('NotDelivered')).toEqual([]);
  },
);
