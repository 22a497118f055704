import path from 'node:path';
import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { IdempotentWorkflow, Source } from 'onceflow';

/** Orders from an event bus, each charged once. */
export class PaymentsStack extends Stack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const bus = new EventBus(this, 'Orders');
    const charge = new NodejsFunction(this, 'Charge', {
      entry: path.join(__dirname, 'functions/charge/handler.ts'),
      runtime: Runtime.NODEJS_22_X,
      timeout: Duration.seconds(10),
    });

    const payments = new IdempotentWorkflow(this, 'ChargePayment', {
      scope: 'ChargePayment',
      idempotencyKey: '{% $states.input.detail.orderId %}',
      payload: "{% $states.input.detail.{'amount': amount, 'currency': currency} %}",
      step: charge,
    });
    payments.startFrom(Source.eventBridge(bus, { source: ['shop.orders'], detailType: ['OrderPlaced'] }));

    new CfnOutput(this, 'EventBusName', { value: bus.eventBusName });
  }
}
