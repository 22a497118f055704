import { ASSUMED_MS } from './calls';
import type { CountedStack } from './counted-stack';
import { frontDoorRow } from './front-door';
import { GATEWAY_MS, idleMsOf } from './latency';
import { answered } from './requests';

/** When a fresh request is answered whose step takes so long. */
export interface WaitRow {
  readonly stepMs: number;
  readonly answeredMs: number;
  /** What neither the step nor the calls in a row take. */
  readonly idleMs: number;
  readonly reads: number;
  /** US dollars for a million of the front door, by list prices. */
  readonly dollars: number;
  /** When a request to an Express workflow is answered whose step takes so long, and what of that is idle. */
  readonly express: { readonly answeredMs: number; readonly idleMs: number };
  /** When a guard in a function would answer: one that is invoked, and makes two calls of DynamoDB. */
  readonly guardMs: number;
}

const STEPS_MS = [50, 100, 300, 500, 900, 1000, 1100, 2100, 4100, 7100];
const BESIDE_THE_STEP = ASSUMED_MS.apiRequests + ASSUMED_MS.functions + 2 * ASSUMED_MS.dynamoDb;

/** The answers to fresh requests, one at a time, by how long the step takes. */
export async function waitRows(stack: CountedStack): Promise<WaitRow[]> {
  const rows: WaitRow[] = [];
  for (const stepMs of STEPS_MS) {
    stack.play({ kind: 'slow', ms: stepMs });
    const { row, byHttp } = await frontDoorRow(stack, `a step of ${stepMs} ms`, {
      send: () => answered(stack, { orderId: `${stepMs}`, amount: 1 }),
    });
    stack.play({ kind: 'slow', ms: stepMs });
    const express = await stack.counted(() =>
      answered(stack, { orderId: `express-${stepMs}`, amount: 1 }, { path: '/quotes' }),
    );
    rows.push({
      stepMs,
      answeredMs: byHttp.total.waitedMs + GATEWAY_MS,
      idleMs: idleMsOf(byHttp.total) - stepMs,
      reads: row.reads,
      dollars: row.dollars.frontDoor,
      express: {
        answeredMs: express.total.waitedMs + GATEWAY_MS,
        idleMs: idleMsOf(express.total) - stepMs,
      },
      guardMs: BESIDE_THE_STEP + stepMs,
    });
  }
  return rows;
}
