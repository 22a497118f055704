import { Duration, type Stack } from 'aws-cdk-lib';
import { SqsEventSource, type SqsEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { advanceBy, runToEnd } from '../../index';
import { bodiesOf, bundled, machine, type Started, start, T0 } from './world';

/** A queue `orders` with the dead-letter queue `dead`, and a function that takes from it. */
function consumer(code: string, props: SqsEventSourceProps = {}) {
  return (stack: Stack) => {
    const dead = new Queue(stack, 'Dead', { queueName: 'dead' });
    const queue = new Queue(stack, 'Orders', {
      queueName: 'orders',
      visibilityTimeout: Duration.seconds(60),
      deadLetterQueue: { queue: dead, maxReceiveCount: 3 },
    });
    const source = new SqsEventSource(queue, { reportBatchItemFailures: true, ...props });
    bundled(stack, 'Consumer', code, { functionName: 'consumer' }).addEventSource(source);
  };
}

/** Writes the bodies it gets, in one line per invocation. */
const PRINTS = 'console.log(JSON.stringify(event.Records.map(r => r.body)));';

function send({ stack }: Started, ...bodies: readonly string[]) {
  return bodies.map(body => stack.queues.send('orders', body)?.messageId);
}

describe('an event source mapping', () => {
  test('messages sent together: one batch, in the shape of AWS, deleted when the function is done', async () => {
    const world = await start(
      consumer('export const handler = async event => console.log(JSON.stringify(event));'),
    );
    const [first] = send(world, 'one');
    world.stack.queues.send('orders', 'two', {
      messageAttributes: { kind: { DataType: 'String', StringValue: 'x' } },
    });

    expect(await runToEnd(world.stack.runtime, world.clock)).toEqual({ kind: 'ended' });

    expect(world.lines).toHaveLength(1);
    const { Records } = JSON.parse(world.lines[0] ?? '');
    expect(Records[0]).toEqual({
      messageId: first,
      receiptHandle: expect.any(String),
      body: 'one',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: String(T0),
        SenderId: '111111111111',
        ApproximateFirstReceiveTimestamp: String(T0),
      },
      messageAttributes: {},
      md5OfBody: 'f97c5d29941bfb1b2fdab0874906ab82',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:111111111111:orders',
      awsRegion: 'us-east-1',
    });
    expect(Records[1]).toMatchObject({
      messageAttributes: {
        kind: { stringValue: 'x', stringListValues: [], binaryListValues: [], dataType: 'String' },
      },
      md5OfMessageAttributes: '57dd03eb020678b56fd5c31e88f4cff1',
    });
    expect(bodiesOf(world, 'orders')).toEqual([]);
    expect(world.clock.now()).toBe(T0);
  });

  test('one of a batch fails: it alone comes again after the visibility timeout, and is a dead letter in the end', async () => {
    const code = `export const handler = async event => {
      ${PRINTS}
      const failed = event.Records.filter(r => r.body === 'bad');
      return { batchItemFailures: failed.map(r => ({ itemIdentifier: r.messageId })) };
    };`;
    const world = await start(consumer(code));
    send(world, 'good', 'bad', 'fine');

    await runToEnd(world.stack.runtime, world.clock);

    expect(world.lines).toEqual(['["good","bad","fine"]', '["bad"]', '["bad"]']);
    expect(bodiesOf(world, 'orders')).toEqual([]);
    expect(world.stack.queues.peek('dead')).toMatchObject([{ body: 'bad', receiveCount: 3, sentAt: T0 }]);
    expect(world.clock.now()).toBe(T0 + 180_000);
  });

  test.each([
    ['FIFO', 'orders.fifo', 2],
    ['standard', 'orders', 1],
  ])(
    'a message of a %s queue that is visible before its function ends: received so often',
    async (kind, queueName, receives) => {
      const code = `export const handler = async event => {
        ${PRINTS}
        const ms = event.Records[0].body === 'first' ? 100 : 500;
        await new Promise(resolve => setTimeout(resolve, ms));
      };`;
      const isFifo = kind === 'FIFO';
      const world = await start(stack => {
        const queue = new Queue(stack, 'Orders', {
          queueName,
          visibilityTimeout: Duration.seconds(60),
          ...(isFifo && { fifo: true, contentBasedDeduplication: true }),
        });
        // Two at a time: while both are at work, a third receive has to wait.
        const source = new SqsEventSource(queue, { batchSize: 1, maxConcurrency: 2 });
        bundled(stack, 'Consumer', code, { functionName: 'consumer' }).addEventSource(source);
      });
      const { queues, runtime } = world.stack;
      for (const body of ['first', 'other']) {
        queues.send(queueName, body, isFifo ? { messageGroupId: body } : {});
      }
      await new Promise(resolve => setImmediate(resolve));
      const { receiptHandle = '' } = queues.peek(queueName)?.[0] ?? {};
      expect(queues.changeVisibility(queueName, receiptHandle, 0)).toBe('changed');

      await runToEnd(runtime, world.clock);

      expect(world.lines.filter(line => line === '["first"]')).toHaveLength(receives);
      expect(bodiesOf(world, queueName)).toEqual([]);
    },
  );

  test.each<[string, string, boolean, 'deleted' | 'not deleted']>([
    ['no answer', 'undefined', true, 'deleted'],
    ['null', 'null', true, 'deleted'],
    ['an empty object', '{}', true, 'deleted'],
    ['an empty list', '{ batchItemFailures: [] }', true, 'deleted'],
    ['null for the list', '{ batchItemFailures: null }', true, 'deleted'],
    ['a text', '"no"', true, 'not deleted'],
    ['no list', '{ batchItemFailures: {} }', true, 'not deleted'],
    ['an identifier of no message', '{ batchItemFailures: [{ itemIdentifier: "x" }] }', true, 'not deleted'],
    ['an empty identifier', '{ batchItemFailures: [{ itemIdentifier: "" }] }', true, 'not deleted'],
    ['an identifier that is null', '{ batchItemFailures: [{ itemIdentifier: null }] }', true, 'not deleted'],
    ['an identifier under another name', '{ batchItemFailures: [{ id: "x" }] }', true, 'not deleted'],
    ['an error', '(() => { throw new Error("no") })()', true, 'not deleted'],
    ['an error, failures not reported', '(() => { throw new Error("no") })()', false, 'not deleted'],
    ['failures that are not asked for', '{ batchItemFailures: [{ itemIdentifier: "x" }] }', false, 'deleted'],
  ])('%s: the whole batch is so', async (_case, answer, reportBatchItemFailures, then) => {
    const code = `export const handler = async () => (${answer});`;
    const world = await start(consumer(code, { reportBatchItemFailures }));
    send(world, 'a', 'b');

    await world.stack.runtime.work.idle();

    const left = then === 'deleted' ? { visible: 0, notVisible: 0 } : { visible: 0, notVisible: 2 };
    expect(world.stack.queues.counts('orders')).toMatchObject(left);
  });

  test('more than a batch, and a bound: so many at a time, all of them in the end', async () => {
    const code = `export const handler = async event => {
      ${PRINTS}
      await new Promise(resolve => setTimeout(resolve, 20));
    };`;
    const world = await start(consumer(code, { batchSize: 2, maxConcurrency: 2 }));
    send(world, '1', '2', '3', '4', '5');
    // A message that is not received yet is visible.
    await new Promise(resolve => setImmediate(resolve));
    expect(world.stack.queues.counts('orders')).toMatchObject({ visible: 1, notVisible: 4 });

    await runToEnd(world.stack.runtime, world.clock);

    expect([...world.lines].sort()).toEqual(['["1","2"]', '["3","4"]', '["5"]']);
    expect(world.clock.now()).toBe(T0);
  });

  test.each([{}, { maxConcurrency: 20 }])('%j: as many batches at a time as a function runs', async bound => {
    const code = 'export const handler = async () => new Promise(resolve => setTimeout(resolve, 20));';
    const world = await start(consumer(code, { batchSize: 1, ...bound }));
    send(world, '1', '2', '3', '4', '5', '6');
    await new Promise(resolve => setImmediate(resolve));
    expect(world.stack.queues.counts('orders')).toMatchObject({ visible: 2, notVisible: 4 });

    await world.stack.runtime.work.idle();
    expect(bodiesOf(world, 'orders')).toEqual([]);
  });

  test('more than 6 MB of messages: in two batches, as none may be larger', async () => {
    const code = 'export const handler = async event => console.log(event.Records.length);';
    const world = await start(consumer(code, { batchSize: 100, maxBatchingWindow: Duration.seconds(20) }));
    send(world, ...Array.from({ length: 25 }, () => 'x'.repeat(250_000)));

    await runToEnd(world.stack.runtime, world.clock);

    expect(world.lines.toSorted()).toEqual(['2', '23']);
    expect(bodiesOf(world, 'orders')).toEqual([]);
  });

  test('a batching window: messages wait for it, or until the batch is full', async () => {
    const props = { batchSize: 12, maxBatchingWindow: Duration.seconds(20) };
    const world = await start(consumer(`export const handler = async event => { ${PRINTS} };`, props));
    send(world, 'a');
    await advanceBy(world.stack.runtime, world.clock, 19_999);
    send(world, 'b');
    await world.stack.runtime.work.idle();
    expect(world.lines).toEqual([]);

    await advanceBy(world.stack.runtime, world.clock, 1);
    expect(world.lines).toEqual(['["a","b"]']);
    const many = Array.from({ length: 13 }, (_, n) => String(n));
    send(world, ...many);
    await world.stack.runtime.work.idle();
    expect(world.lines[1]).toBe(JSON.stringify(many.slice(0, 12)));
    await runToEnd(world.stack.runtime, world.clock);
    expect(world.lines[2]).toBe('["12"]');
    expect(world.clock.now()).toBe(T0 + 40_000);
  });

  test('a delayed message: taken when its time has come', async () => {
    const world = await start(consumer(`export const handler = async event => { ${PRINTS} };`));
    world.stack.queues.send('orders', 'later', { delaySeconds: 90 });
    await world.stack.runtime.work.idle();
    expect(world.lines).toEqual([]);

    await runToEnd(world.stack.runtime, world.clock);

    expect(world.lines).toEqual(['["later"]']);
    expect(world.clock.now()).toBe(T0 + 90_000);
  });

  test('not enabled: messages stay, and are not waited for', async () => {
    const world = await start(
      consumer(`export const handler = async event => { ${PRINTS} };`, { enabled: false }),
    );
    send(world, 'a');

    expect(await runToEnd(world.stack.runtime, world.clock)).toEqual({ kind: 'ended' });
    expect(world.lines).toEqual([]);
    expect(world.stack.queues.counts('orders')).toEqual({ visible: 1, notVisible: 0, delayed: 0 });
  });

  test('a time limit before the message comes again: what is still to come is named', async () => {
    const world = await start(consumer('export const handler = async () => { throw new Error("no"); };'));
    send(world, 'a');

    expect(await runToEnd(world.stack.runtime, world.clock, T0 + 30_000)).toEqual({
      kind: 'waiting',
      executionArns: [],
      expected: ['messages of arn:aws:sqs:us-east-1:111111111111:orders'],
    });
  });
});

