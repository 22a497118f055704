import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { APP_OPTIONS } from '../app/assembly';
import { type Local, requireLocal } from '../app/installed';
import { type FilePatterns, type Project, readProject } from '../app/project';
import { lookupsMissing, newAssemblyDirectory, synthesize } from '../app/synthesize';
import { templateAssembly } from '../app/template-assembly';
import { serveStackPage } from '../console/stack-page';
import { renderSummary } from '../dev/render';
import { type Deployed, Server } from '../dev/server';
import { summaryOf } from '../dev/summary';
import { type Snapshot, snapshotOf, untilChanged } from '../dev/watch';
import { EXIT } from '../program/exit';
import { flag, optional, optionHelp, repeatable, type ValuesOf, wholeNumber } from '../program/options';
import { requireOneWay, usage } from '../program/refusal';
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
    optional('NAME=VALUE', 'NAME=VALUE', 'with --template: the value of a parameter; can be repeated'),
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
  dynamodb: optional(
    'URL',
    'an http or https URL',
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
  json: flag('print one line of JSON on stdout each time the stack is ready, nothing else'),
};

type Wanted = ValuesOf<typeof OPTIONS>;

/** How a round of synthesizing and deploying went. */
type Outcome = Deployed | { readonly kind: 'unsynthesized'; readonly message: string };

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
    const { app, assembly, template, watch, state, dynamodb } = values;
    requireOneWay({ app, assembly, template }, ['app', 'assembly', 'template'], 'what to run');
    const instead = assembly !== undefined ? 'assembly' : template !== undefined ? 'template' : undefined;
    if (instead !== undefined && watch)
      throw usage(`--watch needs an app, and --${instead} replaces it; leave one of them out`);
    if (template === undefined && (values.parameter.length > 0 || values.step !== undefined))
      throw usage('--parameter and --step need --template: pass it, or leave them out');
    if (values.stop.length > 0 && state === undefined)
      throw usage('--stop needs --state DIR, because it stops stored executions');
    if (dynamodb !== undefined && !/^https?:\/\/[^\s/]/.test(dynamodb))
      throw usage(`--dynamodb must be an http or https URL; got ${JSON.stringify(dynamodb)}`);
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

async function serveTemplate(
  server: Server,
  template: string,
  options: Wanted,
  ended: AbortSignal,
): Promise<number> {
  const { step, parameter: parameters } = options;
  const { directory, isStandIn } = await templateAssembly({ template, step, parameters });
  try {
    if (isStandIn) complain('the step is a function that returns its event; run your own with --step FILE');
    return await serveAssembly(server, directory, options, ended);
  } finally {
    await server.close();
    await remove(directory);
  }
}

async function serveAssembly(
  server: Server,
  assembly: string,
  options: Wanted,
  ended: AbortSignal,
): Promise<number> {
  const deployed = await server.deploy(assembly);
  if (deployed.kind === 'problem') throw usage(deployed.message);
  report(deployed, options, server);
  if (!ended.aborted) await once(ended, 'abort');
  return EXIT.done;
}

/** Synthesizes and serves the app: once, or again with every change. */
async function serveApp(
  first: Project,
  server: Server,
  options: Wanted,
  ended: AbortSignal,
): Promise<number> {
  let project = first;
  let served: string | undefined;
  note(options, 'synthesizing the app');
  try {
    for (;;) {
      const files = options.watch ? snapshotOf(project.directory, patternsFor(project, options)) : undefined;
      const assembly = await newAssemblyDirectory();
      const deployed = await synthesizeAndDeploy(project, assembly, server, ended).catch(async error => {
        await remove(assembly);
        throw error;
      });
      await remove(deployed.kind === 'running' ? served : assembly);
      if (deployed.kind === 'running') served = assembly;
      if (ended.aborted) return EXIT.done;
      report(deployed, options, server);
      if (!files) {
        if (deployed.kind === 'unsynthesized') return EXIT.failed;
        if (deployed.kind === 'problem') return EXIT.usage;
        await once(ended, 'abort');
        return EXIT.done;
      }
      project = await nextVersion(project, files, options, ended);
      if (ended.aborted) return EXIT.done;
    }
  } finally {
    await server.close();
    await remove(served);
  }
}

async function synthesizeAndDeploy(
  project: Project,
  assembly: string,
  server: Server,
  ended: AbortSignal,
): Promise<Outcome> {
  const problem = await synthesize(project, assembly, ended);
  if (problem !== undefined)
    return { kind: 'unsynthesized', message: `the app cannot be synthesized: ${problem}` };
  const lookups = lookupsMissing(assembly);
  if (lookups.length > 0) {
    complain(
      `the app looks up ${lookups.join(', ')} in its account, so it runs with placeholders. To use the values, run ` +
        '`npx cdk synth` with credentials of the account, which stores them in cdk.context.json',
    );
  }
  return server.deploy(assembly);
}

/** Waits until files have changed, and reads what the app is then; as it was where that cannot be read. */
async function nextVersion(
  project: Project,
  files: Snapshot,
  options: Wanted,
  ended: AbortSignal,
): Promise<Project> {
  const changed = await untilChanged(project.directory, patternsFor(project, options), files, ended);
  if (ended.aborted) return project;
  const [file = '', ...others] = changed;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  note(options, `${file}${more} changed; synthesizing the app`);
  const next = readProject(project.directory, options.app);
  if (typeof next !== 'string') return next;
  complain(next);
  return project;
}

/** The files that make the app; what the stack itself keeps is not among them. */
function patternsFor({ directory, watched }: Project, { state }: Wanted): FilePatterns {
  if (state === undefined) return watched;
  const kept = path.relative(directory, path.resolve(state)).split(path.sep).join('/');
  return { ...watched, exclude: [...watched.exclude, kept] };
}

function report(deployed: Outcome, options: Wanted, { isRunning, pageUrl }: Server): void {
  if (deployed.kind === 'problem' || deployed.kind === 'unsynthesized') {
    complain(
      isRunning ? `${deployed.message}\nThe stack still runs as it was before the change.` : deployed.message,
    );
  } else if (deployed.kind === 'unchanged') {
    note(options, 'no deployed resource has changed, so the stack keeps running');
  } else {
    const summary = summaryOf(deployed.stack, { state: options.state, page: pageUrl });
    if (options.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
    else if (!deployed.isRestart) process.stdout.write(renderSummary(summary));
    else if (options.state === undefined)
      note(options, 'restarted with the change; data in memory is lost (--state DIR keeps it)');
    else note(options, 'restarted with the change; running executions continue');
  }
}

function complain(message: string): void {
  process.stderr.write(`onceflow dev: ${message}\n`);
}

/** For people who wait; a program that reads JSON does not. */
function note({ json }: Wanted, message: string): void {
  if (!json) process.stderr.write(`${message}\n`);
}

async function remove(directory: string | undefined): Promise<void> {
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
}

async function requireFreePort({ requirePort, LocalError }: Local, port: number): Promise<void> {
  await requirePort(port).catch((error: unknown) => {
    throw error instanceof LocalError ? usage(error.message) : error;
  });
}
