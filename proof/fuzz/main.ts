import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withSynthesizedApp } from '../../cli/app/synthesize';
import { EXIT } from '../../cli/program/exit';
import { exitOnBrokenPipe } from '../../cli/program/output';
import { runProgram } from '../../cli/program/program';
import { progressOn } from '../../cli/program/progress';
import { endedBySignal } from '../../cli/program/signals';
import { HELP, type Options, parseOptions } from './options';
import { renderReport } from './report';
import { fuzz } from './run';
import { FUZZED_APP, startStack } from './stack';

const ENDED = endedBySignal();
exitOnBrokenPipe('fuzz');

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
    const report = await withSynthesizedApp(
      assembly => fuzz(() => startStack(assembly, state), { ...options, progress, signal: ENDED }),
      ENDED,
      FUZZED_APP,
    );
    progress.clear();
    if (ENDED.aborted) return EXIT.interrupted;
    process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : renderReport(report, options.seed));
    return report.wrongCount === 0 ? EXIT.done : EXIT.failed;
  } finally {
    progress.clear();
    if (state !== undefined) await rm(state, { recursive: true, force: true });
  }
}