describe('a function that starts executions with the AWS SDK', () => {
  const CODE = `
    import { SFNClient, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
    const client = new SFNClient({});
    export const handler = async event => {
      const batchItemFailures = [];
      await Promise.all(event.Records.map(async record => {
        const stateMachineArn = process.env.MACHINE;
        const answer = await client.send(new StartSyncExecutionCommand({ stateMachineArn, input: record.body }));
        console.log(answer.status, answer.output);
        if (answer.status !== 'SUCCEEDED') batchItemFailures.push({ itemIdentifier: record.messageId });
      }));
      return { batchItemFailures };
    };`;
  const define = (stack: Stack) => {
    const queue = new Queue(stack, 'Orders', {
      queueName: 'orders',
      visibilityTimeout: Duration.minutes(10),
    });
    const worker = machine(
      stack,
      'worker',
      {
        Rest: { Type: 'Wait', Seconds: '{% $states.input.seconds %}', Next: 'Judge' },
        Judge: {
          Type: 'Choice',
          Choices: [{ Condition: '{% $states.input.word = "bad" %}', Next: 'Fail' }],
          Default: 'Tell',
        },
        Tell: { Type: 'Pass', Output: '{% $states.input.word %}', End: true },
        Fail: { Type: 'Fail', Error: 'No' },
      },
      { stateMachineType: StateMachineType.EXPRESS },
    );
    const environment = { MACHINE: worker.stateMachineArn, QUEUE: queue.queueUrl };
    const consumes = bundled(stack, 'Consumer', CODE, { environment, timeout: Duration.seconds(30) });
    consumes.addEventSource(new SqsEventSource(queue, { reportBatchItemFailures: true }));
  };

  test('StartSyncExecution of one that waits for minutes: answered on the virtual clock', async () => {
    const world = await start(define);
    world.stack.queues.send('orders', '{"word":"a","seconds":200}');

    expect(await runToEnd(world.stack.runtime, world.clock)).toEqual({ kind: 'ended' });

    expect(world.lines).toEqual(['SUCCEEDED "a"']);
    expect(world.clock.now()).toBe(T0 + 200_000);
    expect(bodiesOf(world, 'orders')).toEqual([]);
  });

  test('several at once: all of them answered, in one invocation', async () => {
    const world = await start(define);
    for (const [word, seconds] of Object.entries({ a: 60, b: 0, c: 200 })) {
      world.stack.queues.send('orders', JSON.stringify({ word, seconds }));
    }

    expect(await runToEnd(world.stack.runtime, world.clock)).toEqual({ kind: 'ended' });

    expect([...world.lines].sort()).toEqual(['SUCCEEDED "a"', 'SUCCEEDED "b"', 'SUCCEEDED "c"']);
    expect(bodiesOf(world, 'orders')).toEqual([]);
  });

  test('an execution that fails: its message comes again', async () => {
    const world = await start(define);
    world.stack.queues.send('orders', '{"word":"bad","seconds":0}');
    world.stack.queues.send('orders', '{"word":"a","seconds":0}');

    await world.stack.runtime.work.idle();

    expect(world.stack.queues.peek('orders')).toMatchObject([{ body: '{"word":"bad","seconds":0}' }]);
  });
});

