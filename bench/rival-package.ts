import { spawn } from 'node:child_process';
import { access, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

/** The package that bench (a) is compared with. */
export const RIVAL = { name: 'aws-local-stepfunctions', version: '3.0.0' } as const;

/** Where the package is, or why it could not be installed. */
export type RivalPackage =
  | { readonly kind: 'installed'; readonly folder: string }
  | { readonly kind: 'missing'; readonly reason: string };

/**
 * The package in the user's cache directory, installed there the first time. No package script is run.
 *
 * Outside the repository, because nothing here depends on it.
 */
export async function installRival(): Promise<RivalPackage> {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const folder = path.join(cache, 'onceflow', 'bench', `${RIVAL.name}-${RIVAL.version}`);
  try {
    await access(path.join(folder, 'node_modules', RIVAL.name, 'package.json'));
    return { kind: 'installed', folder };
  } catch {
    return install(folder);
  }
}

/** How long a registry may take, in milliseconds. */
const INSTALL_MS_MAX = 120_000;

async function install(folder: string): Promise<RivalPackage> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    return { kind: 'missing', reason: String((error as { message?: string }).message) };
  }
  const wanted = `${RIVAL.name}@${RIVAL.version}`;
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', wanted];
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
