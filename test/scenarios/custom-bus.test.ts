import { CfnOutput } from 'aws-cdk-lib';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { startFromCustomBus } from '../../docs/guide/snippets/custom-bus';
import { Recovery } from '../../infra/index';
import type { Variant } from '../support/variant';
import { openWorld, returns, type World } from '../support/world';

// Functions run for real, in processes of their own: a busy machine takes its time.
jest.setTimeout(60_000);

const HOUR = 3_600_000;
/** A classic rule and the subscriber of a custom bus, which start one workflow. */
const BOTH_BUSES: Variant = {
  name: 'both buses',
  bundles: true,
  workflow: { recovery: Recovery.automatic() },
  more: (stack, workflow) => {
    const scope = new Construct(stack, 'Custom');
    startFromCustomBus(scope, 'arn:aws:events:us-east-1:111111111111:event-busv2/orders/1a2b3c4d5', workflow);
    for (const id of ['PublishedOrders', 'FailedOrders']) {
      new CfnOutput(stack, id, { value: (scope.node.findChild(id) as Queue).queueName });
    }
  },
};

const DAY = Array.from({ length: 12 }, (_, hour) => {
  return { orderId: `order-${hour}`, amount: hour + 0.5, currency: 'EUR' };
});
type Order = (typeof DAY)[number];

describe('the events of a classic bus, on a custom bus as well', () => {
  let world: World;
  let copies: number;
  beforeEach(async () => {
    world = await openWorld(BOTH_BUSES);
    copies = 0;
  });
  afterEach(() => world.close());

  /** What a subscriber sends with `RAW`: the copy on another bus has an id and a time of its own. */
  const copyOf = (detail: Order) => {
    copies += 1;
    const time = new Date(Date.UTC(2026, 9, 4) + copies).toISOString();
    const form = { version: '0', account: '111111111111', region: 'us-east-1', resources: [] };
    return {
      ...form,
      id: `copy-${copies}`,
      time,
      'detail-type': 'OrderPlaced',
      source: 'shop.orders',
      detail,
    };
  };
  const sendByCustom = (body: unknown) => {
    world.stack.queues.send(world.stack.output('PublishedOrders'), JSON.stringify(body));
  };
  const left = (output: string) =>
    world.stack.queues.peek(world.stack.output(output))?.map(({ body }) => body);
  const keysThatRan = () => world.runs.map(({ idempotencyKey }) => idempotencyKey).sort();
  const EACH_ONCE = DAY.map(({ orderId }) => `ChargePayment#${orderId}`).sort();

  type Deliver = (order: Order) => Promise<void>;
  const byClassic: Deliver = order => world.send(order);
  const byCustom: Deliver = async order => sendByCustom(copyOf(order));
  const both = async (first: Deliver, second: Deliver, between: () => Promise<void>) => {
    for (const order of DAY) {
      await first(order);
      await between();
      await second(order);
    }
    await world.settle();
  };

  test.each<[string, () => Promise<void>]>([
    ['at once', () => both(byClassic, byCustom, async () => undefined)],
    ['at once, the custom bus first', () => both(byCustom, byClassic, async () => undefined)],
    ['on the custom bus while the step runs', () => both(byClassic, byCustom, () => world.pass(2000))],
    ['on the classic bus while the step runs', () => both(byCustom, byClassic, () => world.pass(2000))],
    ['on the custom bus an hour later', () => both(byClassic, byCustom, () => world.pass(HOUR))],
    ['on the classic bus an hour later', () => both(byCustom, byClassic, () => world.pass(HOUR))],
  ])('%s: each key runs once, and no message is left', async (_, deliver) => {
    world.step = async () => {
      await world.pause(5000);
      return returns('paid');
    };
    await deliver();

    expect(keysThatRan()).toEqual(EACH_ONCE);
    expect(left('PublishedOrders')).toEqual([]);
    expect(left('FailedOrders')).toEqual([]);
  });

  test('a day is replayed on the custom bus after the classic rule had delivered it: nothing runs again', async () => {
    for (const order of DAY) await byClassic(order);
    await world.settle();
    await world.pass(24 * HOUR);
    for (const order of DAY) await byCustom(order);
    await world.settle();

    expect(keysThatRan()).toEqual(EACH_ONCE);
    expect(left('FailedOrders')).toEqual([]);
  });

  test('the local runtime says that it does not run the subscriber', () => {
    expect(world.stack.notRun).toEqual([expect.objectContaining({ type: 'AWS::EventsV2::Subscriber' })]);
  });

  const [ONE, OTHER] = DAY as [Order, Order];
  test.each<[string, () => unknown]>([
    ['a list of one event', () => [copyOf(ONE)]],
    ['a list of two events', () => [copyOf(ONE), copyOf(OTHER)]],
    ['an event with its metadata around it', () => ({ Data: copyOf(ONE), Metadata: {}, SystemMetadata: {} })],
    ['the text of an event', () => JSON.stringify(copyOf(ONE))],
  ])('if a subscriber sends %s: no step runs, and the message is a dead letter', async (_, body) => {
    const sent = body();
    sendByCustom(sent);
    await world.settle();

    expect(keysThatRan()).toEqual([]);
    expect(left('PublishedOrders')).toEqual([]);
    expect(left('FailedOrders')).toEqual([JSON.stringify(sent)]);
  });
});
