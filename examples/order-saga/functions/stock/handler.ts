import { randomUUID } from 'node:crypto';
import { book, giveBack } from '../book';
import { type Order, requireCount, type StepInput } from '../order';

/** What the shelf holds for one order. */
const QUANTITY_MAX = 10;

class OutOfStockError extends Error {
  override readonly name = 'OutOfStock';
}

/** Reserves the goods. */
export async function reserve({ input }: StepInput): Promise<Order & { readonly reservationId: string }> {
  const quantity = requireCount(input, 'quantity');
  if (quantity > QUANTITY_MAX) throw new OutOfStockError(`${quantity} ordered, ${QUANTITY_MAX} on the shelf`);
  await book('stock', input.orderId);
  return { ...input, reservationId: randomUUID() };
}

/** Puts the goods back, if they had been taken. */
export async function release({ input }: StepInput): Promise<Order> {
  await giveBack('stock', input.orderId);
  return input;
}
