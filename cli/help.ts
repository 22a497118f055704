/** The commands, in the order of the help. */
export const COMMANDS = ['show', 'list', 'release', 'start', 'redrive'] as const;

/** The name of a command. */
export type CommandName = (typeof COMMANDS)[number];

/** Whether there is such a command. */
export function isCommand(name: string): name is CommandName {
  return (COMMANDS as readonly string[]).includes(name);
}

const WHERE = `Where the workflow is (all of it optional where the region has one workflow only):
  --state-machine ARN|NAME  the workflow's state machine (or ONCEFLOW_STATE_MACHINE); its definition tells the rest
  --stack NAME              the only workflow of this stack
  --table NAME              the table with the records (or ONCEFLOW_TABLE), if not as the definition says
  --scope NAME              the workflow's scope (or ONCEFLOW_SCOPE), if not as the definition says
  --endpoint URL            a stack on this machine, such as http://127.0.0.1:8083
  --region NAME             instead of AWS_REGION; AWS_PROFILE, AWS_ENDPOINT_URL and all else count as in every AWS tool
`;

const KEY = `The key, as the workflow's idempotencyKey gives it:
  KEY                       a text
  --number                  KEY is a number
  --json-key JSON           a composite key, such as '["shop-1",4711]', instead of KEY
`;

const RECORDED = `${KEY.trimEnd()}
  --recorded                KEY is as the record has it, and \`list\` shows it: number:4711, or long:…
`;

const ENDS = `Exit codes: 0 done, 1 it could not be done, 2 wrong usage, 3 a fault of this program, 130 interrupted.
`;

const COMMON = `  --json                    one JSON document on stdout, nothing else
  --help                    this text
`;

/** The help text of the program. */
export const HELP = `Usage: onceflow COMMAND [KEY] [options]

What became of one idempotency key, and what to do about it: on AWS, or on a stack on this machine.

  show KEY       the record in words, and every execution of the key: what it decided, and why
  list           records that are not finished, or have failed
  release KEY    frees a parked, failed or abandoned key, so that the next delivery runs the step again
  start KEY      starts the workflow for a key, once
  redrive KEY    brings a dead owner back where it stopped
  dev            runs the CDK app of this directory on this machine, without an AWS account

${WHERE}
  --json         one JSON document on stdout, nothing else
  --help         this text, or with a command: what it does, and examples

Examples:
  onceflow show order-7
  onceflow list --status IN_PROGRESS --older-than 1h
  onceflow show order-7 --endpoint http://127.0.0.1:8083
  onceflow dev --watch

${ENDS}`;

/** The help text of each command. */
export const COMMAND_HELP: Readonly<Record<CommandName, string>> = {
  show: `Usage: onceflow show KEY [options]

Tells the record in words, and of every execution of the key what it decided and why, read from its history. Executions
are found by the names of the key, by the record's owner, and by opening those with other names, newest first.

${RECORDED}
  --since AGE               look at executions that began since: 90s, 5m, 1h, 7d (default: 7d)
  --limit N                 open at most N executions that have names of their own (default: 200)
${COMMON}
${WHERE}
Examples:
  onceflow show order-7
  onceflow show 4711 --number --since 30d
  onceflow show --json-key '["shop-1",4711]' --json
  onceflow show number:4711 --recorded

${ENDS}`,
  list: `Usage: onceflow list [options]

Lists records of the workflow, oldest first: a scan of the table, of which every item is read and paid for.

  --status STATUS           IN_PROGRESS, FAILED, COMPLETED, or RELEASING, which a release that was broken off leaves
                            (default: all but COMPLETED)
  --older-than AGE          only those whose status is older: 90s, 5m, 1h, 7d
  --limit N                 stop after N records (default: 100)
  --read-at-most N          stop after reading N items of the table (default: 100000)
${COMMON}
${WHERE}
Examples:
  onceflow list --status IN_PROGRESS --older-than 1h
  onceflow list --status FAILED --json

${ENDS}`,
  release: `Usage: onceflow release KEY [options]

Frees a key that is parked (in doubt), has failed for good, or whose owner is dead: the next delivery runs the step
again, as the next attempt. Shows what it will do and asks. Refuses while the owner lives, or its step may still be
working. It does not start anything itself.

${RECORDED}
  --yes                     do not ask; needed where there is no terminal
  --force                   also where deliveries can still redrive the owner, which is better
  --delete                  forget the record, so that another payload may come with the key; attempts begin at 1 again
  --step-timeout AGE        how long the step may work on after its owner's end (default: as the definition says)
${COMMON}
${WHERE}
Examples:
  onceflow release order-7
  onceflow release order-7 --yes --json

${ENDS}`,
  start: `Usage: onceflow start KEY --input FILE|- [options]

Starts the workflow for a key, as startOnce does: what has been done is not done again, and is answered with its result.
KEY must be what the workflow's idempotencyKey gives for this input: the input decides what is done.

${KEY}
  --input FILE|-            the execution's input, as JSON; - reads it from stdin
  --wait AGE                wait so long for the result: 30s, 5m (default: not at all)
${COMMON}
${WHERE}
Examples:
  onceflow start order-7 --input order-7.json --wait 30s
  echo '{"detail":{"orderId":"order-7","amount":12.5,"currency":"EUR"}}' | onceflow start order-7 --input -

${ENDS}`,
  redrive: `Usage: onceflow redrive KEY [options]

Brings the dead owner of a key back where it stopped, as the next delivery would. Refuses while it lives, and while its
step may still be working.

${RECORDED}
  --force                   at most once: also where it was cut off in the step, which then runs again
  --step-timeout AGE        how long the step may work on after its owner's end (default: as the definition says)
${COMMON}
${WHERE}
Examples:
  onceflow redrive order-7

${ENDS}`,
};
