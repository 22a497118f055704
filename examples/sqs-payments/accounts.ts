import { GetItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { LocalStack } from '@onceflow/local';

/** What the bank knows of an account; amounts are cents. */
export interface Account {
  readonly balance: number;
  /** How many times money was taken: one more for every run of the business step that came through. */
  readonly payments: number;
}

/** Opens an account with a balance in cents. */
export async function openAccount(stack: LocalStack, account: string, balance: number): Promise<void> {
  const Item = { account: { S: account }, balance: { N: String(balance) }, payments: { N: '0' } };
  await stack.dynamoDb.client.send(new PutItemCommand({ ...tableOf(stack), Item }));
}

/** Pays cents in. */
export async function payIn(stack: LocalStack, account: string, amount: number): Promise<void> {
  await stack.dynamoDb.client.send(
    new UpdateItemCommand({
      ...tableOf(stack),
      Key: { account: { S: account } },
      UpdateExpression: 'ADD balance :amount',
      ExpressionAttributeValues: { ':amount': { N: String(amount) } },
    }),
  );
}

/** The account as it is now. @throws Error if the account was never opened */
export async function accountOf(stack: LocalStack, account: string): Promise<Account> {
  const Key = { account: { S: account } };
  const { Item } = await stack.dynamoDb.client.send(
    new GetItemCommand({ ...tableOf(stack), Key, ConsistentRead: true }),
  );
  if (!Item) throw new Error(`no account ${account}`);
  return { balance: Number(Item['balance']?.N), payments: Number(Item['payments']?.N) };
}

function tableOf(stack: LocalStack): { readonly TableName: string } {
  return { TableName: stack.output('AccountsTableName') };
}
