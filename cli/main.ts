#!/usr/bin/env node
import type { Answer } from './actions/answer';
import type { Command } from './commands/command';
import { COMMANDS, commandNamed, readArguments, withHelpAsOption } from './commands/registry';
import { withoutSecrets } from './program/address';
import { EXIT } from './program/exit';
import { withWholeHints } from './program/hints';
import { nodeProblem } from './program/node-version';
import { exitOnBrokenPipe } from './program/output';
import { hideSdkNotice } from './program/program';
import { Rejection } from './program/rejection';
import { endedBySignal } from './program/signals';
import { styleOf, terminal as terminalOf } from './terminal';
import { printable } from './text';
import { packageVersion } from './version';

hideSdkNotice();
exitOnBrokenPipe('onceflow');
const ENDED = endedBySignal();
const args = withHelpAsOption(process.argv.slice(2));
const terminal = terminalOf(process.stdin, process.stderr, process.env, ENDED);

main().then(
  code => {
    process.exitCode = code;
  },
  (error: unknown) => {
    terminal.clear();
    process.exitCode = complain(error);
  },
);

async function main(): Promise<number> {
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) throw new Rejection(problem, EXIT.usage);
  const asked = readArguments(args, process.env);
  if (asked.kind !== 'task') return write(asked.kind === 'help' ? asked.text : `${packageVersion()}\n`);
  const answer = await asked.task.run({ terminal, env: process.env, ended: ENDED });
  if (typeof answer === 'number') return answer;
  terminal.clear();
  write(isJson() ? documentOf(answer) : hinted(answer.text(styleOf(process.stdout, process.env))));
  return answer.code;
}

function write(text: string): number {
  process.stdout.write(text);
  return EXIT.done;
}

/** Commands in a text for people are written as they can be pasted here. */
function hinted(text: string): string {
  return withWholeHints(text, args, new Map(COMMANDS.map(({ name, help }) => [name, help])));
}

function documentOf({ json }: Answer): string {
  return `${typeof json === 'string' ? json : JSON.stringify(json)}\n`;
}

/** Says what went wrong in one sentence, to people and to scripts. */
function complain(error: unknown): number {
  const command = commandNamed(args[0]);
  const [message, code] = sentenceAbout(error, command);
  const called = command === undefined ? 'onceflow' : `onceflow ${command.name}`;
  // A server quotes what the app on this machine has printed, in its lines and colors.
  if (command?.isServer && error instanceof Rejection) process.stderr.write(`${called}: ${message}\n`);
  else process.stderr.write(`onceflow: ${hinted(message.split('\n').map(printable).join('\n'))}\n`);
  if (code === EXIT.usage) process.stderr.write(`See ${called} --help\n`);
  const json = error instanceof Rejection ? error.json : { message };
  if (isJson()) process.stdout.write(`${JSON.stringify(json)}\n`);
  return code;
}

function sentenceAbout(
  error: unknown,
  command: Command | undefined,
): readonly [message: string, code: number] {
  if (error instanceof Rejection) return [error.message, error.code];
  if (ENDED.aborted) {
    const changes = command?.isReadOnly ? '' : '; some changes might already have been made';
    return [`interrupted${changes}`, EXIT.interrupted];
  }
  const message = error instanceof Error ? error.message : String(error);
  return [`internal error: ${withoutSecrets(message)}`, EXIT.fault];
}

/** Also for `--json=yes`, which is rejected: a script reads the reason. */
function isJson(): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some(arg => /^--json(?:=|$)/.test(arg));
}
