import {
  ANSWER_OPTIONS,
  KEY_OPTIONS,
  OWN_OPTIONS,
  RECORDED_KEY_OPTIONS,
  WHERE_OPTIONS,
} from './option-table';
import { type OptionTable, optionHelp } from './program/options';

/** The commands, in the order of the help. */
export const COMMANDS = ['show', 'result', 'list', 'release', 'start', 'redrive', 'resend', 'stop'] as const;

/** The name of a command. */
export type CommandName = (typeof COMMANDS)[number];

/** Whether there is such a command. */
export function isCommand(name: string): name is CommandName {
  return (COMMANDS as readonly string[]).includes(name);
}

const WHERE = `Where the workflow is (all of it optional where the region has one workflow only):
${optionLines(WHERE_OPTIONS)}`;

const EXIT_CODES =
  'Exit codes: 0 done, 1 it could not be done, 2 wrong usage, 3 a fault of this program, 130 interrupted.\n';

/** The help text of the program. */
export const HELP = `Usage: onceflow COMMAND [KEY] [options]

What happened to one idempotency key, and what can be done about it: on AWS, or on a stack on this machine.

  show KEY       the record in words, and every execution of the key: what it decided, and why
  result KEY     the result of a key, as JSON, from wherever it is kept
  list           records that are not finished, or have failed
  release KEY    frees a parked, failed or abandoned key, so that the next delivery runs the step again
  start KEY      starts the workflow for a key, once
  redrive KEY    brings a dead owner back where it stopped; with --failed all keys that executions left unfinished
  resend QUEUE   sends the messages of a dead-letter queue again
  stop KEY|ARN   stops the owner of a key, or an execution of any state machine
  console        a page on this machine with all of it: keys, their executions, and any history step by step
  dev            runs the CDK app of this directory on this machine, without an AWS account
  validate       asks AWS about the state machines of the app before they are deployed; creates nothing
  replay         says where a definition would have gone another way than recorded histories

${WHERE}
${optionLines(ANSWER_OPTIONS)}  --help  this text, or with a command: what it does, and examples (or help COMMAND)
  --version, -V  the version of the package

Examples:
  onceflow show order-7
  onceflow list --status IN_PROGRESS --older-than 1h
  onceflow show order-7 --endpoint http://127.0.0.1:8083
  onceflow dev --watch

${EXIT_CODES}`;

