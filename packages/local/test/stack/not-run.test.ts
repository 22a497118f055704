import { type Stack, Tags } from 'aws-cdk-lib';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { Code, Function as LambdaFunction, Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody } from 'aws-cdk-lib/aws-stepfunctions';
import { deliverEvent, runToEnd } from '../../index';
import { bodiesOf, machine, newDirectory, start } from './world';

const JSON_TYPE = { 'content-type': 'application/json' };
const PASS = { Pass: { Type: 'Pass', End: true } };
const MACHINES = 'arn:aws:states:us-east-1:111111111111:stateMachine';

function task(resource: string, args: object): object {
  return { Type: 'Task', Resource: `arn:aws:states:::${resource}`, Arguments: args, End: true };
}

const NO_WRITER = 'WriterConfig (Distributed Map) is not supported by the local engine yet';

function legacyMachine(stack: Stack): void {
  const ItemProcessor = {
    ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    StartAt: 'Pass',
    States: PASS,
  };
  const ResultWriter = {
    Resource: 'arn:aws:states:::s3:putObject',
    Parameters: { Bucket: 'b' },
    WriterConfig: { Transformation: 'COMPACT' },
  };
  const states = { Old: { Type: 'Map', ItemProcessor, ResultWriter, End: true } };
  const definitionBody = DefinitionBody.fromString(JSON.stringify({ StartAt: 'Old', States: states }));
  machine(stack, 'legacy', {}, { definitionBody });
}

function reportFunction(stack: Stack): LambdaFunction {
  const code = Code.fromInline('def handler(event, context): pass');
  // AWS takes no inline code for it, but that does not matter here.
  const runtime = new Runtime('ruby3.3', RuntimeFamily.RUBY, { supportsInlineCode: true });
  return new LambdaFunction(stack, 'Report', {
    runtime,
    handler: 'index.handler',
    functionName: 'report',
    code,
  });
}

/** One of each that is not run, with what hands events and messages to it. */
function foreignApp(stack: Stack): void {
  const report = reportFunction(stack);
  report.addEventSource(new SqsEventSource(new Queue(stack, 'Reports', { queueName: 'reports' })));
  const eventBus = new EventBus(stack, 'Bus', { eventBusName: 'shop' });
  const deadLetterQueue = new Queue(stack, 'Dead', { queueName: 'dead' });
  const targets = [new LambdaTarget(report, { deadLetterQueue })];
  new Rule(stack, 'Rule', { eventBus, eventPattern: { source: ['shop'] }, targets });
  legacyMachine(stack);
  machine(stack, 'runs', PASS);
  new Bucket(stack, 'Uploads');
  new Secret(stack, 'Password');
  const partitionKey = { name: 'id', type: AttributeType.STRING };
  new Table(stack, 'Table', { partitionKey, stream: StreamViewType.NEW_IMAGE });
  Tags.of(stack).add('app', 'foreign');
}

/** A request as AWS clients send it, and the answer's status with what it says. */
async function request(endpoint: string | undefined, path: string, headers: object, body: object) {
  const init = { method: 'POST', headers: { ...headers }, body: JSON.stringify(body) };
  const answer = await fetch(`${endpoint}${path}`, init);
  return { status: answer.status, body: await answer.json() };
}

