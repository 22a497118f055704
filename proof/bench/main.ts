import { cpus } from 'node:os';
import { withSynthesizedApp } from '../../cli/dev/synthesize';
import { EXIT } from '../../cli/program/exit';
import { endWithItsReaders } from '../../cli/program/output';
import { runProgram } from '../../cli/program/program';
import { type Progress, progressOn } from '../../cli/program/progress';
import { endedBySignal } from '../../cli/program/signals';
import { compareParsing, comparePayments, compareThreeTasks, type Sides } from './against/compare';
import { checkOut } from './against/revision';
import { INTERPRETER, installBaseline, POWERTOOLS } from './baseline-package';
import { chargePayment, costs, memoryGrowth, parsing, type Result, threeTasks } from './benches';
import { buildChildren, type Children } from './child';
import { consolePage } from './console/page-bench';
import { httpExecutions } from './http-bench';
import { type Bench, HELP, type Options, parseOptions } from './options';
import { renderReport } from './render';
import type { Comparison, Report } from './report';
import { sourceCounts } from './sources/source-bench';
import { queueMessages, restart, startLatency } from './state-benches';

const PROGRAMS = [
  ...['pass-through', 'baseline', 'charge-payment', 'memory-growth', 'kept-executions', 'restart'],
  ...['start-latency', 'queue-messages', 'parse-definition', 'http-executions', 'http-endpoint'],
];

/** Those that are run with the sources of another revision. */
const COMPARED_PROGRAMS = ['pass-through', 'charge-payment', 'parse-definition'];

const ENDED = endedBySignal();
endWithItsReaders('bench');
runProgram({
  name: 'bench',
  helpCommand: 'npm run bench -- --help',
  help: HELP,
  parse: parseOptions,
  run: options => run(options).catch(unlessInterrupted),
});

function unlessInterrupted(error: unknown): number {
  if (ENDED.aborted) return EXIT.interrupted;
  throw error;
}

async function run({ benches, json, against }: Options): Promise<number> {
  const progress = progressOn(process.stderr, { isSilent: json });
  const checkout = against === undefined ? undefined : await checkOut(against);
  const before = checkout && (await buildChildren(COMPARED_PROGRAMS, ENDED, checkout.folder));
  const children = await buildChildren(PROGRAMS, ENDED);
  const sides = before && { revision: against ?? '', before, now: children };
  const results: Result[] = [];
  try {
    for (const bench of benches) {
      const compared = sides && (await compare(bench, sides, progress));
      results.push(compared ?? (await measure(bench, children, progress)));
    }
  } finally {
    progress.clear();
    await children.close();
    await before?.close();
    await checkout?.close();
  }
  const report: Report = {
    node: process.versions.node,
    cpus: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
    rows: results.flatMap(({ rows }) => rows),
    ratios: results.flatMap(({ ratios }) => ratios),
    comparisons: results.flatMap(({ comparisons }) => comparisons ?? []),
    costs: results.flatMap(({ costs }) => costs ?? []),
    dollars: results.flatMap(({ dollars }) => dollars ?? []),
    figures: results.flatMap(({ figures }) => figures ?? []),
    latency: results.flatMap(({ latency }) => latency ?? []),
    frontDoor: results.flatMap(({ frontDoor }) => frontDoor ?? []),
    notMeasured: results.flatMap(({ notMeasured }) => notMeasured),
    wallSeconds: Math.round(process.uptime() * 10) / 10,
  };
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : renderReport(report));
  return EXIT.done;
}

/** The bench on both sides, or undefined where it has one only. */
async function compare(bench: Bench, sides: Sides, progress: Progress): Promise<Result | undefined> {
  const onRun = (what: string, done: number, total: number) =>
    progress.show(`(${bench}) ${what}`, done, total);
  const of = (comparisons: readonly Comparison[]): Result => {
    return { rows: [], ratios: [], notMeasured: [], comparisons };
  };
  if (bench === 'a') return of(await compareThreeTasks(sides, await installBaseline(INTERPRETER), onRun));
  if (bench !== 'b' && bench !== 'j') return undefined;
  const compareOne = bench === 'b' ? comparePayments : compareParsing;
  return withSynthesizedApp(async assembly => of(await compareOne(sides, assembly, onRun)), ENDED);
}

/** From the directory of the repository, where npm runs this. */
const SOURCES_APP = 'proof/bench/sources/app.ts';
const STATE_BENCHES = { e: restart, f: startLatency, g: queueMessages } as const;

async function measure(bench: Bench, children: Children, progress: Progress): Promise<Result> {
  const onRun = (what: string, done: number, total: number) =>
    progress.show(`(${bench}) ${what}`, done, total);
  switch (bench) {
    case 'a':
      progress.begin(`(a) installing ${INTERPRETER.name}, if it is not there`);
      return threeTasks(children, await installBaseline(INTERPRETER), onRun);
    case 'b':
      progress.begin('(b) synthesizing the app');
      return withSynthesizedApp(assembly => chargePayment(children, assembly, onRun), ENDED);
    case 'c':
      return memoryGrowth(children, onRun);
    case 'd':
      progress.begin(`(d) synthesizing the app, and installing ${POWERTOOLS.name}, if it is not there`);
      return withSynthesizedApp(async assembly => costs(assembly, await installBaseline(POWERTOOLS)), ENDED);
    case 'e':
    case 'f':
    case 'g':
      progress.begin(`(${bench}) synthesizing the app`);
      return withSynthesizedApp(assembly => STATE_BENCHES[bench](children, assembly, onRun), ENDED);
    case 'h':
      progress.begin('(h) synthesizing the app');
      return withSynthesizedApp(assembly => consolePage(assembly, onRun), ENDED);
    case 'j':
      progress.begin('(j) synthesizing the app');
      return withSynthesizedApp(assembly => parsing(children, assembly, onRun), ENDED);
    case 'k':
      progress.begin('(k) synthesizing the app');
      return withSynthesizedApp(assembly => httpExecutions(children, assembly, onRun), ENDED);
    case 'i':
      progress.begin('(i) synthesizing an app with a source of each kind');
      return withSynthesizedApp(sourceCounts, ENDED, `npx tsx ${SOURCES_APP}`);
    default: {
      const never: never = bench;
      throw new Error(`an unknown bench: ${never}`);
    }
  }
}
