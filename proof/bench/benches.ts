import { type BaselinePackage, PEER, POWERTOOLS } from './baseline-package';
import type { Children, ProgramName } from './child';
import { AWS_SAMPLES } from './cost/aws-samples';
import { costsOfDeliveries } from './cost/deliveries';
import { dollarRows } from './cost/dollars';
import type { Measure } from './measures/measure';
import type { Thousand } from './measures/memory-growth';
import type { Measured, Ratio, Row } from './report';
import { median, medianRatio, rounded, rowOf } from './statistics';

/** Hears what is being measured, and how many of all runs of the bench are done. */
export type OnRun = (what: string, done: number, total: number) => void;

/** How many runs there are of everything: medians of fewer move with every other program on the machine. */
const RUNS = 5;

/** Executions of one run: about half a second of work, behind as many that warm up. */
const THREE_TASKS = 40_000;
const PAYMENTS = 5000;
const RETAINED_EXECUTIONS = 100_000;

/** (tasks) Three Task states with handlers in the process, in turns with another interpreter. */
export async function threeTasks(
  children: Children,
  peer: BaselinePackage,
  onRun: OnRun,
): Promise<Partial<Measured>> {
  const own: Program = { what: 'three tasks, every history kept', name: 'pass-through', args: [THREE_TASKS] };
  if (peer.kind === 'missing') {
    const [measures = []] = await inTurns<Measure>(children, [own], onRun);
    return { rows: [rowOf('tasks', own.what, measures)], notMeasured: [`${PEER.name}: ${peer.reason}`] };
  }
  const what = `${PEER.name} ${PEER.version}, every event log kept`;
  const other: Program = { what, name: 'peer', args: [THREE_TASKS, peer.folder] };
  const [measures = [], others = []] = await inTurns<Measure>(children, [own, other], onRun);
  return {
    rows: [rowOf('tasks', own.what, measures), rowOf('tasks', what, others)],
    ratios: [
      { what: `(tasks) executions per second, to ${PEER.name}`, ratio: medianRatio(others, measures) },
    ],
  };
}

/** (workflow) The workflow of the reference app, everything it calls in memory. */
export async function chargePayment(
  children: Children,
  assembly: string,
  onRun: OnRun,
): Promise<Partial<Measured>> {
  const programs: Program[] = [
    { what: 'ChargePayment, fresh orders', name: 'charge-payment', args: [PAYMENTS, assembly, 'fresh'] },
    { what: 'ChargePayment, duplicates', name: 'charge-payment', args: [PAYMENTS, assembly, 'duplicate'] },
  ];
  const measures = await inTurns<Measure>(children, programs, onRun);
  const rows = programs.map(({ what }, index) => rowOf('workflow', what, measures[index] ?? []));
  return { rows };
}

/** (memory) A hundred thousand executions that all stay in memory: the first ten thousand next to the last. */
export async function memoryGrowth(children: Children, onRun: OnRun): Promise<Partial<Measured>> {
  const program: Program = { what: '100,000 kept', name: 'memory-growth', args: [RETAINED_EXECUTIONS] };
  const [runs = []] = await inTurns<{ readonly thousands: Thousand[] }>(children, [program], onRun);
  // Of a single thousand the heap says little: which garbage of it is left hangs on when it was collected last.
  const first = keptRow('first ten thousand of 100,000 kept', runs, [0, 10]);
  const last = keptRow('last ten thousand of 100,000 kept', runs, [-10, undefined]);
  const what = 'of an execution, last ten thousand to first';
  const ratios = [
    ratioOf(`(memory) time ${what}`, last, first, 'microsecondsPerExecution'),
    ratioOf(`(memory) heap ${what}`, last, first, 'heapBytesPerExecution'),
  ];
  return { rows: [first, last], ratios };
}

/** (costs) What one delivery takes, next to idempotency in a Lambda function. */
export async function costs(assembly: string, baseline: BaselinePackage): Promise<Partial<Measured>> {
  const folder = baseline.kind === 'installed' ? baseline.folder : undefined;
  const rows = [...(await costsOfDeliveries(assembly, folder)), ...AWS_SAMPLES];
  const notMeasured = baseline.kind === 'missing' ? [`${POWERTOOLS.name}: ${baseline.reason}`] : [];
  return { costs: rows, dollars: dollarRows(rows), notMeasured };
}

/** A measuring program with its arguments. */
interface Program {
  readonly what: string;
  readonly name: ProgramName;
  readonly args: readonly (string | number)[];
}

/** What each program measured in each of its runs. They take turns, so that a busy machine is busy for all of them. */
async function inTurns<Output>(
  children: Children,
  programs: readonly Program[],
  onRun: OnRun,
): Promise<Output[][]> {
  const measured: Output[][] = programs.map(() => []);
  for (let run = 0; run < RUNS; run += 1) {
    for (const [index, { what, name, args }] of programs.entries()) {
      onRun(what, run * programs.length + index, RUNS * programs.length);
      measured[index]?.push((await children.run(name, args)) as Output);
    }
  }
  return measured;
}

function keptRow(
  what: string,
  runs: readonly { readonly thousands: readonly Thousand[] }[],
  [from, to]: readonly [number, number | undefined],
): Row {
  const parts = runs.map(({ thousands }) => thousands.slice(from, to));
  const sumOf = (part: readonly Thousand[], figure: keyof Thousand) =>
    part.reduce((sum, thousand) => sum + thousand[figure], 0);
  const executions = (part: readonly Thousand[]) => 1000 * part.length;
  const measures = parts.map(part => ({ executions: executions(part), seconds: sumOf(part, 'seconds') }));
  const heap = parts.map(part => sumOf(part, 'heapBytes') / executions(part));
  return { ...rowOf('memory', what, measures), heapBytesPerExecution: Math.round(median(heap)) };
}

function ratioOf(
  what: string,
  row: Row,
  to: Row,
  figure: 'microsecondsPerExecution' | 'heapBytesPerExecution',
): Ratio {
  return { what, ratio: rounded((row[figure] ?? 0) / (to[figure] ?? 1)) };
}
