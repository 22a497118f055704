import { randomUUID } from 'node:crypto';

/** What the workflow calls the function with; `input` is the event. */
interface StepEvent {
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly input: { readonly detail: { readonly orderId: string; readonly amount: number } };
}

/** Charges the order. There is no idempotency code in it: the workflow calls it once per order. */
export async function handler({ idempotencyKey, input }: StepEvent) {
  const { orderId, amount } = input.detail;
  // Call the payment provider here, and give it `idempotencyKey` if it takes one.
  return { chargeId: randomUUID(), orderId, amount, idempotencyKey };
}
