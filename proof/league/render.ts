import { table } from '../bench/table';
import { FAILURES, type Outcome } from './judge';
import { COLUMNS, extentOf, per10000, problemsOf, type Report, TITLES, verdictOn } from './report';
import type { Step } from './world/play';

/** The report for a terminal: the table, where each failure comes from, and the shortest schedule of each. */
export function renderReport(report: Report): string {
  const { standings, notRun } = report;
  const head = ['contender', ...COLUMNS.map(column => TITLES[column]), '$'];
  const rows = standings.map(({ id, per10000: counts, price }) => [
    id,
    ...COLUMNS.map(column => (counts[column] === 0 ? '·' : String(counts[column]))),
    price.dollars.toFixed(2),
  ]);
  const problems = problemsOf(report);
  return [
    `For each 10,000 deliveries; ${extentOf(report)}:`,
    '',
    ...table([head, ...rows], 1),
    '',
    ...renderKinds(report),
    ...renderFound(report),
    ...notRun.map(({ what, why }) => `Not run: ${what}: ${why}`),
    ...(notRun.length > 0 ? [''] : []),
    ...(problems.length > 0 ? problems.map(problem => `NOT ok: ${problem}`) : [verdictOn(report)]),
    '',
  ].join('\n');
}

/** The origin of the failures: each kind of fault, and the contenders that fail by it. */
function renderKinds({ kinds, cells }: Report): readonly string[] {
  return kinds.flatMap(({ id, title }) => {
    const affected = cells
      .filter(({ kind }) => kind === id)
      .flatMap(cell => {
        const failures = FAILURES.filter(failure => cell[failure] > 0).map(
          failure => `${TITLES[failure]} ${per10000(cell[failure], cell.deliveries)}`,
        );
        return failures.length > 0 ? [`    ${cell.contender}: ${failures.join(', ')}`] : [];
      });
    return [`  ${title} (${id})`, ...(affected.length > 0 ? affected : ['    no failure']), ''];
  });
}

function renderFound({ found }: Report): readonly string[] {
  if (found.length === 0) return [];
  const lines = found.map(
    ({ contender, failure, schedule }) =>
      `  ${TITLES[failure].padEnd(24)} npm run league -- --replay '${contender}:${schedule}'`,
  );
  return ['The shortest schedule of each, step by step:', '', ...lines, ''];
}

/** One schedule as it was played, step by step, and what it came to. */
export function renderReplay(
  title: string,
  { outcome, steps }: { readonly outcome: Outcome; readonly steps: readonly Step[] },
): string {
  const lines = steps.map(({ at, text }) => [`${(at / 1000).toFixed(3)} s`, text]);
  const width = Math.max(0, ...lines.map(([at = '']) => at.length));
  const failures = COLUMNS.filter(column => outcome[column] > 0).map(
    column => `${TITLES[column]}: ${outcome[column]}`,
  );
  return [
    title,
    '',
    ...lines.map(([at = '', text]) => `  ${at.padStart(width)}  ${text}`),
    '',
    failures.length > 0 ? failures.join(', ') : 'nothing went wrong',
    '',
  ].join('\n');
}
