/** An order, as it comes to the saga; each step adds its receipt and hands it on. */
export interface Order {
  readonly orderId: string;
  readonly quantity: number;
  /** In units of the currency. */
  readonly amount: number;
  readonly country: string;
}

/** What a fragment gives to its step. */
export interface StepInput {
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly input: Order;
}

/** A field of the order is missing or of another kind. No later delivery will fix that. */
export class InvalidOrderError extends Error {
  override readonly name = 'InvalidOrder';
}

/** @throws InvalidOrderError where the field is not a whole number above zero */
export function requireCount(order: Order, field: 'quantity' | 'amount'): number {
  const value: unknown = order[field];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidOrderError(`\`${field}\` must be a whole number above zero`);
}
