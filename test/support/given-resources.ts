import { Duration, type Stack } from 'aws-cdk-lib';
import { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { CfnEventBus } from 'aws-cdk-lib/aws-eventsv2';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, Pass, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { RESOURCE_BOUNDS } from '../../infra/cdk/resource-bounds';
import {
  FailureDestination,
  IdempotentFragment,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  type IWorkflowSource,
  Monitoring,
  RecordStream,
  RecordTable,
  Results,
  Source,
  SuccessDestination,
} from '../../infra/index';
import { someFunction } from '../support/synthesize';

const BUS = { name: 'shop' };
/** A stack of a workflow, and the environment of its resource. */
export interface GivenIn {
  readonly own: Stack;
  /** A stack of the same app, in the environment of the resource. */
  readonly other: Stack;
  /** The ARN of a resource of the other environment; a role has no region. */
  arn(service: string, resource: string): string;
}

const idempotencyKey = '{% $states.input.detail.id %}';

export function workflow(stack: Stack, props: Partial<IdempotentWorkflowProps> = {}): IdempotentWorkflow {
  const step = someFunction(stack);
  return new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step, scope: 'pay', ...props });
}

export const from = (stack: Stack, source: IWorkflowSource, key = idempotencyKey) =>
  workflow(stack, { idempotencyKey: key }).startFrom(source);

export type Given = (places: GivenIn) => unknown;
const fromRecords = (stack: Stack, stream: Parameters<typeof Source.pipe>[0], key: string) =>
  from(stack, Source.pipe(stream), key);
