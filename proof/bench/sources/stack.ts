import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { AuthorizationType } from 'aws-cdk-lib/aws-apigateway';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { IdempotentWorkflow, Source } from '../../../infra/index';

/** A workflow with a source of each kind, and one of a schedule, whose key is its time. Their step is played. */
export class SourcesStack extends Stack {
  constructor(app: App, id: string) {
    super(app, id);
    const bus = new EventBus(this, 'Orders');
    const queue = new Queue(this, 'Messages', {
      queueName: 'orders',
      visibilityTimeout: Duration.minutes(3),
      deadLetterQueue: { queue: new Queue(this, 'Dead'), maxReceiveCount: 3 },
    });
    const step = new LambdaFunction(this, 'Step', {
      runtime: Runtime.NODEJS_22_X,
      handler: 'index.handler',
      code: Code.fromInline('exports.handler = async () => ({});'),
      timeout: Duration.minutes(1),
    });
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
    workflow.startFrom(
      Source.http('payments', {
        idempotencyKey: '{% $states.input.body.orderId %}',
        input: "{% {'detail': $states.input.body} %}",
        methodOptions: { authorizationType: AuthorizationType.NONE },
      }),
    );
    new CfnOutput(this, 'EventBusName', { value: bus.eventBusName });
    new CfnOutput(this, 'StateMachineArn', { value: workflow.stateMachine.stateMachineArn });
    new CfnOutput(this, 'ReportArn', { value: report.stateMachine.stateMachineArn });
  }
}

/** Synthesizes the app into a directory, which is its cloud assembly then. */
export function synthesizeSources(directory: string): string {
  const app = new App({ outdir: directory });
  new SourcesStack(app, 'Sources');
  return app.synth().directory;
}
