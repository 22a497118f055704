import { SubscriptionFilter, Topic } from 'aws-cdk-lib/aws-sns';
import { Recovery, Source } from '../../infra/index';
import type { Variant } from '../support/variant';
import { fails, openWorld, returns, type World } from '../support/world';

// Functions run for real, in processes of their own: a busy machine takes its time.
jest.setTimeout(60_000);

const ORDER = { detail: { orderId: 'order-7', amount: 12.5, currency: 'EUR' } };
const TOPIC: Variant = {
  name: 'topic',
  workflow: { recovery: Recovery.automatic() },
  bundles: true,
  more: (stack, workflow) => {
    const topic = new Topic(stack, 'Placed', { topicName: 'orders' });
    const shop = SubscriptionFilter.stringFilter({ denylist: ['test'] });
    workflow.startFrom(Source.topic(topic, { filterPolicy: { shop }, maxReceiveCount: 3 }));
  },
};

describe('messages of an SNS topic', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(TOPIC, { port: 0 });
  });
  afterEach(() => world.close());

  /** As SDKs publish. */
  const publish = (message: unknown, shop = 'eu') =>
    fetch(world.stack.endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: 'AWS4-HMAC-SHA256 Credential=local/20261120/us-east-1/sns/aws4_request, Signature=0',
      },
      body: new URLSearchParams({
        Action: 'Publish',
        Version: '2010-03-31',
        TopicArn: `arn:aws:sns:${world.stack.region}:${world.stack.account}:orders`,
        Message: typeof message === 'string' ? message : JSON.stringify(message),
        'MessageAttributes.entry.1.Name': 'shop',
        'MessageAttributes.entry.1.Value.DataType': 'String',
        'MessageAttributes.entry.1.Value.StringValue': shop,
      }),
    });
  /** The bodies in the queues whose names have this in them. */
  const left = (part: string) =>
    world.stack.queues
      .list()
      .filter(({ name }) => name.includes(part))
      .flatMap(({ name }) => world.stack.queues.peek(name)?.map(({ body }) => body) ?? []);

  test('published twice while the first runs: one execution, with what was published as its input', async () => {
    world.step = async () => {
      await world.pause(5000);
      return returns('paid');
    };
    await publish(ORDER);
    await publish(ORDER);
    await world.settle();

    const executions = await world.executions();
    expect(executions.map(({ name }) => name)).toEqual(['order-7']);
    expect(JSON.parse(executions[0]?.input ?? '')).toEqual(ORDER);
    expect(world.runs).toHaveLength(1);
    expect(left('Messages')).toEqual([]);
  });

  test('a fresh message: the workflow makes the calls of any fresh event', async () => {
    await publish(ORDER);
    await world.settle();

    expect(world.calls).toEqual([
      'states:startExecution from Start by key',
      'dynamodb:putItem from Claim record',
      'lambda:invoke from Business step',
      'dynamodb:updateItem from Record the result',
    ]);
  });

  test('what the filter policy leaves out: nothing', async () => {
    await publish(ORDER, 'test');
    await world.settle();

    expect(await world.executions()).toEqual([]);
  });

  test('a step that always fails: called as often as the source says; then the message is kept', async () => {
    world.step = () => fails('CardDeclined');
    await publish(ORDER);
    await world.settle();

    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(left('NotFinished')).toEqual([JSON.stringify(ORDER)]);
  });

  test('one that is not JSON: kept, and blocks no other', async () => {
    await publish('order 8, please');
    await publish(ORDER);
    await world.settle();

    expect(world.runs).toHaveLength(1);
    expect(left('NotFinished')).toEqual(['order 8, please']);
  });
});
