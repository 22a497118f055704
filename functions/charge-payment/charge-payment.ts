/** What the provider is asked for. */
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

/** No customer orders for more; a larger number is a mistake. In units of the currency. */
const AMOUNT_MAX = 1e12;

/** The payment provider: here a table, which also counts how often it was asked. */
export interface Provider {
  /**
   * Charges once for an idempotency key, and answers with the id of that charge: also when it is asked again, and
   * whatever id is proposed then.
   */
  charge(charge: Charge, proposedId: string): Promise<string>;
}

/** The order cannot be charged, however often one tries. */
class InvalidPaymentError extends Error {
  override readonly name = 'InvalidPayment';
}

/** The receipt of a charge; the same one for each request with its key. */
export interface Receipt {
  readonly chargeId: string;
  readonly orderId: unknown;
  readonly amount: number;
  readonly currency: string;
}

/**
 * Charges the order and answers with its receipt.
 *
 * Nothing in it guards against a second call: called twice, it asks the provider twice, with the same key, and the
 * provider answers the second request with the first charge. One that takes no key would charge twice.
 *
 * @throws InvalidPaymentError for an amount that is not a number above zero and up to 10^12, or a currency that is not
 * a three-letter code
 */
export async function chargePayment(
  idempotencyKey: string,
  order: Order,
  provider: Provider,
  newChargeId: () => string,
): Promise<Receipt> {
  const { amount, currency } = order;
  if (typeof amount !== 'number' || !(amount > 0 && amount <= AMOUNT_MAX)) {
    throw new InvalidPaymentError('the amount must be a number above zero, and at most 10^12');
  }
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
    throw new InvalidPaymentError('the currency must be a three-letter code such as EUR');
  }
  const chargeId = await provider.charge({ idempotencyKey, amount, currency }, newChargeId());
  return { chargeId, orderId: order.orderId, amount, currency };
}
