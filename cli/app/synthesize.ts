import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Project, readProject } from './project';

/** A directory of its own for the cloud assembly of an app. */
export function newAssemblyDirectory(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'onceflow-app-'));
}

/**
 * Synthesizes an app into a directory; `signal` ends it early, with all the processes it has started. The answer is
 * undefined, or what the app printed where it failed.
 *
 * The app's command runs here, and not within the CDK CLI. The CDK CLI would ask AWS for the account of the present
 * credentials, and for the values that the app looks up. A local run needs neither an account nor the network. The app
 * gets what the CLI gives it beside those, so that its templates are those of `cdk synth`.
 */
export async function synthesize(
  project: Project,
  output: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const context = {
    'aws:cdk:enable-path-metadata': true,
    'aws:cdk:enable-asset-metadata': true,
    ...project.context,
  };
  const env = {
    // What a deployment would say of the templates takes longer than making them, and `cdk synth` says it.
    CDK_VALIDATION: 'false',
    ...process.env,
    CDK_OUTDIR: output,
    CDK_CONTEXT_JSON: JSON.stringify(context),
  };
  for (const command of project.commands) {
    const problem = await runCommand(command, { cwd: project.directory, env }, signal);
    if (problem !== undefined) return problem;
  }
  if (existsSync(path.join(output, 'manifest.json'))) return undefined;
  return `\`${project.commands.at(-1)}\` wrote no cloud assembly. It must create an App of aws-cdk-lib`;
}

/** The values that an app looks up in its account, and `cdk.context.json` does not have, by their kinds. */
export function lookupsMissing(assembly: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(path.join(assembly, 'manifest.json'), 'utf8'));
  const { missing = [] } = manifest as { readonly missing?: readonly { readonly provider: string }[] };
  return [...new Set(missing.map(({ provider }) => provider))];
}

/**
 * Synthesizes the app of the current directory, or the one that the command `app` runs there, into a directory of its
 * own, works on it, and removes it, however the work ends. Several processes may do so at once, also beside a
 * `cdk synth` into `cdk.out`.
 *
 * @throws Error with the app's output, if the app fails or is stopped
 */
export async function withSynthesizedApp<Result>(
  work: (assembly: string) => Promise<Result>,
  signal?: AbortSignal,
  app?: string,
): Promise<Result> {
  const project = readProject(process.cwd(), app);
  if (typeof project === 'string') throw new Error(project);
  const directory = await newAssemblyDirectory();
  try {
    const problem = await synthesize(project, directory, signal);
    if (problem !== undefined) throw new Error(problem);
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

interface CommandOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

async function runCommand(
  command: string,
  { cwd, env }: CommandOptions,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  // A process group of its own: a shell starts others, which would outlive it.
  const child = spawn(command, { cwd, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const end = () => endGroup(child);
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  const printed: string[] = [];
  child.stdout.on('data', chunk => printed.push(String(chunk)));
  child.stderr.on('data', chunk => printed.push(String(chunk)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  }).finally(() => signal?.removeEventListener('abort', end));
  if (code === 0) return undefined;
  const error = errorIn(printed.join(''), cwd);
  return `\`${command}\` ended with exit code ${code}${error === '' ? ', and printed nothing' : `:\n${error}`}`;
}

const FRAME = /^\s*at .*?\(?((?:file:\/\/)?\/?[^\s(]+):(\d+):\d+\)?$/;

/**
 * The error in the output of an app. If Node.js ended the app with a stack trace: the message and the place in the app
 * that led to it, without the line of third-party code that threw and the calls within packages. All of it where there
 * is none.
 */
export function errorIn(printed: string, directory: string): string {
  const lines = printed.trim().split('\n');
  const first = lines.findIndex(line => FRAME.test(line));
  // Node.js shows the code that threw with a mark below it; the output before is not part of the error.
  const mark = lines.slice(0, Math.max(first, 0)).findLastIndex(line => /^\s*\^+\s*$/.test(line));
  const message = lines
    .slice(mark + 1, Math.max(first, 0))
    .join('\n')
    .trim();
  if (message === '') return lines.join('\n');
  const place = lines.slice(first).flatMap(line => placeIn(line, directory) ?? [])[0];
  return place === undefined ? message : `${message}\n  at ${place}`;
}

/** The place in the app of a line of a stack trace; undefined for other lines, and for the code of packages. */
function placeIn(line: string, directory: string): string | undefined {
  const [, file = '', number] = FRAME.exec(line) ?? [];
  if (file === '') return undefined;
  const within = path.relative(directory, file.replace(/^file:\/\//, ''));
  const isOfPackage =
    within.startsWith('..') || path.isAbsolute(within) || /(?:^|\/)node_modules\//.test(within);
  return isOfPackage || file.startsWith('node:') ? undefined : `${within}:${number}`;
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It has ended in the meantime.
  }
}
