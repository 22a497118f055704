import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Change, changed, changesOf } from './change';
import type { ChangeableTree, Stage } from './stages';

/** The sources whose lines are changed. */
const FOLDERS = ['state-machine', 'infra/sources', 'functions', 'client'];

/** How long one stage may take, in milliseconds: a change can make a test wait for ever. */
const STAGE_MS_MAX = 1_200_000;

/** A change of a line of the last commit. */
export interface LineChange extends Change {
  readonly file: string;
  readonly line: number;
  readonly before: string;
}

/** Why there is no last commit to change; undefined if there is one. */
export function commitProblem(): string | undefined {
  try {
    git('rev-parse', '--verify', 'HEAD^{commit}');
    return undefined;
  } catch (error) {
    const { code, status } = error as { readonly code?: unknown; readonly status?: unknown };
    if (code === 'ENOENT')
      return 'git is not on the PATH, and changes are tried in a copy of the last commit. Install git';
    // Without a status, a signal has ended git.
    if (typeof status !== 'number') throw error;
    return 'this directory has no commit that could be changed. Run it in a clone of the repository';
  }
}

/** Every change of one line that the last commit allows. */
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
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' });
}

/** A working tree of the last commit, beside the user's own, in which changes are tried. */
export class CommitCopy implements ChangeableTree<LineChange> {
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'onceflow-changes-'));
  readonly #root = path.join(this.#directory, 'onceflow');

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

  /** Makes a change until `run` has settled. */
  async during<Result>(change: LineChange, run: () => Promise<Result>): Promise<Result> {
    const file = path.join(this.#root, change.file);
    writeFileSync(file, changed(readFileSync(file, 'utf8'), change));
    try {
      return await run();
    } finally {
      // Reviewed definitions were written anew, so that none of them is what notices it.
      execFileSync('git', ['checkout', '-q', '.'], { cwd: this.#root });
    }
  }

  /** Whether a stage passes as the files are now; also false if `signal` is aborted. */
  passes({ command }: Stage, signal: AbortSignal): Promise<boolean> {
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
