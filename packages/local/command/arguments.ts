import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearest } from '../assembly/likeness';

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
const COMMANDS = ['serve', 'run', 'explore'];
const OF_RUN = ['input', 'machine', 'case'] as const;
const OF_SERVE = ['port', 'state'] as const;

/** Reads the arguments. @throws UsageError */
export function readArguments(given: readonly string[]): Asked {
  const { values, positionals } = parsedBy(OPTIONS, given);
  const [first, ...others] = positionals;
  const isCommand = first === 'serve' || first === 'run';
  if (values.help) return { ...NOTHING, command: 'help' };
  if (first !== undefined && !isCommand) {
    if (first === 'explore')
      throw new UsageError('`explore` comes before its options: `onceflow-local explore SOURCE [options]`');
    const near = nearest(first, COMMANDS);
    const meant = near ?? COMMANDS.map(name => `${name} ${first}`).join('`, `');
    throw new UsageError(`there is no command ${first}; did you mean \`${meant}\`?`);
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
  if (testCase !== undefined && mocks === undefined)
    throw new UsageError('--case needs --mocks FILE, which has the test cases');
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

type Options = NonNullable<ParseArgsConfig['options']>;

/** The values of these options, each given once unless it is one of several. @throws UsageError */
export function parsedBy<Known extends Options>(options: Known, given: readonly string[]) {
  const { values, positionals, tokens } = parsedByNode(options, given);
  const names = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'positional' && token.value.trim() === '')
      throw new UsageError('a source must not be an empty text; write . for this directory');
    if (token.kind !== 'option') continue;
    const { name, value } = token;
    if (value?.trim() === '') throw new UsageError(`--${name} must not be an empty text`);
    if (names.has(name) && options[name]?.multiple !== true && value !== undefined)
      throw new UsageError(`--${name} can be given only once`);
    names.add(name);
  }
  return { values, positionals };
}

function parsedByNode<Known extends Options>(options: Known, given: readonly string[]) {
  try {
    return parseArgs({ args: [...given], options, allowPositionals: true, tokens: true });
  } catch (error) {
    throw new UsageError(problemOf(error as NodeJS.ErrnoException, options));
  }
}

/** The fault of the arguments, by the error of Node's parser. */
function problemOf({ code, message }: NodeJS.ErrnoException, options: Options): string {
  const [written = ''] = /(?<=')--?[\w-]+/.exec(message) ?? [];
  const name = written.replace(/^-+/, '');
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const near = nearest(name, Object.keys(options));
    return `unknown option ${written}${near === undefined ? '' : `; did you mean --${near}?`}`;
  }
  const takesNone = Object.hasOwn(options, name) && options[name]?.type === 'boolean';
  if (takesNone) return `--${name} does not take a value`;
  return `--${name} needs a value; if the value begins with a dash, write --${name}=VALUE`;
}

function portOf(text = String(PORT_DEFAULT)): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(
    `--port must be a whole number from 0, which is any that is free, to 65535; got ${text}`,
  );
}

/** The pairs of an option that is given as NAME=VALUE. @throws UsageError */
export function pairsOf(option: string, given: readonly string[] = []): Record<string, string> {
  const pairs = new Map<string, string>();
  for (const text of given) {
    const end = text.indexOf('=');
    if (end < 1) throw new UsageError(`--${option} must be NAME=VALUE; got ${JSON.stringify(text)}`);
    const name = text.slice(0, end);
    if (pairs.has(name)) throw new UsageError(`--${option} has ${name} twice; pass it only once`);
    const value = text.slice(end + 1);
    if (option === 'function' && value.trim() === '')
      throw new UsageError(`--function ${name} needs a target: a URL, a module or a command`);
    pairs.set(name, value);
  }
  return Object.fromEntries(pairs);
}

/** What `--help` prints. */
export const HELP = `Usage: onceflow-local [serve SOURCE…] [options]
       onceflow-local run SOURCE [--input JSON|FILE] [options]
       onceflow-local explore SOURCE [options]

Runs Step Functions and what belongs to it on this machine, without an AWS account: on 127.0.0.1, for AWS SDKs and the
AWS CLI. A SOURCE is a state machine (order.asl.json or .yaml), a template of SAM or CloudFormation, the directory of
one, or what \`cdk synth\` writes. Without a SOURCE the endpoint is empty, and you create what you need by requests.

  serve            runs the sources until Ctrl-C; the first line on stdout is AWS_ENDPOINT_URL=http://127.0.0.1:8083
  run              runs one execution, prints its history, and ends with its status; waits take no time
  explore          explores every order of deliveries and faults of a state machine; see explore --help

Options of both:
  --mocks FILE              what states and resources answer instead of a service, also in the format of SFN_MOCK_CONFIG
  --parameter NAME=VALUE    a parameter of a template, or \${NAME} of a state machine; can be repeated
  --function PATH=TARGET    runs the URL, the module (.js, .mjs, .cjs, .py) or the command TARGET instead of the
                            function with this logical id, name or construct path; can be repeated
  --json                    one line of JSON on stdout
  -h, --help                prints this

Options of run:
  --input JSON|FILE         JSON, a file, or - for stdin (default: {})
  --machine NAME            which state machine of the source, if it has several
  --case NAME               a test case of the mocks

Options of serve:
  --port N                  the port, or 0 for any that is free (default: 8083)
  --state DIR               keeps executions, tables, queues and buckets in DIR (default: in memory)

Examples:
  onceflow-local
  onceflow-local run order.asl.json --input order.json --mocks mocks.json
  onceflow-local serve . --parameter Stage=dev

Exit codes: 0 Ctrl-C or SIGTERM has ended \`serve\`, or the execution succeeded; 1 the execution did not succeed;
2 wrong usage, or a source that cannot be run; 3 an internal error; 130 Ctrl-C has interrupted \`run\`.
`;
