import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { LocalStack } from '@onceflow/local';

/** A report as it was written; amounts are cents. */
export interface Report {
  readonly scheduledTime: string;
  readonly hour: string;
  readonly sales: number;
  readonly total: number;
}

/** Notes sales of an hour (`2026-11-20T08`), each in cents. */
export async function sell(stack: LocalStack, hour: string, amounts: readonly number[]): Promise<void> {
  for (const [index, amount] of amounts.entries()) {
    const Item = { hour: { S: hour }, saleId: { S: `sale-${index + 1}` }, amount: { N: String(amount) } };
    await stack.dynamoDb.client.send(new PutItemCommand({ TableName: stack.output('SalesTableName'), Item }));
  }
}

/** Every report that was written, by scheduled time: two of one time where the step has run twice. */
export async function reportsOf(stack: LocalStack): Promise<readonly Report[]> {
  const { Items = [] } = await stack.dynamoDb.client.send(
    new ScanCommand({ TableName: stack.output('ReportsTableName'), ConsistentRead: true }),
  );
  const reports = Items.map(({ scheduledTime, hour, sales, total }) => ({
    scheduledTime: scheduledTime?.S ?? '',
    hour: hour?.S ?? '',
    sales: Number(sales?.N),
    total: Number(total?.N),
  }));
  return reports.sort((a, b) => a.scheduledTime.localeCompare(b.scheduledTime));
}
