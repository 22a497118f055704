import { readCommandLine } from '../../cli/program/command-line';
import { flag, oneOf, optional, optionHelp } from '../../cli/program/options';
import type { Parsed } from '../../cli/program/program';

/** The benches by their letters. */
export const BENCHES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'] as const;

/** One of the benches. */
export type Bench = (typeof BENCHES)[number];

/** What to measure. */
export interface Options {
  readonly benches: readonly Bench[];
  readonly json: boolean;
  /** The revision that today's sources are compared with. */
  readonly against: string | undefined;
}

/** The benches that are run for a comparison with a revision. */
const COMPARED: readonly Bench[] = ['a', 'b', 'c', 'j', 'k'];

const OPTIONS = {
  only: oneOf({ valueName: BENCHES.join('|'), help: 'one of them', words: BENCHES, byDefault: undefined }),
  against: optional(
    'REVISION',
    'a revision of git',
    'a, b and j with the sources of this revision and those of today in turns, and c and k of today',
  ),
  json: flag('one JSON object on stdout, nothing else'),
};

/** The help text. */
export const HELP = `Usage: npm run bench -- [options]

Measures the local runtime on this machine; medians of several runs, each in a process of its own.

  a  three Task states with handlers in the process, next to aws-local-stepfunctions (installed from npm into the
     user's cache directory the first time)
  b  the ChargePayment workflow as synthesized, with everything it calls in memory
  c  100,000 executions that all stay in memory: time and heap of the first ten thousand and of the last
  d  what one delivery takes of what AWS bills, next to a lock table in a function and to Powertools (installed from
     npm into the user's cache directory the first time); counted, not timed
  e  a start with a state directory that has 25,000 executions, and the memory of each
  f  StartExecution at the endpoint with a state directory, 100 a second for a minute, each from the moment it was due
  g  10,000 messages through a queue with a state directory, by clients at the endpoint
  h  the console in Chromium, from its traces: 10,000 keys, and an execution of 25,000 events (skipped where there is
     no Chromium)
  i  what a delivery waits for by each source, in calls in a row, and what a request by HTTP takes beside a direct
     start; counted, not timed
  j  parseDefinition of the ChargePayment workflow
  k  200 executions over HTTP, next to ministack (pip install ministack; MINISTACK says where its program is)

${optionHelp(OPTIONS)}
Exit codes: 0 measured, 2 wrong usage, 3 a fault of this program, 130 interrupted.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const read = readCommandLine(args, OPTIONS);
  if (read.kind !== 'options') return read;
  const { only, json, against } = read.options.values;
  const benches = against === undefined ? BENCHES : COMPARED;
  return { kind: 'options', options: { benches: only === undefined ? benches : [only], json, against } };
}
