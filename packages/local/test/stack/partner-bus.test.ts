import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { deliverEvent } from '../../index';
import { bodiesOf, start } from './world';

test("a partner's bus, whose name has slashes: its rules match, by its name and by its ARN", async () => {
  const eventSourceName = 'aws.partner/calls.example/org-7/conversations';
  const world = await start(stack => {
    const own = new EventBus(stack, 'Partner', { eventSourceName });
    const byArn = EventBus.fromEventBusArn(
      stack,
      'ByArn',
      stack.formatArn({ service: 'events', resource: 'event-bus', resourceName: eventSourceName }),
    );
    for (const [id, eventBus] of Object.entries({ own, byArn })) {
      const targets = [new SqsQueue(new Queue(stack, `${id}Queue`, { queueName: id }))];
      new Rule(stack, `${id}Rule`, { eventBus, eventPattern: { source: ['calls'] }, targets });
    }
  });

  await deliverEvent(world.stack, { source: 'calls', 'detail-type': 'x', detail: {} }, eventSourceName);

  expect([bodiesOf(world, 'own').length, bodiesOf(world, 'byArn').length]).toEqual([1, 1]);
});

test('a bus of another app: made empty, and said in one line', async () => {
  const world = await start(stack => {
    const targets = [new SqsQueue(new Queue(stack, 'Queue', { queueName: 'got' }))];
    const eventBus = EventBus.fromEventBusName(stack, 'Bus', 'shared');
    new Rule(stack, 'Rule', { eventBus, eventPattern: { source: ['calls'] }, targets });
  });

  await deliverEvent(world.stack, { source: 'calls', 'detail-type': 'x', detail: {} }, 'shared');

  expect(bodiesOf(world, 'got')).toHaveLength(1);
  expect(world.lines).toEqual(['the event bus shared is not in the templates, so an empty one is made here']);
});
