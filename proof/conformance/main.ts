import { EXIT } from '../../cli/program/exit';
import { reject, runProgram } from '../../cli/program/program';
import { progressOn } from '../../cli/program/progress';
import { readCases } from './cases/case-files';
import { HELP, type Options, parseOptions } from './options';
import { renderReport } from './render';
import { replayCase } from './replay-case';
import { reportOf } from './report';
import { runAll } from './run-all';
import { runCase } from './run-case';

const PROGRAM = {
  name: 'conformance',
  helpCommand: 'npm run conformance -- --help',
  help: HELP,
  parse: parseOptions,
  run: (options: Options) => run(options).catch(explain),
};
runProgram(PROGRAM);

/** The message names the place of the fault, too, because people who run cases develop the runtime. */
function explain(error: unknown): never {
  throw error instanceof Error ? new Error(error.stack ?? error.message) : error;
}

async function run({ path, filter, replay, json }: Options): Promise<number> {
  const cases = await readable(path, filter);
  if (typeof cases === 'string') return reject(PROGRAM, cases);
  if (cases.length === 0)
    return reject(PROGRAM, `no cases in ${path}${filter && ` with '${filter}' in their path`}`);

  const progress = progressOn(process.stderr, { isSilent: json });
  const runOne = replay ? replayCase : runCase;
  const results = await runAll(cases, runOne, (done, total) => progress.show('cases', done, total));
  progress.clear();
  const report = reportOf(results, process.uptime());
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : renderReport(report));
  return report.ok ? EXIT.done : EXIT.failed;
}

async function readable(path: string, filter: string) {
  try {
    return await readCases(path, filter);
  } catch (error) {
    return `${path} cannot be read: ${(error as { message?: string }).message}`;
  }
}
