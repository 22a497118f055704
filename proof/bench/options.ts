import { parseArgs } from 'node:util';
import type { Parsed } from '../../cli/program/program';

/** The benches by their letters. */
export const BENCHES = ['a', 'b', 'c', 'd'] as const;

/** One of the benches. */
export type Bench = (typeof BENCHES)[number];

/** What to measure. */
export interface Options {
  readonly benches: readonly Bench[];
  readonly json: boolean;
}

/** The help text. */
export const HELP = `Usage: npm run bench -- [options]

Measures the local runtime on this machine; medians of several runs, each in a process of its own.

  a  three Task states with handlers in the process, next to aws-local-stepfunctions (installed from npm into the
     user's cache directory the first time)
  b  the ChargePayment workflow as synthesized, with everything it calls in memory
  c  10,000 executions that are all kept: time and heap of the first thousand and of the last
  d  what one delivery takes of what AWS bills, next to a lock table in a function and to Powertools (installed from
     npm into the user's cache directory the first time); counted, not timed

  --only a|b|c|d   one of them
  --json           one JSON object on stdout, nothing else
  --help           this text

Exit codes: 0 measured, 2 wrong usage, 3 a fault of this program.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const values = parse(args);
  if (typeof values === 'string') return { kind: 'usage', message: values };
  if (values.help) return { kind: 'help' };
  const only = values.only;
  const benches = only === undefined ? BENCHES : BENCHES.filter(bench => bench === only);
  if (benches.length === 0) {
    return {
      kind: 'usage',
      message: `--only takes one of ${BENCHES.join(', ')}; got ${JSON.stringify(only)}`,
    };
  }
  return { kind: 'options', options: { benches, json: values.json ?? false } };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    return String((error as { message?: string }).message);
  }
}
