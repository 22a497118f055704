import { EXIT } from '../../cli/program/exit';
import { refuse, runProgram } from '../../cli/program/program';
import { readCases } from './cases/case-files';
import { HELP, type Options, parseOptions } from './options';
import { progressOn } from './progress';
import { renderReport } from './render';
import { reportOf } from './report';
import { runAll } from './run-all';

const PROGRAM = {
  name: 'conformance',
  helpCommand: 'npm run conformance -- --help',
  help: HELP,
  parse: parseOptions,
  run: (options: Options) => run(options).catch(explain),
};
runProgram(PROGRAM);

/** Where it went wrong, too: who runs cases develops the runtime. */
function explain(error: unknown): never {
  throw error instanceof Error ? new Error(error.stack ?? error.message) : error;
}

async function run({ place, filter, json }: Options): Promise<number> {
  const startedAt = performance.now();
  const cases = await readable(place, filter);
  if (typeof cases === 'string') return refuse(PROGRAM, cases);
  if (cases.length === 0)
    return refuse(PROGRAM, `no cases in ${place}${filter && ` with '${filter}' in their path`}`);

  const progress = progressOn(process.stderr);
  const results = await runAll(cases, progress.show);
  progress.end();
  const report = reportOf(results, (performance.now() - startedAt) / 1000);
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : renderReport(report));
  return report.ok ? EXIT.done : EXIT.failed;
}

async function readable(place: string, filter: string) {
  try {
    return await readCases(place, filter);
  } catch (error) {
    return `${place} cannot be read: ${(error as { message?: string }).message}`;
  }
}
