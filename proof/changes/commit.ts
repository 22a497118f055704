import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Change, changed, changesOf } from './change';

/** The sources whose lines are changed. */
const FOLDERS = ['state-machine', 'infra/sources', 'functions', 'client'];

const TSC = 'node_modules/@typescript/native/bin/tsc';

interface Stage {
  readonly name: string;
  /** What Node.js runs, in the copy. */
  readonly command: readonly string[];
}

/** The suites that know behavior, and the compiler: the fastest first, because most changes are noticed there. */
const STAGES: readonly Stage[] = [
  { name: 'unit tests', command: jest('test/(state-machine|client|functions)/') },
  {
    name: 'the compiler',
    command: [TSC, '--noEmit', '--incremental', '--tsBuildInfoFile', '../types.tsbuildinfo'],
  },
  { name: 'tests of the constructs', command: jest('test/infra/') },
  { name: 'scenarios', command: jest('test/scenarios/') },
  { name: 'examples', command: jest('examples/') },
  { name: "the explorer's tests", command: jest('test/proof/explore/') },
];

function jest(pattern: string): readonly string[] {
  return ['node_modules/jest/bin/jest.js', '--silent', '--bail', '--forceExit', pattern];
}

/** How long one stage may take, in milliseconds: a change can make a test wait for ever. */
const STAGE_MS_MAX = 1_200_000;

/** A change of a line of the last commit. */
export interface LineChange extends Change {
  readonly file: string;
  readonly line: number;
  readonly before: string;
}

/** Every change of one line that the last commit allows. @throws Error if there is no git repository */
export function lineChanges(): readonly LineChange[] {
  return git('ls-tree', '-r', '--name-only', 'HEAD', ...FOLDERS)
    .split('\n')
    .filter(file => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .flatMap(file => changesIn(file, git('show', `HEAD:${file}`)));
}

function changesIn(file: string, source: string): LineChange[] {
  return changesOf(file, source)
    .map(change => ({
      ...change,
      file,
      line: source.slice(0, change.start).split('\n').length,
      before: source.slice(change.start, change.end),
    }))
    .filter(({ before }) => !before.includes('\n'));
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

/** A working tree of the last commit, beside the user's own, in which changes are tried. */
export class CommitCopy {
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'onceflow-changes-'));
  readonly #root = path.join(this.#directory, 'onceflow');
  /** The stages that have failed with a change, and pass without one. */
  readonly #trusted = new Set<string>();

  /** @throws Error if git cannot make it */
  constructor() {
    try {
      git('worktree', 'add', '--quiet', '--detach', this.#root);
      symlinkSync(path.resolve('node_modules'), path.join(this.#root, 'node_modules'));
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  /**
   * The first stage that fails with a change; undefined: none does, or `signal` is aborted.
   *
   * @throws Error if that stage fails without the change, too
   */
  async noticedBy(change: LineChange, signal: AbortSignal): Promise<string | undefined> {
    const stage = await this.#failing(change, signal);
    if (stage === undefined || this.#trusted.has(stage.name)) return stage?.name;
    const isPassed = await this.#passes(stage.command, signal);
    if (signal.aborted) return undefined;
    if (!isPassed)
      throw new Error(`${stage.name} fails without a change. Run it in a clone of the last commit`);
    this.#trusted.add(stage.name);
    return stage.name;
  }

  async #failing(change: LineChange, signal: AbortSignal): Promise<Stage | undefined> {
    const file = path.join(this.#root, change.file);
    writeFileSync(file, changed(readFileSync(file, 'utf8'), change));
    try {
      for (const stage of STAGES) {
        const isPassed = await this.#passes(stage.command, signal);
        if (signal.aborted) return undefined;
        if (!isPassed) return stage;
      }
      return undefined;
    } finally {
      // Reviewed definitions were written anew, so that none of them is what notices it.
      execFileSync('git', ['checkout', '-q', '.'], { cwd: this.#root });
    }
  }

  #passes(command: readonly string[], signal: AbortSignal): Promise<boolean> {
    const options = {
      cwd: this.#root,
      env: { ...process.env, UPDATE_GOLDEN: '1' },
      maxBuffer: 64 * 1024 * 1024,
      timeout: STAGE_MS_MAX,
      signal,
    };
    return new Promise(resolve => {
      execFile(process.execPath, command, options, error => resolve(error === null));
    });
  }

  /** Deletes it. */
  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
    git('worktree', 'prune');
  }
}
