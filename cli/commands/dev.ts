import { APP_OPTIONS } from '../app/assembly';
import { requireLocal } from '../app/installed';
import { readProject } from '../app/project';
import { pairsOf } from '../app/template-assembly';
import { serveStackPage } from '../console/stack-page';
import { requireFreePort, serveApp, serveAssembly, serveTemplate } from '../dev/serve';
import { Server } from '../dev/server';
import { address } from '../program/address';
import { flag, optional, optionHelp, repeatable, wholeNumber } from '../program/options';
import { requireAtMostOne, usage } from '../program/rejection';
import { command } from './command';

const OPTIONS = {
  app: APP_OPTIONS.app,
  assembly: { ...APP_OPTIONS.assembly, help: `run ${APP_OPTIONS.assembly.help}` },
  template: optional(
    'FILE',
    'a file',
    'run the CloudFormation template in FILE instead of an app; `onceflow template` writes one',
  ),
  parameter: repeatable(
    optional(
      'NAME=VALUE',
      'NAME=VALUE',
      'the value of a template parameter, of an entry of the Parameter Store by its name, or of a secret by its ' +
        'reference; can be repeated',
    ),
    [],
  ),
  function: repeatable(
    optional(
      'PATH=TARGET',
      'PATH=TARGET',
      'run the URL, the module (.js, .mjs, .cjs, .py) or the command TARGET instead of the function with this construct ' +
        'path, logical id or name; can be repeated',
    ),
    [],
  ),
  step: optional(
    'FILE',
    'a file',
    'with --template: the JavaScript or Python file whose `handler` is the function of the parameter StepFunctionArn ' +
      '(default: a function that returns its event)',
  ),
  watch: flag(
    'synthesize again if a file of the app changes, and restart with the change; `watch` of cdk.json selects the files, ' +
      'as for cdk watch',
  ),
  state: optional(
    'DIR',
    'a directory',
    'store executions, histories, tables and state machines in DIR; they survive a restart or a crash, and running ' +
      'executions continue (default: in memory)',
  ),
  keep: wholeNumber({
    valueName: 'N',
    help: 'keep the last N ended executions with their histories, and delete older ones (default: 25000)',
    from: 1,
    byDefault: undefined,
  }),
  stop: repeatable(
    optional(
      'EXECUTION',
      'the name or ARN of an execution',
      'with --state: stop this stored execution before the others continue; can be repeated',
    ),
    [],
  ),
  dynamodb: address(
    'URL',
    'use the DynamoDB at URL, such as DynamoDB Local, instead of the built-in one; it then holds the tables, and ' +
      '--state does not',
  ),
  port: wholeNumber({
    valueName: 'N',
    help: 'port of the endpoint on 127.0.0.1, or 0 for a free one (default: 8083)',
    from: 0,
    to: 65_535,
    byDefault: 8083,
  }),
  'http-port': wholeNumber({
    valueName: 'N',
    help:
      'port of the first REST API on 127.0.0.1, or 0 for free ones; further APIs use the next ports (default: two above ' +
      '--port, or free ones with --port 0)',
    from: 0,
    to: 65_535,
    byDefault: undefined,
  }),
  'http-principal': optional(
    'NAME',
    'a name or an ARN',
    'the identity of all callers of a REST API with an IAM or user pool authorizer, which are not evaluated locally ' +
      '(default: local)',
  ),
  json: flag('print one line of JSON on stdout each time the stack is ready, and for a failure'),
};

/** Runs a CDK app on this machine until the program is to end. */
export const dev = command({
  name: 'dev',
  line: ['dev', 'runs the CDK app of this directory locally, without an AWS account'],
  isServer: true,
  help: `Usage: onceflow dev [options]

Synthesizes the CDK app of this directory, or reads a template, and runs it without an AWS account. Every AWS SDK and
the AWS CLI can use its endpoint: it serves the state machines, tables, event buses, queues and functions. You must
install @onceflow/local first. If @onceflow/console is installed too, a page is served on the port above the
endpoint's, or on a free one. Press Ctrl-C to end it.

${optionHelp(OPTIONS)}
Examples:
  onceflow dev --watch --state .onceflow
  onceflow dev --app 'npx tsx app.ts' --port 0 --json
  onceflow dev --assembly cdk.out
  onceflow dev --template template.json --step charge.js

Exit codes: 0 ended by Ctrl-C or SIGTERM, 1 the app cannot be synthesized, 2 wrong usage, no @onceflow/local, a port in
use, or an app or a directory that cannot be used, 3 an internal error.
`,
  options: OPTIONS,
  wantedIn({ values }) {
    const { app, assembly, template, watch, state } = values;
    requireAtMostOne({ app, assembly, template }, ['app', 'assembly', 'template'], 'what to run');
    const instead = assembly !== undefined ? 'assembly' : template !== undefined ? 'template' : undefined;
    if (instead !== undefined && watch)
      throw usage(`--watch needs an app, and --${instead} replaces it; leave one of them out`);
    if (template === undefined && values.step !== undefined)
      throw usage('--step needs --template: pass it, or leave --step out');
    if (values.stop.length > 0 && state === undefined)
      throw usage('--stop needs --state DIR, because it stops stored executions');
    return values;
  },
  async run(wanted, { ended }) {
    const local = requireLocal('it');
    const isApp = wanted.assembly === undefined && wanted.template === undefined;
    const project = isApp ? readProject(process.cwd(), wanted.app) : undefined;
    if (typeof project === 'string') throw usage(project);
    // Synthesizing takes seconds: what can be said before is said before.
    await requireFreePort(local, wanted.port);
    const server = new Server(local, {
      ...wanted,
      httpPort: wanted['http-port'],
      // A template has the values in it.
      parameters: wanted.template === undefined ? pairsOf('parameter', wanted.parameter) : {},
      functions: pairsOf('function', wanted.function),
      httpPrincipal: wanted['http-principal'],
      log: (name, text) => process.stderr.write(`${name}: ${text}\n`),
      servePage: serveStackPage,
    });
    try {
      return await (project
        ? serveApp(project, server, wanted, ended)
        : wanted.template === undefined
          ? serveAssembly(server, wanted.assembly ?? '', wanted, ended)
          : serveTemplate(server, wanted.template, wanted, ended));
    } finally {
      await server.close();
    }
  },
});
