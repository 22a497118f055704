/** What the ledger notes of a charge. */
export interface Charge {
  readonly idempotencyKey: string;
  readonly amount: number;
  readonly currency: string;
}

/** The order as the event tells it. */
export interface Order {
  readonly orderId: unknown;
  readonly amount: unknown;
  readonly currency: unknown;
  readonly customerId?: unknown;
}

/** Nobody orders for more; a larger number is a mistake. In units of the currency. */
const AMOUNT_MAX = 1e12;

/** Where charges are made: here a table that counts, in a real shop the payment provider. */
export interface Ledger {
  /** Charges once more, whoever asked before. */
  charge(charge: Charge): Promise<void>;
}

/** The order cannot be charged, however often one tries. */
export class InvalidPaymentError extends Error {
  override readonly name = 'InvalidPayment';
}

/** The receipt of a charge. */
export interface Receipt {
  readonly chargeId: string;
  readonly orderId: unknown;
  readonly amount: number;
  readonly currency: string;
}

/**
 * Charges the order and answers with a receipt that no other call gets.
 *
 * Not idempotent on purpose: called twice, it charges twice, and the ledger shows it.
 *
 * @throws InvalidPaymentError for an amount that is no number above zero and up to 10^12, or a currency that is no
 * three-letter code
 */
export async function chargePayment(
  idempotencyKey: string,
  order: Order,
  ledger: Ledger,
  newChargeId: () => string,
): Promise<Receipt> {
  const { amount, currency } = order;
  if (typeof amount !== 'number' || !(amount > 0 && amount <= AMOUNT_MAX)) {
    throw new InvalidPaymentError('the amount must be a number above zero, and at most 10^12');
  }
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
    throw new InvalidPaymentError('the currency must be a three-letter code such as EUR');
  }
  await ledger.charge({ idempotencyKey, amount, currency });
  return { chargeId: newChargeId(), orderId: order.orderId, amount, currency };
}
