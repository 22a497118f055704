import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException, DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';

/** An order as its event tells it; nothing of it has been checked. */
interface Order {
  readonly orderId: unknown;
  readonly card: unknown;
  readonly amountCents: unknown;
}

/** What the shop gets for a charge. No two charges have the same receipt. */
export interface Receipt {
  readonly receiptId: string;
  readonly orderId: unknown;
  readonly amountCents: number;
}

class InvalidOrderError extends Error {
  override readonly name = 'InvalidOrder';
}

class CardDeclinedError extends Error {
  override readonly name = 'CardDeclined';
}

// One attempt: a charge whose answer was lost would be made again by the SDK.
const dynamodb = new DynamoDBClient({ maxAttempts: 1 });

/**
 * Charges the order to its card. Not idempotent on purpose: called twice, it charges twice, and the card shows it.
 *
 * @throws InvalidOrder for an order without a card, or an amount that is not a whole number of cents above zero;
 * CardDeclined where the card has less on it
 */
export async function handler({ input }: { readonly input: { readonly detail: Order } }): Promise<Receipt> {
  const { orderId, card, amountCents } = input.detail;
  if (typeof card !== 'string' || card === '') {
    throw new InvalidOrderError('`card` must be the number of a card');
  }
  if (typeof amountCents !== 'number' || !Number.isSafeInteger(amountCents) || amountCents <= 0) {
    throw new InvalidOrderError('`amountCents` must be a whole number above zero');
  }
  await charge(card, amountCents);
  return { receiptId: randomUUID(), orderId, amountCents };
}

async function charge(card: string, amountCents: number): Promise<void> {
  try {
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: process.env['CARDS_TABLE'],
        Key: { card: { S: card } },
        UpdateExpression: 'SET balanceCents = balanceCents - :amount ADD charges :one',
        ConditionExpression: 'balanceCents >= :amount',
        ExpressionAttributeValues: { ':amount': { N: String(amountCents) }, ':one': { N: '1' } },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw new CardDeclinedError(`the card has less than ${amountCents} cents on it`);
  }
}
