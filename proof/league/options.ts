import { readCommandLine } from '../../cli/program/command-line';
import { flag, optional, optionHelp, wholeNumber } from '../../cli/program/options';
import type { Parsed } from '../../cli/program/program';
import { KINDS } from './kinds';
import { type Schedule, scheduleOf } from './schedule';

/** What the league was asked for. */
export interface Options {
  readonly seeds: number;
  /** Contenders whose id begins so; undefined for all. */
  readonly only: string | undefined;
  /** Ids of kinds; undefined for all. */
  readonly kinds: readonly string[] | undefined;
  readonly replay: { readonly contender: string; readonly schedule: Schedule } | undefined;
  /** A file that the report is written to as a page; undefined: none. */
  readonly html: string | undefined;
  /** A Markdown document whose tables of the league are written anew; undefined: none. */
  readonly markdown: string | undefined;
  readonly json: boolean;
}

const OPTIONS = {
  seeds: wholeNumber({
    valueName: 'N',
    help: 'schedules of each kind of trouble (default: 10)',
    from: 1,
    to: 10_000,
    byDefault: 10,
  }),
  only: optional('TEXT', 'a text', 'only contenders whose id begins with TEXT'),
  kinds: optional(
    'LIST',
    'a list of kinds',
    `only these kinds of trouble, with commas: ${KINDS.map(({ id }) => id).join(', ')}`,
  ),
  replay: optional(
    'CONTENDER:SCHEDULE',
    'a contender and a schedule',
    'play this one schedule to this one contender, and tell it step by step',
  ),
  html: optional('FILE', 'a file', 'the tables, plots and shortest schedules as a page in one file'),
  markdown: optional(
    'FILE',
    'a file',
    'writes the tables into a Markdown document anew, between `<!-- league: NAME -->` and `<!-- league: end -->`',
  ),
  json: flag('one JSON object on stdout, nothing else'),
};

/** The help text. */
export const HELP = `Usage: npm run league -- [options]

Plays the same deliveries with the same faults to the usual ways of keeping an event from being worked off twice, and to
onceflow, each with its real code, on the embedded DynamoDB in virtual time; and counts what goes wrong. Powertools is
installed from npm into the user's cache directory the first time.

${optionHelp(OPTIONS)}
Examples:
  npm run league
  npm run league -- --only onceflow --kinds killed,outage --seeds 100
  npm run league -- --html league.html
  npm run league -- --replay 'lock-lease:at=0/fault=effect:frozenBefore:1800'

Exit codes: 0 onceflow has kept its promises, and the harm of no protection was seen; 1 it has not, or nothing was seen;
2 wrong usage, 3 an internal error, 130 interrupted.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const parsed = readCommandLine(args, OPTIONS);
  if (parsed.kind !== 'options') return parsed;
  const { values } = parsed.options;
  const kinds = values.kinds?.split(',').map(kind => kind.trim());
  const unknown = kinds?.find(kind => !KINDS.some(({ id }) => id === kind));
  if (unknown !== undefined)
    return {
      kind: 'usage',
      message: `--kinds: ${JSON.stringify(unknown)} is none of ${KINDS.map(({ id }) => id).join(', ')}`,
    };
  const replay = values.replay === undefined ? undefined : replayOf(values.replay);
  if (typeof replay === 'string') return { kind: 'usage', message: `--replay: ${replay}` };
  if (replay && (values.html ?? values.markdown) !== undefined)
    return {
      kind: 'usage',
      message: '--replay plays one schedule, and makes no table; leave --html and --markdown out',
    };
  return { kind: 'options', options: { ...values, kinds, replay } };
}

function replayOf(text: string): Options['replay'] | string {
  const [, contender, given = ''] = /^([a-z-]+):(.+)$/.exec(text) ?? [];
  if (contender === undefined) return `takes CONTENDER:SCHEDULE, got ${JSON.stringify(text)}`;
  const schedule = scheduleOf(given);
  return typeof schedule === 'string' ? schedule : { contender, schedule };
}
