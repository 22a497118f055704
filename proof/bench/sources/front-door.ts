import { ASSUMED, listPriceOf } from '../../../cli/program/prices';
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
  /** Of the Express execution, rounded up to 100 ms, its calls by the times assumed. */
  readonly billedMs: number;
  /** In megabytes, in steps of 64: an execution has 50 and its definition, which is below 14. */
  readonly billedMb: number;
  /** StartExecution calls of the front door, and its reads. */
  readonly starts: number;
  readonly reads: number;
  /** Read units of these: a read that need not be consistent is half of one. */
  readonly readUnits: number;
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

/** An order by HTTP, and another one that is started directly, for comparison. */
interface Orders {
  readonly byHttp: string;
  readonly direct: string;
}

// As long as one another, because what is logged contains them.
const QUICK: Orders = { byHttp: 'a', direct: 'b' };
const STILL_RUNNING: Orders = { byHttp: 'c', direct: 'd' };
const ANSWERED_LATE: Orders = { byHttp: 'e', direct: 'f' };

/** What each kind of request takes, and the same delivery started directly. */
export async function frontDoorRows(stack: CountedStack): Promise<FrontDoorRow[]> {
  return [
    ...(await rowsOfQuickStep(stack)),
    ...(await rowsWhileTheStepRuns(stack)),
    await rowOfSlowStep(stack),
  ];
}

/** A fresh request, its duplicate, and a request with the same key and another payload. */
async function rowsOfQuickStep(stack: CountedStack): Promise<FrontDoorRow[]> {
  const row = (request: string, amount: number) =>
    counted(stack, request, {
      send: () => answered(stack, { orderId: QUICK.byHttp, amount }),
      startDirectly: () => started(stack, QUICK.direct, amount),
    });
  return [await row('fresh', 1), await row('again', 1), await row('with another payload', 2)];
}

/** A duplicate while the owner is in its step, and the question about the result after the step has ended. */
async function rowsWhileTheStepRuns(stack: CountedStack): Promise<FrontDoorRow[]> {
  const order = { orderId: STILL_RUNNING.byHttp, amount: 1 };
  stack.play(SLOW);
  const { headers } = await answered(stack, order, { prefer: 'respond-async' });
  // It is answered before its step begins.
  await stack.place.wait(SECOND_MS);
  stack.play(SLOW);
  await started(stack, STILL_RUNNING.direct);
  const again = await counted(stack, 'again, while the step runs', {
    send: () => answered(stack, order),
    startDirectly: () => started(stack, STILL_RUNNING.direct),
  });
  await stack.place.wait(SLOW.ms);
  const question = await counted(stack, 'GET at the Location', {
    send: () => askedAt(stack, headers['location'] ?? ''),
  });
  return [again, question];
}

/** A fresh request whose step takes almost as long as a request can. */
function rowOfSlowStep(stack: CountedStack): Promise<FrontDoorRow> {
  return counted(stack, 'fresh, a step of 25 s', {
    send: () => {
      stack.play(SLOW);
      return answered(stack, { orderId: ANSWERED_LATE.byHttp, amount: 1 });
    },
    startDirectly: async () => {
      stack.play(SLOW);
      await started(stack, ANSWERED_LATE.direct);
      await stack.place.wait(SLOW.ms);
    },
  });
}

/** A request, and the same delivery without the front door. A question has no such delivery. */
interface Deliveries {
  readonly send: () => Promise<Answered>;
  readonly startDirectly?: () => Promise<void>;
}

async function counted(stack: CountedStack, request: string, deliveries: Deliveries): Promise<FrontDoorRow> {
  return (await frontDoorRow(stack, request, deliveries)).row;
}

/** What a request takes, and what was counted of it until it was answered. */
export async function frontDoorRow(
  stack: CountedStack,
  request: string,
  { send, startDirectly }: Deliveries,
): Promise<{ readonly row: FrontDoorRow; readonly byHttp: Counted }> {
  let answer: Answered | undefined;
  const byHttp = await stack.counted(async () => {
    answer = await send();
    await stack.place.wait(answer.status === 202 ? SLOW.ms : 0);
  });
  const directly = startDirectly && (await stack.counted(startDirectly));
  return { row: rowOf(request, byHttp, answer, directly), byHttp };
}

/** Starts the workflow directly for an order, and gives it time to end. */
async function started(stack: CountedStack, orderId: string, amount = 1): Promise<void> {
  await stack.start(ordered(orderId, amount));
  await stack.place.wait(SECOND_MS);
}

function rowOf(
  request: string,
  byHttp: Counted,
  answer: Answered | undefined,
  directly: Counted | undefined,
): FrontDoorRow {
  const { byExpress, expressExecutions, starts, logBytes, frontDoorReads: reads } = byHttp;
  const billedMs = Math.ceil((answer?.tookMs ?? 0) / BILLED_MS) * BILLED_MS;
  const front = {
    apiRequests: byExpress.apiRequests,
    expressExecutions,
    billedMs,
    billedMb: BILLED_MB,
    reads,
    readUnits: byHttp.frontDoorReadUnits,
    logBytes,
  };
  const workflow = workflowCost(byHttp, reads);
  const direct = directly && workflowCost(directly, 0);
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
  'apiRequests' | 'expressExecutions' | 'billedMs' | 'billedMb' | 'readUnits' | 'logBytes'
>;

function dollarsOfFrontDoor({
  apiRequests,
  expressExecutions,
  billedMs,
  billedMb,
  readUnits,
  logBytes,
}: Front): number {
  const dollars = listPriceOf({
    apiRequest: apiRequests,
    expressExecution: expressExecutions,
    expressGbSecond: (billedMs / 1000) * (billedMb / 1024),
    readRequestUnit: readUnits,
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
