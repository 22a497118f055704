#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Aws } from './aws/aws';
import { clientsFor } from './aws/clients';
import type { Answer, CommandContext } from './commands/command';
import { list } from './commands/list';
import { redrive } from './commands/redrive';
import { redriveFailed } from './commands/redrive-failed';
import { releaseKey } from './commands/release';
import { resend } from './commands/resend';
import { result } from './commands/result';
import { show } from './commands/show';
import { start } from './commands/start';
import { stopExecution, stopOwner } from './commands/stop';
import { serve } from './console/console';
import { dev } from './dev/dev';
import { resolveStateMachine } from './find-workflow';
import { isCommand } from './help';
import { type Command, type Common, parseCommandLine, withHelpAsOption } from './options';
import { EXIT } from './program/exit';
import { nodeProblem } from './program/node-version';
import { endWithItsReaders } from './program/output';
import { hideSdkNotice } from './program/program';
import { endedBySignal } from './program/signals';
import { Refusal } from './refusal';
import { replay } from './replay/replay';
import { styleOf, terminal as terminalOf } from './terminal';
import { printable } from './text';
import { validate } from './validate/validate';
import { workflowOf } from './workflow';

hideSdkNotice();
endWithItsReaders('onceflow');
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
  if (problem !== undefined) throw new Refusal(problem, EXIT.usage);
  const [name, ...rest] = args;
  if (name === 'dev') return dev(rest, ENDED);
  if (name === 'console') return serve(rest, ENDED);
  const reader = { terminal, style: styleOf(process.stdout, process.env) };
  if (name === 'validate') return validate(rest, reader, ENDED);
  if (name === 'replay') return replay(rest, reader, ENDED);
  const parsed = parseCommandLine(args, process.env);
  if (parsed.kind !== 'command') {
    process.stdout.write(parsed.kind === 'help' ? parsed.text : `${packageVersion()}\n`);
    return EXIT.done;
  }
  const { command, common } = parsed;
  const aws = clientsFor(common.target, process.env, ENDED);
  try {
    const answer = await answerTo(command, common, aws);
    terminal.clear();
    process.stdout.write(isJson() ? documentOf(answer) : answer.text(styleOf(process.stdout, process.env)));
    return answer.code;
  } finally {
    aws.close();
  }
}

function documentOf({ json }: Answer): string {
  return `${typeof json === 'string' ? json : JSON.stringify(json)}\n`;
}

async function answerTo(command: Command, { selector, overrides }: Common, aws: Aws): Promise<Answer> {
  // An execution may be of any state machine; all else is about a workflow.
  if (command.name === 'stop' && 'executionArn' in command.subject)
    return stopExecution(aws, command.subject.executionArn, command.isForGood);
  const arn = await resolveStateMachine(aws, selector);
  const workflow = await workflowOf(aws, arn, overrides);
  return run({ aws, workflow, terminal }, command);
}

function run(context: CommandContext, command: Command): Promise<Answer> {
  switch (command.name) {
    case 'show':
      return show(context, command);
    case 'result':
      return result(context, command);
    case 'list':
      return list(context, command);
    case 'release':
      return releaseKey(context, command);
    case 'start':
      return start(context, command);
    case 'redrive':
      return redrive(context, command);
    case 'redrive failed':
      return redriveFailed(context, command);
    case 'resend':
      return resend(context, command);
    case 'stop':
      return 'key' in command.subject
        ? stopOwner(context, command.subject.key, command.isForGood)
        : stopExecution(context.aws, command.subject.executionArn, command.isForGood);
  }
}

/** Says what went wrong in one sentence, to people and to scripts. */
function complain(error: unknown): number {
  const [message, code] = sentenceAbout(error);
  process.stderr.write(`onceflow: ${printable(message)}\n`);
  if (code === EXIT.usage) process.stderr.write(`See onceflow ${commandNamed()}--help\n`);
  if (isJson()) process.stdout.write(`${JSON.stringify({ error: message })}\n`);
  return code;
}

function sentenceAbout(error: unknown): readonly [message: string, code: number] {
  if (error instanceof Refusal) return [error.message, error.code];
  if (ENDED.aborted) return ['interrupted; what had been begun may have been done', EXIT.interrupted];
  return [`a fault of this program: ${error instanceof Error ? error.message : String(error)}`, EXIT.fault];
}

/** From beside `cli/` and beside `dist/` alike. */
function packageVersion(): string {
  return JSON.parse(readFileSync(path.join(__dirname, '../package.json'), 'utf8')).version;
}

function isJson(): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).includes('--json');
}

function commandNamed(): string {
  const [name = ''] = args;
  return isCommand(name) || ['validate', 'replay', 'console'].includes(name) ? `${name} ` : '';
}
