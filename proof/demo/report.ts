import { ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import type { LocalStack } from '@onceflow/local';
import type { Deliveries } from './deliver';
import type { WorkflowExecutions } from './executions';
import type { Calls } from './faults';
import { orderOf } from './order';
import { wrongCharges } from './verdict';

/** The result of a run, as `--json` prints it. */
export interface Report {
  /** Events delivered, redeliveries of orders that were not done included. */
  readonly deliveries: number;
  /** Different idempotency keys among them. */
  readonly keys: number;
  /** Lines of the file that are no such event; reported on stderr with their numbers. */
  readonly invalidLines: number;
  /** Executions of the workflow, as they have ended in the end; one that was stopped for good counts as failed. */
  readonly executions: { readonly started: number; readonly succeeded: number; readonly failed: number };
  /** Invocations of the business step. */
  readonly businessRuns: number;
  /** What the ledger says: orders charged, charges made, and the most that any order was charged. */
  readonly effects: { readonly orders: number; readonly charges: number; readonly maxPerOrder: number };
  /**
   * Deliveries answered without running the step: those that started no execution of the workflow, because its name was
   * taken by one that runs or has done the work; and executions that returned the result of the record.
   */
  readonly duplicates: { readonly byName: number; readonly byRecord: number };
  /** Failed executions, and deliveries that were refused before they started one, by the name of the error. */
  readonly refused: Readonly<Record<string, number>>;
  /**
   * State transitions of the workflow that AWS would bill: states entered, retries included. The dispatcher, an Express
   * state machine, is billed by its time.
   */
  readonly transitions: number;
  /** DynamoDB calls of the state machines themselves, the dispatcher's reads included. */
  readonly dynamodb: { readonly writes: number; readonly reads: number };
  /** How long the deliveries took, without starting the program and synthesizing the app. */
  readonly seconds: number;
  /** Only with chaos. */
  readonly chaos?: ChaosReport;
  /**
   * Whether every order with a valid key and payload was charged exactly once; where its business step was cut off, at
   * least once, and at most once more for each time.
   */
  readonly ok: boolean;
}

/** What chaos did, and what it led to. */
export interface ChaosReport {
  /** Stops of executions. */
  readonly aborted: number;
  /** Redrives of dead owners. */
  readonly redriven: number;
  /** Claims taken over, as the next attempt: after failures, and from owners that could not be redriven. */
  readonly takenOver: number;
  /** Stops that came while the business step was under way, or before its answer was recorded. */
  readonly cutOff: number;
}

/** What the report is made of. */
export interface Run {
  readonly stack: LocalStack;
  readonly deliveries: Deliveries;
  readonly executions: WorkflowExecutions;
  readonly invalidLines: number;
  readonly calls: Calls;
  /** Where there was chaos: how often an order's step was cut off, by the key's text. */
  readonly cutOffs: ReadonlyMap<string, number> | undefined;
  readonly seconds: number;
}

/** Counts what happened, and judges it by the ledger alone; `wrong` says what is not ok, order by order. */
export async function reportOf(run: Run): Promise<{ report: Report; wrong: readonly string[] }> {
  const { stack, deliveries, calls, cutOffs } = run;
  const { taken, unmatched, refused, undelivered } = deliveries;
  const orders = [...taken, ...refused, ...undelivered].map(({ event }) => orderOf(event.detail));
  const executions = run.executions.all;
  const succeeded = executions.filter(({ status }) => status === 'SUCCEEDED');
  const charges = await readLedger(stack);
  const wrong = wrongCharges(orders, charges, cutOffs);
  const report: Report = {
    deliveries: taken.length + unmatched.length + refused.length + undelivered.length,
    keys: new Set(orders.flatMap(({ key }) => key ?? [])).size,
    invalidLines: run.invalidLines + unmatched.length,
    executions: {
      started: executions.length,
      succeeded: succeeded.length,
      failed: executions.length - succeeded.length,
    },
    businessRuns: calls.businessRuns,
    effects: {
      orders: charges.size,
      charges: sum(charges.values()),
      maxPerOrder: Math.max(0, ...charges.values()),
    },
    duplicates: {
      byName: Math.max(0, taken.length - executions.length),
      byRecord: succeeded.filter(({ executionArn }) => !calls.ranIn.has(executionArn)).length,
    },
    refused: countBy([...executions, ...refused].flatMap(({ error }) => error ?? [])),
    transitions: sum(executions.map(({ executionArn }) => stack.runtime.billedTransitions(executionArn))),
    dynamodb: { writes: calls.writes, reads: calls.reads },
    seconds: Math.round(run.seconds * 100) / 100,
    ...(cutOffs && { chaos: chaosReport(run, cutOffs) }),
    ok: wrong.length === 0,
  };
  return { report, wrong };
}

function chaosReport({ executions, calls }: Run, cutOffs: ReadonlyMap<string, number>): ChaosReport {
  const { aborted, redriven } = executions;
  return { aborted, redriven, takenOver: calls.takenOver, cutOff: sum(cutOffs.values()) };
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

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
