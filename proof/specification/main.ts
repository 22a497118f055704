import { EXIT } from '../../cli/program/exit';
import { exitOnBrokenPipe } from '../../cli/program/output';
import { reject, runProgram } from '../../cli/program/program';
import { progressOn } from '../../cli/program/progress';
import { endedBySignal } from '../../cli/program/signals';
import { Checker, missingProgram } from './checker';
import { HELP, type Options, parseOptions } from './options';
import { renderReport, renderVerdict } from './render';
import { check, isShown, replay } from './run';

const PROGRAM = {
  name: 'specification',
  helpCommand: 'npm run specification -- --help',
  help: HELP,
  parse: parseOptions,
  run,
};
const signal = endedBySignal();
exitOnBrokenPipe(PROGRAM.name);
runProgram(PROGRAM);

async function run(options: Options): Promise<number> {
  const missing = await missingProgram();
  if (missing !== undefined)
    return reject(
      PROGRAM,
      `there is no ${missing} here, so nothing was checked; apt-get install spin gcc has it`,
    );
  const progress = progressOn(process.stderr, { isSilent: options.json });
  const checker = new Checker(options.memory, signal);
  const print = (report: unknown, text: string) =>
    process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : text);
  try {
    progress.begin('building the checker');
    if (options.replay) {
      const verdict = await replay(checker, options.replay, options.without);
      progress.clear();
      print(verdict, `${renderVerdict(verdict)}\n`);
      return verdict.kind === 'violation' ? EXIT.failed : EXIT.done;
    }
    const report = await check(checker, options, { progress, signal });
    progress.clear();
    print(report, renderReport(report));
    return isShown(report) ? EXIT.done : EXIT.failed;
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    progress.clear();
    checker.close();
  }
}
