import { App, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { IdempotentWorkflow, Source } from 'onceflow';

const stack = new Stack(new App(), 'Payments');
const bus = new EventBus(stack, 'Orders');
const charge = new NodejsFunction(stack, 'Charge', { entry: 'src/charge.ts', runtime: Runtime.NODEJS_22_X });
const payments = new IdempotentWorkflow(stack, 'ChargePayment', {
  scope: 'ChargePayment',
  idempotencyKey: '{% $states.input.detail.orderId %}',
  payload: "{% $states.input.detail.{'amount': amount, 'currency': currency} %}",
  step: charge,
});
payments.startFrom(Source.eventBridge(bus, { source: ['shop.orders'], detailType: ['OrderPlaced'] }));
