import { ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import type { LocalStack } from '@onceflow/local';
import type { Deliveries } from './deliver';
import type { WorkflowExecutions } from './executions';
import type { Calls } from './faults';
import type { ProviderKind } from './options';
import { orderOf } from './order';
import { HAS_RECOVERY_NAME, type Recoveries, type RecoveryReport } from './recovery';
import { unfinishedWork, wrongCharges } from './verdict';

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
  /** Of the payment provider: orders charged, how often it was asked, charges it made, the most of any order. */
  readonly effects: Effects;
  /**
   * Deliveries answered without a run of the step. Some started no execution of the workflow, because their name
   * belongs to an execution that runs or has completed the work. The others returned the result of the record.
   */
  readonly duplicates: { readonly byName: number; readonly byRecord: number };
  /** Failed executions, and deliveries that were rejected before they started one, by the name of the error. */
  readonly rejected: Readonly<Record<string, number>>;
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
  /** Only where each event was delivered once. */
  readonly recovery?: RecoveryReport;
  /**
   * Whether every order with a valid key and payload has exactly one charge; by a forgetful provider, where its
   * business step was cut off, at least once, and at most once more for each time. Also whether the provider was asked
   * no more often than that, and, where each event was delivered once, whether no record is unfinished and recovery
   * gave nothing up.
   */
  readonly ok: boolean;
}

/** What the payment provider did. */
export interface Effects {
  readonly provider: ProviderKind;
  readonly orders: number;
  /** Requests to charge. More than one for an order is one that was made again, with the same key. */
  readonly requests: number;
  /** The charges: one for each key, or one for each request if the provider forgets its keys. */
  readonly charges: number;
  readonly maxPerOrder: number;
}

/** What chaos did, and what it led to. */
export interface ChaosReport {
  /** Stops of executions. */
  readonly aborted: number;
  /** Redrives of ended owners. */
  readonly redriven: number;
  /** Claims taken over, as the next attempt: after failures, and from owners that could not be redriven. */
  readonly takeovers: number;
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
  /** With chaos: how often an order's step was interrupted, by the key's text. */
  readonly cutOffs: ReadonlyMap<string, number> | undefined;
  readonly provider: ProviderKind;
  /** Where each event was delivered once. */
  readonly recoveries: Recoveries | undefined;
  readonly seconds: number;
}

/** Counts what happened, and judges it by the ledger alone; `wrong` says what is not ok, order by order. */
export async function reportOf(run: Run): Promise<{ report: Report; wrong: readonly string[] }> {
  const { stack, deliveries, calls, cutOffs } = run;
  const { taken, unmatched, rejected, undelivered } = deliveries;
  const orders = [...taken, ...rejected, ...undelivered].map(({ event }) => orderOf(event.detail));
  const executions = run.executions.all;
  const succeeded = executions.filter(({ status }) => status === 'SUCCEEDED');
  // Recovery's own executions do not belong to a delivery.
  const delivered = executions.filter(({ name }) => !HAS_RECOVERY_NAME.test(name));
  const ledger = await readLedger(stack);
  const recovery = await run.recoveries?.report(run.executions);
  const requests = mapped(ledger, account => account.requests);
  const charges = mapped(ledger, account => account.charges);
  const wrong = [
    ...wrongCharges(orders, requests, cutOffs),
    ...(run.provider === 'keyed' ? wrongCharges(orders, charges) : []),
    ...(recovery ? unfinishedWork(recovery) : []),
  ];
  const report: Report = {
    deliveries: taken.length + unmatched.length + rejected.length + undelivered.length,
    keys: new Set(orders.flatMap(({ key }) => key ?? [])).size,
    invalidLines: run.invalidLines + unmatched.length,
    executions: {
      started: executions.length,
      succeeded: succeeded.length,
      failed: executions.length - succeeded.length,
    },
    businessRuns: calls.businessRuns,
    effects: effectsAt(run.provider, [...ledger.values()]),
    duplicates: {
      byName: Math.max(0, taken.length - delivered.length),
      byRecord: succeeded.filter(({ executionArn }) => !calls.ranIn.has(executionArn)).length,
    },
    rejected: countBy([...executions, ...rejected].flatMap(({ error }) => error ?? [])),
    transitions: sum(executions.map(({ executionArn }) => stack.runtime.billedTransitions(executionArn))),
    dynamodb: { writes: calls.writes, reads: calls.reads },
    seconds: Math.round(run.seconds * 100) / 100,
    ...(cutOffs && { chaos: chaosReport(run, cutOffs) }),
    ...(recovery && { recovery }),
    ok: wrong.length === 0,
  };
  return { report, wrong };
}

function chaosReport({ executions, calls }: Run, cutOffs: ReadonlyMap<string, number>): ChaosReport {
  const { aborted, redriven } = executions;
  return { aborted, redriven, takeovers: calls.takeovers, cutOff: sum(cutOffs.values()) };
}

/** An order at the provider: how often it was asked, and what it charged if it honours the key. */
interface Account {
  readonly requests: number;
  readonly charges: number;
}

function effectsAt(provider: ProviderKind, accounts: readonly Account[]): Effects {
  const charges = accounts.map(account => (provider === 'keyed' ? account.charges : account.requests));
  return {
    provider,
    orders: accounts.length,
    requests: sum(accounts.map(({ requests }) => requests)),
    charges: sum(charges),
    maxPerOrder: Math.max(0, ...charges),
  };
}

/** What the provider did for each order, by its record's key, as the business step's own table says. */
async function readLedger(stack: LocalStack): Promise<Map<string, Account>> {
  const ledger = new Map<string, Account>();
  let ExclusiveStartKey: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const TableName = stack.output('ChargesTableName');
    const page: ScanCommandOutput = await stack.dynamoDb.client.send(
      new ScanCommand({ TableName, ExclusiveStartKey }),
    );
    for (const item of page.Items ?? []) {
      const { idempotencyKey, requests, charges } = item;
      ledger.set(idempotencyKey?.S ?? '', { requests: Number(requests?.N), charges: Number(charges?.N) });
    }
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return ledger;
}

function mapped<Key, From, To>(map: ReadonlyMap<Key, From>, to: (value: From) => To): Map<Key, To> {
  return new Map([...map].map(([key, value]) => [key, to(value)]));
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
