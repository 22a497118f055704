import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { AuthorizationType } from 'aws-cdk-lib/aws-apigateway';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { CfnEventBus } from 'aws-cdk-lib/aws-eventsv2';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { IdempotentWorkflow, Recovery, Source } from '../../../infra/index';

/** How deliveries come to the workflow. */
export type DeliveryPath = 'bus' | 'customBus' | 'queue' | 'http' | 'name' | 'direct';

/** How the workflow is set up; all else is as it is by default. */
export interface WorkflowSettings {
  readonly isRecovered?: boolean;
  readonly isAtMostOnce?: boolean;
  readonly isExpress?: boolean;
}

export const SCOPE = 'ChargePayment';
export const STEP_STATE = 'Business step';
export const QUEUES = { orders: 'orders', dead: 'orders-dead' } as const;
export const OUTPUT = {
  stateMachine: 'StateMachineArn',
  table: 'TableName',
  bus: 'EventBusName',
  customBus: 'CustomBusArn',
} as const;

/** For how long the step may run, in seconds: some sources wait for an Express workflow, and no longer than this. */
export function stepSeconds(way: DeliveryPath, { isExpress = false }: WorkflowSettings): number {
  const awaited: Partial<Record<DeliveryPath, number>> = isExpress ? { customBus: 20, http: 15 } : {};
  return awaited[way] ?? 30;
}

/** The text of a key in its record. */
export function recordKeyOf(way: DeliveryPath, key: string): string {
  return `${SCOPE}#${way === 'http' ? 'anonymous,' : ''}${key}`;
}

/** Synthesizes an app with one workflow and one source into a directory. */
export function synthesizeWorkflow(outdir: string, way: DeliveryPath, settings: WorkflowSettings): string {
  const app = new App({ outdir });
  const stack = new Stack(app, 'League');
  const step = new LambdaFunction(stack, 'Step', {
    runtime: Runtime.NODEJS_22_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => ({});'),
    timeout: Duration.seconds(stepSeconds(way, settings)),
  });
  const workflow = new IdempotentWorkflow(stack, SCOPE, {
    ...(way === 'http'
      ? { idempotencyKey: '{% $states.input.idempotencyKey %}', payload: '{% $states.input.body.amount %}' }
      : { idempotencyKey: '{% $states.input.detail.key %}', payload: '{% $states.input.detail.amount %}' }),
    step,
    recovery: settings.isRecovered ? Recovery.automatic() : Recovery.none(),
    ...(settings.isAtMostOnce && { delivery: 'at-most-once' }),
    ...(settings.isExpress && { type: 'EXPRESS', timeout: Duration.minutes(5) }),
  });
  const bus = new EventBus(stack, 'Bus');
  if (way === 'bus') workflow.startFrom(Source.eventBridge(bus, { source: ['shop.orders'] }));
  if (way === 'customBus') {
    const customBus = new CfnEventBus(stack, 'CustomBus', { name: 'orders' });
    workflow.startFrom(Source.customEventBus(customBus, { data: { source: ['shop.orders'] } }));
    new CfnOutput(stack, OUTPUT.customBus, { value: customBus.attrEventBusArn });
  }
  if (way === 'http') {
    const methodOptions = { authorizationType: AuthorizationType.NONE };
    workflow.startFrom(Source.http('orders', { methodOptions }));
  }
  if (way === 'queue') workflow.startFrom(Source.queue(queueWithDeadLetters(stack, settings)));
  new CfnOutput(stack, OUTPUT.stateMachine, { value: workflow.stateMachine.stateMachineArn });
  new CfnOutput(stack, OUTPUT.table, { value: workflow.table.tableName });
  new CfnOutput(stack, OUTPUT.bus, { value: bus.eventBusName });
  return app.synth().directory;
}

function queueWithDeadLetters(stack: Stack, { isExpress = false }: WorkflowSettings): Queue {
  // An Express workflow is run to its end by the function that takes from the queue.
  const functionSeconds = isExpress ? 305 : 30;
  return new Queue(stack, 'Orders', {
    queueName: QUEUES.orders,
    visibilityTimeout: Duration.seconds(6 * functionSeconds),
    deadLetterQueue: {
      queue: new Queue(stack, 'Dead', { queueName: QUEUES.dead, retentionPeriod: Duration.days(14) }),
      maxReceiveCount: 5,
    },
  });
}
