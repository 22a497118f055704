import { randomUUID } from 'node:crypto';
import { book, giveBack } from '../book';
import type { Order, StepInput } from '../order';

const COUNTRIES = ['AT', 'CH', 'DE'];

class NoCarrierError extends Error {
  override readonly name = 'NoCarrier';
}

/** Hands the goods to a carrier. */
export async function ship({ input }: StepInput): Promise<Order & { readonly shipmentId: string }> {
  if (!COUNTRIES.includes(input.country)) throw new NoCarrierError(`no carrier ships to ${input.country}`);
  await book('shipping', input.orderId);
  return { ...input, shipmentId: randomUUID() };
}

/** Calls the goods back, if they had been handed over. */
export async function recall({ input }: StepInput): Promise<Order> {
  await giveBack('shipping', input.orderId);
  return input;
}
