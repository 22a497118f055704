import path from 'node:path';
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { IdempotentWorkflow, Recovery, Source } from '../../infra/index';
import { STEP_TIMEOUT_MS, type Variant } from './variant';

/** Synthesizes a variant into a directory. */
export function synthesize(variant: Variant, outdir: string): void {
  const app = new App({ outdir, context: variant.bundles ? {} : { 'aws:cdk:bundling-stacks': [] } });
  define(new Stack(app, 'OnceflowPayments'), variant);
  app.synth();
}

function define(stack: Stack, { workflow, settings, table, source, more }: Variant): void {
  const orders = new EventBus(stack, 'Orders');
  const step = new LambdaFunction(stack, 'ChargePaymentFunction', {
    runtime: Runtime.NODEJS_22_X,
    handler: 'index.handler',
    code: Code.fromAsset(path.join(__dirname, '../../functions/charge-payment')),
    timeout: Duration.millis(STEP_TIMEOUT_MS),
  });
  const payments = new IdempotentWorkflow(stack, 'ChargePayment', {
    idempotencyKey: '{% $states.input.detail.orderId %}',
    payload: "{% $states.input.detail.{'amount': amount, 'currency': currency} %}",
    step,
    // What a death leaves is looked at as it is; recovery has scenarios of its own.
    recovery: Recovery.none(),
    ...(table && { table: table(stack) }),
    ...workflow,
    ...settings?.(stack),
  });
  const bus = Source.eventBridge(orders, { source: ['shop.orders'], detailType: ['OrderPlaced'] });
  if (source !== null) payments.startFrom(source ?? bus);
  more?.(stack, payments);
  new CfnOutput(stack, 'StateMachineArn', { value: payments.stateMachine.stateMachineArn });
  const { recovery } = payments;
  if (recovery) {
    new CfnOutput(stack, 'RecoveryArn', { value: recovery.stateMachine.stateMachineArn });
    new CfnOutput(stack, 'SearchArn', { value: recovery.search.stateMachineArn });
    const { redelivery } = recovery;
    if (redelivery) new CfnOutput(stack, 'RedeliveryArn', { value: redelivery.stateMachineArn });
  }
  new CfnOutput(stack, 'RecordTableName', { value: payments.table.tableName });
  new CfnOutput(stack, 'EventBusName', { value: orders.eventBusName });
}
