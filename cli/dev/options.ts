import { parseArgs } from 'node:util';
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

/** The help text. */
export const HELP = `Usage: npm start -- [options]

Synthesizes the reference app and keeps it running without an AWS account: state machines, tables, event buses and
functions behind one endpoint, for any AWS SDK or CLI. Ctrl-C ends it.

  --port N         port of the endpoint on 127.0.0.1, 0 for any that is free (default: ${DEFAULT_PORT})
  --state DIR      keep executions, histories, tables and state machines in DIR, so that they survive a restart and a
                   crash; what was running goes on (default: memory)
  --assembly DIR   run the cloud assembly in DIR, as cdk synth writes it, instead of the reference app
  --json           one line of JSON on stdout when the stack is ready, nothing else
  --help           this text

Examples:
  npm start -- --state .onceflow
  npm run --silent start -- --port 0 --json

Exit codes: 0 ended by Ctrl-C or SIGTERM, 2 wrong usage, a port in use, or a directory that cannot be used, 3 a fault of
this program.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const parsed = parse(args);
  if (typeof parsed === 'string') return { kind: 'usage', message: parsed };
  if (parsed.help) return { kind: 'help' };
  const given = parsed.port ?? String(DEFAULT_PORT);
  const port = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (!(port <= PORT_MAX)) {
    const message = `--port takes a whole number from 0 to ${PORT_MAX}; got ${JSON.stringify(given)}`;
    return { kind: 'usage', message };
  }
  for (const option of ['state', 'assembly'] as const) {
    if (parsed[option] === '') return { kind: 'usage', message: `--${option} takes a directory; got ""` };
  }
  const { state, assembly, json = false } = parsed;
  return { kind: 'options', options: { port, state, assembly, json } };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: withNumbers(args),
      options: {
        port: { type: 'string' },
        state: { type: 'string' },
        assembly: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    return inOneSentence(String((error as { readonly message?: string }).message));
  }
}

// Node has three lines for this.
function inOneSentence(message: string): string {
  const option = /^Option '(?:-\w, )?(--\w+).*' argument is ambiguous/.exec(message)?.[1];
  if (option === undefined) return message;
  return `${option} has no value; one that begins with a dash is written ${option}=VALUE`;
}

/** `--port -1` as `--port=-1`: a number below zero is a wrong value, not an option. */
function withNumbers(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    if (/^-\d/.test(arg) && joined.at(-1) === '--port') joined.push(`${joined.pop()}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}
