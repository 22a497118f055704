import { App, CfnOutput, DefaultStackSynthesizer, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AuthorizationType } from 'aws-cdk-lib/aws-apigateway';
import { CfnEventBus } from 'aws-cdk-lib/aws-eventsv2';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { IdempotentWorkflow, Recovery, Source } from 'onceflow';
import { EVENT_SOURCE, STACK_NAME } from './environment';

/** The step: what `step` of an order says, and which attempt it was. It keeps nothing. */
const STEP = `exports.handler = async ({ attempt, input: { detail } }) => {
  if (detail.step === 'slow') await new Promise(resolve => setTimeout(resolve, 3000));
  if (detail.step === 'fail' && attempt === 1) throw Object.assign(new Error('declined'), { name: 'CardDeclined' });
  return { orderId: detail.orderId, amount: detail.amount, attempt };
};`;

/** What the scenarios run on: a workflow with a custom event bus, a front door and recovery, and others beside it. */
class VerificationStack extends Stack {
  constructor(app: App) {
    super(app, STACK_NAME, {
      description: 'onceflow verify: runs scenarios, and is deleted',
      // Nothing of it is in a bucket of the CDK: an account need not be bootstrapped.
      synthesizer: new DefaultStackSynthesizer({ generateBootstrapVersionRule: false }),
    });
    const workflow = this.workflow('Workflow', {});
    const throttled = this.workflow('Throttled', {
      table: workflow.table,
      recovery: Recovery.none(),
      reservedConcurrentExecutions: 0,
    });
    const quick = this.workflow('Quick', {
      table: workflow.table,
      type: 'EXPRESS',
      timeout: Duration.minutes(2),
      recovery: Recovery.none(),
    });
    for (const started of [workflow, quick]) {
      started.startFrom(
        Source.http('orders', {
          input: "{% {'detail': $merge([$states.input.body, {'orderId': $states.input.idempotencyKey}])} %}",
          methodOptions: { authorizationType: AuthorizationType.NONE },
        }),
      );
    }
    const bus = new CfnEventBus(this, 'Bus', { name: STACK_NAME });
    workflow.startFrom(Source.customEventBus(bus, { data: { source: [EVENT_SOURCE] } }));
    const { recovery } = workflow;
    const outputs = {
      Workflow: workflow.stateMachine.stateMachineArn,
      Throttled: throttled.stateMachine.stateMachineArn,
      Table: workflow.table.tableArn,
      Bus: bus.attrEventBusArn,
      Recovery: recovery?.stateMachine.stateMachineArn ?? '',
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, `${name}Arn`, { value });
  }

  private workflow(
    id: string,
    {
      reservedConcurrentExecutions,
      ...props
    }: Partial<ConstructorParameters<typeof IdempotentWorkflow>[2]> & {
      readonly reservedConcurrentExecutions?: number;
    },
  ): IdempotentWorkflow {
    const step = new LambdaFunction(this, `${id}Step`, {
      runtime: Runtime.NODEJS_22_X,
      handler: 'index.handler',
      code: Code.fromInline(STEP),
      timeout: Duration.seconds(10),
      // Lambda would make one that is never deleted.
      logGroup: new LogGroup(this, `${id}StepLogs`, {
        retention: RetentionDays.ONE_DAY,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
      ...(reservedConcurrentExecutions !== undefined && { reservedConcurrentExecutions }),
    });
    return new IdempotentWorkflow(this, id, {
      scope: id,
      idempotencyKey: '{% $states.input.detail.orderId %}',
      payload: "{% $states.input.detail.{'amount': amount} %}",
      step,
      removalPolicy: RemovalPolicy.DESTROY,
      ...props,
    });
  }
}

/** Writes the cloud assembly of the stack into a directory. */
export function synthesizeInto(directory: string): void {
  const app = new App({ outdir: directory, analyticsReporting: false });
  new VerificationStack(app);
  app.synth();
}
