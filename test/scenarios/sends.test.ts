import { Duration } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { CfnEventBus } from 'aws-cdk-lib/aws-eventsv2';
import { SubscriptionFilter, Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { exampleOf } from '../../cli/app/example';
import { type Send, sendsOf } from '../../cli/app/sends';
import { Recovery, Source } from '../../infra/index';
import type { Variant } from '../support/variant';
import { openWorld, type World } from '../support/world';

jest.setTimeout(60_000);

const SOURCES: Variant = {
  name: 'sends',
  workflow: { recovery: Recovery.automatic() },
  bundles: true,
  more: (stack, workflow) => {
    const messages = (id: string) =>
      new Queue(stack, id, {
        queueName: id,
        visibilityTimeout: Duration.hours(2),
        deadLetterQueue: { queue: new Queue(stack, `${id}Dead`), maxReceiveCount: 5 },
      });
    const bus = new EventBus(stack, 'Shop', { eventBusName: 'shop' });
    const topic = new Topic(stack, 'Placed', { topicName: 'placed' });
    const shop = SubscriptionFilter.stringFilter({ allowlist: ['eu'] });
    const input = "{% {'detail': $states.input} %}";
    workflow.startFrom(Source.eventBridge(bus, { source: ['shop'], detailType: ['OrderPlaced'] }));
    const custom = new CfnEventBus(stack, 'Custom', { name: 'shop' });
    workflow.startFrom(Source.customEventBus(custom, { data: { source: ['shop'] } }));
    workflow.startFrom(Source.queue(messages('orders')));
    workflow.startFrom(Source.topic(topic));
    // What these take cannot be known.
    workflow.startFrom(
      Source.eventBridge(bus, { detail: { amount: [{ numeric: ['>', 9] }] } }, { id: 'Large' }),
    );
    const systemMetadata = { 'aws:DeliveryType': ['LIVE'] };
    workflow.startFrom(Source.customEventBus(custom, { systemMetadata }, { id: 'Live' }));
    workflow.startFrom(Source.queue(messages('other'), { input }));
    workflow.startFrom(Source.topic(topic, { id: 'Filtered', filterPolicy: { shop } }));
  },
};

const BUS = { kind: 'event', source: 'shop.orders', detailType: 'OrderPlaced' };

describe('the ways to send an example', () => {
  let world: World;
  let sends: readonly Send[];
  beforeEach(async () => {
    world = await openWorld(SOURCES, { port: 0 });
    const { assembly } = world.stack;
    const example = exampleOf(assembly.stateMachines, assembly.rules);
    sends = example ? sendsOf(assembly, example.stateMachineArn, example.input) : [];
  });
  afterEach(() => world.close());

  test('each source whose form is known has one', () => {
    expect(sends).toEqual([
      expect.objectContaining({ ...BUS, eventBus: expect.stringMatching(/Orders/) }),
      expect.objectContaining({ ...BUS, eventBus: 'shop', source: 'shop' }),
      expect.objectContaining({ kind: 'customEvent', source: 'shop', detailType: 'Example' }),
      expect.objectContaining({ kind: 'message', queue: 'orders' }),
      expect.objectContaining({ kind: 'notification', topicArn: expect.stringMatching(/:placed$/) }),
    ]);
  });

  test.each([0, 1, 2, 3, 4])('the step runs with what send %d has given it', async index => {
    const [send] = sends.slice(index);
    if (send) await sent(send);
    await world.settle();

    expect(world.runs).toMatchObject([{ idempotencyKey: expect.stringMatching(/order-1$/) }]);
  });

  test('all of them, twice: the step runs once', async () => {
    for (const send of [...sends, ...sends]) await sent(send);
    await world.settle();

    expect(world.runs).toHaveLength(1);
  });

  async function sent(send: Send): Promise<void> {
    if (send.kind === 'message') world.stack.queues.send(send.queue, JSON.stringify(send.body));
    else if (send.kind === 'event') {
      const { eventBus, source, detailType, detail } = send;
      const entry = { EventBusName: eventBus, Source: source, DetailType: detailType };
      const Entries = [{ ...entry, Detail: JSON.stringify(detail) }];
      await call('events', JSON.stringify({ Entries }), {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'AWSEvents.PutEvents',
      });
    } else if (send.kind === 'customEvent') {
      const { eventBusArn: EventBusArn, source: Source, detailType: DetailType, detail } = send;
      await world.stack.putEvents({
        EventBusArn,
        Entries: [{ Source, DetailType, Detail: JSON.stringify(detail) }],
      });
    } else {
      const { topicArn: TopicArn, message } = send;
      const request = {
        Action: 'Publish',
        Version: '2010-03-31',
        TopicArn,
        Message: JSON.stringify(message),
      };
      await call('sns', new URLSearchParams(request), {});
    }
  }

  /** As SDKs call a service. */
  async function call(service: string, body: string | URLSearchParams, headers: Record<string, string>) {
    const signed = `AWS4-HMAC-SHA256 Credential=local/20261120/us-east-1/${service}/aws4_request, Signature=0`;
    const answer = await fetch(world.stack.endpoint ?? '', {
      method: 'POST',
      headers: { ...headers, authorization: signed },
      body,
    });
    expect(answer.status).toBe(200);
  }
});
