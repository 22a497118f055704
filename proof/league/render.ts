import { table } from '../bench/table';
import { HARMS, type Outcome } from './judge';
import { extentOf, per10000, problemsOf, type Report, verdictOn, WORDS } from './report';
import type { Step } from './world/play';

const COLUMNS = [...HARMS, 'told'] as const;

/** The report for a terminal: the table, where each harm comes from, and the shortest schedule of each. */
export function renderReport(report: Report): string {
  const { standings, notRun } = report;
  const head = ['contender', ...COLUMNS.map(column => WORDS[column]), '$'];
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

/** Where the harm comes from: each kind of trouble, and whom it harms how. */
function renderKinds({ kinds, cells }: Report): readonly string[] {
  return kinds.flatMap(({ id, title }) => {
    const harmed = cells
      .filter(({ kind }) => kind === id)
      .flatMap(cell => {
        const harms = HARMS.filter(harm => cell[harm] > 0).map(
          harm => `${WORDS[harm]} ${per10000(cell[harm], cell.deliveries)}`,
        );
        return harms.length > 0 ? [`    ${cell.contender}: ${harms.join(', ')}`] : [];
      });
    return [`  ${title} (${id})`, ...(harmed.length > 0 ? harmed : ['    nobody is harmed']), ''];
  });
}

function renderFound({ found }: Report): readonly string[] {
  if (found.length === 0) return [];
  const lines = found.map(
    ({ contender, harm, schedule }) =>
      `  ${WORDS[harm].padEnd(24)} npm run league -- --replay '${contender}:${schedule}'`,
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
  const harms = COLUMNS.filter(column => outcome[column] > 0).map(
    column => `${WORDS[column]}: ${outcome[column]}`,
  );
  return [
    title,
    '',
    ...lines.map(([at = '', text]) => `  ${at.padStart(width)}  ${text}`),
    '',
    harms.length > 0 ? harms.join(', ') : 'nothing went wrong',
    '',
  ].join('\n');
}
