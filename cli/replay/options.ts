import { APP_OPTION } from '../dev/options';
import { ANSWER_OPTIONS } from '../option-table';
import { readCommandLine } from '../program/command-line';
import { optional, optionHelp } from '../program/options';
import type { Parsed } from '../program/program';

/** What is replayed, and against what. */
export interface Options {
  /** Files with histories; `-` for stdin. */
  readonly files: readonly string[];
  /** File with a definition in the States Language. */
  readonly definition: string | undefined;
  /** Directory of a cloud assembly; undefined where the app is synthesized. */
  readonly assembly: string | undefined;
  /** Command that runs the CDK app; undefined for that of `cdk.json`. */
  readonly app: string | undefined;
  readonly 'state-machine': string | undefined;
  readonly json: boolean;
}

const OPTIONS = {
  definition: optional('FILE', 'a file', 'the definition in FILE, in the States Language, instead of an app'),
  assembly: optional(
    'DIR',
    'a directory',
    'the cloud assembly in DIR, as cdk synth writes it, instead of synthesizing an app',
  ),
  app: APP_OPTION,
  'state-machine': optional(
    'NAME',
    'a name',
    'the state machine of the app, by its name or its logical id, or the beginning of that (default: the one that has ' +
      'the states of the history)',
  ),
  ...ANSWER_OPTIONS,
};

/** The help text. */
export const HELP = `Usage: onceflow replay HISTORY.json... [options]

Replays recorded histories of Standard executions against a definition, and says the first event at which this
definition would have gone another way, and how: another state, other arguments, outputs, variables, errors, retries.
What tasks answered, when, and what is random come from the recording; nothing is called. HISTORY.json is what
\`aws stepfunctions get-execution-history\` prints, - is stdin. Needs the package @onceflow/local.

${optionHelp(OPTIONS)}
Examples:
  onceflow replay history.json
  onceflow replay histories/*.json --assembly cdk.out --state-machine OrderWorkflow
  onceflow replay history.json --definition order.asl.json --json

Exit codes: 0 every history goes the recorded way, 1 one at least does not, 2 wrong usage, no @onceflow/local, or a
history, a definition or an app that cannot be used, 3 a fault of this program (the other files are still reported), 130
interrupted.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const parsed = readCommandLine(args, OPTIONS, { positional: 'file' });
  if (parsed.kind !== 'options') return parsed;
  const { values, positionals } = parsed.options;
  const ways = (['definition', 'assembly', 'app'] as const).filter(name => values[name] !== undefined);
  const [one, two] = ways.map(name => `--${name}`);
  if (two !== undefined) {
    return {
      kind: 'usage',
      message: `${one} and ${two} are two ways to say what is replayed against; pass one of them`,
    };
  }
  if (values.definition !== undefined && values['state-machine'] !== undefined) {
    return {
      kind: 'usage',
      message: '--state-machine is one of an app, and --definition is one by itself; leave it out',
    };
  }
  if (positionals.length === 0) {
    const message =
      'name a file with a history, as aws stepfunctions get-execution-history prints it, or - for stdin';
    return { kind: 'usage', message };
  }
  return { kind: 'options', options: { files: positionals, ...values } };
}
