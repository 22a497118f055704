import { MOMENT_WORDS, type Moment, momentIn } from '../key/time-range';
import { flag, type Option, optional, wholeNumber } from '../program/options';
import { durationIn } from '../text';

/** A day, in milliseconds. */
export const DAY_MS = 24 * 3600 * 1000;
/** A hundred years: beyond, there are no dates. */
const DURATION_MAX_DAYS = 36_525;
const COUNT_MAX = 10_000_000;

/** An option with a length of time, in milliseconds. */
export function age<Default extends number | undefined>(option: {
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
  recorded: flag('KEY is as the record has it, and `list` shows it: #4711, or shop-1,#4711'),
} as const;

/** How long the step may work on: an option of commands that need to know whether it still does. */
export const STEP_TIMEOUT = {
  'step-timeout': age({
    help: "how long the step may work on after its owner's end (default: as the definition says)",
    byDefault: undefined,
  }),
} as const;

/** For scripts that pass `--yes` to every command: an option of those that do not ask. */
export const YES = { yes: flag('accepted, as `release` needs it: this command does not ask') } as const;

/** An option with a number of things. */
export function count(from: number, byDefault: number, help: string): Option<number> {
  return wholeNumber({
    valueName: 'N',
    from,
    to: COUNT_MAX,
    byDefault,
    help: `${help} (default: ${byDefault})`,
  });
}

/** A time range: options of every command that looks at more than one moment. */
export function timeRange(what: string, byDefault: Moment | undefined) {
  const last = byDefault && 'ago' in byDefault ? ` (default: ${byDefault.ago / DAY_MS}d)` : '';
  const moment = <Default extends Moment | undefined>(help: string, byDefault: Default) => ({
    valueName: 'TIME',
    help,
    byDefault,
    takes: MOMENT_WORDS,
    isNumber: false,
    isRepeatable: false,
    read: ([given = '']: readonly string[]): Moment | Default | undefined => momentIn(given),
  });
  return {
    since: moment(`${what} since: 90s, 5m, 1h or 7d ago, or 2026-11-20T09:00Z${last}`, byDefault),
    until: moment('and until: the same forms (default: now)', undefined),
  };
}

/** An option with the error that executions failed with. */
export const ERROR_NAME = optional(
  'NAME',
  'the name of an error',
  'only what failed with this error, such as CardDeclined; of an execution without one its status, such as ABORTED',
);

/** Options of commands that work on many things: how many, and how fast. */
export function inBulk(things: string) {
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
