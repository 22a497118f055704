import type { RecoveryReport } from './recovery';
import type { ChaosReport, Report } from './report';

/** What a person who watches a run sees on its page. */
export const WATCHED = `\
Orders arrive four a second. About every twentieth call of the workflow is the last of its execution.

  Keys          what was stopped comes first; what is not done is delivered again a minute after the others
  a key         deliveries, stops, redrives and the record on one time axis, and what the next delivery would do
  an execution  the way that it went, and a slider that goes back in time

Ctrl-C ends it.
`;

/** The report as a short table for people, and a verdict. `wallSeconds`: how long the program has been running. */
export function renderReport(report: Report, wallSeconds: number): string {
  const rows = rowsOf(report, wallSeconds);
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
  return [...lines, '', ...verdictOn(report), ''].join('\n');
}

/** What the report says, row by row; a row without a name goes on with the one before. */
export function rowsOf(
  report: Report,
  wallSeconds: number,
): readonly (readonly [name: string, text: string])[] {
  const { executions, duplicates, dynamodb, chaos, recovery } = report;
  const rejected = Object.entries(report.rejected).map(([name, count]) => `${count} ${name}`);
  return [
    ['deliveries', `${report.deliveries}`],
    ['keys', `${report.keys}`],
    [
      'executions',
      `${executions.started} started, ${executions.succeeded} succeeded, ${executions.failed} failed`,
    ],
    ['business runs', `${report.businessRuns}`],
    ...(chaos ? chaosRows(chaos) : []),
    ...(recovery ? recoveryRows(recovery) : []),
    ['effects', effectsText(report)],
    ['duplicates', `${duplicates.byName} stopped by name, ${duplicates.byRecord} answered by the record`],
    ['rejected', rejected[0] ?? 'none'],
    ...rejected.slice(1).map((text): [string, string] => ['', text]),
    ['billed transitions', `${report.transitions}`],
    ['DynamoDB', `${dynamodb.writes} writes, ${dynamodb.reads} reads`],
    ['time', `${wallSeconds} s, of them ${report.seconds} s for the deliveries`],
    ...(report.invalidLines > 0 ? [['invalid lines', `${report.invalidLines}`] as [string, string]] : []),
  ];
}

function chaosRows({ aborted, redriven, takeovers, cutOff }: ChaosReport): [string, string][] {
  const stops = `${times(aborted, 'execution')} stopped, ${redriven} redriven, ${takeovers} taken over`;
  return [
    ['chaos', stops],
    ['step cut off', `${times(cutOff, 'time')} between its call and its recorded answer`],
  ];
}

function recoveryRows(recovery: RecoveryReport): [string, string][] {
  const { startedBy, deliveries, givenUp, unfinished, messages } = recovery;
  const { events, search, delivery } = startedBy;
  return [
    ['recovery', `started ${events} by events, ${search} by the search, ${delivery} by deliveries`],
    ['', `${times(deliveries, 'delivery', 'deliveries')} of its own, ${givenUp} given up`],
    ['left', `${times(unfinished, 'unfinished record')}, ${times(messages, 'message')} in queues`],
  ];
}

function effectsText({ ok, effects: { orders, requests, charges, maxPerOrder } }: Report): string {
  const counts = `${orders} orders, ${charges} charges`;
  if (!ok || requests === orders) return `${counts}, at most ${maxPerOrder} per order`;
  if (charges > orders)
    return `${counts}: ${times(charges - orders, 'charge')} more, where the step was cut off`;
  const again = times(requests - orders, 'more request');
  return `${counts}, at most ${maxPerOrder} per order; ${again}, where the step was cut off`;
}

const REPEATED = [
  'An interrupted step might have had its effect, so at-least-once delivery runs it again with the same key.',
];

/** What that comes to, line by line: whether it is ok comes last. */
export function verdictOn({ ok, effects: { orders, requests, charges } }: Report): string[] {
  if (!ok) return ['NOT ok: an order was charged too often, not at all, or without cause'];
  const once = 'ok: every order with a valid key and payload has exactly one charge';
  if (requests === orders) return [once];
  if (charges === orders)
    return [
      ...REPEATED,
      'This provider honors keys and returns the charge that it made for the key. A provider that ignores keys',
      '(`--provider forgetful`) charges again.',
      '',
      once,
    ];
  return [
    ...REPEATED,
    'This provider ignores keys and charges again. `--provider keyed` honors keys, as payment providers do. With',
    "`delivery: 'at-most-once'`, such an order is held for review instead.",
    '',
    'ok: every order with a valid key and payload has a charge, and exactly one if its step was not interrupted',
  ];
}

function times(count: number, what: string, several = `${what}s`): string {
  return `${count} ${count === 1 ? what : several}`;
}
