import { SFNClient } from '@aws-sdk/client-sfn';
import { PayloadMismatchError, startOnce } from 'onceflow/client';

const client = new SFNClient();

/** An order as a caller has it. */
export interface Order {
  readonly orderId: string;
  readonly amount: number;
  readonly currency: string;
}

/** Charges the order once, and answers with the result, from every source. */
export async function chargeOnce(order: Order): Promise<unknown> {
  // #region start-once
  const answer = await startOnce(client, {
    stateMachineArn: process.env['STATE_MACHINE_ARN'] ?? '',
    table: process.env['RECORD_TABLE_NAME'] ?? '',
    scope: 'ChargePayment', // the construct's id
    key: order.orderId, // what `idempotencyKey` gives for this input
    input: { detail: order },
    waitUpTo: 30_000, // milliseconds
  });
  switch (answer.outcome) {
    case 'started':
    case 'duplicate':
      return answer.result;
    case 'inProgress':
      throw new Error('still running; call again with the same key');
    case 'failed':
      throw new Error(`${answer.error}: ${answer.cause}`);
  }
  // #endregion
}

/** The same for a caller that must report an order's key that comes with another amount. */
export async function chargeOrExplain(order: Order): Promise<unknown> {
  // #region errors
  try {
    return await chargeOnce(order);
  } catch (error) {
    if (error instanceof PayloadMismatchError) return `order ${order.orderId} is known with another amount`;
    throw error;
  }
  // #endregion
}
