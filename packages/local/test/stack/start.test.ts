import { Duration } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { Alias, CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { CfnStateMachine, LogLevel } from 'aws-cdk-lib/aws-stepfunctions';
import { deliverEvent, LocalError, runToEnd } from '../../index';
import { bodiesOf, bundled, machine, newDirectory, start, synthesize, T0 } from './world';

const PRINTS = 'export const handler = async event => console.log(JSON.stringify(event));';

describe('a stack that starts', () => {
  test('the queue of another mapping by an alias: its function runs', async () => {
    const world = await start(stack => {
      const queue = new Queue(stack, 'Orders', { queueName: 'orders' });
      const code =
        'export const handler = async event => console.log(event.Records[0].body, process.env.QUEUE);';
      const consumer = bundled(stack, 'Consumer', code, { environment: { QUEUE: queue.queueUrl } });
      const alias = new Alias(stack, 'Live', { aliasName: 'live', version: consumer.currentVersion });
      alias.addEventSource(new SqsEventSource(queue));
    });
    world.stack.queues.send('orders', 'a');
    await runToEnd(world.stack.runtime, world.clock);

    // The URL leads to this stack, whatever the template says.
    expect(world.lines).toEqual([
      expect.stringMatching(/^a http:\/\/127\.0\.0\.1:\d+\/111111111111\/orders$/),
    ]);
    expect(bodiesOf(world, 'orders')).toEqual([]);
  });

  test('a mapping of a missing resource: rejected with both', async () => {
    const assembly = synthesize(stack => {
      const eventSourceArn = 'arn:aws:sqs:us-east-1:222222222222:gone';
      new CfnEventSourceMapping(stack, 'Source', { eventSourceArn, functionName: 'none' });
    });

    const starting = start(assembly);

    await expect(starting).rejects.toThrow(LocalError);
    await expect(starting).rejects.toThrow(/Main\/Source: there is no queue arn:aws:sqs:.*gone/);
    await expect(starting).rejects.toThrow(/Main\/Source: there is no function none/);
  });

  test('a machine that Step Functions would reject: rejected in its words, and with what is wrong within', async () => {
    const assembly = synthesize(stack => {
      const Parameters = { name: { 'x.$': 'States.Uppercase($.name)', 'y.$': 'States.Format($.name' } };
      const states = { S: { Type: 'Pass', Parameters, OutputPath: '$.a[', End: true } };
      new CfnStateMachine(stack, 'Machine', {
        roleArn: 'arn:aws:iam::111111111111:role/r',
        definition: { StartAt: 'S', States: states },
      });
    });

    const starting = start(assembly);

    await expect(starting).rejects.toThrow(
      /'x\.\$' must be a valid JSONPath or a valid intrinsic function call at \/States\/S\/Parameters/,
    );
    await expect(starting).rejects.toThrow(
      /^ +\/States\/S\/Parameters: `name\.x\.\$`: there is no function 'States\.Uppercase'$/m,
    );
    await expect(starting).rejects.toThrow(/`name\.y\.\$`: .*the text ends at position/);
    await expect(starting).rejects.toThrow(/\/States\/S\/OutputPath: .*at position 5/);
  });

  test('a rule whose target is a function: it gets the event, and counts as work', async () => {
    const world = await start(stack => {
      const eventBus = new EventBus(stack, 'Bus', { eventBusName: 'shop' });
      const target = new LambdaTarget(bundled(stack, 'Printer', PRINTS));
      new Rule(stack, 'Rule', { eventBus, eventPattern: { source: ['shop'] }, targets: [target] });
    });

    await deliverEvent(world.stack, { source: 'shop', 'detail-type': 'x', detail: { n: 1 } }, 'shop');
    await world.stack.runtime.work.idle();

    expect(JSON.parse(world.lines[0] ?? '')).toMatchObject({ source: 'shop', detail: { n: 1 } });
  });

  test('what a machine logs and traces: described, also after a deployment that changes it', async () => {
    const define = (level: LogLevel) => (stack: Parameters<typeof machine>[0]) => {
      const destination = new LogGroup(stack, 'Log', { logGroupName: 'log' });
      machine(
        stack,
        'logs',
        { Pass: { Type: 'Pass', End: true } },
        {
          tracingEnabled: true,
          logs: { destination, level, includeExecutionData: true },
        },
      );
    };
    const state = newDirectory();
    const described = async (level: LogLevel) => {
      const { stack } = await start(define(level), { state });
      const { loggingConfiguration, tracingConfiguration } = stack.runtime.machines.list()[0] ?? {};
      await stack.close();
      return { loggingConfiguration, tracingConfiguration };
    };

    expect(await described(LogLevel.ERROR)).toMatchObject({
      loggingConfiguration: { level: 'ERROR', includeExecutionData: true, destinations: [{}] },
      tracingConfiguration: { enabled: true },
    });
    expect(await described(LogLevel.ALL)).toMatchObject({ loggingConfiguration: { level: 'ALL' } });
  });
});

describe('options of a stack', () => {
  const define = (stack: Parameters<typeof machine>[0]) =>
    machine(stack, 'only', { Pass: { Type: 'Pass', End: true } });

  test('one that there is not: rejected, with the one that is near', async () => {
    await expect(start(define, { prt: 0 } as object)).rejects.toMatchObject({
      name: 'LocalError',
      code: 'InvalidRequest',
      message: expect.stringContaining(
        '`startLocal` has no option `prt`; did you mean `port`? It has assembly,',
      ),
    });
  });

  test.each([99_999, -1, 1.5, Number.NaN, 'http' as never])('%p as a port: rejected', async port => {
    await expect(start(define, { port })).rejects.toMatchObject({
      name: 'LocalError',
      code: 'PortUnavailable',
      message: expect.stringContaining(`to 65535, got ${port}`),
    });
  });
});

test('log groups: those of the assembly, and of its machines, may be logged to', async () => {
  const { stack } = await start(
    parent => {
      new LogGroup(parent, 'Log', { logGroupName: 'own' });
      const destination = LogGroup.fromLogGroupName(parent, 'Other', 'elsewhere');
      const logs = { destination, level: LogLevel.ALL };
      machine(parent, 'logs', { Pass: { Type: 'Pass', End: true } }, { logs });
    },
    { port: 0 },
  );
  const [known] = stack.runtime.machines.list();
  const create = async (group: string) => {
    const arn = known?.arn.split(':stateMachine:')[0]?.replace(':states:', ':logs:');
    const destination = { cloudWatchLogsLogGroup: { logGroupArn: `${arn}:log-group:${group}:*` } };
    const response = await fetch(stack.endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'AWSStepFunctions.CreateStateMachine',
      },
      body: JSON.stringify({
        name: group,
        roleArn: known?.roleArn,
        definition: known?.definitionText,
        loggingConfiguration: { level: 'ALL', destinations: [destination] },
      }),
    });
    return response.status === 200 ? 'created' : ((await response.json()) as { message: string }).message;
  };

  expect(await create('own')).toBe('created');
  expect(await create('elsewhere')).toBe('created');
  expect(await create('none')).toBe('Invalid Logging Configuration: Log Destination not found.');
});

