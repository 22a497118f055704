import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BuildOptions } from 'esbuild';

/** The functions of this package. */
export type PackageFunctionName = 'redrive-execution' | 'settle-message' | 'start-from-queue';

/** How a function of this package is bundled, in a clone and for the published package alike. */
export const FUNCTION_BUNDLE = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // ES modules first: of these, what is not used stays out.
  mainFields: ['module', 'main'],
  // The Lambda runtime for Node.js brings the SDK along.
  external: ['@aws-sdk/*', '@smithy/*'],
  minify: true,
  legalComments: 'none',
} satisfies BuildOptions;

/** A clone, or the published package. */
const ROOT = path.join(__dirname, '../..');

/**
 * The directory with `index.js` of a function of this package. The published package has the file. A clone makes it
 * from the source, in this process: CDK's own bundling starts a shell and a bundler for each function. `isBundled` is
 * false in a synthesis that needs no code, as CDK's `bundling-stacks` says, and gives the directory of the source.
 */
export function bundledFunction(name: PackageFunctionName, isBundled: boolean): string {
  // `packages/build.ts` makes one file of this code, and puts the functions beside it.
  const published = path.join(__dirname, 'functions', name);
  if (existsSync(published)) return published;
  return isBundled ? bundle(name) : path.join(ROOT, 'functions', name);
}

function bundle(name: PackageFunctionName): string {
  const { buildSync } = require('esbuild') as typeof import('esbuild');
  const entry = path.join('functions', name, 'handler.ts');
  const built = buildSync({ ...FUNCTION_BUNDLE, absWorkingDir: ROOT, entryPoints: [entry], write: false });
  const [{ contents } = { contents: new Uint8Array() }] = built.outputFiles;
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 16);
  const directory = path.join(ROOT, 'node_modules/.cache/onceflow', `${name}-${hash}`);
  if (!existsSync(directory)) place(directory, contents);
  return directory;
}

/** Writes the file where nobody sees half of it; of two processes that do so at once, either one's is as good. */
function place(directory: string, contents: Uint8Array): void {
  mkdirSync(path.dirname(directory), { recursive: true });
  const written = mkdtempSync(`${directory}-`);
  writeFileSync(path.join(written, 'index.js'), contents);
  try {
    renameSync(written, directory);
  } catch (error) {
    if (!existsSync(directory)) throw error;
    rmSync(written, { recursive: true });
  }
}
