import type { Children } from './child';
import type { CostRow } from './cost/cost';
import { costsOfDeliveries } from './cost/deliveries';
import type { Thousand } from './measures/kept';
import type { Measure } from './measures/measure';
import { type Ratio, type Row, rounded, rowOf } from './report';
import { POWERTOOLS, RIVAL, type RivalPackage } from './rival-package';
import { median } from './statistics';

/** What one bench came to. */
export interface Result {
  readonly rows: readonly Row[];
  readonly ratios: readonly Ratio[];
  readonly notMeasured: readonly string[];
  /** What a delivery takes, where that was counted. */
  readonly costs?: readonly CostRow[];
}

/** How many runs there are of everything: medians of fewer move with every other program on the machine. */
export const RUNS = 5;

/** Executions of one run: about half a second of work, behind as many that warm up. */
const THREE_TASKS = 40_000;
const PAYMENTS = 5000;
const KEPT_EXECUTIONS = 10_000;

/** (a) Three Task states with handlers in the process, next to another interpreter, in turns. */
export async function threeTasks(children: Children, rival: RivalPackage): Promise<Result> {
  const ours: Measure[] = [];
  const theirs: Measure[] = [];
  const theirsLogged: Measure[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    ours.push((await children.run('pass-through', [THREE_TASKS])) as Measure);
    if (rival.kind === 'missing') continue;
    theirsLogged.push((await children.run('rival', [THREE_TASKS, rival.folder, 'log'])) as Measure);
    theirs.push((await children.run('rival', [THREE_TASKS, rival.folder])) as Measure);
  }
  const row = rowOf('a', 'three tasks, every history kept', ours);
  if (rival.kind === 'missing') {
    return { rows: [row], ratios: [], notMeasured: [`${RIVAL.name}: ${rival.reason}`] };
  }
  const rivalName = `${RIVAL.name} ${RIVAL.version}`;
  const logged = rowOf('a', `${rivalName}, every event log kept`, theirsLogged);
  const unlogged = rowOf('a', `${rivalName}, nothing kept`, theirs);
  const ratios = [
    ratioOf(`(a) executions per second, to ${logged.what}`, logged, row, 'microsecondsPerExecution'),
    ratioOf(`(a) events per second, to ${logged.what}`, logged, row, 'microsecondsPerEvent'),
    ratioOf(`(a) executions per second, to ${unlogged.what}`, unlogged, row, 'microsecondsPerExecution'),
  ];
  return { rows: [row, logged, unlogged], ratios, notMeasured: [] };
}

/** (b) The workflow of the reference app, everything it calls in memory. */
export async function chargePayment(children: Children, assembly: string): Promise<Result> {
  const fresh: Measure[] = [];
  const duplicates: Measure[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    fresh.push((await children.run('charge-payment', [PAYMENTS, assembly, 'fresh'])) as Measure);
    duplicates.push((await children.run('charge-payment', [PAYMENTS, assembly, 'duplicate'])) as Measure);
  }
  return {
    rows: [
      rowOf('b', 'ChargePayment, fresh orders', fresh),
      rowOf('b', 'ChargePayment, duplicates', duplicates),
    ],
    ratios: [],
    notMeasured: [],
  };
}

/** (c) Ten thousand executions that are all kept: the first thousand next to the last. */
export async function kept(children: Children): Promise<Result> {
  const runs: Thousand[][] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { thousands } = (await children.run('kept', [KEPT_EXECUTIONS])) as { thousands: Thousand[] };
    runs.push(thousands);
  }
  const first = keptRow(
    'first thousand of 10,000 kept',
    runs.map(run => run.at(0)),
  );
  const last = keptRow(
    'last thousand of 10,000 kept',
    runs.map(run => run.at(-1)),
  );
  const ratios = [
    ratioOf('(c) time of an execution, last thousand to first', last, first, 'microsecondsPerExecution'),
    ratioOf('(c) heap of an execution, last thousand to first', last, first, 'heapBytesPerExecution'),
  ];
  return { rows: [first, last], ratios, notMeasured: [] };
}

/** (d) What one delivery takes, next to idempotency in a Lambda function. */
export async function costs(assembly: string, rival: RivalPackage): Promise<Result> {
  const rows = await costsOfDeliveries(assembly, rival.kind === 'installed' ? rival.folder : undefined);
  const missing =
    rival.kind === 'missing'
      ? `${POWERTOOLS.name}: ${rival.reason}`
      : 'that DynamoDB answers Powertools with the record itself when it refuses a put, which spares it the read; the ' +
        'embedded one does not';
  return { rows: [], ratios: [], costs: rows, notMeasured: [missing] };
}

function keptRow(what: string, thousands: readonly (Thousand | undefined)[]): Row {
  const measured = thousands.flatMap(thousand => thousand ?? []);
  const measures = measured.map(({ seconds }) => ({ executions: 1000, seconds }));
  const heapBytesPerExecution = Math.round(median(measured.map(({ heapBytes }) => heapBytes)) / 1000);
  return { ...rowOf('c', what, measures), heapBytesPerExecution };
}

function ratioOf(
  what: string,
  row: Row,
  to: Row,
  figure: 'microsecondsPerExecution' | 'microsecondsPerEvent' | 'heapBytesPerExecution',
): Ratio {
  return { what, ratio: rounded((row[figure] ?? 0) / (to[figure] ?? 1)) };
}
