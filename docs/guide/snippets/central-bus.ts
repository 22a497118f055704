import { type IEventBus, EventBus as OrdersBus, Rule } from 'aws-cdk-lib/aws-events';
import { EventBus } from 'aws-cdk-lib/aws-events-targets';
import { AccountPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { type IdempotentWorkflow, Source } from 'onceflow';

/** In a stack of the account that has the central bus: what the workflow needs of it is forwarded. */
export function forwardOrders(scope: Construct, centralBus: IEventBus): void {
  // #region forward
  const orders = 'arn:aws:events:eu-west-1:111111111111:event-bus/orders';
  new Rule(scope, 'ForwardOrders', {
    eventBus: centralBus,
    eventPattern: { source: ['shop.orders'] },
    targets: [new EventBus(OrdersBus.fromEventBusArn(scope, 'Orders', orders))],
  });
  // #endregion
}

/** In the stack of the workflow: a bus that takes events of the central account. */
export function startFromForwarded(scope: Construct, payments: IdempotentWorkflow): void {
  // #region forwarded
  const orders = new OrdersBus(scope, 'Orders', { eventBusName: 'orders' });
  orders.addToResourcePolicy(
    new PolicyStatement({
      sid: 'ForwardedByTheCentralBus',
      principals: [new AccountPrincipal('222222222222')],
      actions: ['events:PutEvents'],
      resources: [orders.eventBusArn],
    }),
  );
  payments.startFrom(Source.eventBridge(orders, { source: ['shop.orders'] }));
  // #endregion
}
