import type { ChaosReport, Report } from './report';

/** The report as a short table for people. */
export function renderReport(report: Report): string {
  const { executions, effects, duplicates, dynamodb, chaos } = report;
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
    ...(chaos ? [['chaos', chaosText(chaos)] as [string, string]] : []),
    ['refused', refused[0] ?? 'none'],
    ...refused.slice(1).map((text): [string, string] => ['', text]),
    ['billed transitions', `${report.transitions}`],
    ['DynamoDB', `${dynamodb.writes} writes, ${dynamodb.reads} reads`],
    ['time', `${report.seconds} s`],
    ...(report.invalidLines > 0 ? [['invalid lines', `${report.invalidLines}`] as [string, string]] : []),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
  return [...lines, '', ...verdictOn(report), ''].join('\n');
}

function chaosText({ aborted, redriven, takenOver, cutOff }: ChaosReport): string {
  return `${aborted} aborted, ${redriven} redriven, ${takenOver} taken over; ${cutOff} times the step was cut off`;
}

function verdictOn({ ok, effects }: Report): string[] {
  if (!ok) return ['NOT ok: an order was charged too often, not at all, or without cause'];
  const more = effects.charges - effects.orders;
  const once = 'ok: every order with a valid key and payload was charged exactly once';
  if (more === 0) return [once];
  const charges = more === 1 ? '1 charge' : `${more} charges`;
  return [
    `${once}, except where the step was cut off`,
    '',
    `${charges} more than orders: nobody knows whether a step that is cut off has had its effect, so at-least-once`,
    'delivery runs it again, with the same idempotency key, by which a payment provider refuses the second charge;',
    "with `delivery: 'at-most-once'` such an order is left to a person instead.",
  ];
}
