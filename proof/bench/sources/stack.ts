import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { AuthorizationType } from 'aws-cdk-lib/aws-apigateway';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { CfnEventBus } from 'aws-cdk-lib/aws-eventsv2';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { IdempotentWorkflow, Source } from '../../../infra/index';

/** The sources of events on the custom event bus, by what takes them. */
export const CUSTOM = {
  standard: 'shop.orders',
  standardTens: 'shop.orders.tens',
  express: 'shop.quotes',
  expressTens: 'shop.quotes.tens',
} as const;

/**
 * A workflow with a source of each kind, an Express one that is answered, and one of a schedule, whose key is its time.
 * Their step is played.
 */
export class SourcesStack extends Stack {
  constructor(app: App, id: string) {
    super(app, id);
    const bus = new EventBus(this, 'Orders');
    const queue = new Queue(this, 'Messages', {
      queueName: 'orders',
      visibilityTimeout: Duration.minutes(3),
      deadLetterQueue: { queue: new Queue(this, 'Dead'), maxReceiveCount: 3 },
    });
    const step = new LambdaFunction(this, 'Step', { ...STEP, timeout: Duration.minutes(1) });
    const workflow = new IdempotentWorkflow(this, 'ChargePayment', {
      idempotencyKey: '{% $states.input.detail.orderId %}',
      payload: '{% $states.input.detail %}',
      step,
    });
    const report = new IdempotentWorkflow(this, 'DailyReport', {
      idempotencyKey: '{% $states.input.time %}',
      payload: '{% $states.input.detail %}',
      step,
    });
    report.startFrom(Source.schedule(ScheduleExpression.rate(Duration.days(1))));
    workflow.startFrom(Source.eventBridge(bus, { source: ['shop.orders'] }));
    workflow.startFrom(Source.queue(queue));
    const http = Source.http('payments', {
      idempotencyKey: '{% $states.input.body.orderId %}',
      input: "{% {'detail': $states.input.body} %}",
      methodOptions: { authorizationType: AuthorizationType.NONE },
    });
    workflow.startFrom(http);
    const quote = new IdempotentWorkflow(this, 'Quote', {
      type: 'EXPRESS',
      timeout: Duration.minutes(2),
      idempotencyKey: '{% $states.input.detail.orderId %}',
      payload: '{% $states.input.detail %}',
      step: new LambdaFunction(this, 'QuickStep', { ...STEP, timeout: Duration.seconds(15) }),
    });
    quote.startFrom(
      Source.http(http.api.root.addResource('quotes'), {
        idempotencyKey: '{% $states.input.body.orderId %}',
        input: "{% {'detail': $states.input.body} %}",
        methodOptions: { authorizationType: AuthorizationType.NONE },
      }),
    );
    const customBus = new CfnEventBus(this, 'CustomOrders', { name: 'orders' });
    for (const [id, source] of Object.entries(CUSTOM)) {
      const taker = id.startsWith('express') ? quote : workflow;
      const batchSize = id.endsWith('Tens') ? 10 : 1;
      taker.startFrom(Source.customEventBus(customBus, { data: { source: [source] } }, { id, batchSize }));
    }
    new CfnOutput(this, 'CustomBusArn', { value: customBus.attrEventBusArn });
    new CfnOutput(this, 'EventBusName', { value: bus.eventBusName });
    new CfnOutput(this, 'StateMachineArn', { value: workflow.stateMachine.stateMachineArn });
    new CfnOutput(this, 'ReportArn', { value: report.stateMachine.stateMachineArn });
  }
}

const STEP = {
  runtime: Runtime.NODEJS_22_X,
  handler: 'index.handler',
  code: Code.fromInline('exports.handler = async () => ({});'),
};

/** Synthesizes the app into a directory, which is its cloud assembly then. */
export function synthesizeSources(directory: string): string {
  const app = new App({ outdir: directory });
  new SourcesStack(app, 'Sources');
  return app.synth().directory;
}
