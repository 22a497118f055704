import type { Target } from './aws/clients';
import type { WorkflowSelector } from './find-workflow';
import { COMMAND_HELP, COMMANDS, type CommandName, HELP, isCommand } from './help';
import { type Key, keyOf } from './key/key';
import type { ReleaseOptions } from './key/release-plan';
import {
  ANSWER_OPTIONS,
  KEY_OPTIONS,
  OWN_OPTIONS,
  RECORDED_KEY_OPTIONS,
  WHERE_OPTIONS,
} from './option-table';
import { type CommandLine, readCommandLine } from './program/command-line';
import { nearestName } from './program/nearest';
import type { OptionTable, ValuesOf } from './program/options';
import { usage } from './refusal';
import type { Overrides } from './workflow';

/** Where things are: what all commands take. */
export interface Common {
  readonly target: Target;
  readonly selector: WorkflowSelector;
  readonly overrides: Overrides;
}

/** What is to be done. */
export type Command =
  | { readonly name: 'show'; readonly key: Key; readonly sinceMs: number; readonly limit: number }
  | {
      readonly name: 'result';
      readonly key: Key;
      /** The file that it goes to; undefined: it is printed. */
      readonly output: string | undefined;
      /** How long a URL of it can be used; undefined: no URL is asked for. */
      readonly presignSeconds: number | undefined;
    }
  | {
      readonly name: 'list';
      readonly statuses: readonly string[];
      readonly olderThanMs: number;
      readonly limit: number;
      readonly readMax: number;
      /** Only records and executions that failed with this error; undefined: with any. */
      readonly error: string | undefined;
      /** Until when executions without a record are looked for, back from now; undefined: records only. */
      readonly executionsSinceMs: number | undefined;
    }
  | {
      readonly name: 'redrive failed';
      readonly sinceMs: number;
      /** Only executions that ended with this error; undefined: with any. */
      readonly error: string | undefined;
      readonly limit: number;
      readonly perSecond: number;
      readonly isConfirmed: boolean;
      /** True where only the plan is wanted. */
      readonly isDryRun: boolean;
    }
  | {
      readonly name: 'resend';
      /** Name, ARN or URL of the dead-letter queue. */
      readonly queue: string;
      readonly limit: number;
      readonly perSecond: number;
      readonly isConfirmed: boolean;
      /** True where the queue need not be known as a dead-letter queue. */
      readonly isForced: boolean;
    }
  | ({ readonly name: 'release'; readonly key: Key; readonly isConfirmed: boolean } & ReleaseOptions)
  | {
      readonly name: 'start';
      readonly key: Key;
      readonly input: string;
      readonly waitMs: number | undefined;
      readonly isForced: boolean;
    }
  | { readonly name: 'redrive'; readonly key: Key; readonly isForced: boolean }
  | {
      readonly name: 'stop';
      /** An execution by its ARN, or the owner of a key. */
      readonly subject: { readonly executionArn: string } | { readonly key: Key };
      /** True where recovery is to leave it alone. */
      readonly isForGood: boolean;
    };

/** A command line: a command, or a request for help or for the version. */
export type Parsed =
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'command'; readonly command: Command; readonly common: Common };

/** Those of the table, and those that read their own options. */
const COMMAND_NAMES: readonly string[] = [...COMMANDS, 'console', 'dev', 'replay', 'validate'];

/** The arguments, with `help COMMAND` as what it is short for: `COMMAND --help`. */
export function withHelpAsOption(args: readonly string[]): readonly string[] {
  const [first, name = '-'] = args;
  return first !== 'help' || name === 'help' || name.startsWith('-') ? args : [name, '--help'];
}

/** Reads the command line and the environment. @throws Refusal for what cannot be understood */
export function parseCommandLine(args: readonly string[], env: NodeJS.ProcessEnv): Parsed {
  const [name, ...rest] = args;
  if (name === undefined) throw usage(`which command? One of ${COMMAND_NAMES.join(', ')}`);
  if (['--help', '-h', 'help'].includes(name)) return { kind: 'help', text: HELP };
  if (['--version', '-V'].includes(name)) return { kind: 'version' };
  if (!isCommand(name)) throw noCommand(name);
  const parsed = PARSERS[name](rest, env);
  return parsed ?? { kind: 'help', text: COMMAND_HELP[name] };
}

