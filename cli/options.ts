import { parseArgs } from 'node:util';
import { STATUS } from '../state-machine/contract/index';
import type { Target } from './aws/clients';
import type { WorkflowSelector } from './find-workflow';
import { COMMAND_HELP, COMMANDS, type CommandName, HELP, isCommand } from './help';
import { type Key, keyOf } from './key/key';
import { RELEASING } from './key/record';
import { usage } from './refusal';
import { durationIn } from './text';
import type { Overrides } from './workflow';

/** Where things are, and how to answer: what all commands take. */
export interface Common {
  readonly target: Target;
  readonly selector: WorkflowSelector;
  readonly overrides: Overrides;
}

/** What is to be done. */
export type Command =
  | { readonly name: 'show'; readonly key: Key; readonly sinceMs: number; readonly limit: number }
  | {
      readonly name: 'list';
      readonly statuses: readonly string[];
      readonly olderThanMs: number;
      readonly limit: number;
      readonly readMax: number;
    }
  | {
      readonly name: 'release';
      readonly key: Key;
      readonly isConfirmed: boolean;
      readonly isForced: boolean;
      readonly isDeleted: boolean;
    }
  | { readonly name: 'start'; readonly key: Key; readonly input: string; readonly waitMs: number | undefined }
  | { readonly name: 'redrive'; readonly key: Key; readonly isForced: boolean };

/** A command line: a command, or a request for help. */
export type Parsed =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'command'; readonly command: Command; readonly common: Common };

/** Those of the table, and `dev`, which reads its own options. */
const COMMAND_NAMES = [...COMMANDS, 'dev'].join(', ');
const DAY_MS = 24 * 3600 * 1000;
const COUNT_MAX = 10_000_000;
/** A hundred years: beyond, there are no dates. */
const DURATION_MAX_MS = 36_525 * DAY_MS;

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const COMMON_OPTIONS = {
  'state-machine': TEXT,
  stack: TEXT,
  table: TEXT,
  scope: TEXT,
  endpoint: TEXT,
  region: TEXT,
  json: FLAG,
  help: { ...FLAG, short: 'h' },
} as const;
const KEY_OPTIONS = { number: FLAG, 'json-key': TEXT } as const;
/** Where the record is what counts, and not an input. */
const RECORD_OPTIONS = { ...KEY_OPTIONS, recorded: FLAG } as const;

const OPTIONS = {
  show: { ...RECORD_OPTIONS, since: TEXT, limit: TEXT },
  list: { status: TEXT, 'older-than': TEXT, limit: TEXT, 'read-at-most': TEXT },
  release: { ...RECORD_OPTIONS, yes: FLAG, force: FLAG, delete: FLAG, 'step-timeout': TEXT },
  start: { ...KEY_OPTIONS, input: TEXT, wait: TEXT },
  redrive: { ...RECORD_OPTIONS, force: FLAG, 'step-timeout': TEXT },
} as const satisfies Record<CommandName, Readonly<Record<string, typeof TEXT | typeof FLAG>>>;

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** Reads the command line and the environment. @throws Refusal for what cannot be understood */
export function parseCommandLine(args: readonly string[], env: NodeJS.ProcessEnv): Parsed {
  const [name, ...rest] = args;
  if (name === undefined) throw usage(`which command? One of ${COMMAND_NAMES}`);
  if (['--help', '-h', 'help'].includes(name)) return { kind: 'help', text: HELP };
  if (!isCommand(name)) {
    const what = name.startsWith('-')
      ? `the command comes first, before ${name}`
      : `there is no command ${name}`;
    throw usage(`${what}; one of ${COMMAND_NAMES}`);
  }
  const { values, positionals } = parsed(name, rest);
  if (values['help'] === true) return { kind: 'help', text: COMMAND_HELP[name] };
  const text = (option: string) => textIn(values, option);
  if (name === 'list' && positionals.length > 0) throw usage('list takes no key');
  const stack = text('stack');
  const scope = text('scope') ?? (env['ONCEFLOW_SCOPE'] || undefined);
  const common: Common = {
    target: { endpoint: text('endpoint'), region: text('region') },
    selector: {
      stateMachine:
        text('state-machine') ??
        (stack === undefined ? env['ONCEFLOW_STATE_MACHINE'] || undefined : undefined),
      stack,
      scope,
    },
    overrides: {
      table: text('table') ?? (env['ONCEFLOW_TABLE'] || undefined),
      scope,
      stepTimeoutMs: durationOf(values, 'step-timeout'),
    },
  };
  if (stack !== undefined && text('state-machine') !== undefined) {
    throw usage('--stack and --state-machine are two ways to say the same; pass one of them');
  }
  return { kind: 'command', command: commandOf(name, positionals, values), common };
}