describe('a stack with a state directory', () => {
  test('messages that a function had when the stack ended: there again after their timeout', async () => {
    const assembly = (code: string) =>
      synthesize(stack => {
        const queue = new Queue(stack, 'Orders', {
          queueName: 'orders',
          visibilityTimeout: Duration.seconds(90),
        });
        bundled(stack, 'Consumer', code, { timeout: Duration.seconds(60) }).addEventSource(
          new SqsEventSource(queue),
        );
      });
    const state = newDirectory();
    const first = await start(
      assembly('export const handler = () => new Promise(() => setInterval(() => 0, 1e6));'),
      {
        state,
      },
    );
    first.stack.queues.send('orders', 'a');
    await new Promise(resolve => setImmediate(resolve));
    expect(first.stack.queues.counts('orders')).toMatchObject({ notVisible: 1 });
    await first.stack.close();

    const second = await start(assembly(PRINTS), { state, at: T0 + 10_000 });
    expect(second.stack.queues.counts('orders')).toMatchObject({ notVisible: 1 });
    await runToEnd(second.stack.runtime, second.clock);

    expect(JSON.parse(second.lines[0] ?? '')).toMatchObject({
      Records: [{ body: 'a', attributes: { ApproximateReceiveCount: '2', SentTimestamp: String(T0) } }],
    });
    expect(second.clock.now()).toBe(T0 + 90_000);
    expect(bodiesOf(second, 'orders')).toEqual([]);
  });
});
