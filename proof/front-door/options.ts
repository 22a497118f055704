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
  /** Whether the workflow is an Express one. */
  readonly express: boolean;
  readonly requests: number;
  readonly keys: number;
  readonly seed: number;
  readonly json: boolean;
}

const OPTIONS = {
  cases: optional(
    'DIR',
    'a directory',
    'hold the conversations of cases.jsonl in DIR instead of the built-in ones',
  ),
  only: optional('TEXT', 'a text', 'hold only conversations whose name contains TEXT'),
  chaos: flag(
    'send many requests at once, with lost answers, throttled starts and stopped executions, to the local stack',
  ),
  express: flag(
    'with an Express workflow, on the local stack; conversations that it cannot hold are skipped',
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
    help: 'with --chaos: for how many keys (default: 100)',
    from: 1,
    byDefault: 100,
  }),
  seed: wholeNumber({
    valueName: 'N',
    help: 'with --chaos: the seed of all random decisions (default: 1)',
    from: 0,
    byDefault: 1,
  }),
  json: flag('print one JSON object on stdout, nothing else'),
};

/** The help text. */
export const HELP = `Usage: npm run front-door -- [URL] [options]

Holds conversations with the reference app of Source.http over HTTP, and reports wrong answers. Without URL, the app
runs on the local stack, in virtual time. URL must be a stage with the deployed app of proof/front-door. Conversations
that need a fault, another app, another caller or hours are skipped there.

${optionHelp(OPTIONS)}
Examples:
  npm run front-door
  npm run front-door -- https://a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com/prod
  npm run front-door -- --chaos --seed 2

Exit codes: 0 if all answers are right, 1 if an answer is wrong, 2 wrong usage, 3 internal error, 130 interrupted.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const parsed = readCommandLine(args, OPTIONS, { positional: 'URL' });
  if (parsed.kind !== 'options') return parsed;
  const { values, positionals } = parsed.options;
  const [text, another] = positionals;
  if (another !== undefined) return { kind: 'usage', message: `pass only one URL; got also ${another}` };
  const url = text === undefined ? undefined : urlOf(text);
  if (text !== undefined && url === undefined) {
    return {
      kind: 'usage',
      message: `URL must be the http or https URL of a stage; got ${JSON.stringify(text)}`,
    };
  }
  if (url && values.chaos) {
    return { kind: 'usage', message: '--chaos needs faults, which only the local stack has; leave URL out' };
  }
  if (url && values.express) {
    return {
      kind: 'usage',
      message:
        '--express is for the local stack; at a URL the deployed app says what it is. Leave one of them out',
    };
  }
  return { kind: 'options', options: { ...values, url } };
}

/** Ends with a slash, so that paths are beneath it. */
function urlOf(text: string): URL | undefined {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text.endsWith('/') ? text : `${text}/`);
}
