import { ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import type { LocalStack } from '../local/index';
import type { Deliveries } from './deliver';
import type { Calls } from './faults';
import { orderOf } from './order';
import { wrongCharges } from './verdict';

/** What the demo tells, as `--json` prints it. */
export interface Report {
  /** Events put on the bus, redeliveries of failed orders included. */
  readonly deliveries: number;
  /** Different idempotency keys among them. */
  readonly keys: number;
  /** Lines of the file that are no such event; reported on stderr with their numbers. */
  readonly invalidLines: number;
  readonly executions: { readonly started: number; readonly succeeded: number; readonly failed: number };
  /** Invocations of the business step. */
  readonly businessRuns: number;
  /** What the ledger says: orders charged, charges made, and the most that any order was charged. */
  readonly effects: { readonly orders: number; readonly charges: number; readonly maxPerOrder: number };
  /** Deliveries answered without running the step: refused by the execution's name, or told by the record. */
  readonly duplicates: { readonly byName: number; readonly byRecord: number };
  /** Failed executions by the name of their error. */
  readonly refused: Readonly<Record<string, number>>;
  /** State transitions that AWS would bill: states entered, retries included. */
  readonly transitions: number;
  /** DynamoDB calls of the state machine itself. */
  readonly dynamodb: { readonly writes: number; readonly reads: number };
  /** How long the deliveries took. */
  readonly seconds: number;
  /** Whether every order with a valid key and payload was charged exactly once. */
  readonly ok: boolean;
}

/** What the report is made of. */
export interface Run {
  readonly stack: LocalStack;
  readonly deliveries: Deliveries;
  readonly invalidLines: number;
  readonly calls: Calls;
  readonly seconds: number;
}

/** Counts what happened, and judges it by the ledger alone; `wrong` says what is not ok, order by order. */
export async function reportOf({
  stack,
  deliveries,
  invalidLines,
  calls,
  seconds,
}: Run): Promise<{ report: Report; wrong: readonly string[] }> {
  const { outcomes, unmatched, undelivered } = deliveries;
  const orders = [...outcomes, ...undelivered].map(({ event }) => orderOf(event.detail));
  const executions = outcomes.flatMap(({ execution }) => (execution ? [execution] : []));
  const succeeded = executions.filter(({ status }) => status === 'SUCCEEDED');
  const charges = await readLedger(stack);
  const wrong = wrongCharges(orders, charges);
  const report: Report = {
    deliveries: outcomes.length + unmatched.length + undelivered.length,
    keys: new Set(orders.flatMap(({ key }) => key ?? [])).size,
    invalidLines: invalidLines + unmatched.length,
    executions: {
      started: executions.length,
      succeeded: succeeded.length,
      failed: executions.length - succeeded.length,
    },
    businessRuns: calls.businessRuns,
    effects: {
      orders: charges.size,
      charges: [...charges.values()].reduce((sum, count) => sum + count, 0),
      maxPerOrder: Math.max(0, ...charges.values()),
    },
    duplicates: {
      byName: outcomes.length - executions.length,
      byRecord: succeeded.filter(({ executionArn }) => !calls.ranIn.has(executionArn)).length,
    },
    refused: countBy(executions.flatMap(({ error }) => error ?? [])),
    transitions: executions.reduce(
      (sum, { executionArn }) => sum + stack.runtime.billedTransitions(executionArn),
      0,
    ),
    dynamodb: { writes: calls.writes, reads: calls.reads },
    seconds: Math.round(seconds * 100) / 100,
    ok: wrong.length === 0,
  };
  return { report, wrong };
}

/** How often each order was charged, by its record's key, as the business step's own table says. */
async function readLedger(stack: LocalStack): Promise<Map<string, number>> {
  const charges = new Map<string, number>();
  let ExclusiveStartKey: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const TableName = stack.output('ChargesTableName');
    const page: ScanCommandOutput = await stack.dynamoDb.client.send(
      new ScanCommand({ TableName, ExclusiveStartKey }),
    );
    for (const item of page.Items ?? []) {
      charges.set(item['idempotencyKey']?.S ?? '', Number(item['charges']?.N));
    }
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return charges;
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
