import type { Comparison, Verdict } from './bridge';
import type { Mutant, Report, Whole } from './run';

/** A report as a person reads it. */
export function renderReport({ deliveries, faults, wholes, mutants, comparisons }: Report): string {
  const killed = mutants.filter(({ answer }) => answer.violation).length;
  const agreed = comparisons.filter(({ agrees }) => agrees).length;
  return [
    ...wholes.map(whole => renderWhole(deliveries, faults, whole)),
    ...mutants.map(renderMutant),
    ...comparisons.map(renderComparison),
    `guards missed      ${killed} of ${mutants.length}`,
    `schedules judged alike  ${agreed} of ${comparisons.length}`,
    '',
  ].join('\n');
}

function renderWhole(deliveries: number, faults: number, whole: Whole): string {
  const { isAtMostOnce, states, transitions, seconds, megabytes, isWhole, violation } = whole;
  const end = violation
    ? `VIOLATION of ${violation.invariant}: ${violation.schedule.join(' ')}`
    : isWhole
      ? 'no violation'
      : 'NOT ALL SEEN: it takes more memory, --memory MB';
  const budget = `${deliveries} deliveries, ${faults} faults, at ${isAtMostOnce ? 'most' : 'least'} once`;
  const size = `${states} states, ${transitions} transitions, ${seconds} s, ${Math.round(megabytes)} MB`;
  return `${budget}: ${size}: ${end}\n`;
}

function renderMutant({ guard: { name, says }, answer: { violation } }: Mutant): string {
  const found = violation
    ? `missed by ${violation.invariant}\n    ${violation.schedule.join(' ')}`
    : 'NOT MISSED';
  return `${name} (${says}): ${found}\n`;
}

function renderComparison({ guard, mutation, schedule, explored, specified, agrees }: Comparison): string {
  const sides = [
    `exploration: ${renderVerdict(explored.without)}; with it ${renderVerdict(explored.with)}`,
    `specification: ${renderVerdict(specified.without)}; with it ${renderVerdict(specified.with)}`,
  ];
  return `${agrees ? 'alike' : 'NOT ALIKE'}  ${guard}, ${mutation}\n    ${[schedule, ...sides].join('\n    ')}\n`;
}

/** What becomes of a schedule, in a few words. */
export function renderVerdict(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'violation':
      return `a violation of ${verdict.invariant}`;
    case 'left out':
      return `the specification does not have ${verdict.what}`;
    default:
      return verdict.kind;
  }
}
