import { readCommandLine } from '../program/command-line';
import { flag, optionHelp, text, wholeNumber } from '../program/options';
import type { Parsed } from '../program/program';

/** What the stack is to be started with. */
export interface Options {
  /** 0 for a port that is free. */
  readonly port: number;
  /** Directory that keeps executions, histories, tables and machines; undefined for memory. */
  readonly state: string | undefined;
  /** Directory of a cloud assembly; undefined for the reference app. */
  readonly assembly: string | undefined;
  readonly json: boolean;
}

/** Where the endpoint is found unless told otherwise. */
const DEFAULT_PORT = 8083;
const PORT_MAX = 65_535;

const OPTIONS = {
  port: wholeNumber({
    valueName: 'N',
    help: `port of the endpoint on 127.0.0.1, 0 for any that is free (default: ${DEFAULT_PORT})`,
    from: 0,
    to: PORT_MAX,
    byDefault: DEFAULT_PORT,
  }),
  state: text({
    valueName: 'DIR',
    help:
      'keep executions, histories, tables and state machines in DIR, so that they survive a restart and a crash; ' +
      'what was running goes on (default: memory)',
    takes: 'a directory',
    byDefault: undefined,
  }),
  assembly: text({
    valueName: 'DIR',
    help: 'run the cloud assembly in DIR, as cdk synth writes it, instead of the reference app',
    takes: 'a directory',
    byDefault: undefined,
  }),
  json: flag('one line of JSON on stdout when the stack is ready, nothing else'),
};

/** The help text. */
export const HELP = `Usage: npm start -- [options]

Synthesizes the reference app and keeps it running without an AWS account: state machines, tables, event buses and
functions behind one endpoint, for any AWS SDK or CLI. Ctrl-C ends it.

${optionHelp(OPTIONS)}
Examples:
  npm start -- --state .onceflow
  npm run --silent start -- --port 0 --json

Exit codes: 0 ended by Ctrl-C or SIGTERM, 2 wrong usage, a port in use, or a directory that cannot be used, 3 a fault of
this program.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const read = readCommandLine(args, OPTIONS);
  return read.kind === 'options' ? { kind: 'options', options: read.options.values } : read;
}