const startingPosition = 'LATEST';
const partitionKey = { name: 'idempotencyKey', type: AttributeType.STRING };
const login = (stack: Stack) => new Secret(stack, 'Login');
export const events = { source: ['shop'] };
/** Each option: the ways in which an app gives it a resource, by the name of the way. */
export const GIVEN: Readonly<Record<keyof typeof RESOURCE_BOUNDS, Readonly<Record<string, Given>>>> = {
  step: {
    'by ARN': ({ own, arn }) => {
      const step = LambdaFunction.fromFunctionArn(own, 'F', arn('lambda', 'function:charge'));
      return workflow(own, { step, stepTimeout: Duration.minutes(15) });
    },
    'of a stack': ({ own, other }) =>
      workflow(own, { step: someFunction(other, { functionName: 'charge' }) }),
  },
  table: {
    'by ARN': ({ own, arn }) =>
      workflow(own, { table: Table.fromTableArn(own, 'T', arn('dynamodb', 'table/records')) }),
    'by attributes': ({ own, arn }) =>
      workflow(own, {
        table: Table.fromTableAttributes(own, 'T', { tableArn: arn('dynamodb', 'table/records') }),
      }),
    'of a stack': ({ own, other }) =>
      workflow(own, { table: new RecordTable(other, 'T', { tableName: 'records' }) }),
    'of a fragment, with a schema': ({ own, arn }) => {
      const charge = new IdempotentFragment(own, 'Charge', {
        idempotencyKey,
        scope: 'pay',
        step: new Pass(own, 'Step'),
        table: RecordTable.fromTable(Table.fromTableArn(own, 'T', arn('dynamodb', 'table/records')), {
          partitionKey: 'PK',
        }),
      });
      charge.grantTo(
        new StateMachine(own, 'Orders', { definitionBody: DefinitionBody.fromChainable(charge) }),
      );
    },
  },
  results: {
    'by ARN': ({ own, arn }) =>
      workflow(own, { results: Results.inBucket(Bucket.fromBucketArn(own, 'B', arn('s3', 'results'))) }),
    'by attributes': ({ own, other: { account, region } }) =>
      workflow(own, {
        results: Results.inBucket(
          Bucket.fromBucketAttributes(own, 'B', { bucketName: 'results', account, region }),
        ),
      }),
    'of a stack': ({ own, other }) =>
      workflow(own, { results: Results.inBucket(new Bucket(other, 'B', { bucketName: 'results' })) }),
  },
  onFailure: {
    'a queue by ARN': ({ own, arn }) =>
      workflow(own, {
        onFailure: FailureDestination.queue(Queue.fromQueueArn(own, 'Q', arn('sqs', 'failures'))),
      }),
    'a queue of a stack': ({ own, other }) =>
      workflow(own, {
        onFailure: FailureDestination.queue(new Queue(other, 'Q', { queueName: 'failures' })),
      }),
    'a bus by ARN': ({ own, arn }) =>
      workflow(own, {
        onFailure: FailureDestination.eventBus(
          EventBus.fromEventBusArn(own, 'E', arn('events', 'event-bus/failures')),
        ),
      }),
    'a bus of a stack': ({ own, other }) =>
      workflow(own, {
        onFailure: FailureDestination.eventBus(new EventBus(other, 'E', { eventBusName: 'failures' })),
      }),
  },
  onSuccess: {
    'a queue by attributes': ({ own, arn }) =>
      workflow(own, {
        onSuccess: SuccessDestination.queue(
          Queue.fromQueueAttributes(own, 'Q', { queueArn: arn('sqs', 'results') }),
        ),
      }),
    'a bus by attributes': ({ own, arn }) =>
      workflow(own, {
        onSuccess: SuccessDestination.eventBus(
          EventBus.fromEventBusAttributes(own, 'E', {
            eventBusArn: arn('events', 'event-bus/results'),
            eventBusName: 'results',
            eventBusPolicy: '',
          }),
        ),
      }),
  },
  role: {
    'by ARN': ({ own, arn }) =>
      workflow(own, { role: Role.fromRoleArn(own, 'R', arn('iam', 'role/payments')) }),
    'of a stack': ({ own, other }) =>
      workflow(own, {
        role: new Role(other, 'R', {
          roleName: 'payments',
          assumedBy: new ServicePrincipal('states.amazonaws.com'),
        }),
      }),
  },
  encryptionKey: {
    'by ARN': ({ own, arn }) =>
      workflow(own, { encryptionKey: Key.fromKeyArn(own, 'K', arn('kms', 'key/1a2b')) }),
    'of a RecordTable, by ARN': ({ own, arn }) =>
      new RecordTable(own, 'T', { encryptionKey: Key.fromKeyArn(own, 'K', arn('kms', 'key/1a2b')) }),
  },
  logs: {
    'by ARN': ({ own, arn }) =>
      workflow(own, {
        logs: { destination: LogGroup.fromLogGroupArn(own, 'L', arn('logs', 'log-group:payments')) },
      }),
    'of a stack': ({ own, other }) =>
      workflow(own, { logs: { destination: new LogGroup(other, 'L', { logGroupName: 'payments' }) } }),
  },
  formerStateMachines: {
    'an ARN': ({ own, arn }) => workflow(own, { formerStateMachines: [arn('states', 'stateMachine:Old')] }),
    'by ARN': ({ own, arn }) =>
      workflow(own, {
        formerStateMachines: [StateMachine.fromStateMachineArn(own, 'M', arn('states', 'stateMachine:Old'))],
      }),
    'of a stack': ({ own, other }) => workflow(own, { formerStateMachines: [someMachine(other)] }),
  },
  grantTo: {
    'of a stack': ({ own, other }) => {
      const table = new RecordTable(own, 'T');
      const charge = new IdempotentFragment(own, 'Charge', {
        idempotencyKey,
        table,
        step: new Pass(own, 'Step'),
      });
      charge.grantTo(new StateMachine(other, 'M', { definitionBody: DefinitionBody.fromChainable(charge) }));
    },
  },
  'Source.eventBridge': {
    'by ARN': ({ own, arn }) =>
      from(
        own,
        Source.eventBridge(EventBus.fromEventBusArn(own, 'E', arn('events', 'event-bus/default')), events),
      ),
    'of a stack': ({ own, other }) =>
      from(own, Source.eventBridge(new EventBus(other, 'E', { eventBusName: 'orders' }), events)),
  },
  'Source.customEventBus': {
    'by ARN': ({ own, arn }) => from(own, Source.customEventBus(arn('events', 'event-busv2/shop/1a2b3c'))),
    'of a stack': ({ own, other }) => from(own, Source.customEventBus(new CfnEventBus(other, 'E', BUS))),
  },
  'Source.queue': {
    'by ARN': ({ own, arn }) => from(own, Source.queue(Queue.fromQueueArn(own, 'Q', arn('sqs', 'orders')))),
  },
  'Source.topic': {
    'by ARN': ({ own, arn }) => from(own, Source.topic(Topic.fromTopicArn(own, 'P', arn('sns', 'orders')))),
    'of a stack': ({ own, other }) => from(own, Source.topic(new Topic(other, 'P', { topicName: 'orders' }))),
  },
  'Source.http': {
    'of a stack': ({ own, other }) =>
      from(
        own,
        Source.http(new RestApi(other, 'A').root.addResource('payments')),
        '{% $states.input.idempotencyKey %}',
      ),
  },
  'RecordStream.kinesis': {
    'by ARN': ({ own, arn }) =>
      fromRecords(
        own,
        RecordStream.kinesis(Stream.fromStreamArn(own, 'S', arn('kinesis', 'stream/orders')), {
          startingPosition,
        }),
        '{% $states.input.data.id %}',
      ),
    'of a stack': ({ own, other }) =>
      fromRecords(
        own,
        RecordStream.kinesis(new Stream(other, 'S', { streamName: 'orders' }), { startingPosition }),
        '{% $states.input.data.id %}',
      ),
  },
  'RecordStream.dynamoDb': {
    'by attributes': ({ own, arn }) =>
      fromRecords(
        own,
        RecordStream.dynamoDb(
          Table.fromTableAttributes(own, 'T', {
            tableArn: arn('dynamodb', 'table/orders'),
            tableStreamArn: arn('dynamodb', 'table/orders/stream/2026'),
          }),
          { startingPosition },
        ),
        '{% $states.input.dynamodb.NewImage.id.S %}',
      ),
    'of a stack': ({ own, other }) =>
      fromRecords(
        own,
        RecordStream.dynamoDb(
          new Table(other, 'T', { partitionKey, tableName: 'orders', stream: StreamViewType.NEW_IMAGE }),
          { startingPosition },
        ),
        '{% $states.input.dynamodb.NewImage.id.S %}',
      ),
  },
  'RecordStream.msk': {
    'an ARN': ({ own, arn }) =>
      fromRecords(
        own,
        RecordStream.msk(arn('kafka', 'cluster/shop/1a2b'), {
          topic: 'orders',
          startingPosition,
          saslScram512Auth: login(own),
        }),
        '{% $states.input.value.id %}',
      ),
  },
  saslScram512Auth: {
    'by ARN': ({ own, arn }) =>
      fromRecords(
        own,
        RecordStream.kafka({
          topic: 'orders',
          startingPosition,
          bootstrapServers: ['kafka.example.com:9094'],
          saslScram512Auth: Secret.fromSecretCompleteArn(
            own,
            'Login',
            arn('secretsmanager', 'secret:login-1a2b3c'),
          ),
        }),
        '{% $states.input.value.id %}',
      ),
  },
  Monitoring: {
    'of a stack': ({ own, other }) =>
      new Monitoring(own, 'Monitoring', { workflow: workflow(other, { metrics: true }) }),
  },
};

function someMachine(stack: Stack): StateMachine {
  const definitionBody = DefinitionBody.fromChainable(new Pass(stack, 'Nothing'));
  return new StateMachine(stack, 'M', { definitionBody, stateMachineName: 'Old' });
}
