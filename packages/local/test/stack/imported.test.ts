import { CreateTableCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Stack } from 'aws-cdk-lib';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { deliverEvent, runToEnd } from '../../index';
import { bodiesOf, machine, start, synthesize } from './world';

const task = (call: string, Arguments: object, more: object) => ({
  Type: 'Task',
  Resource: `arn:aws:states:::${call}`,
  Arguments,
  ...more,
});

/** An app whose queue, topic, bucket, bus and tables are those of other apps. */
function importing(stack: Stack): void {
  const named = (service: string, resource: string) => stack.formatArn({ service, resource });
  const queue = Queue.fromQueueArn(stack, 'Queue', named('sqs', 'jobs'));
  const results = Queue.fromQueueArn(stack, 'Results', named('sqs', 'results'));
  const topic = Topic.fromTopicArn(stack, 'Topic', named('sns', 'news'));
  topic.addSubscription(new SqsSubscription(results, { rawMessageDelivery: true }));
  const bucket = Bucket.fromBucketName(stack, 'Bucket', 'pictures');
  const eventBus = EventBus.fromEventBusName(stack, 'Bus', 'shared');
  const targets = [new SqsQueue(results), new SnsTopic(topic)];
  new Rule(stack, 'Rule', { eventBus, eventPattern: { source: ['shop'] }, targets });
  const worker = new LambdaFunction(stack, 'Worker', {
    runtime: Runtime.NODEJS_22_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => 1;'),
  });
  worker.addEventSource(new SqsEventSource(queue));
  const orders = Table.fromTableName(stack, 'Orders', 'orders').tableName;
  const Body = 'x';
  const Key = { orderId: { S: '1' } };
  machine(stack, 'Machine', {
    Put: task('aws-sdk:s3:putObject', { Bucket: bucket.bucketName, Key: 'a', Body }, { Next: 'Send' }),
    Send: task('sqs:sendMessage', { QueueUrl: results.queueUrl, MessageBody: 'sent' }, { Next: 'Save' }),
    Save: task(
      'dynamodb:updateItem',
      {
        TableName: orders,
        Key,
        UpdateExpression: 'SET a = :a',
        ExpressionAttributeValues: { ':a': { S: 'x' } },
      },
      { End: true },
    ),
  });
}

describe('resources of other apps, which the templates only name', () => {
  test('are made empty, each said in one line, and take what the app gives them', async () => {
    const world = await start(importing);
    const { stack, clock } = world;

    const [first] = stack.assembly.stateMachines;
    const { executionArn } = await stack.runtime.startExecution({ stateMachineArn: first?.arn ?? '' });
    await deliverEvent(stack, { source: 'shop', 'detail-type': 'x', detail: {} }, 'shared');
    await runToEnd(stack.runtime, clock);

    expect(await stack.runtime.describeExecution({ executionArn })).toMatchObject({ status: 'SUCCEEDED' });
    expect(bodiesOf(world, 'results')).toHaveLength(3);
    const Key = { orderId: { S: '1' } };
    const { Item } = await stack.dynamoDb.client.send(new GetItemCommand({ TableName: 'orders', Key }));
    expect(Item).toEqual({ ...Key, a: { S: 'x' } });
    expect([...world.lines].sort()).toEqual(
      [
        'bucket pictures',
        'event bus shared',
        'queue jobs',
        'queue results',
        'table orders',
        'topic news',
      ].map(what => `the ${what} is not in the templates, so an empty one is made here`),
    );
  });

  test('a table whose key has two attributes, one without a type, and an activity: made', async () => {
    const Key = { pk: '{% $states.context.Execution.Name %}', sk: { N: '1' } };
    const Resource = 'arn:aws:states:us-east-1:111111111111:activity:review';
    const world = await start(stack => {
      machine(stack, 'Machine', {
        Get: task('dynamodb:getItem', { TableName: 'lines', Key }, { Next: 'Review' }),
        Review: { Type: 'Task', Resource, End: true },
      });
    });
    const { stack, clock } = world;
    const [first] = stack.assembly.stateMachines;
    const { executionArn } = await stack.runtime.startExecution({ stateMachineArn: first?.arn ?? '' });
    await runToEnd(stack.runtime, clock);

    // It waits for a worker.
    expect(await stack.runtime.describeExecution({ executionArn })).toMatchObject({ status: 'RUNNING' });
    expect([...world.lines].sort()).toEqual(
      ['activity review', 'table lines'].map(
        what => `the ${what} is not in the templates, so an empty one is made here`,
      ),
    );
  });

  test('a table whose key no call says: the line says what to do, and doing so helps', async () => {
    const TableName = 'orders';
    const Item = { orderId: { S: '1' } };
    const world = await start(stack => {
      machine(stack, 'Machine', { Save: task('dynamodb:putItem', { TableName, Item }, { End: true }) });
    });
    const { stack, clock } = world;
    const run = async () => {
      const [first] = stack.assembly.stateMachines;
      const { executionArn } = await stack.runtime.startExecution({ stateMachineArn: first?.arn ?? '' });
      await runToEnd(stack.runtime, clock);
      return await stack.runtime.describeExecution({ executionArn });
    };

    expect(world.lines).toEqual([
      'the table orders is not in the templates, and its key is not known; ' +
        'serve a template that has it beside the app, create it with a client, or mock the state',
    ]);
    expect(await run()).toMatchObject({ error: 'DynamoDB.ResourceNotFoundException' });
    const AttributeDefinitions = [{ AttributeName: 'orderId', AttributeType: 'S' as const }];
    const KeySchema = [{ AttributeName: 'orderId', KeyType: 'HASH' as const }];
    await stack.dynamoDb.client.send(
      new CreateTableCommand({ TableName, AttributeDefinitions, KeySchema, BillingMode: 'PAY_PER_REQUEST' }),
    );
    expect(await run()).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('a template beside the app that has them: nothing is made, and nothing is said', async () => {
    const app = synthesize(stack => {
      machine(stack, 'Machine', {
        Save: task('dynamodb:putItem', { TableName: 'orders', Item: {} }, { Next: 'Send' }),
        Send: task(
          'sns:publish',
          { TopicArn: stack.formatArn({ service: 'sns', resource: 'news' }), Message: 'x' },
          { End: true },
        ),
      });
    });
    const outside = synthesize(stack => {
      new Topic(stack, 'News', { topicName: 'news' });
      const partitionKey = { name: 'orderId', type: 'S' as never };
      new Table(stack, 'Orders', { tableName: 'orders', partitionKey });
    });
    const world = await start(app, { assembly: [app, outside] });

    expect(world.lines).toEqual([]);
    const put = new PutItemCommand({ TableName: 'orders', Item: { orderId: { S: '1' } } });
    await expect(world.stack.dynamoDb.client.send(put)).resolves.toBeDefined();
  });

  test('of another account or region: nothing is made, and the call fails by its name', async () => {
    const world = await start(stack => {
      const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/222222222222/jobs';
      machine(stack, 'Machine', {
        Send: task('sqs:sendMessage', { QueueUrl, MessageBody: 'x' }, { End: true }),
      });
    });

    expect(world.stack.queues.peek('jobs')).toBeUndefined();
    expect(world.lines).toEqual([]);
  });
});
