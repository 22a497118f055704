import { Duration } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Recovery, Source } from '../../infra/index';
import { stopping } from '../support/faults';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

// Functions run for real, in processes of their own: a busy machine takes its time.
jest.setTimeout(60_000);

const FIFO: Variant = {
  name: 'queue-fifo',
  bundles: true,
  workflow: { recovery: Recovery.automatic() },
  more: (stack, workflow) => {
    const dead = new Queue(stack, 'Dead', { queueName: 'dead.fifo', fifo: true });
    const queue = new Queue(stack, 'Messages', {
      queueName: 'orders.fifo',
      fifo: true,
      contentBasedDeduplication: true,
      visibilityTimeout: Duration.minutes(1),
      deadLetterQueue: { queue: dead, maxReceiveCount: 3 },
    });
    workflow.startFrom(Source.queue(queue));
  },
};

describe('messages of a FIFO queue', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(FIFO);
  });
  afterEach(() => world.close());

  const send = (orderId: string, messageGroupId: string) =>
    world.stack.queues.send(
      'orders.fifo',
      JSON.stringify({ detail: { orderId, amount: 12.5, currency: 'EUR' } }),
      { messageGroupId },
    );
  const keys = () => world.runs.map(({ idempotencyKey }) => idempotencyKey.replace('ChargePayment#', ''));
  const left = (queue: string) => world.stack.queues.peek(queue)?.length;
  /** Steps that take so long, and when each begins and ends. */
  const taking = (ms: number) => {
    const story: string[] = [];
    world.step = async ({ idempotencyKey }) => {
      const key = idempotencyKey.replace('ChargePayment#', '');
      story.push(`${key} begins`);
      await world.pause(ms);
      story.push(`${key} ends`);
      return returns('paid');
    };
    return story;
  };

  test('of one group: each step begins when the one before it has ended', async () => {
    const story = taking(7000);
    for (const order of ['a1', 'a2', 'a3']) send(order, 'a');
    await world.settle();

    expect(story).toEqual(['a1', 'a2', 'a3'].flatMap(key => [`${key} begins`, `${key} ends`]));
    expect(left('orders.fifo')).toBe(0);
  });

  test('of two groups: beside each other', async () => {
    const story = taking(7000);
    send('a1', 'a');
    send('b1', 'b');
    await world.settle();

    expect(story.slice(0, 2).sort()).toEqual(['a1 begins', 'b1 begins']);
  });

  test('a step that fails twice: its group waits for it, and no message behind it uses a receive up', async () => {
    world.step = ({ idempotencyKey, attempt }) =>
      idempotencyKey.endsWith('a1') && attempt < 3 ? fails('CardDeclined') : returns('paid');
    send('a1', 'a');
    send('a2', 'a');
    await world.settle();

    expect(keys()).toEqual(['a1', 'a1', 'a1', 'a2']);
    expect([left('orders.fifo'), left('dead.fifo')]).toEqual([0, 0]);
  });

  test('a step that always fails: its message is kept, and its group goes on', async () => {
    world.step = ({ idempotencyKey }) =>
      idempotencyKey.endsWith('a1') ? fails('CardDeclined') : returns('paid');
    send('a1', 'a');
    send('a2', 'a');
    await world.settle();

    expect(keys()).toEqual(['a1', 'a1', 'a1', 'a2']);
    expect(world.stack.queues.peek('dead.fifo')).toMatchObject([{ messageGroupId: 'a' }]);
    expect(left('orders.fifo')).toBe(0);
  });

  test('an execution that is stopped in its step: completed before the next of its group', async () => {
    world.faults = stopping(world, 'Business step', 'after');
    send('a1', 'a');
    send('a2', 'a');
    await world.settle();

    const order = keys();
    expect(order.indexOf('a2')).toBe(order.length - 1);
    expect(left('orders.fifo')).toBe(0);
    expect(await world.record('ChargePayment#a1')).toMatchObject({ status: { S: 'COMPLETED' } });
  });
});
