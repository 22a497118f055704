import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withSynthesizedApp } from '../../cli/dev/synthesize';
import { EXIT } from '../../cli/program/exit';
import { endWithItsReaders } from '../../cli/program/output';
import { runProgram } from '../../cli/program/program';
import { type Progress, progressOn } from '../../cli/program/progress';
import { endedBySignal } from '../../cli/program/signals';
import { openHealth } from './health';
import { HELP, type Options, parseOptions } from './options';
import { type FuzzReport, renderReport } from './report';
import { fuzz } from './run';
import { type StackProcess, startStack } from './stack';

const ENDED = endedBySignal();
endWithItsReaders('fuzz');

runProgram({
  name: 'fuzz',
  helpCommand: 'npm run fuzz -- --help',
  help: HELP,
  parse: parseOptions,
  run,
});

async function run(options: Options): Promise<number> {
  const progress = progressOn(process.stderr, { isSilent: options.json });
  progress.begin('synthesizing the app');
  const state = options.state ? await mkdtemp(path.join(tmpdir(), 'onceflow-fuzz-')) : undefined;
  try {
    const report = await withSynthesizedApp(assembly => fuzzed(assembly, state, options, progress), ENDED);
    progress.clear();
    if (ENDED.aborted) return EXIT.interrupted;
    process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : renderReport(report, options.seed));
    return report.wrongCount === 0 ? EXIT.done : EXIT.failed;
  } finally {
    progress.clear();
    if (state !== undefined) await rm(state, { recursive: true, force: true });
  }
}

async function fuzzed(
  assembly: string,
  state: string | undefined,
  options: Options,
  progress: Progress,
): Promise<FuzzReport> {
  const stack = await startStack(assembly, state);
  let report: FuzzReport;
  try {
    report = await fuzz(stack, { ...options, progress, signal: ENDED });
  } catch (error) {
    await stack.end();
    throw error;
  }
  await ended(stack, report);
  if (state !== undefined && !ENDED.aborted) await startedAgain(assembly, state, report);
  return report;
}

async function ended(stack: StackProcess, report: FuzzReport): Promise<void> {
  if (stack.exitCode() !== undefined) return;
  const how = await stack.end();
  if (how !== EXIT.done) addWrong(report, `the stack ended with ${how}: ${stack.complaints()}`);
}

/** What was left behind must not keep a stack from starting. */
async function startedAgain(assembly: string, state: string, report: FuzzReport): Promise<void> {
  try {
    const stack = await startStack(assembly, state);
    const health = await openHealth(stack.summary.endpoint, stack.summary.region);
    const result = await health.check();
    if (typeof result === 'string') addWrong(report, `after a restart: ${result}`);
    health.close();
    await ended(stack, report);
  } catch (error) {
    addWrong(report, `after a restart: ${(error as Error).message}`);
  }
}

function addWrong(report: FuzzReport, what: string): void {
  report.wrong.push(what);
  report.wrongCount += 1;
}
