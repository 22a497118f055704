import { deliverEvent, startLocal } from '@onceflow/local';

/** Delivers an order twice to the app in `cdk.out`: SUCCEEDED, and 0, as the duplicate leads to no execution. */
export async function deliverTwice() {
  const stack = await startLocal({ assembly: 'cdk.out' });
  const order = { orderId: 'order-1', amount: 12.5, currency: 'EUR' };
  const event = { source: 'shop.orders', 'detail-type': 'OrderPlaced', detail: order };
  const [first] = await deliverEvent(stack, event, stack.output('EventBusName'));
  const again = await deliverEvent(stack, event, stack.output('EventBusName'));
  await stack.close();
  return { status: first?.status, executionsOfTheDuplicate: again.length };
}
