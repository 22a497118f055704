import { PRICES } from '../../cli/program/prices';
import type { CostRow } from './cost/cost';
import type { DollarRow } from './cost/dollars';
import type { Report, Row } from './report';
import { type Cells, deliveryCells, frontDoorCells, latencyCells, waitCells } from './sources/cells';
import { table } from './table';

/** The report as tables for people. */
export function renderReport(report: Report): string {
  const { node, cpus, rows, ratios, costs, dollars, notMeasured, wallSeconds } = report;
  const { latency, waits, bySource, frontDoor } = report;
  return [
    `node ${node}, ${cpus}`,
    ...(rows.length > 0 ? ['', ...table([HEAD, ...rows.map(cellsOf)], 2)] : []),
    '',
    ...ratios.map(({ what, ratio }) => `  ${ratio.toFixed(2)}  ${what}`),
    ...(costs.length > 0 ? [...table([COST_HEAD, ...costs.map(costCellsOf)], 3), ''] : []),
    ...(dollars.length > 0 ? [...table(dollarCells(dollars), 2), '', PRICED, ''] : []),
    ...(latency.length > 0 ? latencyCells(latency).flatMap(cells => [...table(named(cells), 3), '']) : []),
    ...(waits.length > 0 ? [...table(named(waitCells(waits)), 1), ''] : []),
    ...(bySource.length > 0 ? [...table(named(deliveryCells(bySource)), 2), ''] : []),
    ...(frontDoor.length > 0 ? [...table(named(frontDoorCells(frontDoor)), 4), '', REQUESTS_PRICED, ''] : []),
    ...notMeasured.map(what => `  not measured: ${what}`),
    `  time ${wallSeconds} s`,
    '',
  ].join('\n');
}

const HEAD = ['', 'bench', 'executions/s', 'us/execution', 'us/event', 'heap bytes/execution'];

function cellsOf(row: Row): string[] {
  const { microsecondsPerEvent: perEvent, heapBytesPerExecution: heap } = row;
  return [
    `(${row.bench})`,
    row.what,
    row.executionsPerSecond.toLocaleString('en-US'),
    row.microsecondsPerExecution.toFixed(1),
    perEvent === undefined ? '' : perEvent.toFixed(2),
    heap === undefined ? '' : heap.toLocaleString('en-US'),
  ];
}

const COST_HEAD = [
  '',
  'a delivery takes',
  '',
  'transitions',
  'Express',
  'invocations',
  'writes',
  'reads',
  'DescribeExecution',
  'awaited in Lambda',
  'bytes logged',
];

function costCellsOf(row: CostRow): string[] {
  const figures = [
    row.transitions,
    row.expressExecutions,
    row.invocations,
    row.writes,
    row.reads,
    row.describeExecutions,
    row.awaitedInFunction,
    row.logBytes,
  ];
  return ['(costs)', row.what, row.delivery, ...figures.map(String)];
}

const PRICED =
  `  list prices in ${PRICES.region} of ${PRICES.date}; ` +
  "the step's own invocation, the bus and the queue left out";

function dollarCells(dollars: readonly DollarRow[]): string[][] {
  const percents = dollars[0]?.mixed.map(({ percent }) => `${percent} % duplicates`) ?? [];
  return [
    ['', 'dollars for a million deliveries', 'fresh', 'duplicate', ...percents],
    ...dollars.map(({ what, fresh, duplicate, mixed }) => [
      '(costs)',
      what,
      ...[fresh, duplicate, ...mixed.map(one => one.dollars)].map(sum => sum.toFixed(2)),
    ]),
  ];
}

/** The cells of (sources) behind its name. */
function named([head = [], ...rows]: Cells): string[][] {
  return [['', ...head], ...rows.map(cells => ['(sources)', ...cells])];
}

const REQUESTS_PRICED =
  `  dollars for a million, list prices in ${PRICES.region} of ${PRICES.date}; ` +
  "the step's own invocation left out";
