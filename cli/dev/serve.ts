import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Local } from '../app/installed';
import { type FilePatterns, type Project, readProject } from '../app/project';
import { lookupsMissing, newAssemblyDirectory, synthesize } from '../app/synthesize';
import { templateAssembly } from '../app/template-assembly';
import { EXIT } from '../program/exit';
import { Rejection, usage } from '../program/rejection';
import { renderSummary } from './render';
import type { Deployed, Server } from './server';
import { summaryOf } from './summary';
import { type Snapshot, snapshotOf, untilChanged } from './watch';

/** The stack to serve, and its options, as the command line gives them. */
export interface ServeOptions {
  readonly app: string | undefined;
  readonly watch: boolean;
  readonly state: string | undefined;
  readonly step: string | undefined;
  readonly parameter: readonly string[];
  readonly json: boolean;
}

/** How a round of synthesizing and deploying went. */
type Outcome = Deployed | { readonly kind: 'unsynthesized'; readonly message: string };

/** Serves a CloudFormation template until the signal; resolves to the exit code. @throws Rejection if it cannot run */
export async function serveTemplate(
  server: Server,
  template: string,
  options: ServeOptions,
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

/** Serves a cloud assembly until the signal; resolves to the exit code. @throws Rejection if it cannot run */
export async function serveAssembly(
  server: Server,
  assembly: string,
  options: ServeOptions,
  ended: AbortSignal,
): Promise<number> {
  const deployed = await server.deploy(assembly);
  if (deployed.kind === 'problem') throw usage(deployed.message);
  report(deployed, options, server);
  if (!ended.aborted) await once(ended, 'abort');
  return EXIT.done;
}

/**
 * Synthesizes and serves the app, once or again with every change; resolves to the exit code.
 *
 * @throws Rejection for an app that cannot run, unless it is watched
 */
export async function serveApp(
  first: Project,
  server: Server,
  options: ServeOptions,
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
      if (!files && deployed.kind === 'unsynthesized') throw new Rejection(deployed.message);
      if (!files && deployed.kind === 'problem') throw usage(deployed.message);
      report(deployed, options, server);
      if (!files) {
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
  options: ServeOptions,
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
function patternsFor({ directory, watched }: Project, { state }: ServeOptions): FilePatterns {
  if (state === undefined) return watched;
  const kept = path.relative(directory, path.resolve(state)).split(path.sep).join('/');
  return { ...watched, exclude: [...watched.exclude, kept] };
}

function report(deployed: Outcome, options: ServeOptions, { isRunning, pageUrl }: Server): void {
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
function note({ json }: ServeOptions, message: string): void {
  if (!json) process.stderr.write(`${message}\n`);
}

async function remove(directory: string | undefined): Promise<void> {
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
}

/** @throws Rejection for a port that another program uses */
export async function requireFreePort({ requirePort, LocalError }: Local, port: number): Promise<void> {
  await requirePort(port).catch((error: unknown) => {
    throw error instanceof LocalError ? usage(error.message) : error;
  });
}
