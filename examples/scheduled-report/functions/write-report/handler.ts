import { randomUUID } from 'node:crypto';
import { DynamoDBClient, PutItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';

/** What the workflow gives its step; `input` is the schedule's event. */
interface StepInput {
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly input: { readonly time: unknown };
}

interface Report {
  readonly reportId: string;
  readonly hour: string;
  readonly sales: number;
  /** In cents. */
  readonly total: number;
}

const HOUR_MS = 3_600_000;
const dynamodb = new DynamoDBClient({});

/**
 * Reports the sales of the hour before the scheduled time, whenever it runs.
 *
 * Business only, and not idempotent: called twice, it writes two reports.
 */
export async function handler({ input: { time } }: StepInput): Promise<Report> {
  const scheduled = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(scheduled)) {
    throw Object.assign(new Error('time must be the scheduled time, as 2026-11-20T09:00:00Z'), {
      name: 'InvalidTime',
    });
  }
  const hour = new Date(scheduled - HOUR_MS).toISOString().slice(0, 13);
  const amounts = await amountsOf(hour);
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const report = { reportId: randomUUID(), hour, sales: amounts.length, total };
  await write(String(time), report);
  return report;
}

async function amountsOf(hour: string): Promise<readonly number[]> {
  const query = {
    TableName: process.env['SALES_TABLE'],
    KeyConditionExpression: '#hour = :hour',
    ExpressionAttributeNames: { '#hour': 'hour' },
    ExpressionAttributeValues: { ':hour': { S: hour } },
    ConsistentRead: true,
  };
  const amounts: number[] = [];
  for await (const { Items = [] } of paginateQuery({ client: dynamodb }, query)) {
    amounts.push(...Items.map(({ amount }) => Number(amount?.N)));
  }
  return amounts;
}

async function write(scheduledTime: string, { reportId, hour, sales, total }: Report): Promise<void> {
  await dynamodb.send(
    new PutItemCommand({
      TableName: process.env['REPORTS_TABLE'],
      Item: {
        scheduledTime: { S: scheduledTime },
        reportId: { S: reportId },
        hour: { S: hour },
        sales: { N: String(sales) },
        total: { N: String(total) },
      },
    }),
  );
}
