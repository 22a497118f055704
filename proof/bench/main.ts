import { cpus } from 'node:os';
import { withSynthesizedApp } from '../../cli/app/synthesize';
import { EXIT } from '../../cli/program/exit';
import { exitOnBrokenPipe } from '../../cli/program/output';
import { runProgram } from '../../cli/program/program';
import { type Progress, progressOn } from '../../cli/program/progress';
import { endedBySignal } from '../../cli/program/signals';
import { installBaseline, PEER, POWERTOOLS } from './baseline-package';
import { chargePayment, costs, memoryGrowth, threeTasks } from './benches';
import { buildChildren, type Children, PROGRAMS } from './child';
import { type Bench, HELP, type Options, parseOptions } from './options';
import { renderReport } from './render';
import type { Measured, Report } from './report';
import { sourceCounts } from './sources/source-bench';

const ENDED = endedBySignal();
exitOnBrokenPipe('bench');
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

async function run({ benches, json }: Options): Promise<number> {
  const progress = progressOn(process.stderr, { isSilent: json });
  const children = await buildChildren(PROGRAMS, ENDED);
  const results: Partial<Measured>[] = [];
  try {
    for (const bench of benches) results.push(await measure(bench, children, progress));
  } finally {
    progress.clear();
    await children.close();
  }
  const report: Report = {
    node: process.versions.node,
    cpus: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
    rows: results.flatMap(({ rows }) => rows ?? []),
    ratios: results.flatMap(({ ratios }) => ratios ?? []),
    costs: results.flatMap(({ costs }) => costs ?? []),
    dollars: results.flatMap(({ dollars }) => dollars ?? []),
    latency: results.flatMap(({ latency }) => latency ?? []),
    waits: results.flatMap(({ waits }) => waits ?? []),
    bySource: results.flatMap(({ bySource }) => bySource ?? []),
    frontDoor: results.flatMap(({ frontDoor }) => frontDoor ?? []),
    notMeasured: results.flatMap(({ notMeasured }) => notMeasured ?? []),
    wallSeconds: Math.round(process.uptime() * 10) / 10,
  };
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : renderReport(report));
  return EXIT.done;
}

/** From the directory of the repository, where npm runs this. */
const SOURCES_APP = 'proof/bench/sources/app.ts';

async function measure(bench: Bench, children: Children, progress: Progress): Promise<Partial<Measured>> {
  const onRun = (what: string, done: number, total: number) =>
    progress.show(`(${bench}) ${what}`, done, total);
  switch (bench) {
    case 'tasks':
      progress.begin(`(tasks) installing ${PEER.name}, if it is not there`);
      return threeTasks(children, await installBaseline(PEER), onRun);
    case 'workflow':
      progress.begin('(workflow) synthesizing the app');
      return withSynthesizedApp(assembly => chargePayment(children, assembly, onRun), ENDED);
    case 'memory':
      return memoryGrowth(children, onRun);
    case 'costs':
      progress.begin(`(costs) synthesizing the app, and installing ${POWERTOOLS.name}, if it is not there`);
      return withSynthesizedApp(async assembly => costs(assembly, await installBaseline(POWERTOOLS)), ENDED);
    case 'sources':
      progress.begin('(sources) synthesizing an app with a source of each kind');
      return withSynthesizedApp(sourceCounts, ENDED, `npx tsx ${SOURCES_APP}`);
    default: {
      const never: never = bench;
      throw new Error(`an unknown bench: ${never}`);
    }
  }
}
