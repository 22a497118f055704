import { type ParseArgsConfig, parseArgs } from 'node:util';

/** A fault in how the command was called. */
export class UsageError extends Error {}

const OPTIONS = {
  input: { type: 'string' },
  machine: { type: 'string' },
  mocks: { type: 'string' },
  case: { type: 'string' },
  parameter: { type: 'string', multiple: true },
  function: { type: 'string', multiple: true },
  port: { type: 'string' },
  state: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} satisfies ParseArgsConfig['options'];

/** What the command was asked for. */
export interface Asked {
  readonly command: 'serve' | 'run' | 'help';
  /** The files and directories to run; none for an empty endpoint. */
  readonly sources: readonly string[];
  readonly input?: string;
  readonly machine?: string;
  readonly testCase?: string;
  readonly port: number;
  readonly isJson: boolean;
  /** What both commands hand to the stack. */
  readonly options: {
    readonly mocks?: string;
    readonly state?: string;
    readonly parameters: Readonly<Record<string, string>>;
    readonly functions: Readonly<Record<string, string>>;
  };
}

/** The port of Step Functions Local, too. */
const PORT_DEFAULT = 8083;
const OF_RUN = ['input', 'machine', 'case'] as const;
const OF_SERVE = ['port', 'state'] as const;

/** Reads the arguments. @throws UsageError */
export function readArguments(given: readonly string[]): Asked {
  const { values, positionals } = parsed(given);
  const [first, ...others] = positionals;
  const isCommand = first === 'serve' || first === 'run';
  if (values.help) return { ...NOTHING, command: 'help' };
  if (first !== undefined && !isCommand) {
    throw new UsageError(`there is no command ${first}; write \`serve ${first}\` or \`run ${first}\``);
  }
  const command = first === 'run' ? 'run' : 'serve';
  const foreign = (command === 'run' ? OF_SERVE : OF_RUN).find(name => values[name] !== undefined);
  if (foreign !== undefined) throw new UsageError(`\`${command}\` has no option --${foreign}`);
  if (command === 'run' && others.length !== 1) {
    throw new UsageError(
      '`run` takes one state machine, template or directory, such as `run order.asl.json`',
    );
  }
  if (first === 'serve' && others.length === 0) {
    throw new UsageError('`serve` needs a file or a directory; leave `serve` out for an empty endpoint');
  }
  const { input, machine, case: testCase, mocks, state } = values;
  return {
    command,
    sources: others,
    port: portOf(values.port),
    isJson: values.json === true,
    ...(input !== undefined && { input }),
    ...(machine !== undefined && { machine }),
    ...(testCase !== undefined && { testCase }),
    options: {
      parameters: pairsOf('parameter', values.parameter),
      functions: pairsOf('function', values.function),
      ...(mocks !== undefined && { mocks }),
      ...(state !== undefined && { state }),
    },
  };
}

const NOTHING = {
  sources: [],
  port: PORT_DEFAULT,
  isJson: false,
  options: { parameters: {}, functions: {} },
};

function parsed(given: readonly string[]) {
  try {
    return parseArgs({ args: [...given], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new UsageError((text.split('. ')[0] ?? text).replace(/^U/, 'u'));
  }
}

function portOf(text = String(PORT_DEFAULT)): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(
    `--port must be a whole number from 0, which is any that is free, to 65535; got ${text}`,
  );
}

function pairsOf(option: string, given: readonly string[] = []): Record<string, string> {
  const pairs = given.map(text => {
    const end = text.indexOf('=');
    if (end < 1) throw new UsageError(`--${option} must be NAME=VALUE; got ${JSON.stringify(text)}`);
    return [text.slice(0, end), text.slice(end + 1)];
  });
  return Object.fromEntries(pairs);
}

/** What `--help` prints. */
export const HELP = `Usage: onceflow-local [serve SOURCE…] [options]
       onceflow-local run SOURCE [--input FILE] [options]

Runs Step Functions and what belongs to it on this machine, without an AWS account: on 127.0.0.1, for AWS SDKs and the
AWS CLI. A SOURCE is a state machine (order.asl.json or .yaml), a template of SAM or CloudFormation, the directory of
one, or what \`cdk synth\` writes. Without a SOURCE the endpoint is empty, and you create what you need by requests.

  serve            runs the sources until Ctrl-C; the first line on stdout is AWS_ENDPOINT_URL=http://127.0.0.1:8083
  run              runs one execution, prints its history, and ends with its status; waits take no time

Options of both:
  --mocks FILE              what states and resources answer instead of a service, also in the format of SFN_MOCK_CONFIG
  --parameter NAME=VALUE    a parameter of a template, or \${NAME} of a state machine; can be repeated
  --function PATH=TARGET    runs the URL, the module (.js, .mjs, .cjs, .py) or the command TARGET instead of the
                            function with this logical id, name or construct path; can be repeated
  --json                    one line of JSON on stdout
  -h, --help                prints this

Options of run:
  --input FILE              the input in JSON; - is stdin (default: {})
  --machine NAME            which state machine of the source, if it has several
  --case NAME               a test case of the mocks

Options of serve:
  --port N                  the port, or 0 for any that is free (default: 8083)
  --state DIR               keeps executions, tables, queues and buckets in DIR (default: in memory)

Examples:
  onceflow-local
  onceflow-local run order.asl.json --input order.json --mocks mocks.json
  onceflow-local serve . --parameter Stage=dev

Exit codes: 0 ended by Ctrl-C, or the execution succeeded; 1 the execution did not succeed; 2 wrong usage, or a source
that cannot be run; 3 an internal error.
`;
