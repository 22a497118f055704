import { readCommandLine } from '../../cli/program/command-line';
import { flag, optionHelp, wholeNumber } from '../../cli/program/options';
import type { Parsed } from '../../cli/program/program';

/** What the run was asked for. */
export interface Options {
  readonly requests: number;
  readonly seed: number;
  readonly concurrency: number;
  /** Whether the stack keeps its state in a directory, and is started again in the end. */
  readonly state: boolean;
  /** How often it is killed or ended, and started again, between requests. */
  readonly restarts: number;
  readonly json: boolean;
}

const OPTIONS = {
  requests: wholeNumber({
    valueName: 'N',
    help: 'how many requests (default: 200000)',
    from: 1,
    byDefault: 200_000,
  }),
  seed: wholeNumber({
    valueName: 'N',
    help: 'the seed of all random decisions (default: 1)',
    from: 0,
    byDefault: 1,
  }),
  concurrency: wholeNumber({
    valueName: 'N',
    help: 'how many requests can run at once, 1 to 256 (default: 16)',
    from: 1,
    to: 256,
    byDefault: 16,
  }),
  state: flag('store the state of the stack in a directory; at the end it must start with it again'),
  restarts: wholeNumber({
    valueName: 'N',
    help: 'with --state: how often to restart the stack, alternately after a kill and a normal end (default: 0)',
    from: 0,
    to: 1000,
    byDefault: 0,
  }),
  json: flag('print one JSON object on stdout, nothing else'),
};

/** The help text. */
export const HELP = `Usage: npm run fuzz -- [options]

Starts the reference app and REST APIs on the local stack, in a separate process, and sends random requests to its
endpoint and to the APIs. Of the requests to each service, two in five are valid and the others are wrong in some way.
The process must stay alive, no response can be a server error, and executions without a request must continue.

${optionHelp(OPTIONS)}
Examples:
  npm run fuzz -- --requests 20000
  npm run fuzz -- --state --restarts 10 --seed 7
  npm run --silent fuzz -- --json

Exit codes: 0 if nothing was wrong, 1 if something was, 2 wrong usage, 3 an internal error, 130 interrupted.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const parsed = readCommandLine(args, OPTIONS);
  if (parsed.kind !== 'options') return parsed;
  const { values } = parsed.options;
  if (values.restarts > 0 && !values.state) return { kind: 'usage', message: '--restarts needs --state' };
  return { kind: 'options', options: values };
}
