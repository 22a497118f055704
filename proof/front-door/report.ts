import type { ChaosReport } from './chaos';
import type { Outcome } from './run-conversation';

/** What conversations came to, for a person. */
export function renderOutcomes(outcomes: readonly Outcome[]): string {
  const width = Math.max(...outcomes.map(({ id }) => id.length));
  const marks = {
    passed: 'ok',
    failed: 'WRONG',
    skipped: 'skipped',
    unknown: 'unknown',
    differs: 'differs',
  } as const;
  const lines = outcomes.flatMap(({ id, title, kind, why }) => [
    `${marks[kind].padEnd(8)}${id.padEnd(width)}  ${title}`,
    ...why.map(text => `${' '.repeat(8)}${text}`),
  ]);
  const count = (kind: Outcome['kind']) => outcomes.filter(outcome => outcome.kind === kind).length;
  const names = {
    skipped: 'skipped',
    differs: 'different by design',
    unknown: 'not documented',
    failed: 'wrong',
  } as const;
  const others = (['skipped', 'differs', 'unknown', 'failed'] as const).flatMap(kind =>
    count(kind) > 0 ? [`${count(kind)} ${names[kind]}`] : [],
  );
  const total = [`${count('passed')} of ${outcomes.length} conversations as expected`, ...others];
  return `${lines.join('\n')}\n\n${total.join(', ')}\n`;
}

/** Whether each key had one effect and one answer, and each request got it. */
export function isRight({ keys, requests, effects, differing, unanswered }: ChaosReport): boolean {
  return effects === Math.min(keys, requests) && differing.length === 0 && unanswered === 0;
}

/** What many requests at once came to, for a person. */
export function renderChaos(report: ChaosReport): string {
  const { requests, keys, seed, sent, rounds, answered, faults, stepRuns, effects, differing } = report;
  const listed = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ') || 'none';
  const rows = [
    [
      'requests',
      `${requests} of ${keys} keys at once (seed ${seed}), ${sent} with those repeated, ${rounds} rounds`,
    ],
    ['answers', listed(answered)],
    ['faults', listed(faults)],
    ['step runs', String(stepRuns)],
    ['effects', `${effects} at a provider that honours the key`],
    ['keys with several answers', differing.join(', ') || 'none'],
    ['without a result', String(report.unanswered)],
    ['slowest first answer', `${report.slowestMs} ms of virtual time`],
  ] as const;
  const width = Math.max(...rows.map(([name]) => name.length));
  const verdict = isRight(report) ? 'ok: one effect and one answer for each key' : 'WRONG';
  return `${rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')}\n\n${verdict}\n`;
}
