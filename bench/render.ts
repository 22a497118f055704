import type { Report, Row } from './report';

/** The report as tables for people. */
export function renderReport({ node, cpus, rows, ratios, notMeasured }: Report): string {
  const lines = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map(cells => cells[column]?.length ?? 0)));
  const table = lines.map(cells =>
    cells.map((cell, column) =>
      column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    ),
  );
  return [
    `node ${node}, ${cpus}`,
    '',
    ...table.map(cells => `  ${cells.join('  ').trimEnd()}`),
    '',
    ...ratios.map(({ what, ratio }) => `  ${ratio.toFixed(2)}  ${what}`),
    ...notMeasured.map(what => `  not measured: ${what}`),
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
