import { CfnOutput, Duration } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentWorkflow, type QueueSourceOptions, Recovery, Source } from '../../infra/index';
import { failing, stopping } from '../support/faults';
import { randomFrom } from '../support/random';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

// Functions run for real, in processes of their own: a busy machine takes its time.
jest.setTimeout(60_000);

const ORDER = { orderId: 'order-7', amount: 12.5, currency: 'EUR' };
const QUEUE = variantOf('queue', {});

function variantOf(name: string, options: QueueSourceOptions): Variant {
  return {
    name,
    bundles: true,
    workflow: { recovery: Recovery.automatic() },
    more: (stack, workflow) => {
      const dead = new Queue(stack, 'Dead', { queueName: 'dead' });
      const queue = new Queue(stack, 'Messages', {
        queueName: 'orders',
        visibilityTimeout: Duration.minutes(1),
        deadLetterQueue: { queue: dead, maxReceiveCount: 3 },
      });
      workflow.startFrom(Source.queue(queue, options));
    },
  };
}

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

  test('an unreadable one: a dead letter after the receives of its queue, and blocks no other', async () => {
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

  test('checked when the step has had its time, and not before; received once', async () => {
    send({ detail: ORDER });
    await world.pass(39_000);
    expect(world.stack.queues.peek('orders')).toMatchObject([{ receiveCount: 1 }]);

    await world.pass(2000);
    expect(left('orders')).toEqual([]);
  });

  test('a step that always fails: called three times, as often as the queue says; then the message is a dead letter', async () => {
    world.step = () => fails('CardDeclined');
    send({ detail: ORDER });
    await world.settle();

    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(left('orders')).toEqual([]);
    expect(left('dead')).toEqual([JSON.stringify({ detail: ORDER })]);
  });

  test('a step that succeeds at the last start: no message is a dead letter', async () => {
    world.step = ({ attempt }) => (attempt < 3 ? fails('CardDeclined') : returns('paid'));
    send({ detail: ORDER });
    await world.settle();

    expect(world.runs).toHaveLength(3);
    expect(left('orders')).toEqual([]);
    expect(left('dead')).toEqual([]);
  });

  test('a key that is worked on for an hour and more: no receive is used up', async () => {
    world.faults = failing('Record the result', 'DynamoDB.ThrottlingException', 30);
    send({ detail: ORDER });
    await world.pass(30 * 60_000);
    expect(world.stack.queues.peek('orders')).toMatchObject([{ receiveCount: 1 }]);

    await world.settle();
    expect(world.runs).toHaveLength(1);
    expect(left('orders')).toEqual([]);
    expect(left('dead')).toEqual([]);
  });

  test('DynamoDB away before the claim: no receive is used up', async () => {
    world.faults = failing('Claim record', 'DynamoDB.SdkClientException', 30);
    send({ detail: ORDER });
    await world.pass(30 * 60_000);
    expect(world.runs).toHaveLength(0);
    expect(world.stack.queues.peek('orders')).toMatchObject([{ receiveCount: 1 }]);
    await world.settle();

    expect(await names()).toEqual(['order-7']);
    expect(world.runs).toHaveLength(1);
    expect(left('dead')).toEqual([]);
  });

  test.each(['before', 'after'] as const)(
    'an execution that is stopped %s its step: resumed by the message itself',
    async when => {
      world.faults = stopping(world, 'Business step', when);
      send({ detail: ORDER });
      await world.settle();

      expect((await world.record('ChargePayment#order-7'))?.['status']).toEqual({ S: 'COMPLETED' });
      expect((await names())[0]).toBe('order-7');
      expect(left('orders')).toEqual([]);
      expect(left('dead')).toEqual([]);
    },
  );

  test.each([
    ['another payload', { detail: { ...ORDER, amount: 13 } }],
    ['no key', { detail: { amount: 1, currency: 'EUR' } }],
    ['a payload that cannot be hashed', { detail: { ...ORDER, orderId: 'order-8', currency: '\ud800' } }],
  ])('%s: rejected at each receive, then dead; the step does not run', async (_, body) => {
    send({ detail: ORDER });
    await world.settle();
    send(body);
    await world.settle();

    expect(world.runs).toHaveLength(1);
    expect(left('orders')).toEqual([]);
    expect(left('dead')).toEqual([JSON.stringify(body)]);
  });

  test('twenty messages of one key at once, which fail first: one step at a time, and no message is a dead letter', async () => {
    let running = 0;
    world.step = async ({ attempt }) => {
      running += 1;
      expect(running).toBe(1);
      await world.pause(5000);
      running -= 1;
      return attempt === 1 ? fails('CardDeclined') : returns('paid');
    };
    send(...Array.from({ length: 20 }, () => ({ detail: ORDER })));
    await world.settle();

    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(left('orders')).toEqual([]);
    expect(left('dead')).toEqual([]);
  });

  test('the record of a finished key is gone before the check, its retention being over: not run again', async () => {
    send({ detail: ORDER });
    await world.pass(20_000);
    await world.deleteRecord('ChargePayment#order-7');
    await world.settle();

    expect(world.runs).toHaveLength(1);
    expect(left('orders')).toEqual([]);
  });

  test('a duplicate of a finished key: deleted by the first receive', async () => {
    send({ detail: ORDER });
    await world.settle();
    send({ detail: ORDER });
    await world.pass(1000);

    expect(left('orders')).toEqual([]);
    expect(await names()).toEqual(['order-7']);
  });
});

