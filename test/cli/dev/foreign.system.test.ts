import { App, Stack } from 'aws-cdk-lib';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { renderSummary } from '../../../cli/dev/render';
import { newDirectory } from '../../support/shared';
import { cleanUp, endOf, type Started, start } from './started';

/** An app that holds one of each: what runs, and what the local stack does not know. */
function mixedApp(): string {
  const app = new App({ outdir: newDirectory() });
  const stack = new Stack(app, 'Mixed');
  new Secret(stack, 'Password');
  new Bucket(stack, 'Uploads');
  const partitionKey = { name: 'id', type: AttributeType.STRING };
  new Table(stack, 'Table', { tableName: 'orders', partitionKey, stream: StreamViewType.NEW_IMAGE });
  new Queue(stack, 'Ordered', { queueName: 'ordered.fifo', fifo: true });
  const topic = new Topic(stack, 'Topic', { topicName: 'placed' });
  topic.addSubscription(new SqsSubscription(new Queue(stack, 'Work', { queueName: 'work' })));
  inline(stack, 'inline', Runtime.NODEJS_22_X, 'exports.handler = async () => "ran";');
  inline(stack, 'report', Runtime.PYTHON_3_12, 'def handler(event, context): return "ran"');
  const call = { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', End: true };
  const Call = { ...call, Arguments: { FunctionName: 'inline' }, Output: '{% $states.result.Payload %}' };
  machine(stack, 'runs', { QueryLanguage: 'JSONata', StartAt: 'Call', States: { Call } });
  const Pick = { Type: 'Pass', InputPath: '$.order', End: true };
  machine(stack, 'legacy', { StartAt: 'Pick', States: { Pick } });
  return app.synth().directory;
}

function inline(stack: Stack, functionName: string, runtime: Runtime, code: string): void {
  const handler = 'index.handler';
  new LambdaFunction(stack, functionName, { functionName, runtime, handler, code: Code.fromInline(code) });
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
    expect(renderSummary(started.summary)).toContain(`
  state machine  runs
  table          orders
  function       inline
  not run        AWS::SecretsManager::Secret Password67973E0B
                 queue ordered.fifo: it is a FIFO queue
                 function report: it has the runtime python3.12
                 state machine legacy: it is written in JSONPath
`);
  });

  test('the example to begin with: says that nobody knows its input', () => {
    expect(started.summary.example).toMatchObject({
      input: {},
      key: null,
      about: 'What input runs takes, its definition does not say: put it in place of {}.',
    });
  });

  test('what runs: runs', async () => {
    const [{ arn: stateMachineArn } = { arn: '' }] = started.summary.stateMachines;
    const { executionArn } = await started.sfn.startExecution({ stateMachineArn });

    await expect(endOf(started, executionArn)).resolves.toMatchObject({
      status: 'SUCCEEDED',
      output: '"ran"',
    });
  });

  test('what does not: refused with the reason', async () => {
    const stateMachineArn = started.summary.stateMachines[0]?.arn.replace('runs', 'legacy');

    await expect(started.sfn.startExecution({ stateMachineArn })).rejects.toThrow(
      /Mixed\/legacy\w+ is not run here: it is written in JSONPath/,
    );
  });
});
