import { STATUS } from '../state-machine/contract/index';
import { RELEASING } from './key/record';
import { flag, type Option, optional, wholeNumber } from './program/options';
import { durationIn } from './text';

const DAY_MS = 24 * 3600 * 1000;
/** A hundred years: beyond, there are no dates. */
const DURATION_MAX_DAYS = 36_525;
const COUNT_MAX = 10_000_000;

/** An option with a length of time, in milliseconds. */
function age<Default extends number | undefined>(option: {
  readonly help: string;
  readonly byDefault: Default;
}): Option<number | Default> {
  return {
    ...option,
    valueName: 'AGE',
    takes: `a length of time such as 90s, 5m, 1h or 7d, at most ${DURATION_MAX_DAYS}d`,
    isNumber: false,
    isRepeatable: false,
    read: ([given = '']) => {
      const ms = durationIn(given);
      return ms !== undefined && ms <= DURATION_MAX_DAYS * DAY_MS ? ms : undefined;
    },
  };
}

/** The statuses that a record can have, in the order of the help. */
const STATUSES: readonly string[] = [STATUS.inProgress, STATUS.failed, STATUS.completed, RELEASING];

/** Statuses, given one after the other or with commas between them. */
function statuses(help: string): Option<readonly string[]> {
  return {
    valueName: 'STATUS',
    help,
    byDefault: STATUSES.filter(status => status !== STATUS.completed),
    takes: `one or more of ${STATUSES.join(', ')}`,
    isNumber: false,
    isRepeatable: true,
    read: texts => {
      const given = [...new Set(texts.flatMap(list => list.split(',')).map(status => status.trim()))];
      return given.every(status => STATUSES.includes(status)) ? given : undefined;
    },
  };
}

/** Where the workflow is: options of every command. */
export const WHERE_OPTIONS = {
  'state-machine': optional(
    'ARN|NAME',
    'an ARN, a name, or the id of a construct',
    "the workflow's state machine, or the id of its construct (or ONCEFLOW_STATE_MACHINE)",
  ),
  stack: optional('NAME', 'the name of a stack', 'the only workflow of this stack'),
  scope: optional(
    'NAME',
    'a scope',
    'the workflow of this scope (or ONCEFLOW_SCOPE); for a single workflow its scope, if not as the definition says',
  ),
  table: optional(
    'NAME',
    'the name of a table',
    'the table with the records (or ONCEFLOW_TABLE), if not as the definition says',
  ),
  endpoint: optional('URL', 'an address', 'a stack on this machine, such as http://127.0.0.1:8083'),
  region: optional(
    'NAME',
    'a region',
    'instead of AWS_REGION; AWS_PROFILE, AWS_ENDPOINT_URL and all else count as in every AWS tool',
  ),
} as const;

/** How the answer is written: options of every command. */
export const ANSWER_OPTIONS = { json: flag('one JSON document on stdout, nothing else') } as const;

/** How a key is given: options of every command that takes one. */
export const KEY_OPTIONS = {
  number: flag('KEY is a number; of several parts, those that look like one'),
  'json-key': optional(
    'JSON',
    'a JSON value, such as \'["shop-1",4711]\'',
    'the key as JSON, such as \'["shop-1",4711]\', instead of KEY',
  ),
} as const;

/** The same, where the record is what counts, and not an input. */
export const RECORDED_KEY_OPTIONS = {
  ...KEY_OPTIONS,
  recorded: flag('KEY is as the record has it, and `list` shows it: number:4711, or long:…'),
} as const;

const STEP_TIMEOUT = {
  'step-timeout': age({
    help: "how long the step may work on after its owner's end (default: as the definition says)",
    byDefault: undefined,
  }),
} as const;

const YES = { yes: flag('accepted, as `release` needs it: this command does not ask') } as const;

const count = (from: number, byDefault: number, help: string) =>
  wholeNumber({ valueName: 'N', from, to: COUNT_MAX, byDefault, help: `${help} (default: ${byDefault})` });

