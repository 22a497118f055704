import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The repository. */
export const ROOT = path.join(__dirname, '../..');

const { version } = require('../../package.json');
/** The tarballs, as npm names them. The packages have one version. */
export const TARBALLS = {
  onceflow: `onceflow-${version}.tgz`,
  '@onceflow/local': `onceflow-local-${version}.tgz`,
} as const;
type PackageName = keyof typeof TARBALLS;

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const directories: string[] = [];
const running = new Set<ChildProcess>();

/** A directory that `cleanUp` removes. */
export function newDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-package-test-'));
  directories.push(directory);
  return directory;
}

/** Ends what a test has left running, and removes all directories. */
export function cleanUp(): void {
  for (const child of running) child.kill('SIGKILL');
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
}

/**
 * Builds and packs both packages, as they would be published. Gives the directory with the tarballs. If
 * `ONCEFLOW_TARBALLS` names a directory with tarballs, nothing is packed.
 */
export function packAll(): string {
  const packed = process.env['ONCEFLOW_TARBALLS'];
  if (packed !== undefined) return packed;
  const directory = newDirectory();
  const all = ['--workspaces', '--include-workspace-root'];
  execFileSync('npm', ['pack', '--silent', '--pack-destination', directory, ...all], {
    cwd: ROOT,
    stdio: 'pipe',
  });
  return directory;
}

/** A project with onceflow alone, as npm installs it: without the network, since there is nothing else to install. */
export function installAlone(tarballs: string): string {
  const directory = newDirectory();
  writeFileSync(path.join(directory, 'package.json'), '{ "private": true }');
  const tarball = path.join(tarballs, TARBALLS.onceflow);
  const quiet = ['--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', '--offline', ...quiet, '--cache', newDirectory(), tarball], {
    cwd: directory,
  });
  return directory;
}

/**
 * A project with files of the repository, our packages out of their tarballs, and other packages by name.
 *
 * The others are links to those of the repository, which takes neither time nor the network. Of what our packages
 * need, there is just what their manifests declare: what they forgot to declare is not found.
 */
export function projectWith(
  tarballs: string,
  { files, ours, others }: { files: string; ours: readonly PackageName[]; others: readonly string[] },
): string {
  const directory = newDirectory();
  cpSync(path.join(ROOT, files), directory, { recursive: true });
  const declared = ours.flatMap(name => {
    const home = path.join(directory, 'node_modules', name);
    mkdirSync(home, { recursive: true });
    execFileSync('tar', ['-xzf', path.join(tarballs, TARBALLS[name]), '-C', home, '--strip-components=1']);
    return Object.keys(readJson(path.join(home, 'package.json')).dependencies ?? {});
  });
  for (const name of [...declared, ...others]) link(directory, name);
  // npm leaves one behind; by it the CDK finds where the project is.
  writeFileSync(path.join(directory, 'package-lock.json'), '{}');
  return directory;
}

function link(directory: string, name: string): void {
  // Here `typescript` is the compiler that dependency-cruiser can call; users install the native one.
  const source = path.join(ROOT, 'node_modules', name === 'typescript' ? '@typescript/native' : name);
  const target = path.join(directory, 'node_modules', name);
  if (existsSync(target)) return;
  mkdirSync(path.dirname(target), { recursive: true });
  symlinkSync(source, target);
  const { bin = {} } = readJson(path.join(source, 'package.json'));
  const commands = typeof bin === 'string' ? { [path.basename(name)]: bin } : bin;
  mkdirSync(path.join(directory, 'node_modules/.bin'), { recursive: true });
  for (const [command, file] of Object.entries(commands)) {
    symlinkSync(path.join(source, file), path.join(directory, 'node_modules/.bin', command));
  }
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly bin?: string | Readonly<Record<string, string>>;
}

function readJson(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Runs Node.js in a directory to its end. */
export function node(directory: string, ...args: readonly string[]): Promise<Ended> {
  return run(process.execPath, directory, args);
}

/** Runs a program in a directory to its end. */
export async function run(
  program: string,
  directory: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const { output, ended } = start(program, directory, args, env);
  const code = await ended;
  return { code, ...output };
}

/** A program that has been started. */
export interface Started {
  /** What it has printed so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** Resolves to its exit code. */
  readonly ended: Promise<number | null>;
  /** Resolves to the first line on stdout. @throws Error with the output on stderr, if it ends before */
  readonly firstLine: Promise<string>;
  end(signal: NodeJS.Signals): void;
}

/** Starts a program in a directory, without what jest and the machine have set for programs of ours. */
export function start(
  program: string,
  directory: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Started {
  const { PATH, HOME } = process.env;
  const own = {
    PATH,
    HOME,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    CDK_VALIDATION: 'false',
  };
  const child = spawn(program, [...args], { cwd: directory, env: { ...own, ...env } });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  const ended = new Promise<number | null>(resolve => child.on('close', resolve)).finally(() =>
    running.delete(child),
  );
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', chunk => {
      output.stdout += String(chunk);
      const [line = '', ...rest] = output.stdout.split('\n');
      if (rest.length > 0) resolve(line);
    });
    child.stderr.on('data', chunk => {
      output.stderr += String(chunk);
    });
    child.on('close', () => reject(new Error(`ended before it printed anything: ${output.stderr}`)));
  });
  // Who only waits for the end does not look at the line.
  firstLine.catch(() => undefined);
  return { output, ended, firstLine, end: signal => child.kill(signal) };
}