describe('a stack with resources that are not run', () => {
  test('starts, and lists each with its reason', async () => {
    const { stack } = await start(foreignApp);

    expect(stack.notRun.map(({ type, names, reason }) => [type, names.at(-1), reason])).toEqual([
      [
        'AWS::Lambda::Function',
        expect.stringMatching(/^arn:aws:lambda:.*:report$/),
        'it has the runtime ruby3.3',
      ],
      ['AWS::SecretsManager::Secret', undefined, undefined],
      ['AWS::StepFunctions::StateMachine', 'legacy', NO_WRITER],
    ]);
    expect(stack.runtime.machines.list().map(({ name }) => name)).toEqual(['runs']);
  });

  test('a call of a function: rejected with its reason', async () => {
    const { stack } = await start(foreignApp, { port: 0 });

    const invoked = await request(stack.endpoint, '/2015-03-31/functions/report/invocations', JSON_TYPE, {});

    expect(invoked).toEqual({
      status: 502,
      body: {
        Type: 'Service',
        Message: expect.stringMatching(
          /^Main\/Report\w+ is not run here: it has the runtime ruby3.3; pass --function '/,
        ),
      },
    });
  });

  test.each([['legacy'], ['legacy:live']])('the start of %s: rejected with its reason', async name => {
    const { stack } = await start(foreignApp);

    const starting = stack.runtime.startExecution({ stateMachineArn: `${MACHINES}:${name}` });

    await expect(starting).rejects.toThrow(
      /^State Machine Does Not Exist: '.*'; Main\/legacy\w+ is not run here: WriterConfig/,
    );
  });

  test('an event for a function that is not run: in the dead-letter queue of the rule', async () => {
    const world = await start(foreignApp);

    const delivered = deliverEvent(world.stack, { source: 'shop', 'detail-type': 'x', detail: {} }, 'shop');

    await expect(delivered).rejects.toThrow(
      /it has the runtime ruby3\.3; the event is in the dead-letter queue/,
    );
    expect(bodiesOf(world, 'dead')).toHaveLength(1);
  });

  test('a message for a function that is not run: stays in its queue', async () => {
    const world = await start(foreignApp);
    world.stack.queues.send('reports', 'a');
    await runToEnd(world.stack.runtime, world.clock);

    expect(bodiesOf(world, 'reports')).toEqual(['a']);
  });

  test('a machine that ran before and calls what is not run now: gone, and rejected with its reason', async () => {
    const state = newDirectory();
    const before = await start(stack => machine(stack, 'legacy', PASS), { state, seed: undefined });
    await before.stack.close();

    const { stack } = await start(legacyMachine, { state, seed: undefined });

    expect(stack.runtime.machines.list()).toEqual([]);
    const starting = stack.runtime.startExecution({ stateMachineArn: `${MACHINES}:legacy` });
    await expect(starting).rejects.toThrow(NO_WRITER);
  });
});

describe('a machine that calls what is not run', () => {
  test.each([
    ['a function', 'Report', /^Main\/Report\w+ is not run here: it has the runtime ruby3\.3/],
    ['a topic', 'Send', /^Main\/Ordered\w+ is not run here: it is a FIFO topic/],
    ['another machine', 'Start', /Main\/legacy\w+ is not run here: WriterConfig/],
  ])('%s: the app starts, and the call fails with the reason', async (_, StartAt, reason) => {
    const { stack, clock } = await start(scope => {
      const report = reportFunction(scope);
      const ordered = new Topic(scope, 'Ordered', { fifo: true });
      legacyMachine(scope);
      const states = {
        Report: task('lambda:invoke', { FunctionName: `${report.functionArn}:live` }),
        Send: task('sns:publish', { TopicArn: ordered.topicArn, Message: 'a' }),
        Start: task('states:startExecution', { StateMachineArn: `${MACHINES}:legacy` }),
      };
      machine(scope, 'calls', {
        Which: { Type: 'Pass', Next: StartAt },
        [StartAt]: states[StartAt as 'Send'],
      });
    });
    const { executionArn } = await stack.runtime.startExecution({ stateMachineArn: `${MACHINES}:calls` });
    await runToEnd(stack.runtime, clock);

    const { status, cause } = await stack.runtime.describeExecution({ executionArn });

    expect(status).toBe('FAILED');
    expect(cause).toMatch(reason);
  });
});

test('an inline function: runs', async () => {
  const { stack } = await start(scope => {
    const code = Code.fromInline('exports.handler = async event => ({ got: event.n, in: __filename });');
    const runtime = Runtime.NODEJS_22_X;
    new LambdaFunction(scope, 'Inline', { runtime, handler: 'index.handler', functionName: 'inline', code });
  });

  expect(await stack.functions.invoke('inline', { n: 1 })).toEqual({
    kind: 'succeeded',
    payload: { got: 1, in: expect.stringMatching(/\/index\.js$/) },
  });
});
