import type { Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { FilterOrPolicy, SubscriptionFilter, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, LambdaSubscription, SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { deliverEvent, runToEnd } from '../../index';
import { bodiesOf, machine, type Started, start } from './world';

const TOPIC = 'arn:aws:sns:us-east-1:111111111111:placed';
const WORK = 'arn:aws:sqs:us-east-1:111111111111:work';
const COLOUR = { colour: { DataType: 'String', StringValue: 'red' } };

/** A topic whose messages go to a queue in envelopes, to a queue raw, and to a function. */
function shop(stack: Stack): Topic {
  const topic = new Topic(stack, 'Topic', { topicName: 'placed' });
  topic.addSubscription(new SqsSubscription(new Queue(stack, 'Work', { queueName: 'work' })));
  const raw = new Queue(stack, 'Raw', { queueName: 'raw' });
  topic.addSubscription(new SqsSubscription(raw, { rawMessageDelivery: true }));
  const code = Code.fromInline('exports.handler = async event => console.log(JSON.stringify(event));');
  const runtime = Runtime.NODEJS_22_X;
  topic.addSubscription(
    new LambdaSubscription(new LambdaFunction(stack, 'Printer', { runtime, handler: 'index.handler', code })),
  );
  return topic;
}

/** Runs the machine `publishes` to its end. */
async function published({ stack, clock }: Started) {
  const { executionArn } = await stack.runtime.startExecution({
    stateMachineArn: 'arn:aws:states:us-east-1:111111111111:stateMachine:publishes',
  });
  await runToEnd(stack.runtime, clock);
  return stack.runtime.describeExecution({ executionArn });
}

/** A request as SDKs send it. */
async function request({ stack }: Started, form: Record<string, string>) {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: 'AWS4-HMAC-SHA256 Credential=local/20261120/us-east-1/sns/aws4_request, Signature=0',
  };
  const body = new URLSearchParams({ ...form, Version: '2010-03-31' });
  const answer = await fetch(stack.endpoint, { method: 'POST', headers, body });
  return { status: answer.status, text: await answer.text() };
}

describe('a topic of the assembly', () => {
  test.each([
    ['no message', undefined, "The field 'Message' is required but was missing"],
    ['a number', 7, "The value for the field 'Message' must be a STRING"],
  ])('%s: no request is made of it', async (_, Message, reason) => {
    const world = await start(stack => {
      shop(stack);
      const Arguments = { TopicArn: TOPIC, ...(Message !== undefined && { Message }) };
      const Publish = { Type: 'Task', Resource: 'arn:aws:states:::sns:publish', Arguments, End: true };
      machine(stack, 'publishes', { Publish });
    });
    const { executionArn } = await world.stack.runtime.startExecution({
      stateMachineArn: 'arn:aws:states:us-east-1:111111111111:stateMachine:publishes',
    });
    await runToEnd(world.stack.runtime, world.clock);

    const description = await world.stack.runtime.describeExecution({ executionArn });
    expect(description).toMatchObject({
      error: 'States.Runtime',
      cause: expect.stringContaining(`[${reason}]`),
    });
    expect(bodiesOf(world, 'work')).toEqual([]);
  });

  test('a state machine publishes: each subscriber gets the message in its form', async () => {
    const world = await start(stack => {
      shop(stack);
      const Arguments = { TopicArn: TOPIC, Message: { n: 1 }, Subject: 'hello', MessageAttributes: COLOUR };
      const Publish = { Type: 'Task', Resource: 'arn:aws:states:::sns:publish', Arguments, End: true };
      machine(stack, 'publishes', { Publish });
    });
    const { executionArn } = await world.stack.runtime.startExecution({
      stateMachineArn: 'arn:aws:states:us-east-1:111111111111:stateMachine:publishes',
    });
    await runToEnd(world.stack.runtime, world.clock);

    const { output } = await world.stack.runtime.describeExecution({ executionArn });
    const { MessageId, SdkHttpMetadata } = JSON.parse(output ?? '');
    expect(SdkHttpMetadata).toMatchObject({
      HttpStatusCode: 200,
      HttpHeaders: { 'Content-Type': 'text/xml' },
    });
    const [envelope = ''] = bodiesOf(world, 'work');
    expect(envelope).toMatch(/^\{\n {2}"Type" : "Notification",\n {2}"MessageId" : "/);
    const notification = {
      Type: 'Notification',
      MessageId,
      TopicArn: TOPIC,
      Subject: 'hello',
      Message: '{"n":1}',
      Timestamp: '2026-11-20T09:00:00.000Z',
      SignatureVersion: '1',
      MessageAttributes: { colour: { Type: 'String', Value: 'red' } },
    };
    expect(JSON.parse(envelope)).toMatchObject(notification);
    expect(world.stack.queues.peek('raw')).toMatchObject([{ body: '{"n":1}', messageAttributes: COLOUR }]);
    expect(world.lines.map(line => JSON.parse(line))).toMatchObject([
      { Records: [{ EventSource: 'aws:sns', Sns: notification }] },
    ]);
  });

  test.each([['red'], [null], [{ StringValue: 'red' }], [{ DataType: 'String' }]])(
    'an attribute that is none, %j: the task fails, and no subscriber gets the message',
    async colour => {
      const world = await start(stack => {
        shop(stack);
        const Arguments = { TopicArn: TOPIC, Message: 'a', MessageAttributes: { colour } };
        const Publish = { Type: 'Task', Resource: 'arn:aws:states:::sns:publish', Arguments, End: true };
        machine(stack, 'publishes', { Publish });
      });
      expect(await published(world)).toMatchObject({
        status: 'FAILED',
        error: 'SNS.InvalidParameterValueException',
        cause: expect.stringMatching(/^The message attribute 'colour' must have /),
      });
      expect(bodiesOf(world, 'work')).toEqual([]);
    },
  );

  test('a topic that is not there: the task fails as on the service', async () => {
    const world = await start(stack => {
      const Arguments = { TopicArn: 'arn:aws:sns:us-east-1:222222222222:gone', Message: 'a' };
      const Publish = { Type: 'Task', Resource: 'arn:aws:states:::sns:publish', Arguments, End: true };
      machine(stack, 'publishes', { Publish });
    });
    expect(await published(world)).toMatchObject({
      status: 'FAILED',
      error: 'SNS.NotFoundException',
      cause: expect.stringMatching(/^Topic does not exist \(Service: AmazonSNS; Status Code: 404; /),
    });
  });

  test('a rule whose target it is: publishes the event', async () => {
    const world = await start(stack => {
      const eventBus = new EventBus(stack, 'Bus', { eventBusName: 'shop' });
      new Rule(stack, 'Rule', {
        eventBus,
        eventPattern: { source: ['shop'] },
        targets: [new SnsTopic(shop(stack))],
      });
    });

    await deliverEvent(world.stack, { source: 'shop', 'detail-type': 'x', detail: { n: 1 } }, 'shop');

    expect(JSON.parse(bodiesOf(world, 'raw')[0] ?? '')).toMatchObject({ source: 'shop', detail: { n: 1 } });
  });

  test('a filter policy: the subscriber gets what it lets through', async () => {
    const world = await start(
      stack => {
        const filterPolicy = { colour: SubscriptionFilter.stringFilter({ allowlist: ['red'] }) };
        const red = new Queue(stack, 'Red', { queueName: 'red' });
        shop(stack).addSubscription(new SqsSubscription(red, { filterPolicy, rawMessageDelivery: true }));
      },
      { port: 0 },
    );
    const attribute = 'MessageAttributes.entry.1';
    for (const colour of ['red', 'blue']) {
      await request(world, {
        Action: 'Publish',
        TopicArn: TOPIC,
        Message: colour,
        [`${attribute}.Name`]: 'colour',
        [`${attribute}.Value.DataType`]: 'String',
        [`${attribute}.Value.StringValue`]: colour,
      });
    }

    expect([bodiesOf(world, 'raw'), bodiesOf(world, 'red')]).toEqual([['red', 'blue'], ['red']]);
    expect(world.stack.notRun).toEqual([]);
  });

  test('a filter, or a protocol, that is not here: listed, and the others get the message', async () => {
    const world = await start(
      stack => {
        const topic = shop(stack);
        const allowlist = ['red'];
        const filterPolicyWithMessageBody = {
          colour: FilterOrPolicy.filter(SubscriptionFilter.stringFilter({ allowlist })),
        };
        topic.addSubscription(
          new SqsSubscription(new Queue(stack, 'Red', { queueName: 'red' }), { filterPolicyWithMessageBody }),
        );
        topic.addSubscription(new EmailSubscription('a@example.com'));
      },
      { port: 0 },
    );
    await request(world, { Action: 'Publish', TopicArn: TOPIC, Message: 'a' });

    expect(world.stack.notRun.map(({ reason }) => reason)).toEqual([
      'it delivers to email',
      'it filters by the body of messages',
    ]);
    expect([bodiesOf(world, 'raw'), bodiesOf(world, 'red')]).toEqual([['a'], []]);
  });
});

/** The fields of a request for one attribute. */
const attributeOf = (name: string, type: string, value?: string) => ({
  'MessageAttributes.entry.1.Name': name,
  'MessageAttributes.entry.1.Value.DataType': type,
  ...(value !== undefined && { 'MessageAttributes.entry.1.Value.StringValue': value }),
});

describe('requests of SNS', () => {
  test('Publish with a subject or an attribute that is not valid: rejected, and no subscriber gets the message', async () => {
    const world = await start(shop, { port: 0 });
    const codeOf = async (more: Record<string, string>) => {
      const { status, text } = await request(world, {
        ...{ Action: 'Publish', TopicArn: TOPIC, Message: 'a' },
        ...more,
      });
      return `${status} ${/<Code>(\w+)</.exec(text)?.[1]}`;
    };

    for (const Subject of ['', ' a', 'a\nb', 'é', 'x'.repeat(101)]) {
      expect([Subject, await codeOf({ Subject })]).toEqual([Subject, '400 InvalidParameter']);
    }
    for (const fields of [
      attributeOf('colour', 'String', ''),
      attributeOf('colour', 'String'),
      attributeOf('colour', 'Text', 'x'),
      attributeOf('.colour', 'String', 'x'),
      attributeOf('colour.', 'String', 'x'),
      attributeOf('co..lour', 'String', 'x'),
      attributeOf('co!our', 'String', 'x'),
      attributeOf('x'.repeat(257), 'String', 'x'),
    ]) {
      expect([fields, await codeOf(fields)]).toEqual([fields, '400 ParameterValueInvalid']);
    }
    expect(bodiesOf(world, 'raw')).toEqual([]);
    expect(await codeOf({ Subject: 'x'.repeat(100) })).toBe('200 undefined');
    expect(await codeOf(attributeOf('a.b-c_1', 'String.kind', 'x'))).toBe('200 undefined');
    expect(bodiesOf(world, 'raw')).toHaveLength(2);
  });

  test('Publish: the answer of the service, with the id of the message', async () => {
    const world = await start(shop, { port: 0 });

    const { status, text } = await request(world, {
      Action: 'Publish',
      TopicArn: TOPIC,
      Message: 'a & b',
      'MessageAttributes.entry.1.Name': 'colour',
      'MessageAttributes.entry.1.Value.DataType': 'String',
      'MessageAttributes.entry.1.Value.StringValue': 'red',
    });

    expect(status).toBe(200);
    expect(text).toMatch(
      /^<PublishResponse xmlns="[^"]+"><PublishResult><MessageId>[\w-]{36}<\/MessageId><\/PublishResult>/,
    );
    expect(world.stack.queues.peek('raw')).toMatchObject([{ body: 'a & b', messageAttributes: COLOUR }]);
  });

  test('PublishBatch: each entry alone', async () => {
    const world = await start(shop, { port: 0 });
    const entry = 'PublishBatchRequestEntries.member';

    const { text } = await request(world, {
      Action: 'PublishBatch',
      TopicArn: TOPIC,
      [`${entry}.1.Id`]: 'one',
      [`${entry}.1.Message`]: 'a',
      [`${entry}.2.Id`]: 'two',
      [`${entry}.2.Message`]: '',
    });

    expect(text).toMatch(
      /<Successful><member><Id>one<\/Id><MessageId>[\w-]{36}<\/MessageId><\/member><\/Successful>/,
    );
    expect(text).toMatch(/<Failed><member><Id>two<\/Id><Code>InvalidParameter<\/Code>.*Empty message/);
    expect(bodiesOf(world, 'raw')).toEqual(['a']);
  });

  test('CreateTopic, Subscribe, Unsubscribe: what is published reaches the subscriber meanwhile', async () => {
    const world = await start(shop, { port: 0 });
    const TopicArn = TOPIC.replace('placed', 'made');
    const say = (Message: string) => request(world, { Action: 'Publish', TopicArn, Message });

    await request(world, { Action: 'CreateTopic', Name: 'made' });
    const subscribed = await request(world, {
      Action: 'Subscribe',
      TopicArn,
      Protocol: 'sqs',
      Endpoint: WORK,
      'Attributes.entry.1.key': 'RawMessageDelivery',
      'Attributes.entry.1.value': 'true',
    });
    await say('a');
    const SubscriptionArn = /<SubscriptionArn>(.*)<\/SubscriptionArn>/.exec(subscribed.text)?.[1] ?? '';
    const listed = await request(world, { Action: 'ListSubscriptionsByTopic', TopicArn });
    await request(world, { Action: 'Unsubscribe', SubscriptionArn });
    await say('b');

    expect(listed.text).toContain(`<SubscriptionArn>${SubscriptionArn}</SubscriptionArn>`);
    expect(listed.text).toContain(`<Endpoint>${WORK}</Endpoint>`);
    expect(bodiesOf(world, 'work')).toEqual(['a']);
  });

  test('a FIFO topic: rejected with the reason', async () => {
    const define = (stack: Stack) => new Topic(stack, 'Ordered', { topicName: 'ordered', fifo: true });
    const world = await start(stack => void define(stack), { port: 0 });
    const TopicArn = TOPIC.replace('placed', 'ordered.fifo');

    const { text } = await request(world, { Action: 'Publish', TopicArn, Message: 'a' });

    expect(text).toMatch(
      /<Code>NotFound<\/Code><Message>Main\/Ordered\w+ is not run here: it is a FIFO topic</,
    );
  });

  test.each([
    [{ Action: 'Publish', TopicArn: `${TOPIC}-gone`, Message: 'a' }, 404, 'NotFound', 'Topic does not exist'],
    [{ Action: 'Publish', TopicArn: TOPIC, Message: '' }, 400, 'InvalidParameter', 'Empty message'],
    [{ Action: 'Subscribe', TopicArn: TOPIC, Protocol: 'email' }, 400, 'InvalidParameter', 'Protocol email'],
    [
      {
        Action: 'Subscribe',
        TopicArn: TOPIC,
        Protocol: 'sqs',
        Endpoint: WORK,
        'Attributes.entry.1.key': 'FilterPolicy',
        'Attributes.entry.1.value': '{"a":[{"cidr":"10.0.0.0/8"}]}',
      },
      400,
      'InvalidParameter',
      'FilterPolicy has the condition {"cidr":"10.0.0.0/8"}, which is not built',
    ],
    [{ Action: 'CreateTopic', Name: 'a b' }, 400, 'InvalidParameter', 'Topic Name'],
    [{ Action: 'Dance' }, 400, 'InvalidAction', "no action 'Dance'"],
  ])('%j: rejected with %d %s', async (form, status, code, message) => {
    const answer = await request(await start(shop, { port: 0 }), form);

    expect(answer.status).toBe(status);
    expect(answer.text).toContain(`<Error><Type>Sender</Type><Code>${code}</Code><Message>`);
    expect(answer.text).toContain(message);
  });
});
