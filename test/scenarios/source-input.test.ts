import type { Stack } from 'aws-cdk-lib';
import { Duration } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Recovery, Source } from '../../infra/index';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

// Functions run for real, in threads of their own: a busy machine takes its time.
jest.setTimeout(60_000);

const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const input = "{% {'detail': $states.input} %}";
/** A workflow for events of a bus, and for the same orders as messages of a queue and of a topic, in an envelope. */
const SOURCES: Variant = {
  name: 'source-input',
  workflow: { recovery: Recovery.automatic() },
  bundles: true,
  more: (stack, workflow) => {
    workflow.startFrom(Source.queue(queueIn(stack, 'orders'), { input }));
    workflow.startFrom(Source.queue(queueIn(stack, 'orders.fifo', { fifo: true }), { id: 'Fifo', input }));
    const published = "{% {'detail': $parse($states.input.Message)} %}";
    workflow.startFrom(
      Source.topic(new Topic(stack, 'Placed', { topicName: 'placed' }), {
        input: published,
        keep: ['Message'],
        maxReceiveCount: 3,
      }),
    );
  },
};

function queueIn(stack: Stack, queueName: string, props: QueueProps = {}): Queue {
  const id = queueName.replace('.', '');
  const dead = new Queue(stack, `${id}Dead`, { queueName: `dead-${queueName}`, ...props });
  return new Queue(stack, id, {
    queueName,
    visibilityTimeout: Duration.minutes(1),
    deadLetterQueue: { queue: dead, maxReceiveCount: 3 },
    ...props,
  });
}

describe('`input` of a queue and of a topic', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(SOURCES, { port: 0 });
  });
  afterEach(() => world.close());

  const send = (body: unknown, queue = 'orders') =>
    world.stack.queues.send(
      queue,
      typeof body === 'string' ? body : JSON.stringify(body),
      queue.endsWith('.fifo')
        ? { messageGroupId: 'shop', messageDeduplicationId: String(Math.random()) }
        : {},
    );
  const left = (part: string) =>
    world.stack.queues
      .list()
      .filter(({ name }) => name.includes(part))
      .flatMap(({ name }) => world.stack.queues.peek(name)?.map(({ body }) => body) ?? []);

  test('one order from the bus, from the queue, and from the FIFO queue: one run, with one form of input', async () => {
    await world.send(ORDER);
    await world.settle();
    send(ORDER);
    send(ORDER, 'orders.fifo');
    await world.settle();

    expect(world.runs).toHaveLength(1);
    expect((await world.executions()).map(({ name }) => name)).toEqual(['order-7']);
    expect(left('orders')).toEqual([]);
  });

  test('first from the queue, twice while it runs: one execution, whose input is what `input` makes', async () => {
    world.step = async () => {
      await world.pause(5000);
      return returns('paid');
    };
    send(ORDER);
    send(ORDER);
    await world.settle();

    const executions = await world.executions();
    expect(executions.map(({ name }) => name)).toEqual(['order-7']);
    expect(JSON.parse(executions[0]?.input ?? '')).toEqual({ detail: ORDER });
    expect(world.runs[0]?.input).toEqual({ detail: ORDER });
  });

  test('an EventBridge event as a message: what differs between its deliveries is left out before', async () => {
    world.step = async () => {
      await world.pause(5000);
      return returns('paid');
    };
    const event = { 'detail-type': 'Order', ...ORDER };
    send({ ...event, id: 'a', time: '1' });
    send({ ...event, id: 'b', time: '2' });
    await world.settle();

    expect((await world.executions()).map(({ input: given }) => JSON.parse(given ?? ''))).toEqual([
      { detail: event },
    ]);
  });

  test('a step that fails: the queue starts the message again, and its dead letter is the message as it came', async () => {
    world.step = () => fails('CardDeclined');
    send(ORDER);
    await world.settle();

    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(left('dead-orders')).toEqual([JSON.stringify(ORDER)]);
  });

  test('a message for which `input` cannot be evaluated: nothing is started, it is a dead letter, and blocks no other', async () => {
    // The key that the message has as it came must not be taken.
    send({ Message: 'order 8, please', detail: ORDER }, messagesOf(world));
    send({ Message: JSON.stringify({ ...ORDER, orderId: 'order-9' }) }, messagesOf(world));
    await world.settle();

    expect((await world.executions()).map(({ name }) => name).sort()).toEqual(['order-9']);
    expect(left('NotFinished')).toEqual([JSON.stringify({ Message: 'order 8, please', detail: ORDER })]);
  });

  test('a message of a FIFO queue whose `input` has no key: rejected by the workflow, and then its group goes on', async () => {
    send({ amount: 1 }, 'orders.fifo');
    send(ORDER, 'orders.fifo');
    await world.settle();

    expect(world.runs).toHaveLength(1);
    expect(left('dead-orders.fifo')).toEqual([JSON.stringify({ amount: 1 })]);
  });
});

function messagesOf({ stack }: World): string {
  return stack.queues.list().find(({ name }) => name.includes('Messages'))?.name ?? '';
}
