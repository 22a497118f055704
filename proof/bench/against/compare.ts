import { type BaselinePackage, INTERPRETER } from '../baseline-package';
import { type OnRun, PARSED, type Program, RUNS, THREE_TASKS } from '../benches';
import type { Children } from '../child';
import type { Measure } from '../measures/measure';
import type { ParseMeasure } from '../measures/parse-definition';
import { type Comparison, median, type Pair, rounded } from '../report';

/** What is measured of the sources at a revision and of those of today. */
export interface Sides {
  readonly revision: string;
  readonly before: Children;
  readonly now: Children;
}

/** A program on one side. */
interface Turn {
  readonly program: Program;
  readonly children: Children;
}

const PAYMENTS = 5000;

/** (a) Three tasks, next to what they were and to another interpreter. */
export async function compareThreeTasks(
  { revision, before, now }: Sides,
  baseline: BaselinePackage,
  onRun: OnRun,
): Promise<Comparison[]> {
  const what = 'three tasks, every history kept';
  const program: Program = { what, name: 'pass-through', args: [THREE_TASKS] };
  const sides = [
    { program, children: before },
    { program, children: now },
  ];
  if (baseline.kind === 'installed') {
    const args = [THREE_TASKS, baseline.folder, 'log'];
    sides.push({ program: { what: INTERPRETER.name, name: 'baseline', args }, children: now });
  }
  const [old = [], own = [], other] = await alternately<Measure>(sides, onRun);
  const name = `${INTERPRETER.name} ${INTERPRETER.version}, every event log kept`;
  return [
    comparisonOf('a', what, revision, old, own),
    ...(other ? [comparisonOf('a', what, name, other, own)] : []),
  ];
}

/** (b) The workflow of the reference app. The assembly is that of today on both sides. */
export async function comparePayments(
  { revision, before, now }: Sides,
  assembly: string,
  onRun: OnRun,
): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const [orders, what] of [
    ['fresh', 'ChargePayment, fresh orders'],
    ['duplicate', 'ChargePayment, duplicates'],
  ] as const) {
    const program = { what, name: 'charge-payment', args: [PAYMENTS, assembly, orders] };
    const [old = [], own = []] = await alternately<Measure>(
      [
        { program, children: before },
        { program, children: now },
      ],
      onRun,
    );
    comparisons.push(comparisonOf('b', what, revision, old, own));
  }
  return comparisons;
}

/** (j) Reading the definition of the reference app. */
export async function compareParsing(
  { revision, before, now }: Sides,
  assembly: string,
  onRun: OnRun,
): Promise<Comparison[]> {
  const program = { what: 'parseDefinition', name: 'parse-definition', args: [assembly] };
  const [old = [], own = []] = await alternately<ParseMeasure>(
    [
      { program, children: before },
      { program, children: now },
    ],
    onRun,
  );
  const of = (measures: readonly ParseMeasure[], which: keyof ParseMeasure) =>
    measures.map(measure => measure[which]);
  return PARSED.map(([which, what]) =>
    comparisonOf('j', `parseDefinition, ${what}`, revision, of(old, which), of(own, which)),
  );
}

/** One side after the other, again and again, so that a busy machine is busy for all of them. */
async function alternately<Measured>(turns: readonly Turn[], onRun: OnRun): Promise<Measured[][]> {
  const measured: Measured[][] = turns.map(() => []);
  for (let run = 0; run < RUNS; run += 1) {
    for (const [index, { program, children }] of turns.entries()) {
      onRun(program.what, run * turns.length + index, RUNS * turns.length);
      measured[index]?.push((await children.run(program.name, program.args)) as Measured);
    }
  }
  return measured;
}

function comparisonOf(
  bench: Comparison['bench'],
  what: string,
  to: string,
  before: readonly Measure[],
  now: readonly Measure[],
): Comparison {
  const pairOf = (time: 'cpuSeconds' | 'seconds'): Pair => {
    const perExecution = (measures: readonly Measure[]) =>
      median(measures.map(measure => (measure[time] / measure.executions) * 1e6));
    const [old, own] = [perExecution(before), perExecution(now)];
    return { before: rounded(old), now: rounded(own), ratio: rounded(old / own) };
  };
  return { bench, what, to, cpu: pairOf('cpuSeconds'), clock: pairOf('seconds') };
}
