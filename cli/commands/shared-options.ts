import { address } from '../program/address';
import { flag, type Option, optional, wholeNumber } from '../program/options';
import { durationIn } from '../text';
import { DAY_MS, DAYS_MAX, MOMENT_WORDS, type Moment, momentIn } from '../time-range';

const COUNT_MAX = 10_000_000;

/** An option with a length of time, in milliseconds. */
export function durationOption<Default extends number | undefined>(option: {
  readonly help: string;
  readonly byDefault: Default;
}): Option<number | Default> {
  return {
    ...option,
    valueName: 'AGE',
    takes: `a length of time such as 90s, 5m, 1h or 7d, at most ${DAYS_MAX}d`,
    isNumber: false,
    isRepeatable: false,
    read: ([given = '']) => {
      const ms = durationIn(given);
      return ms !== undefined && ms <= DAYS_MAX * DAY_MS ? ms : undefined;
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
    'select the workflow by its scope (or ONCEFLOW_SCOPE), or read the records of a named workflow under another scope',
  ),
  table: optional(
    'NAME',
    'the name of a table',
    'the table of the records (or ONCEFLOW_TABLE; default: as in the definition)',
  ),
  endpoint: address('URL', 'a local stack, such as http://127.0.0.1:8083'),
  region: optional(
    'NAME',
    'a region',
    'the AWS region (default: AWS_REGION); AWS_PROFILE and AWS_ENDPOINT_URL work as in other AWS tools',
  ),
} as const;

/** How the answer is written: options of every command. */
export const ANSWER_OPTIONS = { json: flag('print one JSON document on stdout, nothing else') } as const;

/** How a key is given: options of every command that takes one. */
export const KEY_OPTIONS = {
  number: flag('KEY is a number; if it has several parts, those that look like numbers are'),
  'json-key': optional(
    'JSON',
    'a JSON value, such as \'["shop-1",4711]\'',
    'the key as JSON, such as \'["shop-1",4711]\', instead of KEY',
  ),
} as const;

/** The same, where the record is what counts, and not an input. */
export const RECORDED_KEY_OPTIONS = {
  ...KEY_OPTIONS,
  recorded: flag('KEY is exactly as `list` shows it: #4711, or shop-1,#4711'),
} as const;

/** How long the step may work on: an option of commands that need to know whether it still does. */
export const STEP_TIMEOUT = {
  'step-timeout': durationOption({
    help: 'how long the step can still run after its owner ended (default: as in the definition)',
    byDefault: undefined,
  }),
} as const;

/** For scripts that pass `--yes` to every command: an option of those that do not ask. */
export const YES = { yes: flag('accepted for scripts; this command does not ask') } as const;

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
    since: moment(`${what} since this time: 90s, 5m, 1h or 7d ago, or 2026-11-20T09:00Z${last}`, byDefault),
    until: moment('and until this time, in the same form (default: now)', undefined),
  };
}

/** An option with the error that executions failed with. */
export const ERROR_NAME = optional(
  'NAME',
  'the name of an error',
  'only those that failed with this error, such as CardDeclined; an execution without an error counts by its status, ' +
    'such as ABORTED',
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
