import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { BuildOptions } from 'esbuild';

/** The functions of this package. */
export type PackageFunctionName = 'check-message' | 'redrive-execution' | 'start-from-queue';

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

const bundled = new Map<PackageFunctionName, string>();

/**
 * The code of a function of this package, as one file in JavaScript. The published package has the file. A clone makes
 * it from the source, in this process and once: CDK's own bundling starts a shell and a bundler for each function.
 */
export function bundledFunction(name: PackageFunctionName): string {
  // `packages/build.ts` makes one file of this code, and puts the functions beside it.
  const published = path.join(__dirname, 'functions', name, 'index.js');
  const code = bundled.get(name) ?? (existsSync(published) ? readFileSync(published, 'utf8') : bundle(name));
  bundled.set(name, code);
  return code;
}

function bundle(name: PackageFunctionName): string {
  const { buildSync } = require('esbuild') as typeof import('esbuild');
  const entry = path.join('functions', name, 'handler.ts');
  const built = buildSync({ ...FUNCTION_BUNDLE, absWorkingDir: ROOT, entryPoints: [entry], write: false });
  return built.outputFiles[0]?.text ?? '';
}
