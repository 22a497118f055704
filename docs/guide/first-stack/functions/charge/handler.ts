import { randomUUID } from 'node:crypto';
import type { StepEvent } from 'onceflow';

/** The event that places an order. */
interface OrderPlaced {
  readonly detail: { readonly orderId: string; readonly amount: number; readonly currency: string };
}

/** Charges the order. There is no idempotency code in it: the workflow calls it once per order. */
export async function handler({ idempotencyKey, input }: StepEvent<OrderPlaced>) {
  const { orderId, amount, currency } = input.detail;
  // Call the payment provider here, and give it `idempotencyKey` if it takes one.
  return { chargeId: randomUUID(), orderId, amount, currency, idempotencyKey };
}
