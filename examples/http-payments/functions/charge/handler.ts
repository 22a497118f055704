import { randomUUID } from 'node:crypto';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';

/** What the workflow hands to its step. */
interface StepEvent {
  readonly idempotencyKey: string;
  readonly input: { readonly body: { readonly orderId: string; readonly amount: number } };
}

/** What a card says that has not enough. */
class CardDeclined extends Error {
  override readonly name = 'CardDeclined';
}

const dynamodb = new DynamoDBClient({});

/** Charges a card: one more line in the ledger for each run, so that a second charge is always visible. */
export async function handler({ idempotencyKey, input }: StepEvent): Promise<object> {
  const { orderId, amount } = input.body;
  if (amount > 1000) throw new CardDeclined(`${amount} is more than the card has`);
  const chargeId = randomUUID();
  await dynamodb.send(
    new PutItemCommand({
      TableName: process.env['LEDGER'],
      Item: {
        chargeId: { S: chargeId },
        idempotencyKey: { S: idempotencyKey },
        orderId: { S: orderId },
        amount: { N: String(amount) },
      },
    }),
  );
  return { chargeId, orderId, amount };
}
