import { readCommandLine } from '../../cli/program/command-line';
import { flag, oneOf, optionHelp } from '../../cli/program/options';
import type { Parsed } from '../../cli/program/program';

/** The benches by their letters. */
export const BENCHES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] as const;

/** One of the benches. */
export type Bench = (typeof BENCHES)[number];

/** What to measure. */
export interface Options {
  readonly benches: readonly Bench[];
  readonly json: boolean;
}

const OPTIONS = {
  only: oneOf({ valueName: BENCHES.join('|'), help: 'one of them', words: BENCHES, byDefault: undefined }),
  json: flag('one JSON object on stdout, nothing else'),
};

/** The help text. */
export const HELP = `Usage: npm run bench -- [options]

Measures the local runtime on this machine; medians of several runs, each in a process of its own.

  a  three Task states with handlers in the process, next to aws-local-stepfunctions (installed from npm into the
     user's cache directory the first time)
  b  the ChargePayment workflow as synthesized, with everything it calls in memory
  c  10,000 executions that all stay in memory: time and heap of the first thousand and of the last
  d  what one delivery takes of what AWS bills, next to a lock table in a function and to Powertools (installed from
     npm into the user's cache directory the first time); counted, not timed
  e  a start with a state directory that has 25,000 executions, and the memory of each
  f  StartExecution at the endpoint with a state directory, 100 a second for a minute, each from the moment it was due
  g  10,000 messages through a queue with a state directory, by clients at the endpoint
  h  the console in Chromium, from its traces: 10,000 keys, and an execution of 25,000 events (skipped where there is
     no Chromium)
  i  what a delivery waits for by each source, in calls in a row, and what a request by HTTP takes beside a direct
     start; counted, not timed

${optionHelp(OPTIONS)}
Exit codes: 0 measured, 2 wrong usage, 3 a fault of this program, 130 interrupted.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const read = readCommandLine(args, OPTIONS);
  if (read.kind !== 'options') return read;
  const { only, json } = read.options.values;
  return { kind: 'options', options: { benches: only === undefined ? BENCHES : [only], json } };
}
