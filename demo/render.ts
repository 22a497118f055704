import type { Report } from './report';

/** The report as a short table for people. */
export function renderReport(report: Report): string {
  const { executions, effects, duplicates, dynamodb } = report;
  const refused = Object.entries(report.refused).map(([name, count]) => `${count} ${name}`);
  const rows: [string, string][] = [
    ['deliveries', `${report.deliveries}`],
    ['keys', `${report.keys}`],
    [
      'executions',
      `${executions.started} started, ${executions.succeeded} succeeded, ${executions.failed} failed`,
    ],
    ['business runs', `${report.businessRuns}`],
    [
      'effects',
      `${effects.orders} orders, ${effects.charges} charges, at most ${effects.maxPerOrder} per order`,
    ],
    ['duplicates', `${duplicates.byName} stopped by name, ${duplicates.byRecord} answered by the record`],
    ['refused', refused[0] ?? 'none'],
    ...refused.slice(1).map((text): [string, string] => ['', text]),
    ['billed transitions', `${report.transitions}`],
    ['DynamoDB', `${dynamodb.writes} writes, ${dynamodb.reads} reads`],
    ['time', `${report.seconds} s`],
    ...(report.invalidLines > 0 ? [['invalid lines', `${report.invalidLines}`] as [string, string]] : []),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const verdict = report.ok
    ? 'ok: every order with a valid key and payload was charged exactly once'
    : 'NOT ok: an order was charged more than once, not at all, or without cause';
  return [...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`), '', verdict, ''].join('\n');
}
