import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

/** The threads of the runtime are started from a file that stands beside it. */
const EVALUATION_WORKER = 'packages/local/runtime/evaluation/evaluation-worker.ts';

const REPOSITORY = path.join(__dirname, '../..');

/** Where the programs find what is not built into them. */
const NODE_PATH = path.join(REPOSITORY, 'node_modules');

/** The measuring programs: `measures/<name>.ts`. */
export const PROGRAMS = ['pass-through', 'peer', 'charge-payment', 'memory-growth'] as const;

/** The name of a measuring program. */
export type ProgramName = (typeof PROGRAMS)[number];

/** Runs measuring programs, each time in a new process; `close` removes what was built for them. */
export interface Children {
  /** What the program `measures/<name>.ts` prints with these arguments. @throws Error with what it complained of */
  run(name: ProgramName, args: readonly (string | number)[]): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Builds measuring programs into plain JavaScript, because what is measured here is shipped as that, and what it is
 * compared with comes as that. `signal` ends the one that is running, and its promise is rejected.
 */
export async function buildChildren(names: readonly ProgramName[], signal?: AbortSignal): Promise<Children> {
  const folder = await mkdtemp(path.join(tmpdir(), 'onceflow-bench-'));
  await build({
    entryPoints: [...names.map(name => `proof/bench/measures/${name}.ts`), EVALUATION_WORKER].map(file =>
      path.join(REPOSITORY, file),
    ),
    entryNames: '[name]',
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node20',
    // It comes with machine code, which is found beside its own files only.
    external: ['classic-level'],
    logLevel: 'error',
  });
  return {
    run: (name, args) => printedBy(path.join(folder, `${name}.js`), args.map(String), signal),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

async function printedBy(
  program: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const child = spawn(process.execPath, ['--expose-gc', program, ...args], {
    stdio: 'pipe',
    env: { ...process.env, NODE_PATH },
    ...(signal && { signal }),
  });
  child.stdin.end();
  const printed: string[] = [];
  const complaints: string[] = [];
  child.stdout.on('data', chunk => printed.push(String(chunk)));
  child.stderr.on('data', chunk => complaints.push(String(chunk)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) {
    throw new Error(
      `${path.basename(program)} ended with ${code}: ${complaints.join('').trim().split('\n').at(0)}`,
    );
  }
  return JSON.parse(printed.join(''));
}
