import { ASSUMED_MS } from './calls';
import type { DeliveryDollars } from './deliveries';
import type { FrontDoorRow, WorkflowCost } from './front-door';
import type { LatencyCalls, LatencyRow } from './latency';
import type { WaitRow } from './waits';

/** A table: its head, then its rows. */
export type Cells = readonly (readonly string[])[];

const FIGURES = [
  'calls in a row',
  `API Gateway (${ASSUMED_MS.apiRequests} ms)`,
  `Lambda (${ASSUMED_MS.functions} ms)`,
  `Step Functions (${ASSUMED_MS.stepFunctions} ms)`,
  `DynamoDB (${ASSUMED_MS.dynamoDb} ms)`,
  `states (${ASSUMED_MS.states} ms)`,
  'waits (ms)',
  'all (ms)',
];

/** What deliveries wait for: until the step begins, and in all. The page about latency has the same two tables. */
export function latencyCells(rows: readonly LatencyRow[]): readonly [beforeStep: Cells, total: Cells] {
  return [
    [
      ['until the step begins', ...FIGURES],
      ...rows.flatMap(({ delivery, beforeStep }) =>
        beforeStep ? [[delivery, ...figuresOf(beforeStep)]] : [],
      ),
    ],
    [
      ['in all, beside the step', ...FIGURES],
      ...rows.map(({ delivery, total }) => [delivery, ...figuresOf(total)]),
    ],
  ];
}

function figuresOf(calls: LatencyCalls): string[] {
  const { apiRequests, functions, stepFunctions, dynamoDb, states, waitedMs, milliseconds } = calls;
  const figures = [apiRequests, functions, stepFunctions, dynamoDb, states, waitedMs, milliseconds];
  return [calls.sequence.join(', '), ...figures.map(String)];
}

/** When requests are answered. The page about latency has the same table. */
export function waitCells(rows: readonly WaitRow[]): Cells {
  return [
    [
      'the step takes (ms)',
      'answered after (ms)',
      'idle (ms)',
      'reads',
      '$ front door',
      'Express: answered after (ms)',
      'Express: idle (ms)',
      'guard in a function (ms)',
    ],
    ...rows.map(({ stepMs, answeredMs, idleMs, reads, dollars, express, guardMs }) => [
      ...[stepMs, answeredMs, idleMs, reads].map(String),
      dollars.toFixed(2),
      ...[express.answeredMs, express.idleMs, guardMs].map(String),
    ]),
  ];
}

/** What a million deliveries cost. The page about costs has the same table. */
export function deliveryCells(rows: readonly DeliveryDollars[]): Cells {
  return [
    ['$ a million by source', 'fresh', 'duplicate'],
    ...rows.map(({ delivery, fresh, duplicate }) => [delivery, fresh.toFixed(2), duplicate.toFixed(2)]),
  ];
}

/** What requests take. The page about costs has the same table. */
export function frontDoorCells(rows: readonly FrontDoorRow[]): Cells {
  return [
    [
      'by HTTP',
      'workflow: transitions, writes, reads, step',
      'the same, started directly',
      'status',
      'API requests',
      'Express',
      'billed ms',
      'StartExecution',
      'reads',
      'bytes logged',
      '$ front door',
      '$ workflow',
      '$ directly',
    ],
    ...rows.map(row => [
      row.request,
      costCell(row.workflow),
      costCell(row.direct),
      ...[
        row.status,
        row.apiRequests,
        row.expressExecutions,
        row.billedMs,
        row.starts,
        row.reads,
        row.logBytes,
      ].map(String),
      ...[row.dollars.frontDoor, row.dollars.workflow, row.dollars.direct].map(
        sum => sum?.toFixed(2) ?? NONE,
      ),
    ]),
  ];
}

const NONE = '-';

function costCell(cost: WorkflowCost | undefined): string {
  if (!cost) return NONE;
  const { transitions, writes, reads, stepRuns } = cost;
  return [transitions, writes, reads, stepRuns].join(', ');
}
