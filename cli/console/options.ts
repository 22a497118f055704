import { readCommandLine } from '../program/command-line';
import { flag, optionHelp, text, wholeNumber } from '../program/options';
import type { Parsed } from '../program/program';

/** Where to look, and where to serve. */
export interface Options {
  readonly port: number;
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  /** A profile of the AWS configuration. */
  readonly profile: string | undefined;
  readonly stack: string | undefined;
  readonly 'state-machine': string | undefined;
  /** Whether the page may write, or only read. */
  readonly 'allow-writes': boolean;
  readonly json: boolean;
}

/** One above the local endpoint's. */
export const CONSOLE_PORT = 8084;

const OPTIONS = {
  endpoint: text({
    valueName: 'URL',
    help: 'the address of a local stack (or AWS_ENDPOINT_URL); without it AWS is asked',
    takes: 'an address such as http://127.0.0.1:8083',
    byDefault: undefined,
  }),
  region: text({
    valueName: 'REGION',
    help: 'the AWS region (or AWS_REGION)',
    takes: 'the name of a region',
    byDefault: undefined,
  }),
  profile: text({
    valueName: 'NAME',
    help: 'the profile of the AWS configuration whose credentials are used (or AWS_PROFILE)',
    takes: 'the name of a profile',
    byDefault: undefined,
  }),
  stack: text({
    valueName: 'NAME',
    help: 'only the workflows of this stack (default: all of the region)',
    takes: 'the name of a stack',
    byDefault: undefined,
  }),
  'state-machine': text({
    valueName: 'ARN|NAME',
    help: 'only the workflow of this state machine; its ARN where the credentials may not list state machines',
    takes: 'an ARN, or a name',
    byDefault: undefined,
  }),
  port: wholeNumber({
    valueName: 'N',
    help: `port of the page on 127.0.0.1, 0 for any that is free (default: ${CONSOLE_PORT})`,
    from: 0,
    to: 65_535,
    byDefault: CONSOLE_PORT,
  }),
  'allow-writes': flag(
    'the page may redrive, release, stop, start, deliver again and resend (default: it only reads)',
  ),
  json: flag('one line of JSON on stdout when the page is served, nothing else'),
};

/** The help text. */
export const HELP = `Usage: onceflow console [options]

Serves a page on this machine that shows the keys of workflows, what happened to each, and any execution's history
step by step. It makes the calls that \`onceflow list\` and \`onceflow show\` make, with your credentials, and only
reads, unless --allow-writes is passed. Needs the package @onceflow/console. Ctrl-C ends it.

${optionHelp(OPTIONS)}
Examples:
  onceflow console --profile production --region eu-west-1 --stack Orders
  onceflow console --endpoint http://127.0.0.1:8083

Exit codes: 0 ended by Ctrl-C or SIGTERM, 2 wrong usage, no @onceflow/console, no region or credentials, or a port in
use, 3 a fault of this program.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const parsed = readCommandLine(args, OPTIONS);
  if (parsed.kind !== 'options') return parsed;
  return { kind: 'options', options: parsed.options.values };
}
