import { randomUUID } from 'node:crypto';
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { StepEvent } from '../../state-machine/contract/index';
import { type Charge, chargePayment, type Ledger, type Order, type Receipt } from './charge-payment';

// One attempt: an update whose answer was lost would be retried by the SDK, and count twice.
const dynamodb = new DynamoDBClient({ maxAttempts: 1 });

const ledger: Ledger = {
  async charge({ idempotencyKey, amount, currency }: Charge): Promise<void> {
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: process.env['CHARGES_TABLE'],
        Key: { idempotencyKey: { S: idempotencyKey } },
        UpdateExpression: 'ADD charges :one SET amount = :amount, currency = :currency',
        ExpressionAttributeValues: {
          ':one': { N: '1' },
          ':amount': { N: String(amount) },
          ':currency': { S: currency },
        },
      }),
    );
  },
};

/** The business step of the ChargePayment workflow. */
export async function handler({
  idempotencyKey,
  input,
}: StepEvent<{ readonly detail: Order }>): Promise<Receipt> {
  return chargePayment(idempotencyKey, input.detail, ledger, randomUUID);
}