describe('a step of thirty hours', () => {
  const SLOW: Variant = {
    name: 'queue-slow',
    bundles: true,
    more: stack => {
      const deadLetterQueue = { queue: new Queue(stack, 'Dead', { queueName: 'dead' }), maxReceiveCount: 4 };
      const queue = new Queue(stack, 'Messages', { queueName: 'slow', deadLetterQueue });
      const slow = new IdempotentWorkflow(stack, 'Slow', {
        idempotencyKey: '{% $states.input.detail.orderId %}',
        step: Wait.jsonata(stack, 'Work', { time: WaitTime.duration(Duration.hours(30)) }),
        stepTimeout: Duration.seconds(30),
      });
      slow.startFrom(Source.queue(queue));
      new CfnOutput(stack, 'SlowArn', { value: slow.stateMachine.stateMachineArn });
    },
  };

  test('receives are used up where SQS hides a message no longer: one in nine hours or more', async () => {
    const world = await openWorld(SLOW);
    world.stack.queues.send('slow', JSON.stringify({ detail: ORDER }));
    await world.pass(29 * 3_600_000);
    const [message] = world.stack.queues.peek('slow') ?? [];
    expect(message?.receiveCount).toBeLessThanOrEqual(4);
    await world.settle();

    const stateMachineArn = world.stack.output('SlowArn');
    expect((await world.stack.runtime.listExecutions({ stateMachineArn })).executions).toHaveLength(1);
    expect(world.stack.queues.peek('slow')).toEqual([]);
    expect(world.stack.queues.peek('dead')).toEqual([]);
    await world.close();
  });
});

describe('a storm of messages', () => {
  test.each([1, 2, 3])(
    'steps and starts fail at random, seed %i: finished and gone, or not and dead',
    async seed => {
      const world = await openWorld(QUEUE);
      const random = randomFrom(seed);
      const ids = Array.from({ length: 20 }, (_, n) => `order-${n}`);
      world.step = async () => {
        await world.pause(random() * 9000);
        return random() < 0.4 ? fails('Unlucky') : returns('paid');
      };
      world.faults = (call, next) =>
        call.stateName === 'Start by key' && random() < 0.5
          ? Promise.resolve(fails('StepFunctions.ThrottlingException'))
          : next();
      for (const orderId of ids) {
        world.stack.queues.send('orders', JSON.stringify({ detail: { ...ORDER, orderId } }));
      }
      await world.settle();

      const dead = new Set(
        world.stack.queues.peek('dead')?.map(({ body }) => JSON.parse(body).detail.orderId as string),
      );
      expect(world.stack.queues.peek('orders')).toEqual([]);
      for (const orderId of ids) {
        const status = (await world.record(`ChargePayment#${orderId}`))?.['status']?.S;
        expect([orderId, dead.has(orderId)]).toEqual([orderId, status !== 'COMPLETED']);
        const runs = world.runs.filter(({ idempotencyKey }) => idempotencyKey === `ChargePayment#${orderId}`);
        expect(runs.map(({ attempt }) => attempt)).toEqual(runs.map((_, n) => n + 1));
        expect(runs.length).toBeLessThanOrEqual(3);
      }
      expect(dead.size).toBeLessThan(ids.length / 2);
      await world.close();
    },
  );
});

describe('messages that are deleted when their executions have started', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(variantOf('queue-started', { deleteWhen: 'started' }));
  });
  afterEach(() => world.close());

  test('a message of an order that failed: gone; another message runs it again', async () => {
    const send = () => world.stack.queues.send('orders', JSON.stringify({ detail: ORDER }));
    world.step = () => fails('CardDeclined');
    send();
    await world.settle();
    world.step = () => returns('paid');
    send();
    await world.settle();

    const names = (await world.executions()).map(({ name }) => name);
    expect(names).toEqual(['order-7', expect.stringMatching(/^order-7-[0-9a-f]{16}$/)]);
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(world.stack.queues.peek('orders')).toEqual([]);
    expect(world.stack.queues.peek('dead')).toEqual([]);
  });
});