function commandOf(name: CommandName, positionals: readonly string[], values: Values): Command {
  const key = () =>
    keyOf({
      parts: positionals,
      isNumber: values['number'] === true,
      isRecorded: values['recorded'] === true,
      json: textIn(values, 'json-key'),
    });
  const isForced = values['force'] === true;
  switch (name) {
    case 'show':
      return {
        name,
        key: key(),
        sinceMs: durationOf(values, 'since') ?? 7 * DAY_MS,
        limit: countOf(values, 'limit', 200, 0),
      };
    case 'list':
      return {
        name,
        statuses: statusesOf(textIn(values, 'status')),
        olderThanMs: durationOf(values, 'older-than') ?? 0,
        limit: countOf(values, 'limit', 100, 1),
        readMax: countOf(values, 'read-at-most', 100_000, 1),
      };
    case 'release':
      return {
        name,
        key: key(),
        isConfirmed: values['yes'] === true,
        isForced,
        isDeleted: values['delete'] === true,
      };
    case 'start': {
      const input = textIn(values, 'input');
      if (input === undefined) throw usage('start needs --input FILE, or --input - for stdin');
      return { name, key: key(), input, waitMs: durationOf(values, 'wait') };
    }
    case 'redrive':
      return { name, key: key(), isForced };
  }
}

function parsed(name: CommandName, args: readonly string[]) {
  try {
    const options = { ...COMMON_OPTIONS, ...OPTIONS[name] };
    const { values, positionals } = parseArgs({ args: withNumbers(args), options, allowPositionals: true });
    return { values: values as Values, positionals };
  } catch (error) {
    throw usage(inOneSentence(String((error as { readonly message?: string }).message)));
  }
}

/** `show --number -5`: a number below zero is a key, not an option. */
function withNumbers(args: readonly string[]): string[] {
  const at = args.includes('--number') ? args.findIndex(arg => /^-\d+$/.test(arg)) : -1;
  return at === -1 ? [...args] : [...args.filter((_, index) => index !== at), '--', args[at] ?? ''];
}

// Node has three lines for an option without a value, and a long explanation for one that it does not know.
function inOneSentence(message: string): string {
  const ambiguous = /^Option '(?:-\w, )?(--[\w-]+).*' argument is ambiguous/.exec(message)?.[1];
  if (ambiguous !== undefined)
    return `${ambiguous} has no value; one that begins with a dash is written ${ambiguous}=VALUE`;
  const unknown = /^Unknown option '([^']+)'/.exec(message)?.[1];
  if (unknown !== undefined)
    return `there is no option ${unknown} here; a key that begins with a dash comes last, after --`;
  return message.replace(/\s*\n\s*/g, ' ');
}

function textIn(values: Values, option: string): string | undefined {
  const value = values[option];
  if (value === '') throw usage(`--${option} has no value`);
  return typeof value === 'string' ? value : undefined;
}

function durationOf(values: Values, option: string): number | undefined {
  const text = textIn(values, option);
  if (text === undefined) return undefined;
  const ms = durationIn(text);
  if (ms !== undefined && ms <= DURATION_MAX_MS) return ms;
  throw usage(
    `--${option} takes a length of time such as 90s, 5m, 1h or 7d, at most 36525d; got ${JSON.stringify(text)}`,
  );
}

function countOf(values: Values, option: string, byDefault: number, least: number): number {
  const text = textIn(values, option);
  if (text === undefined) return byDefault;
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (count >= least && count <= COUNT_MAX) return count;
  throw usage(`--${option} takes a whole number from ${least} to ${COUNT_MAX}; got ${JSON.stringify(text)}`);
}

function statusesOf(text: string | undefined): readonly string[] {
  if (text === undefined) return [STATUS.inProgress, STATUS.failed, RELEASING];
  const known: readonly string[] = [...Object.values(STATUS), RELEASING];
  if (known.includes(text)) return [text];
  throw usage(`--status takes ${known.join(', ')}; got ${JSON.stringify(text)}`);
}
