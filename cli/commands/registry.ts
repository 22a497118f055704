import { nearestName } from '../../state-machine/words/nearest-name';
import { usage } from '../program/rejection';
import type { Command, Task } from './command';
import { complete } from './complete';
import { console } from './console';
import { cost } from './cost';
import { dev } from './dev';
import { health } from './health';
import { list } from './list/list';
import { redeliver } from './redeliver';
import { redrive } from './redrive';
import { release } from './release';
import { replay } from './replay';
import { resend } from './resend';
import { result } from './result';
import { send } from './send';
import { ANSWER_OPTIONS } from './shared-options';
import { show } from './show';
import { start } from './start';
import { stop } from './stop';
import { template } from './template';
import { validate } from './validate';
import { verify } from './verify';
import { EXIT_CODES, optionLines, WHERE } from './workflow-command';

/** The commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  show,
  result,
  list,
  health,
  cost,
  release,
  complete,
  send,
  start,
  redrive,
  redeliver,
  resend,
  stop,
  console,
  dev,
  template,
  validate,
  verify,
  replay,
];

const NAMES = COMMANDS.map(({ name }) => name);

/** The help text of the program. */
export const HELP = `Usage: onceflow COMMAND [KEY] [options]

Shows what happened to an idempotency key, and what you can do about it, on AWS or on a local stack.

${COMMANDS.map(({ line: [call, does] }) => `  ${call.padEnd(13)}  ${does}\n`).join('')}
${WHERE}
${optionLines(ANSWER_OPTIONS)}  --help  this text, or the help of a command (also: help COMMAND)
  --version, -V  the version of the package

Examples:
  onceflow show order-7
  onceflow list --status IN_PROGRESS --older-than 1h
  onceflow show order-7 --endpoint http://127.0.0.1:8083
  onceflow dev --watch

${EXIT_CODES}`;

/** The arguments, with `help COMMAND` as what it is short for: `COMMAND --help`. */
export function withHelpAsOption(args: readonly string[]): readonly string[] {
  const [first, name = '-'] = args;
  return first !== 'help' || name === 'help' || name.startsWith('-') ? args : [name, '--help'];
}

/** What a command line asks for: the work of a command, a help text, or the version. */
export type Asked =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' };

/** Reads the command line and the environment. @throws Rejection for an unknown command or option */
export function readArguments([name, ...rest]: readonly string[], env: NodeJS.ProcessEnv): Asked {
  if (name === undefined) throw usage(`which command? Pass one of ${NAMES.join(', ')}`);
  if (['--help', '-h', 'help'].includes(name)) return { kind: 'help', text: HELP };
  if (['--version', '-V'].includes(name)) return { kind: 'version' };
  const command = commandNamed(name);
  if (command === undefined) throw noCommand(name);
  const task = command.read(rest, env);
  return task === undefined ? { kind: 'help', text: command.help } : { kind: 'task', task };
}

/** The command of this name; undefined where there is none. */
export function commandNamed(name: string | undefined): Command | undefined {
  return COMMANDS.find(command => command.name === name);
}

function noCommand(name: string): Error {
  const all = NAMES.join(', ');
  if (name.startsWith('-'))
    return usage(`the command must come first, before ${name}. The commands are ${all}`);
  const near = nearestName(name, NAMES);
  return usage(
    near === undefined
      ? `there is no command ${name}. The commands are ${all}`
      : `there is no command ${name}; did you mean ${near}? The commands are ${all}`,
  );
}
