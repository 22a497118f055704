import { randomUUID } from 'node:crypto';
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { StepEvent } from '../../state-machine/contract/index';
import { type Charge, chargePayment, type Order, type Provider, type Receipt } from './charge-payment';

// One attempt: an update whose answer was lost would be retried by the SDK, and count twice.
const dynamodb = new DynamoDBClient({ maxAttempts: 1 });

/**
 * A table in the provider's place. `charges` is what a provider charges that honours the key; `requests` counts how
 * often it was asked, which is what one charges that forgets its keys.
 */
const provider: Provider = {
  async charge({ idempotencyKey, amount, currency }: Charge, proposedId: string): Promise<string> {
    const { Attributes: charge } = await dynamodb.send(
      new UpdateItemCommand({
        TableName: process.env['CHARGES_TABLE'],
        Key: { idempotencyKey: { S: idempotencyKey } },
        UpdateExpression:
          'ADD requests :one SET charges = if_not_exists(charges, :one), chargeId = if_not_exists(chargeId, :id), ' +
          'amount = if_not_exists(amount, :amount), currency = if_not_exists(currency, :currency)',
        ExpressionAttributeValues: {
          ':one': { N: '1' },
          ':id': { S: proposedId },
          ':amount': { N: String(amount) },
          ':currency': { S: currency },
        },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return charge?.['chargeId']?.S ?? proposedId;
  },
};

/** The business step of the ChargePayment workflow. */
export async function handler({
  idempotencyKey,
  input,
}: StepEvent<{ readonly detail: Order }>): Promise<Receipt> {
  return chargePayment(idempotencyKey, input.detail, provider, randomUUID);
}
