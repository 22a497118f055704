import { ASSUMED, listPriceOf } from '../../../cli/program/prices';
import { ASSUMED_MS } from './calls';
import type { Counted, CountedStack } from './counted-stack';
import { type Answered, answered, askedAt, ordered } from './requests';

/** What the workflow itself uses for a delivery, without what starts it. */
export interface WorkflowCost {
  /** State transitions. */
  readonly transitions: number;
  /** DynamoDB writes, rejected ones included, and reads. */
  readonly writes: number;
  readonly reads: number;
  /** Invocations of the step. */
  readonly stepRuns: number;
}

/** What a request takes, beside the same delivery started directly. */
export interface FrontDoorRow {
  readonly request: string;
  readonly status: number;
  readonly apiRequests: number;
  readonly expressExecutions: number;
  /** Of the Express execution, rounded up to 100 ms: what it waits, and its calls by the times assumed. */
  readonly billedMs: number;
  /** In megabytes, in steps of 64: an execution has 50 and its definition, which is below 14. */
  readonly billedMb: number;
  /** StartExecution calls of the front door, and its reads. */
  readonly starts: number;
  readonly reads: number;
  /** What the front door logs, in bytes as they are billed. */
  readonly logBytes: number;
  readonly workflow: WorkflowCost;
  /** The same delivery without the front door; undefined for a question. */
  readonly direct: WorkflowCost | undefined;
  /** US dollars for a million, by list prices, without the step's invocation. */
  readonly dollars: {
    readonly frontDoor: number;
    readonly workflow: number;
    readonly direct: number | undefined;
  };
}

const SLOW = { kind: 'slow', ms: 25_000 } as const;
const SECOND_MS = 1000;
const BILLED_MS = 100;
const BILLED_MB = 64;

/** What each kind of request takes, and the same delivery started directly. */
export async function frontDoorRows(stack: CountedStack): Promise<FrontDoorRow[]> {
  const row = async (request: string, send: () => Promise<Answered>, direct?: () => Promise<unknown>) => {
    let answer: Answered | undefined;
    const counted = await stack.counted(async () => {
      answer = await send();
      await stack.place.wait(answer.status === 202 ? SLOW.ms : 0);
    });
    const without = direct && (await stack.counted(direct));
    return rowOf(request, counted, answer, without);
  };
  const started = async (orderId: string, amount = 1) => {
    await stack.start(ordered(orderId, amount));
    await stack.place.wait(SECOND_MS);
  };
  const rows = [
    await row(
      'fresh',
      () => answered(stack, order('a')),
      () => started('b'),
    ),
    await row(
      'again',
      () => answered(stack, order('a')),
      () => started('b'),
    ),
    await row(
      'with another payload',
      () => answered(stack, order('a', 2)),
      () => started('b', 2),
    ),
  ];
  stack.play(SLOW);
  const { headers } = await answered(stack, order('c'), 'respond-async');
  stack.play(SLOW);
  await started('d');
  const again = () => answered(stack, order('c'));
  rows.push(await row('again, while the step runs', again, () => started('d')));
  await stack.place.wait(SLOW.ms);
  rows.push(await row('GET at the Location', () => askedAt(stack, headers['location'] ?? '')));
  const slowly = async (deliver: () => Promise<Answered>) => {
    stack.play(SLOW);
    return deliver();
  };
  const directly = async () => {
    stack.play(SLOW);
    await started('f');
    await stack.place.wait(SLOW.ms);
  };
  rows.push(await row('fresh, a step of 25 s', () => slowly(() => answered(stack, order('e'))), directly));
  return rows;
}

function order(orderId: string, amount = 1) {
  return { orderId, amount };
}

function rowOf(
  request: string,
  counted: Counted,
  answer: Answered | undefined,
  without: Counted | undefined,
): FrontDoorRow {
  const { byExpress, expressExecutions, starts, logBytes } = counted;
  const reads = byExpress.dynamoDb;
  const callsMs =
    (byExpress.stepFunctions - expressExecutions) * ASSUMED_MS.stepFunctions + reads * ASSUMED_MS.dynamoDb;
  const billedMs = Math.ceil(((answer?.tookMs ?? 0) + callsMs) / BILLED_MS) * BILLED_MS;
  const front = {
    apiRequests: byExpress.apiRequests,
    expressExecutions,
    billedMs,
    billedMb: BILLED_MB,
    reads,
    logBytes,
  };
  const workflow = workflowCost(counted, reads);
  const direct = without && workflowCost(without, 0);
  const dollars = {
    frontDoor: dollarsOfFrontDoor(front),
    workflow: dollarsOfWorkflow(workflow),
    direct: direct && dollarsOfWorkflow(direct),
  };
  return { request, status: answer?.status ?? 0, ...front, starts, workflow, direct, dollars };
}

function workflowCost({ total, writes, reads, stepRuns }: Counted, readsInFront: number): WorkflowCost {
  return { transitions: total.states, writes, reads: reads - readsInFront, stepRuns };
}

type Front = Pick<
  FrontDoorRow,
  'apiRequests' | 'expressExecutions' | 'billedMs' | 'billedMb' | 'reads' | 'logBytes'
>;

function dollarsOfFrontDoor({
  apiRequests,
  expressExecutions,
  billedMs,
  billedMb,
  reads,
  logBytes,
}: Front): number {
  const dollars = listPriceOf({
    apiRequest: apiRequests,
    expressExecution: expressExecutions,
    expressGbSecond: (billedMs / 1000) * (billedMb / 1024),
    readRequestUnit: reads,
    logGb: logBytes / 1024 ** 3,
  });
  return perMillion(dollars);
}

function dollarsOfWorkflow({ transitions, writes, reads }: WorkflowCost): number {
  const dollars = listPriceOf({
    standardTransition: transitions,
    writeRequestUnit: writes * ASSUMED.recordKb,
    readRequestUnit: reads,
  });
  return perMillion(dollars);
}

function perMillion(dollars: number): number {
  return Math.round(dollars * 1e8) / 100;
}