const ERROR_NAME = optional(
  'NAME',
  'the name of an error',
  'only what failed with this error, such as CardDeclined; of an execution without one its status, such as ABORTED',
);

function inBulk(things: string) {
  return {
    limit: count(1, 10_000, `at most N ${things}`),
    'per-second': wholeNumber({
      valueName: 'N',
      from: 1,
      to: 1000,
      byDefault: 5,
      help: `at most N ${things} a second (default: 5)`,
    }),
  };
}

/** What only one command takes, or takes in its own way, by the name of the command. */
export const OWN_OPTIONS = {
  show: {
    since: age({
      help: 'look at executions that began since: 90s, 5m, 1h, 7d (default: 7d)',
      byDefault: 7 * DAY_MS,
    }),
    limit: count(0, 200, 'open at most N executions that have names of their own'),
  },
  result: {
    output: optional('FILE', 'a file', 'write the result to this file instead of stdout'),
    presign: flag('print a URL instead, of a result in a bucket: whoever has the URL can read the result'),
    'expires-in': {
      ...age({
        help: 'with --presign: how long the URL can be used: 90s, 15m, 1h, at most 7d (default: 15m)',
        byDefault: 15 * 60_000,
      }),
      takes: 'a length of time from 1s to 7d',
      read: ([given = '']: readonly string[]) => {
        const ms = durationIn(given);
        return ms !== undefined && ms >= 1000 && ms <= 7 * DAY_MS ? ms : undefined;
      },
    },
  },
  list: {
    status: statuses(
      'IN_PROGRESS, FAILED, COMPLETED, or RELEASING, which a release that was broken off leaves; several with commas, ' +
        'or given again (default: all but COMPLETED)',
    ),
    'older-than': age({ help: 'only those whose status is older: 90s, 5m, 1h, 7d', byDefault: 0 }),
    limit: count(1, 100, 'show the N most urgent'),
    'read-at-most': count(1, 100_000, 'stop after reading N items of the table'),
    error: ERROR_NAME,
    unfinished: flag(
      'also executions that ended without a record, such as those whose claim never got through',
    ),
    since: age({
      help: 'with --unfinished: executions that ended since: 90s, 5m, 1h, 7d (default: 1d)',
      byDefault: DAY_MS,
    }),
  },
  release: {
    yes: flag('do not ask; needed where there is no terminal'),
    force: flag('also where deliveries can still redrive the owner, which is better'),
    delete: flag(
      'forget the record, so that another payload may come with the key; attempts begin at 1 again',
    ),
    ...STEP_TIMEOUT,
  },
  start: {
    input: optional(
      'FILE|-',
      'a file, or - for stdin',
      "the execution's input, as JSON; - reads it from stdin",
    ),
    wait: age({
      help: 'wait so long for the result: 30s, 5m (default: not at all)',
      byDefault: undefined,
    }),
    force: flag('also where nobody can say here which key the workflow takes of the input'),
    ...YES,
  },
  redrive: {
    failed: flag(
      'instead of a KEY all keys whose executions ended without finishing them: shows what it will do, and asks',
    ),
    since: age({
      help: 'with --failed: executions that ended since: 90s, 5m, 1h, 7d (default: 1d)',
      byDefault: DAY_MS,
    }),
    error: ERROR_NAME,
    ...inBulk('keys'),
    force: flag('at most once: also where it was cut off in the step, which then runs again'),
    ...STEP_TIMEOUT,
    'dry-run': flag('with --failed: show what would be done, and do nothing'),
    yes: flag('do not ask, with --failed; for one key it is accepted: that does not ask'),
  },
  resend: {
    ...inBulk('messages'),
    force: flag(
      "also from a queue that is nobody's dead-letter queue: what nothing is known of goes to the workflow as it is",
    ),
    yes: flag('do not ask; needed where there is no terminal'),
  },
  stop: {
    'for-good': flag(
      'recovery leaves it alone, too; by default it brings a stopped owner back within a minute or so',
    ),
    ...YES,
  },
} as const;
