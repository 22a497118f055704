import type { Stack } from 'aws-cdk-lib';
import { CfnResource as CfnApiResource } from 'aws-cdk-lib/aws-apigateway';
import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnEventBus } from 'aws-cdk-lib/aws-events';
import { CfnRole } from 'aws-cdk-lib/aws-iam';
import { CfnStream } from 'aws-cdk-lib/aws-kinesis';
import { CfnKey } from 'aws-cdk-lib/aws-kms';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnTopic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { CfnStateMachine, LogLevel, Pass } from 'aws-cdk-lib/aws-stepfunctions';
import {
  FailureDestination,
  IdempotentFragment,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  Monitoring,
  RecordStream,
  RecordTable,
  Recovery,
  Results,
  Source,
  SuccessDestination,
} from '../../infra/index';
import { newStack, someFunction, synthesized } from '../support/synthesize';

/** What JavaScript, or a cast, may give. */
const given = (value: unknown) => value as never;

const idempotencyKey = '{% $states.input.detail.id %}';

function workflow(stack: Stack, props: Partial<IdempotentWorkflowProps>): IdempotentWorkflow {
  return new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack), ...props });
}

const fragment = (stack: Stack) =>
  new IdempotentFragment(stack, 'Charge', {
    idempotencyKey,
    step: new Pass(stack, 'Step'),
    table: new RecordTable(stack, 'Records'),
  });

const table = (stack: Stack) => given(new CfnTable(stack, 'L1', { keySchema: [] }));
const queue = (stack: Stack) => given(new CfnQueue(stack, 'L1'));
const bus = (stack: Stack) => given(new CfnEventBus(stack, 'L1', { name: 'orders' }));
const key = (stack: Stack) => given(new CfnKey(stack, 'L1', { keyPolicy: {} }));
const secret = (stack: Stack) => given(new CfnSecret(stack, 'L1'));
const machine = (stack: Stack) => given(new CfnStateMachine(stack, 'L1', { roleArn: 'arn' }));
const topic = { topic: 'orders', startingPosition: 'LATEST' } as const;

test.each<[string, (stack: Stack) => unknown]>([
  ['step', stack => workflow(stack, { step: given(new CfnFunction(stack, 'L1', { code: {}, role: 'r' })) })],
  ['table', stack => workflow(stack, { table: table(stack) })],
  [
    'table of a fragment',
    stack =>
      new IdempotentFragment(
        stack,
        'F',
        given({ idempotencyKey, step: someFunction(stack), table: table(stack) }),
      ),
  ],
  ['RecordTable.fromTable', stack => RecordTable.fromTable(table(stack), { partitionKey: 'PK' })],
  ['results', stack => workflow(stack, { results: Results.inBucket(given(new CfnBucket(stack, 'L1'))) })],
  ['onFailure, a queue', stack => workflow(stack, { onFailure: FailureDestination.queue(queue(stack)) })],
  ['onFailure, a bus', stack => workflow(stack, { onFailure: FailureDestination.eventBus(bus(stack)) })],
  ['onSuccess, a queue', stack => workflow(stack, { onSuccess: SuccessDestination.queue(queue(stack)) })],
  ['onSuccess, a bus', stack => workflow(stack, { onSuccess: SuccessDestination.eventBus(bus(stack)) })],
  [
    'role',
    stack => workflow(stack, { role: given(new CfnRole(stack, 'L1', { assumeRolePolicyDocument: {} })) }),
  ],
  ['encryptionKey', stack => workflow(stack, { encryptionKey: key(stack) })],
  [
    'encryptionKey of a RecordTable',
    stack => new RecordTable(stack, 'Records', { encryptionKey: key(stack) }),
  ],
  ['formerStateMachines', stack => workflow(stack, { formerStateMachines: [machine(stack)] })],
  ['grantTo', stack => fragment(stack).grantTo(machine(stack))],
  ['Recovery.of', stack => Recovery.of(machine(stack))],
  ['Monitoring', stack => new Monitoring(stack, 'M', { workflow: machine(stack) })],
  ['Source.eventBridge', stack => Source.eventBridge(bus(stack), { source: ['shop'] })],
  ['Source.queue', stack => Source.queue(queue(stack))],
  ['Source.topic', stack => Source.topic(given(new CfnTopic(stack, 'L1')))],
  [
    'Source.http',
    stack =>
      Source.http(given(new CfnApiResource(stack, 'L1', { parentId: 'p', pathPart: 'x', restApiId: 'a' }))),
  ],
  ['RecordStream.kinesis', stack => RecordStream.kinesis(given(new CfnStream(stack, 'L1')), topic)],
  ['RecordStream.dynamoDb', stack => RecordStream.dynamoDb(table(stack), topic)],
  [
    'RecordStream.msk',
    stack =>
      RecordStream.msk('arn:aws:kafka:us-east-1:111111111111:cluster/c/1', {
        ...topic,
        saslScram512Auth: secret(stack),
      }),
  ],
  [
    'RecordStream.kafka',
    stack => RecordStream.kafka({ ...topic, bootstrapServers: ['a:1'], saslScram512Auth: secret(stack) }),
  ],
])('%s: a resource of CloudFormation is rejected in words', (_, define) => {
  // A TypeError of JavaScript says nothing that helps.
  expect(() => define(newStack())).toThrow(
    /^(?!.*is not a function|.*undefined).*(?:takes|must be).*got .*Cfn\w+/,
  );
});

test('logs: a log group of CloudFormation is accepted, as CDK accepts it', () => {
  const template = synthesized(stack => {
    const destination = new CfnLogGroup(stack, 'L1');
    workflow(stack, { logs: { destination, level: LogLevel.ALL }, metrics: true });
  });

  expect(JSON.stringify(template.toJSON())).toContain('"LogGroupArn":{"Fn::GetAtt":["L1","Arn"]}');
});
