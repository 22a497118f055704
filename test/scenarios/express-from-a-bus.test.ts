import { Duration } from 'aws-cdk-lib';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { Source } from '../../infra/index';
import { at, atFirst, loseFirstAnswer, noFault } from '../support/faults';
import { randomFrom } from '../support/random';
import { runs } from '../support/scale';
import { STEP_TIMEOUT_MS, type Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

// Functions run for real, in processes of their own: a busy machine takes its time.
jest.setTimeout(120_000);

const KEY = 'ChargePayment#order-7';
const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const TIMEOUT = Duration.minutes(2);
const EXPRESS = { type: 'EXPRESS', timeout: TIMEOUT } as const;
const BUS: Variant = { name: 'express-bus', workflow: EXPRESS, bundles: true };
/** Six times what the function has for a batch. */
const HIDDEN_MS = 6 * (TIMEOUT.toMilliseconds() + 5000);
const LEASE_MS = TIMEOUT.toMilliseconds() + STEP_TIMEOUT_MS + 30_000;

const queueOf = ({ stack }: World, part: string) =>
  stack.queues.list().find(({ name }) => name.includes(part))?.name ?? part;
const left = (world: World, part: string) => world.stack.queues.peek(queueOf(world, part)) ?? [];

describe('an Express workflow from a bus', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(BUS, { port: 0 });
  });
  afterEach(() => world.close());

  test('an event, published twice: the step runs once, and no message is left', async () => {
    await world.publish(ORDER);
    await world.publish(ORDER);

    expect(world.runs).toHaveLength(1);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' } });
    expect(left(world, 'Messages')).toEqual([]);
  });

  test('a step that fails: comes again as the next attempt, and is kept after the fifth', async () => {
    world.step = () => fails('CardDeclined');
    await world.publish(ORDER);

    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
    expect(left(world, 'NotFinished').map(({ body }) => JSON.parse(body).detail)).toEqual([ORDER]);
  });

  test('an execution that is interrupted before its last write: the queue starts the next attempt', async () => {
    world.faults = atFirst('Record the result', () => world.never());
    await world.send(ORDER);
    await world.pass(LEASE_MS);
    expect(await world.record(KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });
    await world.pass(HIDDEN_MS - LEASE_MS + 60_000);

    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' }, attempt: { N: '2' } });
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(left(world, 'Messages')).toEqual([]);
  });

  test('a lost answer to the last write: the result stays, and the message goes', async () => {
    world.faults = loseFirstAnswer('Record the result');
    await world.publish(ORDER);

    expect(world.runs).toHaveLength(1);
    expect(left(world, 'Messages')).toEqual([]);
  });

  test('the table is away for longer than an execution lasts: done when it is back', async () => {
    world.faults = at('Claim record', async () => fails('DynamoDB.AmazonDynamoDBException'));
    await world.send(ORDER);
    await world.pass(HIDDEN_MS);
    world.faults = noFault;
    await world.settle();

    expect(await world.record(KEY)).toMatchObject({ status: { S: 'COMPLETED' } });
  });
});

test('an Express workflow from a schedule: comes again until its step has succeeded', async () => {
  const world = await openWorld({
    name: 'express-schedule',
    workflow: { ...EXPRESS, idempotencyKey: '{% $states.input.time %}', payload: undefined },
    bundles: true,
    source: Source.schedule(Schedule.rate(Duration.days(1)) as never),
  });
  let failures = 0;
  world.step = () => (failures++ === 0 ? fails('Unlucky') : returns('reported'));
  await world.pass(Duration.days(1).toMilliseconds() + 2 * HIDDEN_MS);

  expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(left(world, 'Messages')).toEqual([]);
  await world.close();
});

test.each(Array.from({ length: runs(3, 50) }, (_, seed) => seed))(
  'chaos, every event published once, seed %i: each is completed, or kept for a person',
  async seed => {
    const world = await openWorld(BUS, { port: 0 });
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
    await Promise.all(ids.map(orderId => world.send({ ...ORDER, orderId })));
    await world.settle();

    const kept = left(world, 'NotFinished').map(({ body }) => JSON.parse(body).detail.orderId as string);
    expect(left(world, 'Messages')).toEqual([]);
    for (const orderId of ids) {
      const status = (await world.record(`ChargePayment#${orderId}`))?.['status']?.S;
      expect([orderId, status === 'COMPLETED' || kept.includes(orderId)]).toEqual([orderId, true]);
    }
    await world.close();
  },
);
