import { ConditionalCheckFailedException, DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';

/** What the workflow gives its step; `input` is the message as it was sent. */
interface StepInput {
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly input: { readonly paymentId: unknown; readonly account?: unknown; readonly amount?: unknown };
}

interface Receipt {
  readonly paymentId: unknown;
  readonly account: string;
  /** In cents, as is the balance that is left. */
  readonly amount: number;
  readonly balance: number;
}

// One attempt: an update whose answer was lost would be made again by the SDK, and the money be taken twice.
const dynamodb = new DynamoDBClient({ maxAttempts: 1 });

/** Takes the amount from the account. Business only, and not idempotent: called twice, it takes the money twice. */
export async function handler({ input }: StepInput): Promise<Receipt> {
  const { paymentId, account, amount } = input;
  if (typeof account !== 'string' || account === '') {
    throw named('InvalidPayment', 'account must be a name that is not empty');
  }
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount <= 0) {
    throw named('InvalidPayment', 'amount must be a whole number of cents above zero');
  }
  return { paymentId, account, amount, balance: await take(account, amount) };
}

async function take(account: string, amount: number): Promise<number> {
  try {
    const { Attributes } = await dynamodb.send(
      new UpdateItemCommand({
        TableName: process.env['ACCOUNTS_TABLE'],
        Key: { account: { S: account } },
        UpdateExpression: 'SET balance = balance - :amount ADD payments :one',
        ConditionExpression: 'balance >= :amount',
        ExpressionAttributeValues: { ':amount': { N: String(amount) }, ':one': { N: '1' } },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    return Number(Attributes?.['balance']?.N);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw named('InsufficientFunds', 'the account does not have that much');
  }
}

/** The workflow's error is the error's name. */
function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
