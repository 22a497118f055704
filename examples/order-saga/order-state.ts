import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { LocalStack } from '@onceflow/local';

/** The bookings of an order in one part. */
export interface Booked {
  /** How often the step had its effect. */
  readonly done: number;
  /** How much of it was given back; absent: nothing is undone, and there is no tombstone. */
  readonly undone?: number;
  /** How often the undo ran. */
  readonly undoRuns: number;
}

/** All that the table knows of an order. */
export interface OrderState {
  readonly outcome?: 'DONE' | 'UNDONE';
  /** The error for which it was undone. */
  readonly reason?: string;
  readonly stock: Booked;
  readonly payment: Booked;
  readonly shipping: Booked;
}

/** Reads what was booked for an order. */
export async function stateOf(stack: LocalStack, orderId: string): Promise<OrderState> {
  const { Items = [] } = await stack.dynamoDb.client.send(
    new QueryCommand({
      TableName: stack.output('OrdersTableName'),
      KeyConditionExpression: 'orderId = :orderId',
      ExpressionAttributeValues: { ':orderId': { S: orderId } },
      ConsistentRead: true,
    }),
  );
  const items = new Map(Items.map(item => [item['part']?.S, item]));
  const booked = (part: string): Booked => {
    const { done, undone, undoRuns } = items.get(part) ?? {};
    return {
      done: Number(done?.N ?? 0),
      ...(undone && { undone: Number(undone.N) }),
      undoRuns: Number(undoRuns?.N ?? 0),
    };
  };
  const { outcome, reason } = items.get('outcome') ?? {};
  return {
    ...(outcome && { outcome: outcome.S as 'DONE' | 'UNDONE' }),
    ...(reason && { reason: String(reason.S) }),
    stock: booked('stock'),
    payment: booked('payment'),
    shipping: booked('shipping'),
  };
}

/** `done` or `undone` where all three parts agree with the outcome, else what they are: an order torn apart. */
export function wholeness({ outcome, stock, payment, shipping }: OrderState): string {
  const parts = [stock, payment, shipping];
  if (outcome === 'DONE' && parts.every(({ done, undone }) => done > 0 && undone === undefined))
    return 'done';
  if (outcome === 'UNDONE' && parts.every(({ done, undone }) => done === undone)) return 'undone';
  const each = parts.map(({ done, undone }) => (undone === undefined ? `${done}` : `${done}-${undone}`));
  return `${outcome ?? 'open'}: ${each.join(' ')}`;
}
