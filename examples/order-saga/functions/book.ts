import { ConditionalCheckFailedException, DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';

/** Whose book it is. The three parts could as well be the systems of three teams. */
export type Part = 'stock' | 'payment' | 'shipping';

/** The order has been undone in this part, or kept from ever being done: too late for a forward step. */
export class OrderUndoneError extends Error {
  override readonly name = 'OrderUndone';
}

// One attempt: an update whose answer was lost would be sent again by the SDK, and book twice.
const dynamodb = new DynamoDBClient({ maxAttempts: 1 });

/**
 * Books one effect more for the order, however many there are: not idempotent on purpose. An undo is forever, though.
 *
 * @throws OrderUndoneError where the order has been undone in this part
 */
export async function book(part: Part, orderId: string): Promise<void> {
  try {
    await dynamodb.send(
      new UpdateItemCommand({
        ...itemOf(part, orderId),
        UpdateExpression: 'ADD done :one',
        ConditionExpression: 'attribute_not_exists(undone)',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw new OrderUndoneError(`${orderId} has been undone in ${part}`);
  }
}

/**
 * Gives back all that was booked for the order, and leaves a tombstone: nothing is booked for it ever after. There may
 * be nothing to give back: the tombstone is what counts then.
 */
export async function giveBack(part: Part, orderId: string): Promise<void> {
  await dynamodb.send(
    new UpdateItemCommand({
      ...itemOf(part, orderId),
      UpdateExpression: 'SET undone = if_not_exists(done, :none) ADD undoRuns :one',
      ExpressionAttributeValues: { ':none': { N: '0' }, ':one': { N: '1' } },
    }),
  );
}

function itemOf(part: Part, orderId: string) {
  return { TableName: process.env['ORDERS_TABLE'], Key: { orderId: { S: orderId }, part: { S: part } } };
}
