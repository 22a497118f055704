import { randomUUID } from 'node:crypto';
import { book, giveBack } from '../book';
import { type Order, requireCount, type StepInput } from '../order';

/** What the bank allows for one order, in units of the currency. */
const AMOUNT_MAX = 1000;

class CardDeclinedError extends Error {
  override readonly name = 'CardDeclined';
}

/** Charges the card. A real one would hand `idempotencyKey` to the payment provider, for a step that was cut off. */
export async function charge({ input }: StepInput): Promise<Order & { readonly chargeId: string }> {
  const amount = requireCount(input, 'amount');
  if (amount > AMOUNT_MAX) throw new CardDeclinedError(`${amount} is more than the card allows`);
  await book('payment', input.orderId);
  return { ...input, chargeId: randomUUID() };
}

/** Refunds what the card was charged with, if it was. */
export async function refund({ input }: StepInput): Promise<Order> {
  await giveBack('payment', input.orderId);
  return input;
}
