import { readCommandLine } from '../program/command-line';
import { flag, optional, optionHelp, repeatable, wholeNumber } from '../program/options';
import type { Parsed } from '../program/program';

/** What is to be run, and how. */
export interface Options {
  /** 0 for a port that is free. */
  readonly port: number;
  /** Of the REST APIs; 0 for a port that is free, undefined for the one two above `port`. */
  readonly httpPort: number | undefined;
  /** Whom the callers of REST APIs are taken for; undefined for whom the stack takes them by itself. */
  readonly httpPrincipal: string | undefined;
  /** Directory that keeps executions, histories, tables and machines; undefined for memory. */
  readonly state: string | undefined;
  /** Command that runs the CDK app; undefined for that of `cdk.json`. */
  readonly app: string | undefined;
  /** Directory of a cloud assembly; undefined where the app is synthesized. */
  readonly assembly: string | undefined;
  /** Whether to synthesize again when a file changes. */
  readonly watch: boolean;
  /** Endpoint of a DynamoDB that somebody else runs; undefined for the stack's own. */
  readonly dynamodb: string | undefined;
  /** How many executions that have ended are kept; undefined for as many as the stack keeps by itself. */
  readonly keep: number | undefined;
  /** Executions of the state directory that are stopped before anything goes on. */
  readonly stop: readonly string[];
  readonly json: boolean;
}

/** The app that is synthesized. */
export const APP_OPTION = optional(
  'CMD',
  'a command',
  'the command that runs the CDK app (default: `app` of cdk.json in this directory)',
);

const OPTIONS = {
  app: APP_OPTION,
  assembly: optional(
    'DIR',
    'a directory',
    'run the cloud assembly in DIR, as cdk synth writes it, instead of synthesizing an app',
  ),
  watch: flag(
    'synthesize again when a file of the app changes, and restart with what has changed; `watch` of cdk.json says ' +
      'which files count, as it does for cdk watch',
  ),
  state: optional(
    'DIR',
    'a directory',
    'keep executions, histories, tables and state machines in DIR, so that they survive a restart and a crash; what ' +
      'was running goes on (default: memory)',
  ),
  keep: wholeNumber({
    valueName: 'N',
    help: 'keep the last N executions that have ended, histories included, and forget the others (default: 25000)',
    from: 1,
    byDefault: undefined,
  }),
  stop: repeatable(
    optional(
      'EXECUTION',
      'the name or ARN of an execution',
      'stop this execution, by its name or ARN, which --state was left with, before any goes on; can be given again',
    ),
    [],
  ),
  dynamodb: optional(
    'URL',
    'an http or https URL',
    'use the DynamoDB at URL, such as DynamoDB Local, instead of one within the stack: the tables are made there, and ' +
      '--state keeps none of them',
  ),
  port: wholeNumber({
    valueName: 'N',
    help: 'port of the endpoint on 127.0.0.1, 0 for any that is free (default: 8083)',
    from: 0,
    to: 65_535,
    byDefault: 8083,
  }),
  'http-port': wholeNumber({
    valueName: 'N',
    help:
      'port of the first REST API on 127.0.0.1, further ones have those that follow; 0 for any that are free ' +
      '(default: two above --port, and any that are free with --port 0)',
    from: 0,
    to: 65_535,
    byDefault: undefined,
  }),
  'http-principal': optional(
    'NAME',
    'a name or an ARN',
    'whom callers of a REST API are taken for where it asks IAM or a user pool, neither of which is evaluated here ' +
      '(default: local)',
  ),
  json: flag('one line of JSON on stdout each time the stack is ready, nothing else'),
};

/** The help text. */
export const HELP = `Usage: onceflow dev [options]

Synthesizes the CDK app of this directory and runs it without an AWS account: state machines, tables, event buses,
queues and functions behind one endpoint, for any AWS SDK or CLI. Needs the package @onceflow/local. Ctrl-C ends it.
With @onceflow/console a page of what runs is on the port above the endpoint's, or on any that is free.

${optionHelp(OPTIONS)}
Examples:
  onceflow dev --watch --state .onceflow
  onceflow dev --app 'npx tsx app.ts' --port 0 --json
  onceflow dev --assembly cdk.out

Exit codes: 0 ended by Ctrl-C or SIGTERM, 1 the app cannot be synthesized, 2 wrong usage, no @onceflow/local, a port in
use, or an app or a directory that cannot be used, 3 a fault of this program.
`;

/** Reads the command line. */
export function parseOptions(args: readonly string[]): Parsed<Options> {
  const parsed = readCommandLine(args, OPTIONS);
  if (parsed.kind !== 'options') return parsed;
  const { values } = parsed.options;
  if (values.assembly !== undefined && values.app !== undefined) {
    const message = '--app and --assembly are two ways to say what runs; pass one of them';
    return { kind: 'usage', message };
  }
  if (values.assembly !== undefined && values.watch) {
    const message =
      '--watch synthesizes an app again, and with --assembly there is none; leave one of them out';
    return { kind: 'usage', message };
  }
  if (values.stop.length > 0 && values.state === undefined) {
    const message = '--stop is about executions that --state was left with, and there is no --state; add it';
    return { kind: 'usage', message };
  }
  if (values.dynamodb !== undefined && !/^https?:\/\/[^\s/]/.test(values.dynamodb)) {
    const message = `--dynamodb takes an http or https URL; got ${JSON.stringify(values.dynamodb)}`;
    return { kind: 'usage', message };
  }
  const { 'http-port': httpPort, 'http-principal': httpPrincipal, ...options } = values;
  return { kind: 'options', options: { ...options, httpPort, httpPrincipal } };
}
