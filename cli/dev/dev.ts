import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { EXIT } from '../program/exit';
import { installHint } from '../program/install-hint';
import { answer, refuse } from '../program/program';
import { HELP, type Options, parseOptions } from './options';
import { type FilePatterns, type Project, readProject } from './project';
import { renderSummary } from './render';
import { type Deployed, installedLocal, type Local, Server } from './server';
import { summaryOf } from './summary';
import { lookupsMissing, newAssemblyDirectory, synthesize } from './synthesize';
import { type Snapshot, snapshotOf, untilChanged } from './watch';

const PROGRAM = { name: 'onceflow dev', helpCommand: 'onceflow dev --help' };

/** How a round of synthesizing and deploying went. */
type Outcome = Deployed | { readonly kind: 'unsynthesized'; readonly message: string };

/** Runs a CDK app on this machine until `ended` aborts, and gives the exit code. `args` are those after `dev`. */
export function dev(args: readonly string[], ended: AbortSignal): Promise<number> {
  const program = { ...PROGRAM, help: HELP, parse: parseOptions };
  return answer({ ...program, run: options => runApp(options, ended) }, args);
}

async function runApp(options: Options, ended: AbortSignal): Promise<number> {
  const local = installedLocal();
  if (!local) return refuse(PROGRAM, `it needs @onceflow/local; ${installHint('@onceflow/local')}`);
  const project = options.assembly === undefined ? readProject(process.cwd(), options.app) : undefined;
  if (typeof project === 'string') return refuse(PROGRAM, project);
  // Synthesizing takes seconds: what can be said before is said before.
  const problem = await portProblem(local, options.port);
  if (problem !== undefined) return refuse(PROGRAM, problem);
  const { port, httpPort, httpPrincipal, state, dynamodb, keep, stop } = options;
  const log = (name: string, text: string) => process.stderr.write(`${name}: ${text}\n`);
  const server = new Server(local, { port, httpPort, httpPrincipal, state, dynamodb, keep, stop, log });
  try {
    return await (project
      ? serveApp(project, server, options, ended)
      : serveAssembly(server, options, ended));
  } finally {
    await server.close();
  }
}

async function serveAssembly(server: Server, options: Options, ended: AbortSignal): Promise<number> {
  const deployed = await server.deploy(options.assembly ?? '');
  if (deployed.kind === 'problem') return refuse(PROGRAM, deployed.message);
  report(deployed, options, server);
  if (!ended.aborted) await once(ended, 'abort');
  return EXIT.done;
}

/** Synthesizes and serves the app: once, or again with every change. */
async function serveApp(
  first: Project,
  server: Server,
  options: Options,
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
      `the app looks up ${lookups.join(', ')} in its account, and runs with placeholders; \`npx cdk synth\` with ` +
        'credentials of the account writes the values to cdk.context.json',
    );
  }
  return server.deploy(assembly);
}

/** Waits until files have changed, and reads what the app is then; as it was where that cannot be read. */
async function nextVersion(
  project: Project,
  files: Snapshot,
  options: Options,
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
function patternsFor({ directory, watched }: Project, { state }: Options): FilePatterns {
  if (state === undefined) return watched;
  const kept = path.relative(directory, path.resolve(state)).split(path.sep).join('/');
  return { ...watched, exclude: [...watched.exclude, kept] };
}

function report(deployed: Outcome, options: Options, { isRunning, pageUrl }: Server): void {
  if (deployed.kind === 'problem' || deployed.kind === 'unsynthesized') {
    complain(isRunning ? `${deployed.message}\nThe stack from before the change runs on.` : deployed.message);
  } else if (deployed.kind === 'unchanged') {
    note(options, 'nothing that is deployed has changed; the stack runs on');
  } else {
    const summary = summaryOf(deployed.stack, { state: options.state, page: pageUrl });
    if (options.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
    else if (!deployed.isRestart) process.stdout.write(renderSummary(summary));
    else if (options.state === undefined)
      note(options, 'restarted with the change; what was in memory is gone, with --state DIR it stays');
    else note(options, 'restarted with the change; what was running goes on');
  }
}

function complain(message: string): void {
  process.stderr.write(`${PROGRAM.name}: ${message}\n`);
}

/** For people who wait; a program that reads JSON does not. */
function note({ json }: Options, message: string): void {
  if (!json) process.stderr.write(`${message}\n`);
}

async function remove(directory: string | undefined): Promise<void> {
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
}

async function portProblem({ requirePort, LocalError }: Local, port: number): Promise<string | undefined> {
  try {
    await requirePort(port);
    return undefined;
  } catch (error) {
    if (error instanceof LocalError) return error.message;
    throw error;
  }
}