test('a function that waits for a message: gets it on the virtual clock', async () => {
  // As an SDK's client asks.
  const code = `
    export const handler = async () => {
      const response = await fetch(process.env.AWS_ENDPOINT_URL_SQS, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': 'AmazonSQS.ReceiveMessage',
          'x-amzn-trace-id': process.env._X_AMZN_TRACE_ID,
        },
        body: JSON.stringify({ QueueUrl: process.env.QUEUE, WaitTimeSeconds: 20 }),
      });
      const { Messages = [] } = await response.json();
      console.log(Messages.map(({ Body }) => Body).join());
    };`;
  const world = await start(stack => {
    const answers = new Queue(stack, 'Answers', { queueName: 'answers' });
    const orders = new Queue(stack, 'Orders', {
      queueName: 'orders',
      visibilityTimeout: Duration.minutes(10),
    });
    const environment = { QUEUE: answers.queueUrl };
    const waits = bundled(stack, 'Waits', code, { environment, timeout: Duration.seconds(30) });
    waits.addEventSource(new SqsEventSource(orders));
  });
  world.stack.queues.send('answers', 'yes', { delaySeconds: 7 });
  world.stack.queues.send('orders', 'ask');

  expect(await runToEnd(world.stack.runtime, world.clock)).toEqual({ kind: 'ended' });

  expect(world.lines).toEqual(['yes']);
});
