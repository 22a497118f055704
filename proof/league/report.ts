import { dollarsPerMillion } from '../bench/cost/dollars';
import type { Contender } from './contenders/contender';
import type { NotRun } from './contenders/contenders';
import { FAILURES, type Failure, type Outcome } from './judge';
import { FAULT_KINDS } from './kinds';
import { type Cell, type Found, NO_OUTCOME, type Score, sum } from './league';
import { addBills, type Bill, emptyBill } from './world/bill';

/** The figures of the standings, in the order of their columns. */
export const COLUMNS = [...FAILURES, 'reported'] as const;

/** A contender, and what it came to in all kinds together, for each 10,000 deliveries. */
export interface Standing {
  readonly id: string;
  readonly title: string;
  readonly settings: string;
  readonly documentation: string;
  readonly limit?: Contender['limit'];
  readonly deliveries: number;
  readonly per10000: Readonly<Record<Failure | 'reported', number>>;
  /** What it takes of what AWS bills, and list prices in dollars, for each 10,000 deliveries. */
  readonly price: Readonly<Record<keyof Bill, number>> & { readonly dollars: number };
}

/** All that a league has found. */
export interface Report {
  readonly seeds: number;
  readonly kinds: readonly { readonly id: string; readonly title: string }[];
  readonly standings: readonly Standing[];
  readonly cells: readonly Cell[];
  readonly found: readonly Found[];
  readonly notRun: readonly NotRun[];
}

/** Puts the scores together, in the order of the contenders. */
export function reportOf(
  contenders: readonly Contender[],
  scores: readonly Score[],
  { seeds, notRun }: Pick<Report, 'seeds' | 'notRun'>,
): Report {
  const cells = scores.flatMap(score => score.cells);
  const ids = new Set(cells.map(({ kind }) => kind));
  return {
    seeds,
    kinds: FAULT_KINDS.filter(({ id }) => ids.has(id)).map(({ id, title }) => ({ id, title })),
    standings: contenders.map((contender, index) => standingOf(contender, scores[index]?.cells ?? [])),
    cells,
    found: scores.flatMap(({ found }) => found),
    notRun,
  };
}

function standingOf(
  { id, title, settings, documentation, limit }: Contender,
  cells: readonly Cell[],
): Standing {
  const outcome = cells.reduce<Outcome>((total, cell) => sum(total, cell), NO_OUTCOME);
  const bill = cells.reduce((total, cell) => addBills(total, cell.bill), emptyBill());
  const { deliveries } = outcome;
  const scaled = (count: number) => per10000(count, deliveries);
  return {
    id,
    title,
    settings,
    documentation,
    ...(limit && { limit }),
    deliveries,
    per10000: Object.fromEntries(
      COLUMNS.map(column => [column, scaled(outcome[column])]),
    ) as Standing['per10000'],
    price: {
      ...(Object.fromEntries(Object.entries(bill).map(([name, count]) => [name, scaled(count)])) as Record<
        keyof Bill,
        number
      >),
      dollars: dollarsOf(bill, deliveries),
    },
  };
}

/** What 10,000 deliveries cost, with what each run of the step takes left out: everybody pays for those. */
function dollarsOf(bill: Bill, deliveries: number): number {
  const each = (count: number) => (deliveries === 0 ? 0 : count / deliveries);
  const cost = {
    transitions: each(bill.transitions),
    expressExecutions: each(bill.expressExecutions),
    invocations: each(bill.invocations),
    writes: each(bill.writes),
    reads: each(bill.reads),
    awaitedInFunction: each(bill.awaitedInFunction),
    describeExecutions: 0,
    // The page says that they are not in its prices.
    logBytes: 0,
  };
  const perMillion = dollarsPerMillion(cost, Math.min(each(bill.stepRuns), cost.invocations));
  return Math.round(perMillion) / 100;
}

/** A count for each 10,000 deliveries, rounded; what happened at all is never 0. */
export function per10000(count: number, deliveries: number): number {
  if (count === 0 || deliveries === 0) return 0;
  return Math.max(1, Math.round((count / deliveries) * 10_000));
}

/** What onceflow promises with recovery, wherever it is asked to: none of these, in any kind of fault. */
export const PROMISED: readonly Failure[] = [
  'doubledAtProvider',
  'lost',
  'overdue',
  'wrongAnswers',
  'letThrough',
];

/** Kinds that cannot double a step: an event comes once, or its step never succeeds. */
const DOUBLING_NOTHING = ['calm', 'poison'];

/** The faults, a sentence each: a broken promise of ours, or a league that finds nothing. */
export function problemsOf({ cells, kinds, standings }: Report): readonly string[] {
  const broken = cells
    .filter(({ contender }) => isPromising(contender))
    .flatMap(cell =>
      PROMISED.filter(failure => cell[failure] > 0).map(
        failure => `${cell.contender} has ${cell[failure]} of "${TITLES[failure]}" in "${cell.kind}"`,
      ),
    );
  const none = standings.find(({ id }) => id === 'none');
  const isDoubled = kinds.some(({ id }) => !DOUBLING_NOTHING.includes(id));
  const isBlind = isDoubled && none !== undefined && none.per10000.doubled === 0;
  const blind = isBlind
    ? ['without protection nothing was doubled: the league is blind; give more seeds or kinds']
    : [];
  return [...broken, ...blind];
}

/** How much was played, for who takes part in all of it. */
export function extentOf({ kinds, seeds, standings }: Pick<Report, 'kinds' | 'seeds' | 'standings'>): string {
  const deliveries = standings[0]?.deliveries ?? 0;
  return [
    `${kinds.length} ${kinds.length === 1 ? 'kind' : 'kinds'} of fault`,
    `${seeds} ${seeds === 1 ? 'schedule' : 'schedules'} of each`,
    `${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'}`,
  ].join(', ');
}

/** What a report without a problem says. */
export function verdictOn({ standings }: Pick<Report, 'standings'>): string {
  const isPlayed = standings.some(({ id }) => isPromising(id));
  if (!isPlayed) return 'onceflow was not among them';
  const kept =
    'nothing doubled at a provider that knows the key, nothing lost, overdue, wrong or let through';
  return `ok: onceflow has kept what it promises: ${kept}`;
}

/** Whether a contender of ours is asked to keep what it promises with recovery. */
export function isPromising(contender: string): boolean {
  return contender.startsWith('onceflow') && contender !== 'onceflow-unrecovered';
}

/** What each failure is called. */
export const TITLES: Readonly<Record<Failure | 'reported', string>> = {
  doubled: 'effects doubled',
  doubledAtProvider: 'doubled at the provider',
  lost: 'events lost',
  overdue: 'keys overdue',
  wrongAnswers: 'wrong answers',
  letThrough: 'other payloads',
  reported: 'left to an operator',
};

/** What a payment provider is like: it charges whenever it is asked, or honours keys for a day. */
export type Provider = 'forgetful' | 'keyed';

/** All failures together, as it is with such a provider: what is doubled is counted once. */
export function failuresWith(provider: Provider, counts: Readonly<Record<Failure, number>>): number {
  const other = provider === 'forgetful' ? 'doubledAtProvider' : 'doubled';
  return FAILURES.filter(failure => failure !== other).reduce((sum, failure) => sum + counts[failure], 0);
}
