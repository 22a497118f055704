import { readCommandLine } from '../../cli/program/command-line';
import { flag, oneOf, optionHelp } from '../../cli/program/options';
import type { Parsed } from '../../cli/program/program';

/** The benches by name. */
export const BENCHES = ['tasks', 'workflow', 'memory', 'costs', 'sources'] as const;

/** One of the benches. */
export type Bench = (typeof BENCHES)[number];

/** What to measure. */
export interface Options {
  readonly benches: readonly Bench[];
  readonly json: boolean;
}

const OPTIONS = {
  only: oneOf({ valueName: BENCHES.join('|'), help: 'one of them', words: BENCHES, byDefault: undefined }),
  json: flag('print one JSON object on stdout, nothing else'),
};

/** The help text. */
export const HELP = `Usage: npm run bench -- [options]

Measures the local runtime on this machine. Each figure is the median of several runs, each in a separate process.

  tasks     three Task states with handlers in the process, in turns with aws-local-stepfunctions (the first run
            installs it from npm into your cache directory)
  workflow  the ChargePayment workflow as synthesized, with everything it calls in memory
  memory    100,000 executions that all stay in memory: time and heap of the first ten thousand and of the last
  costs     what AWS bills for one delivery, next to a lock table in a function and to Powertools (the first run
            installs it from npm into your cache directory); counted, not timed
  sources   the calls that a delivery waits for with each source, and those of an HTTP request next to a direct start;
            counted, not timed

${optionHelp(OPTIONS)}
Exit codes: 0 measured, 2 wrong usage, 3 internal error, 130 interrupted.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const read = readCommandLine(args, OPTIONS);
  if (read.kind !== 'options') return read;
  const { only, json } = read.options.values;
  return { kind: 'options', options: { benches: only === undefined ? BENCHES : [only], json } };
}
