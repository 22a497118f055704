import { readCommandLine } from '../../cli/program/command-line';
import { flag, optional, optionHelp, wholeNumber } from '../../cli/program/options';
import type { Parsed } from '../../cli/program/program';
import { FAULT_KINDS } from './kinds';
import { type Schedule, scheduleOf } from './schedule';

/** What the league was asked for. */
export interface Options {
  readonly seeds: number;
  /** Contenders whose id begins with one of these; undefined for all. */
  readonly only: readonly string[] | undefined;
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
    help: 'how many interleavings to play of each kind of fault (default: 10)',
    from: 1,
    to: 10_000,
    byDefault: 10,
  }),
  only: optional(
    'LIST',
    'a list of ids',
    'play only approaches whose id begins with one of these, separated by commas',
  ),
  kinds: optional(
    'LIST',
    'a list of kinds',
    `play only these kinds of fault, separated by commas: ${FAULT_KINDS.map(({ id }) => id).join(', ')}`,
  ),
  replay: optional(
    'CONTENDER:SCHEDULE',
    'a contender and a schedule',
    'play this interleaving to this approach, and show it step by step',
  ),
  html: optional('FILE', 'a file', 'write the tables, plots and shortest interleavings to FILE as a page'),
  markdown: optional(
    'FILE',
    'a file',
    'update the tables of a Markdown document between `<!-- league: NAME -->` and `<!-- league: end -->`',
  ),
  json: flag('print one JSON object on stdout, nothing else'),
};

/** The help text. */
export const HELP = `Usage: npm run league -- [options]

Plays the same deliveries with the same faults to onceflow and to the usual ways to prevent duplicate processing, and
counts the failures. Each approach runs with its real code, on the embedded DynamoDB in virtual time. The first run
installs Powertools from npm into your cache directory.

${optionHelp(OPTIONS)}
Examples:
  npm run league
  npm run league -- --only onceflow --kinds killed,outage --seeds 100
  npm run league -- --html league.html
  npm run league -- --replay 'lock-lease:at=0/fault=effect:frozenBefore:1800'

Exit codes: 0 onceflow kept its promises, and failures without protection were seen, 1 one of these is not so,
2 wrong usage, 3 internal error, 130 interrupted.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const parsed = readCommandLine(args, OPTIONS);
  if (parsed.kind !== 'options') return parsed;
  const { values } = parsed.options;
  const kinds = values.kinds?.split(',').map(kind => kind.trim());
  const unknown = kinds?.find(kind => !FAULT_KINDS.some(({ id }) => id === kind));
  if (unknown !== undefined)
    return {
      kind: 'usage',
      message: `--kinds: ${JSON.stringify(unknown)} is not one of ${FAULT_KINDS.map(({ id }) => id).join(', ')}`,
    };
  const replay = values.replay === undefined ? undefined : replayOf(values.replay);
  if (typeof replay === 'string') return { kind: 'usage', message: `--replay: ${replay}` };
  if (replay && (values.html ?? values.markdown) !== undefined)
    return {
      kind: 'usage',
      message: '--replay plays one interleaving, and writes no table; leave --html and --markdown out',
    };
  const only = values.only?.split(',').map(begin => begin.trim());
  return { kind: 'options', options: { ...values, only, kinds, replay } };
}

function replayOf(text: string): Options['replay'] | string {
  const [, contender, given = ''] = /^([a-z-]+):(.+)$/.exec(text) ?? [];
  if (contender === undefined) return `must be CONTENDER:SCHEDULE, got ${JSON.stringify(text)}`;
  const schedule = scheduleOf(given);
  return typeof schedule === 'string' ? schedule : { contender, schedule };
}
