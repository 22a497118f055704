import { APP_OPTION } from '../dev/options';
import { ANSWER_OPTIONS, WHERE_OPTIONS } from '../option-table';
import { readCommandLine } from '../program/command-line';
import { optional, optionHelp } from '../program/options';
import type { Parsed } from '../program/program';

/** What is asked about, and whom. */
export interface Options {
  /** Command that runs the CDK app; undefined for that of `cdk.json`. */
  readonly app: string | undefined;
  /** Directory of a cloud assembly; undefined where the app is synthesized. */
  readonly assembly: string | undefined;
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  readonly json: boolean;
}

const OPTIONS = {
  app: APP_OPTION,
  assembly: optional(
    'DIR',
    'a directory',
    'the cloud assembly in DIR, as cdk synth writes it, instead of synthesizing an app',
  ),
  endpoint: WHERE_OPTIONS.endpoint,
  region: WHERE_OPTIONS.region,
  ...ANSWER_OPTIONS,
};

/** The help text. */
export const HELP = `Usage: onceflow validate [options]

Asks AWS about the state machines of an app before they are deployed, and creates nothing: whether their definitions are
accepted (ValidateStateMachineDefinition), and whether each state does with each error what its retriers and catchers
say (TestState, with mocks). Needs the package @onceflow/local, states:ValidateStateMachineDefinition and
states:TestState. docs/reference/aws-claims.md says what each row settles.

${optionHelp(OPTIONS)}
Examples:
  onceflow validate --assembly cdk.out
  onceflow validate --endpoint http://127.0.0.1:8083 --json

A row is confirmed, refused, or unknown: it could not be asked, for the reason that it gives.

Exit codes: 0 nothing of the app is refused, 1 something is, or every row is unknown, 2 wrong usage, no @onceflow/local,
or an app or a directory that cannot be used, 3 a fault of this program, 130 interrupted.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const parsed = readCommandLine(args, OPTIONS);
  if (parsed.kind !== 'options') return parsed;
  const { values } = parsed.options;
  if (values.assembly === undefined || values.app === undefined) return { kind: 'options', options: values };
  const message = '--app and --assembly are two ways to say what is asked about; pass one of them';
  return { kind: 'usage', message };
}
