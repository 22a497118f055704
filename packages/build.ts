import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { FUNCTION_BUNDLE, type PackageFunctionName } from '../infra/cdk/bundled-function';
import { PAGE_BUNDLE } from './console/build-page';

/** One file of a package: what it is bundled from, and what stays outside of the bundle. */
interface Bundle {
  /** Source file, relative to the package. */
  readonly entry: string;
  /** File within `dist/`. */
  readonly output: string;
  /** Packages that are loaded at run time, from where the user has installed them. */
  readonly external?: readonly string[];
  /** What stands before the code, in JavaScript. */
  readonly banner?: string;
  /** For programs; what users step through in a debugger stays readable. */
  readonly minify?: boolean;
  /** How it is bundled, if it is not a program or a library: a page for a browser, or a Lambda function. */
  readonly how?: BuildOptions;
}

/** A package of this repository that is published. */
interface Package {
  readonly directory: string;
  readonly bundles: readonly Bundle[];
  /** Files and folders that are copied as they are, relative to the package, and where within `dist/`. */
  readonly copied?: readonly { readonly from: string; readonly to: string }[];
}

const ROOT = path.join(__dirname, '..');
const TSC = path.join(ROOT, 'node_modules/@typescript/native/bin/tsc');
/** The Lambda runtime for Node.js brings these along. */
const SDK = ['@aws-sdk/*', '@smithy/*'];

const SMALLER = { jsonata206: 'jsonata206/jsonata.min.js' };

const PACKAGES: Readonly<Record<string, Package>> = {
  onceflow: {
    directory: ROOT,
    bundles: [
      {
        entry: 'infra/index.ts',
        output: 'index.js',
        external: ['aws-cdk-lib', 'constructs', 'esbuild'],
        banner: requirePeers('onceflow', { 'aws-cdk-lib': '2', constructs: '10' }),
      },
      {
        entry: 'client/index.ts',
        output: 'client.js',
        external: SDK,
        banner: requirePeers('onceflow/client', {
          '@aws-sdk/client-dynamodb': '3',
          '@aws-sdk/client-sfn': '3',
        }),
      },
      { entry: 'state-machine/contract/index.ts', output: 'contract.js' },
      {
        entry: 'cli/main.ts',
        output: 'cli.js',
        external: ['@onceflow/console', '@onceflow/local', 'aws-cdk-lib', 'constructs', 'onceflow'],
        minify: true,
      },
      // Found beside the one that starts it.
      { entry: 'cli/key/input/key-worker.ts', output: 'key-worker.js', minify: true },
      functionBundle('redrive-execution'),
      functionBundle('check-message'),
      functionBundle('start-from-queue'),
    ],
  },
  '@onceflow/console': {
    directory: path.join(ROOT, 'packages/console'),
    bundles: [
      // A clone builds the page when it is served; the published package has it built.
      { entry: 'index.ts', output: 'index.js', external: ['./build-page'] },
      { entry: 'page/main.tsx', output: 'page/main.js', how: PAGE_BUNDLE },
    ],
    copied: [{ from: 'page/index.html', to: 'page/index.html' }],
  },
  '@onceflow/local': {
    directory: path.join(ROOT, 'packages/local'),
    bundles: [
      {
        entry: 'index.ts',
        output: 'index.js',
        external: [...SDK, 'classic-level', 'jsonata'],
      },
      // The library is beside it.
      { entry: 'command/main.ts', output: 'command/main.js', external: ['../index'] },
      { entry: 'explore/explore.ts', output: 'explore.js', external: ['jsonata'] },
      { entry: 'testing/gherkin.ts', output: 'gherkin.js' },
      // Found beside the one that starts it.
      {
        entry: 'runtime/evaluation/evaluation-worker.ts',
        output: 'evaluation-worker.js',
        external: ['jsonata'],
      },
    ],
    // Found beside the bundle that starts it.
    copied: [{ from: 'services/lambda/programs', to: 'programs' }],
  },
};

/** As `packageFunction` deploys it from the published package; a clone bundles the same handler at synthesis. */
function functionBundle(name: PackageFunctionName): Bundle {
  return {
    entry: `functions/${name}/handler.ts`,
    output: `functions/${name}/index.js`,
    how: FUNCTION_BUNDLE,
  };
}

/** Builds `dist/` of one package: JavaScript, declarations, and the licenses of bundled packages. */
async function buildPackage({ directory, bundles, copied = [] }: Package): Promise<void> {
  const dist = path.join(directory, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const metafiles = await Promise.all(bundles.map(bundle => buildBundle(directory, bundle)));
  for (const { from, to } of copied)
    cpSync(path.join(directory, from), path.join(dist, to), { recursive: true });
  const licences = licencesOf(directory, metafiles);
  if (licences !== '') writeFileSync(path.join(dist, 'THIRD-PARTY-LICENSES.txt'), licences);
  execFileSync(process.execPath, [TSC, '-p', 'tsconfig.build.json'], { cwd: directory, stdio: 'inherit' });
}

async function buildBundle(directory: string, bundle: Bundle): Promise<Metafile> {
  const { entry, output, external = [], banner, minify = false, how } = bundle;
  const place = { absWorkingDir: directory, entryPoints: [entry], outfile: path.join('dist', output) };
  const options = {
    ...place,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // ES modules first: of these, what is not used stays out.
    mainFields: ['module', 'main'],
    external: [...external],
    minify,
    legalComments: 'none',
    // The whole of it is one file; this is the small one.
    alias: SMALLER,
    ...(banner !== undefined && { banner: { js: banner } }),
    metafile: true,
    logLevel: 'warning',
  } satisfies BuildOptions;
  const { metafile } = await build(how ? { ...place, ...how, metafile: true } : options);
  return metafile;
}

/**
 * The beginning of an entry whose peers, here with their major versions, are optional: says what to install where one
 * is missing. `require` with a literal name is understood by those who bundle the entry with their own code.
 */
function requirePeers(entry: string, peers: Readonly<Record<string, string>>): string {
  const names = Object.keys(peers);
  const calls = names.map(name => `require(${JSON.stringify(name)});`).join(' ');
  const command = `npm install ${names.map(name => `${name}@${peers[name]}`).join(' ')}`;
  const message = `${entry} needs ${names.join(' and ')}: ${command}`;
  return `"use strict";
try { ${calls} } catch (cause) {
  if (cause?.code !== 'MODULE_NOT_FOUND') throw cause;
  throw new Error(${JSON.stringify(message)}, { cause });
}`;
}

/** The license of every package that is part of a bundle, each text once. */
function licencesOf(directory: string, metafiles: readonly Metafile[]): string {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = new Set(inputs.flatMap(input => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []));
  const holders = new Map<string, string[]>();
  for (const folder of [...folders].sort()) {
    const { name, version, license } = require(path.join(directory, folder, 'package.json'));
    const file = readdirSync(path.join(directory, folder)).find(each => /^licen[cs]e/i.test(each));
    if (file === undefined && license === undefined)
      throw new Error(`${folder} is bundled, and has no license`);
    const text = file
      ? readFileSync(path.join(directory, folder, file), 'utf8').trim()
      : `License: ${license}`;
    holders.set(text, [...(holders.get(text) ?? []), `${name} ${version}`]);
  }
  return [...holders]
    .map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

async function main(names: readonly string[]): Promise<void> {
  for (const name of names.length > 0 ? names : Object.keys(PACKAGES)) {
    const found = PACKAGES[name];
    if (found === undefined)
      throw new Error(`there is no package ${name}; one of ${Object.keys(PACKAGES).join(', ')}`);
    await buildPackage(found);
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`build: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