function noCommand(name: string): Error {
  const all = COMMAND_NAMES.join(', ');
  if (name.startsWith('-')) return usage(`the command comes first, before ${name}; one of ${all}`);
  const near = nearestName(name, COMMAND_NAMES);
  return usage(
    near === undefined
      ? `there is no command ${name}; one of ${all}`
      : `there is no command ${name}; did you mean ${near}? The commands are ${all}`,
  );
}

const COMMON_OPTIONS = { ...WHERE_OPTIONS, ...ANSWER_OPTIONS };

type Parser = (args: readonly string[], env: NodeJS.ProcessEnv) => Parsed | undefined;

/** Reads the rest of a command's line; undefined where help is asked for. */
const PARSERS: Readonly<Record<CommandName, Parser>> = {
  show: parser({ ...RECORDED_KEY_OPTIONS, ...OWN_OPTIONS.show }, ({ values, positionals }) => ({
    name: 'show',
    key: keyIn(values, positionals),
    sinceMs: values.since,
    limit: values.limit,
  })),
  result: parser({ ...RECORDED_KEY_OPTIONS, ...OWN_OPTIONS.result }, ({ values, positionals, given }) => {
    const { output, presign } = values;
    if (given.has('expires-in') && !presign) throw usage('--expires-in goes with --presign');
    if (output !== undefined && presign)
      throw usage('--output is for the result, --presign for a URL; pass one of them');
    const presignSeconds = presign ? Math.floor(values['expires-in'] / 1000) : undefined;
    return { name: 'result', key: keyIn(values, positionals), output, presignSeconds };
  }),
  list: parser(OWN_OPTIONS.list, ({ values, positionals, given }) => {
    if (positionals.length > 0) throw usage('list takes no key');
    if (given.has('since') && !values.unfinished)
      throw usage('--since goes with --unfinished: list --unfinished --since 2h');
    const { status, limit, error } = values;
    const [olderThanMs, readMax] = [values['older-than'], values['read-at-most']];
    const executionsSinceMs = values.unfinished ? values.since : undefined;
    return { name: 'list', statuses: status, olderThanMs, limit, readMax, error, executionsSinceMs };
  }),
  release: parser({ ...RECORDED_KEY_OPTIONS, ...OWN_OPTIONS.release }, ({ values, positionals }) => ({
    name: 'release',
    key: keyIn(values, positionals),
    isConfirmed: values.yes,
    isForced: values.force,
    isDeleted: values.delete,
  })),
  start: parser({ ...KEY_OPTIONS, ...OWN_OPTIONS.start }, ({ values, positionals }) => {
    const { input, wait: waitMs, force: isForced } = values;
    if (input === undefined) throw usage('start needs --input FILE, or --input - for stdin');
    return { name: 'start', key: keyIn(values, positionals), input, waitMs, isForced };
  }),
  redrive: parser({ ...RECORDED_KEY_OPTIONS, ...OWN_OPTIONS.redrive }, ({ values, positionals, given }) => {
    if (!values.failed) {
      const alone = (['since', 'error', 'limit', 'per-second', 'dry-run'] as const).find(name =>
        given.has(name),
      );
      if (alone !== undefined) throw usage(`--${alone} goes with --failed: redrive --failed --since 2h`);
      if (positionals.length === 0 && values['json-key'] === undefined)
        throw usage(
          'which key? Pass KEY, --json-key for a composite one, or --failed for all that are unfinished',
        );
      return { name: 'redrive', key: keyIn(values, positionals), isForced: values.force };
    }
    if (positionals.length > 0) throw usage('redrive takes a key, or --failed, and not both');
    if (values.force) throw usage('--force is for one key: what is in doubt is looked at one by one');
    const { since: sinceMs, error, limit, yes: isConfirmed } = values;
    const [perSecond, isDryRun] = [values['per-second'], values['dry-run']];
    return { name: 'redrive failed', sinceMs, error, limit, perSecond, isConfirmed, isDryRun };
  }),
  resend: parser(OWN_OPTIONS.resend, ({ values, positionals }) => {
    const [queue, ...more] = positionals;
    if (!queue || more.length > 0)
      throw usage('resend takes one dead-letter queue, by its name, its ARN or its URL');
    const { limit, yes: isConfirmed, force: isForced } = values;
    return { name: 'resend', queue, limit, perSecond: values['per-second'], isConfirmed, isForced };
  }),
  stop: parser({ ...RECORDED_KEY_OPTIONS, ...OWN_OPTIONS.stop }, ({ values, positionals }) => {
    const [first = '', ...more] = positionals;
    const isArn = more.length === 0 && EXECUTION_ARN.test(first);
    return {
      name: 'stop',
      subject: isArn ? { executionArn: first } : { key: keyIn(values, positionals) },
      isForGood: values['for-good'],
    };
  }),
};