/** The help text of each command. */
export const COMMAND_HELP: Readonly<Record<CommandName, string>> = {
  show: helpOf('show', {
    usage: 'show KEY [PART...] [options]',
    does: [
      'Says what the record says, and of every execution of the key what it decided and why, read from its history.',
      "Executions are found by the names of the key, by the record's owner, and by opening those with other names, newest",
      'first.',
    ],
    keyOptions: RECORDED_KEY_OPTIONS,
    examples: [
      'onceflow show order-7',
      'onceflow show 4711 --number --since 30d',
      'onceflow show shop-1 order-7',
      `onceflow show --json-key '["shop-1",4711]' --json`,
      'onceflow show number:4711 --recorded',
    ],
  }),
  result: helpOf('result', {
    usage: 'result KEY [PART...] [options]',
    does: [
      'Prints the result of a key as JSON, as it was written: from the record, from the bucket (checked against its hash),',
      "or from the owner's output. To a file or a pipe it goes as it is. With --presign a URL instead, where it is in a",
      'bucket; it ends with the credentials that it was made with, if that is sooner.',
      '',
      'Exit codes of its own: 4 no record, 5 in progress, 6 the step has failed, 7 the record or the execution that had the',
      'result is gone, 8 its object is gone or another one, 9 not permitted.',
    ],
    keyOptions: RECORDED_KEY_OPTIONS,
    examples: [
      'onceflow result order-7',
      'onceflow result order-7 --output order-7.json',
      'onceflow result order-7 --presign --expires-in 1h',
    ],
  }),
  list: helpOf('list', {
    usage: 'list [options]',
    does: [
      'Lists records of the workflow, the most urgent first: in doubt, overdue, failed, under way; the oldest of each first.',
      'A scan of the table, of which every item is read and paid for. With --unfinished also executions that have ended,',
      'and left no record.',
    ],
    keyOptions: undefined,
    examples: [
      'onceflow list --status IN_PROGRESS --older-than 1h',
      'onceflow list --status FAILED,RELEASING --json',
      'onceflow list --unfinished --since 2h --error Idempotency.TableRefused',
    ],
  }),
  release: helpOf('release', {
    usage: 'release KEY [PART...] [options]',
    does: [
      'Frees a key that is parked (in doubt), has failed for good, or whose owner is dead: the next delivery runs the step',
      'again, as the next attempt. Shows what it will do and asks. Refuses while the owner lives, or its step may still be',
      'working. It does not start anything itself.',
    ],
    keyOptions: RECORDED_KEY_OPTIONS,
    examples: ['onceflow release order-7', 'onceflow release order-7 --yes --json'],
  }),
  start: helpOf('start', {
    usage: 'start KEY [PART...] --input FILE|- [options]',
    does: [
      'Starts the workflow for a key, as startOnce does: what has been done is not done again, and is answered with its',
      "result. KEY must be what the workflow's idempotencyKey gives for this input: the input decides what is done.",
    ],
    keyOptions: KEY_OPTIONS,
    examples: [
      'onceflow start order-7 --input order-7.json --wait 30s',
      `echo '{"detail":{"orderId":"order-7","amount":12.5,"currency":"EUR"}}' | onceflow start order-7 --input -`,
    ],
  }),
  redrive: helpOf('redrive', {
    usage: 'redrive KEY [PART...]|--failed [options]',
    does: [
      'Brings the dead owner of a key back where it stopped, as the next delivery would. Refuses while it lives, and while',
      'its step may still be working.',
      '',
      'With --failed: looks at all executions that ended without succeeding, and at the records of their keys. A dead owner',
      'is redriven; of a key that has failed, or was never claimed, the input is delivered again. What is finished, at work,',
      'in doubt, or refused for what it is stays as it is. A second run finds what is left to do.',
    ],
    keyOptions: RECORDED_KEY_OPTIONS,
    examples: [
      'onceflow redrive order-7',
      'onceflow redrive --failed --since 2h',
      'onceflow redrive --failed --since 2h --dry-run --json',
      'onceflow redrive --failed --since 2h --error Idempotency.TableRefused --per-second 20 --yes',
    ],
  }),
  resend: helpOf('resend', {
    usage: 'resend DEAD-LETTER-QUEUE [options]',
    does: [
      'Sends the messages of a dead-letter queue again, given by its name, ARN or URL: what another queue has given up goes',
      'back to that queue, what a source could not deliver or start to where it was on its way. Shows how many there are',
      'and asks. A message is deleted when it has been taken; what is no event, or has no usable key, stays and is named.',
      '',
      "The queues of a workflow's sources have NotStarted and NotDelivered in their names: `aws sqs list-queues` lists the",
      'queues of a region, and `onceflow dev` prints the URLs of those on this machine.',
    ],
    keyOptions: undefined,
    examples: [
      'onceflow resend orders-dead',
      'onceflow resend Shop-ChargePaymentSourceOrdersNotStarted1A2B3C4D-AbCdEf',
      'onceflow resend orders-dead --per-second 20 --yes --json',
    ],
  }),
  stop: helpOf('stop', {
    usage: 'stop KEY [PART...]|EXECUTION [options]',
    does: [
      'Stops the execution that owns a key, or the one with the ARN EXECUTION, of any state machine. It does not ask: a',
      'redrive, the next delivery of the key, or recovery where the workflow has it, lets it go on where it stopped. With',
      '--for-good recovery leaves it alone. A function that it has called works on.',
    ],
    keyOptions: RECORDED_KEY_OPTIONS,
    examples: [
      'onceflow stop order-7',
      'onceflow stop order-7 --for-good',
      'onceflow stop arn:aws:states:us-east-1:111111111111:execution:Import:2026-11-20 --endpoint http://127.0.0.1:8083',
    ],
  }),
};

interface CommandHelp {
  readonly usage: string;
  /** Its lines. */
  readonly does: readonly string[];
  readonly keyOptions: OptionTable | undefined;
  readonly examples: readonly string[];
}

function helpOf(name: CommandName, { usage, does, keyOptions, examples }: CommandHelp): string {
  const key = keyOptions && [
    "The key, as the workflow's idempotencyKey gives it: a text, or the parts of a composite key in their order.",
    optionLines(keyOptions),
  ];
  const blocks = [
    `Usage: onceflow ${usage}\n`,
    `${does.join('\n')}\n`,
    ...(key ? [key.join('\n')] : []),
    optionHelp({ ...OWN_OPTIONS[name], ...ANSWER_OPTIONS }),
    WHERE,
    `Examples:\n${examples.map(example => `  ${example}\n`).join('')}`,
    EXIT_CODES,
  ];
  return blocks.join('\n');
}

/** The lines about options, without that about `--help`. */
function optionLines(table: OptionTable): string {
  return optionHelp(table).replace(/ {2}--help +this text\n$/, '');
}
