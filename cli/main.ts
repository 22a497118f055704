#!/usr/bin/env node
import type { Answer, Desk } from './answer';
import type { Aws } from './aws/aws';
import { clientsFor } from './aws/clients';
import { list } from './commands/list';
import { redrive } from './commands/redrive';
import { releaseKey } from './commands/release';
import { show } from './commands/show';
import { start } from './commands/start';
import { stateMachineMeant } from './find-workflow';
import { isCommand } from './help';
import { type Command, parseCommandLine } from './options';
import { EXIT } from './program/exit';
import { endWithItsReaders } from './program/output';
import { hideSdkNotice } from './program/program';
import { endedBySignal } from './program/signals';
import { Refusal } from './refusal';
import { type Look, lookOf } from './render/look';
import { deskOn } from './terminal';
import { printable } from './text';
import { type Workflow, workflowOf } from './workflow';

hideSdkNotice();
endWithItsReaders('onceflow');
const ENDED = endedBySignal();
const args = process.argv.slice(2);
const desk = deskOn(process.stdin, process.stderr, ENDED);

main().then(
  code => {
    process.exitCode = code;
  },
  (error: unknown) => {
    desk.clear();
    process.exitCode = complain(error);
  },
);

async function main(): Promise<number> {
  const parsed = parseCommandLine(args, process.env);
  if (parsed.kind === 'help') {
    process.stdout.write(parsed.text);
    return EXIT.done;
  }
  const { command, common } = parsed;
  const aws = clientsFor(common.place, process.env, ENDED);
  try {
    const arn = await stateMachineMeant(aws, common.meant);
    const workflow = await workflowOf(aws, arn, common.overrides);
    const answer = await run(aws, workflow, command, desk, lookOf(process.stderr, process.env));
    desk.clear();
    const text = isJson()
      ? `${JSON.stringify(answer.json)}\n`
      : answer.text(lookOf(process.stdout, process.env));
    process.stdout.write(text);
    return answer.code;
  } finally {
    aws.close();
  }
}

function run(aws: Aws, workflow: Workflow, command: Command, desk: Desk, look: Look): Promise<Answer> {
  switch (command.name) {
    case 'show':
      return show(aws, workflow, command, desk);
    case 'list':
      return list(aws, workflow, command, desk);
    case 'release':
      return releaseKey(aws, workflow, command, desk, look);
    case 'start':
      return start(aws, workflow, command, desk);
    case 'redrive':
      return redrive(aws, workflow, command);
  }
}

/** Tells what went wrong in one sentence, to people and to scripts. */
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

function isJson(): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).includes('--json');
}

function commandNamed(): string {
  const [name = ''] = args;
  return isCommand(name) ? `${name} ` : '';
}
