import { Duration } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Source } from '../../infra/index';
import { failing } from '../support/faults';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const QUEUE: Variant = {
  name: 'queue',
  bundles: true,
  more: (stack, workflow) => {
    const dead = new Queue(stack, 'Dead', { queueName: 'dead' });
    const queue = new Queue(stack, 'Messages', {
      queueName: 'orders',
      visibilityTimeout: Duration.minutes(1),
      deadLetterQueue: { queue: dead, maxReceiveCount: 3 },
    });
    workflow.startFrom(Source.queue(queue));
  },
};

describe('messages of a queue', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(QUEUE);
  });
  afterEach(() => world.close());

  const send = (...bodies: unknown[]) => {
    for (const body of bodies) {
      world.stack.queues.send('orders', typeof body === 'string' ? body : JSON.stringify(body));
    }
  };
  const left = (queue: string) => world.stack.queues.peek(queue)?.map(({ body }) => body);
  const names = async () => (await world.executions()).map(({ name }) => name);

  test('plain JSON, three times: started under the name of its key once, and gone', async () => {
    send({ detail: ORDER }, { detail: ORDER }, { detail: ORDER });
    await world.settle();

    expect(await names()).toEqual(['order-7']);
    expect(world.runs).toHaveLength(1);
    expect(left('orders')).toEqual([]);
  });

  test('an EventBridge event, sent twice with another id: the same start', async () => {
    const event = { 'detail-type': 'OrderPlaced', source: 'shop.orders', detail: ORDER };
    world.step = async () => {
      await world.pause(5000);
      return returns('paid');
    };
    send({ ...event, id: 'a', time: '1' }, { ...event, id: 'b', time: '2' });
    await world.settle();

    expect(await names()).toEqual(['order-7']);
  });

  test('one that nobody can read: dead after its queue has lost patience, and blocks no other', async () => {
    send({ detail: ORDER }, 'order 8, please', { detail: { ...ORDER, orderId: 'order-9' } });
    await world.settle();

    expect((await names()).sort()).toEqual(['order-7', 'order-9']);
    expect(left('orders')).toEqual([]);
    expect(left('dead')).toEqual(['order 8, please']);
  });

  test('Step Functions throttled for a while: the message comes again, and is started', async () => {
    world.faults = failing('Start by key', 'StepFunctions.ThrottlingException', 9);
    send({ detail: ORDER });
    await world.settle();

    expect(await names()).toEqual(['order-7']);
    expect(left('orders')).toEqual([]);
    expect(left('dead')).toEqual([]);
  });

  test('a message of an order that failed: runs it again', async () => {
    world.step = () => fails('CardDeclined');
    send({ detail: ORDER });
    await world.settle();
    world.step = () => returns('paid');
    send({ detail: ORDER });
    await world.settle();

    expect(await names()).toEqual(['order-7', expect.stringMatching(/^order-7-[0-9a-f]{16}$/)]);
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});
