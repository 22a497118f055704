import { readCommandLine } from '../../cli/program/command-line';
import { flag, optional, optionHelp, wholeNumber } from '../../cli/program/options';
import type { Parsed } from '../../cli/program/program';

/** What the run was asked for. */
export interface Options {
  /** Where the app is; undefined for the local stack. */
  readonly url: URL | undefined;
  /** Directory with recorded conversations; undefined for the suite's own. */
  readonly cases: string | undefined;
  /** Only those whose name has this in it. */
  readonly only: string | undefined;
  readonly chaos: boolean;
  readonly requests: number;
  readonly keys: number;
  readonly seed: number;
  readonly json: boolean;
}

const OPTIONS = {
  cases: optional(
    'DIR',
    'a directory',
    'hold the conversations of cases.jsonl in DIR, in place of the own ones',
  ),
  only: optional('TEXT', 'a text', 'only the conversations whose name has TEXT in it'),
  chaos: flag(
    'many requests at once, with lost answers, throttled starts and stopped executions; on the local stack',
  ),
  requests: wholeNumber({
    valueName: 'N',
    help: 'with --chaos: how many requests (default: 1000)',
    from: 1,
    to: 2000,
    byDefault: 1000,
  }),
  keys: wholeNumber({
    valueName: 'N',
    help: 'with --chaos: of how many keys (default: 100)',
    from: 1,
    byDefault: 100,
  }),
  seed: wholeNumber({
    valueName: 'N',
    help: 'with --chaos: what all chance comes from (default: 1)',
    from: 0,
    byDefault: 1,
  }),
  json: flag('one JSON object on stdout, nothing else'),
};

/** The help text. */
export const HELP = `Usage: npm run front-door -- [URL] [options]

Holds conversations with the reference app of Source.http over HTTP, and says what is wrong with its answers. Without
URL the app runs on the local stack, in virtual time. URL is that of a stage where the app of proof/front-door is
deployed; what needs a fault, another app, another caller or hours is skipped there.

${optionHelp(OPTIONS)}
Examples:
  npm run front-door
  npm run front-door -- https://a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com/prod
  npm run front-door -- --chaos --seed 2

Exit codes: 0 all is right, 1 something is wrong, 2 wrong usage, 3 an internal error, 130 interrupted.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const parsed = readCommandLine(args, OPTIONS, { positional: 'URL' });
  if (parsed.kind !== 'options') return parsed;
  const { values, positionals } = parsed.options;
  const [text, another] = positionals;
  if (another !== undefined) return { kind: 'usage', message: `one URL at a time; got ${another} as well` };
  const url = text === undefined ? undefined : urlOf(text);
  if (text !== undefined && url === undefined) {
    return { kind: 'usage', message: `URL is that of a stage, http or https; got ${JSON.stringify(text)}` };
  }
  if (url && values.chaos) {
    return { kind: 'usage', message: '--chaos needs faults, which only the local stack has; leave URL out' };
  }
  return { kind: 'options', options: { ...values, url } };
}

/** Ends with a slash, so that paths are beneath it. */
function urlOf(text: string): URL | undefined {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text.endsWith('/') ? text : `${text}/`);
}
