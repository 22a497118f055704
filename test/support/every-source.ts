import type { Stack } from 'aws-cdk-lib';
import { Duration } from 'aws-cdk-lib';
import { AuthorizationType } from 'aws-cdk-lib/aws-apigateway';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus, Schedule } from 'aws-cdk-lib/aws-events';
import { CfnEventBus } from 'aws-cdk-lib/aws-eventsv2';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  type IWorkflowSource,
  Key,
  RecordStream,
  Source,
} from '../../infra/index';
import { someFunction } from './synthesize';

const KEY = '{% $exists($states.input.source) ? $states.input.source : $states.input.eventSource %}';

/** A workflow `Pay` with every source there is; an Express one with those that it can have. */
export function everySource(stack: Stack, props: Partial<IdempotentWorkflowProps> = {}): IdempotentWorkflow {
  const workflow = new IdempotentWorkflow(stack, 'Pay', {
    idempotencyKey: Key.unchecked(KEY, { reason: 'no member is in the inputs of all of them' }),
    step: someFunction(stack, { timeout: Duration.seconds(10) }),
    ...props,
  });
  const sources = [...anySource(stack), ...(props.type === 'EXPRESS' ? [] : standardSources(stack))];
  for (const source of sources) workflow.startFrom(source);
  return workflow;
}

function anySource(stack: Stack): IWorkflowSource[] {
  const visibilityTimeout = Duration.hours(2);
  const dead = { queue: new Queue(stack, 'Dead'), maxReceiveCount: 5 };
  const queue = new Queue(stack, 'Messages', { visibilityTimeout, deadLetterQueue: dead });
  const deadFifo = { queue: new Queue(stack, 'DeadFifo', { fifo: true }), maxReceiveCount: 5 };
  const fifo = new Queue(stack, 'Fifo', { fifo: true, visibilityTimeout, deadLetterQueue: deadFifo });
  return [
    Source.eventBridge(new EventBus(stack, 'Bus'), { source: ['shop'] }),
    Source.customEventBus(new CfnEventBus(stack, 'CustomBus', { name: `orders-${stack.node.id}` }), {
      data: { source: ['shop'] },
    }),
    Source.queue(queue),
    Source.queue(fifo),
    Source.topic(new Topic(stack, 'Topic')),
    Source.topic(new Topic(stack, 'FifoTopic', { fifo: true })),
    Source.schedule(Schedule.rate(Duration.hours(1))),
    Source.http('payments', {
      input: "{% {'source': $states.input.body.id} %}",
      methodOptions: { authorizationType: AuthorizationType.NONE },
      cors: { allowOrigins: ['https://shop.example'] },
    }),
  ];
}

function standardSources(stack: Stack): IWorkflowSource[] {
  const startingPosition = 'TRIM_HORIZON';
  const partitionKey = { name: 'id', type: AttributeType.STRING };
  const orders = new Table(stack, 'Orders', { partitionKey, stream: StreamViewType.NEW_IMAGE });
  const kafka = { startingPosition, saslScram512Auth: new Secret(stack, 'Secret') } as const;
  const cluster = 'arn:aws:kafka:us-east-1:123456789012:cluster/vpc/751d2973';
  return [
    Source.pipe(RecordStream.kinesis(new Stream(stack, 'Clicks'), { startingPosition })),
    Source.pipe(RecordStream.dynamoDb(orders, { startingPosition })),
    Source.pipe(RecordStream.msk(cluster, { topic: 'msk', ...kafka })),
    Source.pipe(RecordStream.kafka({ topic: 'kafka', bootstrapServers: ['a.example.com:9092'], ...kafka })),
  ];
}
