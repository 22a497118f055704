import { spawnSync } from 'node:child_process';
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import {
  Code,
  Function as LambdaFunction,
  Runtime,
  RuntimeFamily,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { DeduplicationScope, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { renderSummary } from '../../../cli/dev/render';
import { newDirectory } from '../../support/shared';
import { cleanUp, endOf, type Started, start } from './started';

/** A runtime that the local stack does not have; AWS takes no inline code for it, but that does not matter here. */
const RUBY = new Runtime('ruby3.4', RuntimeFamily.RUBY, { supportsInlineCode: true });
const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

const NO_PARQUET = 'InputType PARQUET (Distributed Map) is not supported by the local engine yet';

/** An app that holds one of each: what runs, and what the local stack does not know. */
function mixedApp(): string {
  const app = new App({ outdir: newDirectory() });
  const stack = new Stack(app, 'Mixed');
  new Secret(stack, 'Password');
  const removal = { autoDeleteObjects: true, removalPolicy: RemovalPolicy.DESTROY };
  new Bucket(stack, 'Uploads', { bucketName: 'uploads', versioned: true, ...removal });
  const partitionKey = { name: 'id', type: AttributeType.STRING };
  const table = new Table(stack, 'Table', {
    tableName: 'orders',
    partitionKey,
    stream: StreamViewType.NEW_IMAGE,
  });
  const deduplicationScope = DeduplicationScope.MESSAGE_GROUP;
  new Queue(stack, 'Ordered', { queueName: 'ordered.fifo', fifo: true, deduplicationScope });
  const topic = new Topic(stack, 'Topic', { topicName: 'placed' });
  topic.addSubscription(
    new SqsSubscription(new Queue(stack, 'Work', { queueName: 'work', encryption: QueueEncryption.KMS })),
  );
  const inlined = inline(stack, 'inline', Runtime.NODEJS_22_X, 'exports.handler = async () => "ran";');
  inlined.addEventSource(new DynamoEventSource(table, { startingPosition: StartingPosition.LATEST }));
  inline(stack, 'report', Runtime.PYTHON_3_12, 'def handler(event, context): return {"total": event["n"]}');
  inline(stack, 'invoice', RUBY, 'def handler(event:, context:) = 1');
  machine(stack, 'runs', { QueryLanguage: 'JSONata', StartAt: 'Call', States: calls('inline', {}) });
  // A machine that runs and calls what does not would stop the start.
  if (HAS_PYTHON)
    machine(stack, 'reports', {
      QueryLanguage: 'JSONata',
      StartAt: 'Call',
      States: calls('report', { n: 2 }),
    });
  const Pick = { Type: 'Pass', InputPath: '$.order', End: true };
  machine(stack, 'picks', { StartAt: 'Pick', States: { Pick } });
  const ItemReader = {
    Resource: 'arn:aws:states:::s3:getObject',
    Parameters: { Bucket: 'uploads', Key: 'rows' },
    ReaderConfig: { InputType: 'PARQUET' },
  };
  const ProcessorConfig = { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' };
  const ItemProcessor = { ProcessorConfig, StartAt: 'Row', States: { Row: { Type: 'Pass', End: true } } };
  const Train = { Type: 'Map', ItemReader, ItemProcessor, End: true };
  machine(stack, 'trains', { StartAt: 'Train', States: { Train } });
  return app.synth().directory;
}

/** Calls a function, stores what it answers in the bucket, and tells what is stored. */
function calls(FunctionName: string, Payload: object): object {
  const place = { Bucket: 'uploads', Key: FunctionName };
  const task = (resource: string) => ({ Type: 'Task', Resource: `arn:aws:states:::${resource}` });
  const Arguments = { FunctionName, Payload };
  const put = { ...place, Body: '{% $states.result.Payload %}' };
  return {
    Call: { ...task('lambda:invoke'), Arguments, Output: put, Next: 'Put' },
    Put: { ...task('aws-sdk:s3:putObject'), Arguments: '{% $states.input %}', Next: 'Get' },
    Get: {
      ...task('aws-sdk:s3:getObject'),
      Arguments: place,
      Output: '{% $states.result.Body %}',
      End: true,
    },
  };
}

function inline(stack: Stack, functionName: string, runtime: Runtime, code: string): LambdaFunction {
  const handler = 'index.handler';
  return new LambdaFunction(stack, functionName, {
    functionName,
    runtime,
    handler,
    code: Code.fromInline(code),
  });
}

function machine(stack: Stack, stateMachineName: string, definition: object): void {
  const definitionBody = DefinitionBody.fromString(JSON.stringify(definition));
  new StateMachine(stack, stateMachineName, { stateMachineName, definitionBody });
}

describe('onceflow dev with an app that holds one of each', () => {
  let started: Started;
  beforeAll(async () => {
    started = await start('--assembly', mixedApp());
  }, 60_000);
  afterAll(cleanUp);

  test('starts, and says in a line for each kind what it does not run', () => {
    const python = {
      machine: HAS_PYTHON ? '\n                 reports' : '',
      function: HAS_PYTHON ? '\n                 report' : '',
      notRun: HAS_PYTHON
        ? ''
        : '\n                 function report: it has the runtime python3.12, and there is no python3 on the PATH',
    };
    const noQueue = 'its source is not a queue';
    const text = renderSummary(started.summary)
      .replaceAll(/-[0-9a-f]{8}\b|[0-9A-F]{8,}/g, '')
      .replaceAll(/http:\S+\/(?=work|ordered)/g, 'URL of ');

    expect(text).toContain(`
  state machine  runs${python.machine}
                 picks
  table          orders
  function       Mixed-CustomS3AutoDeleteObjectsCustomResourceProviderHa
                 inline${python.function}
  queue          URL of ordered.fifo
                 URL of work
  topic          arn:aws:sns:us-east-1::placed
  bucket         uploads
  not run        AWS::SecretsManager::Secret Password
                 AWS::KMS::Key Mixed-WorkKey
                 event source mapping Mixed-inlineDynamoDBEventSourceMixedTable: ${noQueue}${python.notRun}
                 function invoice: it has the runtime ruby3.4
                 state machine trains: ${NO_PARQUET}
`);
  });

  test('the example to begin with: says that its input is unknown', () => {
    expect(started.summary.example).toMatchObject({
      input: {},
      key: null,
      about: 'The definition does not show which input runs takes. Replace {} by it.',
    });
  });

  test('what runs: runs, and stores its result', async () => {
    await expect(outcomeOf('runs')).resolves.toMatchObject({ status: 'SUCCEEDED', output: '"\\"ran\\""' });
  });

  test('a machine in JSONPath: runs', async () => {
    await expect(outcomeOf('picks', '{"order":{"id":1}}')).resolves.toMatchObject({
      status: 'SUCCEEDED',
      output: '{"id":1}',
    });
  });

  const testWithPython = HAS_PYTHON ? test : test.skip;

  testWithPython('a function in Python (where there is a python3): runs', async () => {
    await expect(outcomeOf('reports')).resolves.toMatchObject({
      status: 'SUCCEEDED',
      output: '"{\\"total\\":2}"',
    });
  });

  async function outcomeOf(name: string, input = '{}') {
    const stateMachineArn = started.summary.stateMachines.find(machine => machine.name === name)?.arn;
    const { executionArn } = await started.sfn.startExecution({ stateMachineArn, input });
    return endOf(started, executionArn);
  }

  test('what does not: rejected with the reason', async () => {
    const stateMachineArn = started.summary.stateMachines[0]?.arn.replace('runs', 'trains');

    await expect(started.sfn.startExecution({ stateMachineArn })).rejects.toThrow(
      /Mixed\/trains\w+ is not run here: InputType PARQUET/,
    );
  });
});