function parser<Table extends OptionTable>(
  own: Table,
  commandOf: (line: CommandLine<Table>) => Command,
): Parser {
  const table = { ...COMMON_OPTIONS, ...own };
  return (args, env) => {
    const read = readCommandLine(withNegativeKeys(args, table), table, { positional: 'key' });
    if (read.kind === 'help') return undefined;
    if (read.kind === 'usage') throw usage(read.message);
    const { values, given, positionals } = read.options;
    const plain = positionals.map(positional => positional.replace(NEGATIVE_KEY, ''));
    // The table of all has the command's own.
    const line = { values: values as ValuesOf<Table>, given, positionals: plain };
    const common = commonIn(values as ValuesOf<typeof COMMON_OPTIONS>, stepTimeoutIn(values), env);
    return { kind: 'command', command: commandOf(line), common };
  };
}

function commonIn(
  values: ValuesOf<typeof COMMON_OPTIONS>,
  stepTimeoutMs: number | undefined,
  env: NodeJS.ProcessEnv,
): Common {
  const { stack, endpoint, region, table, 'state-machine': stateMachine } = values;
  if (stack !== undefined && stateMachine !== undefined) {
    throw usage('--stack and --state-machine are two ways to say the same; pass one of them');
  }
  const scope = values.scope ?? (env['ONCEFLOW_SCOPE'] || undefined);
  const byDefault = stack === undefined ? env['ONCEFLOW_STATE_MACHINE'] || undefined : undefined;
  return {
    target: { endpoint, region },
    selector: { stateMachine: stateMachine ?? byDefault, stack, scope },
    overrides: { table: table ?? (env['ONCEFLOW_TABLE'] || undefined), scope, stepTimeoutMs },
  };
}

function stepTimeoutIn(values: Readonly<Record<string, unknown>>): number | undefined {
  const stepTimeout = values['step-timeout'];
  return typeof stepTimeout === 'number' ? stepTimeout : undefined;
}

function keyIn(
  values: ValuesOf<typeof KEY_OPTIONS> & Partial<ValuesOf<typeof RECORDED_KEY_OPTIONS>>,
  parts: readonly string[],
): Key {
  return keyOf({
    parts,
    isNumber: values.number,
    isRecorded: values.recorded === true,
    json: values['json-key'],
  });
}

const EXECUTION_ARN = /^arn:[^:]+:states:[^:]*:[^:]*:(?:execution|express):/;

/** Stands before a number below zero that is a key, so that it is not read as an option: no argument can have it. */
const NEGATIVE_KEY = /^\0/;

/** `show --number -5`: with `--number` a number below zero is a key, unless it is the value of an option. */
function withNegativeKeys(args: readonly string[], table: OptionTable): string[] {
  if (!args.includes('--number')) return [...args];
  const takesValue = (arg: string | undefined) => {
    const name = arg?.startsWith('--') ? arg.slice(2) : '';
    return Object.hasOwn(table, name) && table[name]?.valueName !== undefined;
  };
  return args.map((arg, index) => (/^-\d+$/.test(arg) && !takesValue(args[index - 1]) ? `\0${arg}` : arg));
}
