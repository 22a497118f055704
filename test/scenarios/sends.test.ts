import { Duration } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { CfnEventBus } from 'aws-cdk-lib/aws-eventsv2';
import { SubscriptionFilter, Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { exampleOf } from '../../cli/app/example';
import { type Send, sendsOf } from '../../cli/app/sends';
import { callLocalStack } from '../../cli/aws/local-stack';
import { readArguments } from '../../cli/commands/registry';
import { PLAIN } from '../../cli/terminal';
import { Recovery, Source } from '../../infra/index';
import { NOBODY } from '../cli/world';
import type { Variant } from '../support/variant';
import { openWorld, returns, type World } from '../support/world';

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

const BY_HTTP: Variant['workflow'] = {
  idempotencyKey: '{% $states.input.idempotencyKey %}',
  payload: '{% $states.input.body %}',
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

  /** As `onceflow send` does; a send that is sent again is a duplicate. */
  async function sent(send: Send): Promise<void> {
    expect(await callLocalStack(world.stack.endpoint, 'Send', send)).toMatchObject({
      kind: 'answer',
      content: { id: expect.any(String) },
    });
  }

  const command = (...args: string[]) => commandOn(world, ...args);

  test.each([
    ['bus', /^Sent to the event bus \S*Orders\S*, as OrderPlaced of shop\.orders: \{"orderId":"order-1"/],
    ['custom-bus', /^Sent to the custom event bus \S+, as Example of shop: /],
    ['queue', /^Sent to the queue orders: \{.*"detail":/],
    ['topic', /^Sent to the topic placed: /],
  ])(
    '`onceflow send --source %s`: says what it sent, and how to see what became of it',
    async (source, said) => {
      const text = await command('--source', source);
      await world.settle();

      expect(text).toMatch(said);
      expect(text).toMatch(/\nIt was accepted as \S+\n/);
      expect(text).toContain(`onceflow show order-1 --endpoint ${world.stack.endpoint}\n`);
      expect(world.runs).toHaveLength(1);
    },
  );

  test('an event of your own; only shown; not an object; a key without a header; a source or a workflow that is not there', async () => {
    expect(await command('--input', '{"orderId":"order-9","amount":1,"currency":"EUR"}')).toMatch(
      /^Sent to the event bus .*: \{"orderId":"order-9"/,
    );
    await world.settle();
    expect(world.runs).toMatchObject([{ idempotencyKey: expect.stringMatching(/order-9$/) }]);
    expect(await command('--dry-run')).toMatch(/^Would send to the event bus /);
    await expect(command('--input', '[1]')).rejects.toThrow('--input must be a JSON object');
    await expect(command('--input', 'nowhere.json')).rejects.toThrow('--input: nowhere.json does not exist');
    await expect(command('--source', 'bus', '--key', 'order-9')).rejects.toThrow(
      '--key is the header of a request by HTTP, and --source bus has no header',
    );
    await expect(command('--source', 'http')).rejects.toThrow(
      'the workflow has no http whose form is known. It has bus, custom-bus, queue, topic',
    );
    await expect(command('--state-machine', 'Refund')).rejects.toThrow(
      'the stack has no state machine Refund',
    );
    expect(world.runs).toHaveLength(1);
  });

  test('what a source does not take is said in its words', async () => {
    const send = { kind: 'customEvent', eventBusArn: 'arn:aws:nowhere', source: 'a', detailType: 'b' };
    expect(await callLocalStack(world.stack.endpoint, 'Send', send)).toMatchObject({ kind: 'rejected' });
    expect(await callLocalStack(world.stack.endpoint, 'Send', { kind: 'message', queue: 'none' })).toEqual({
      kind: 'rejected',
      message: 'there is no queue none',
    });
  });
});

async function commandOn(world: World, ...args: string[]): Promise<string> {
  const asked = readArguments(['send', '--endpoint', world.stack.endpoint, ...args], {});
  if (asked.kind !== 'task') throw new Error('no task');
  const session = { terminal: NOBODY, env: {}, ended: new AbortController().signal };
  const answer = await asked.task.run(session);
  return typeof answer === 'number' ? '' : answer.text(PLAIN);
}

test('`onceflow send` by HTTP: the answer, and that of the same key with another body', async () => {
  const world = await openWorld(
    { name: 'send by http', workflow: BY_HTTP, source: Source.http('payments') },
    { port: 0 },
  );
  world.step = () => returns({ paid: true });
  const answered = async (...args: string[]) => {
    const { answered: before } = world.stack.httpRequests;
    const text = commandOn(world, ...args);
    while (world.stack.httpRequests.answered === before) await world.pass(100);
    return text;
  };

  expect(await answered()).toMatch(
    /^Sent to POST http:\S+\/payments: \{.*\}\nThe answer is 200: \{"paid":true\}\n/,
  );
  expect(await answered('--input', '{"another":1}')).toMatch(/\nThe answer is 422: /);
  expect(await answered('--input', '{"another":1}', '--key', 'key-2')).toMatch(/\nThe answer is 200: /);
  await world.close();
}, 60_000);

test('`onceflow send` without a stack: says how to start one', async () => {
  const asked = readArguments(['send', '--endpoint', 'http://127.0.0.1:9'], {});
  if (asked.kind !== 'task') throw new Error('no task');
  const session = { terminal: NOBODY, env: {}, ended: new AbortController().signal };

  await expect(asked.task.run(session)).rejects.toThrow(
    'no stack of onceflow answers at http://127.0.0.1:9. Start one with `onceflow dev`',
  );
});
