import { spawn } from 'node:child_process';
import { access, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

/** A package of the npm registry that something of ours is compared with. */
interface Baseline {
  readonly name: string;
  readonly version: string;
  /** The packages that it needs beside it, as `name@version`. */
  readonly beside?: readonly string[];
}

/** The interpreter that the bench `tasks` is compared with. */
export const PEER: Baseline = { name: 'aws-local-stepfunctions', version: '3.0.0' };

/** What the bench `costs` is compared with: idempotency in a Lambda function. */
export const POWERTOOLS: Baseline = {
  name: '@aws-lambda-powertools/idempotency',
  version: '2.35.0',
  beside: ['@aws-sdk/client-dynamodb@3.1162.0', '@aws-sdk/lib-dynamodb@3.1162.0'],
};

/** The folder of the package, or the reason why the package could not be installed. */
export type BaselinePackage =
  | { readonly kind: 'installed'; readonly folder: string }
  | { readonly kind: 'missing'; readonly reason: string };

/**
 * The package in the user's cache directory, installed there the first time. No package script is run.
 *
 * Outside the repository, because nothing here depends on it.
 */
export async function installBaseline(baseline: Baseline): Promise<BaselinePackage> {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const folder = path.join(
    cache,
    'onceflow',
    'bench',
    `${baseline.name.replace('/', '-')}-${baseline.version}`,
  );
  try {
    await access(path.join(folder, 'node_modules', baseline.name, 'package.json'));
    return { kind: 'installed', folder };
  } catch {
    return install(folder, baseline);
  }
}

/** How long a registry may take, in milliseconds. */
const INSTALL_MS_MAX = 120_000;

async function install(folder: string, { name, version, beside = [] }: Baseline): Promise<BaselinePackage> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    return { kind: 'missing', reason: String((error as { message?: string }).message) };
  }
  const wanted = `${name}@${version}`;
  const args = [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    wanted,
    ...beside,
  ];
  const child = spawn('npm', args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: INSTALL_MS_MAX,
    cwd: folder,
  });
  const complaints: string[] = [];
  child.stderr.on('data', chunk => complaints.push(String(chunk)));
  const code = await new Promise<number | null>(resolve => {
    child.on('error', error => {
      complaints.push(error.message);
      resolve(null);
    });
    child.on('close', resolve);
  });
  if (code === 0) return { kind: 'installed', folder };
  const reason =
    complaints
      .join('')
      .split('\n')
      .find(line => /error/i.test(line)) ?? 'it took too long';
  return { kind: 'missing', reason: `npm install ${wanted} failed: ${reason.trim()}` };
}
