import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file of the repository, with forward slashes in its path, relative to the root. */
export interface RepositoryFile {
  readonly path: string;
  readonly text: string;
}

/** What breaks a rule, and where. */
export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** A rule of the house: a check over the whole repository. */
export interface Rule {
  readonly title: string;
  check(files: readonly RepositoryFile[]): Violation[];
}

/** Every text file that is tracked or would be: files that git ignores do not count here. */
export function readRepository(root: string): RepositoryFile[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
  });
  const paths = listed.toString('utf8').split('\0');
  // A file deleted but not yet staged is still listed.
  const present = paths.filter(name => name !== '' && existsSync(path.join(root, name)));
  return present.flatMap(name => {
    const text = readFileSync(path.join(root, name), 'utf8');
    return text.includes('\0') ? [] : { path: name, text };
  });
}

/** Paths of files that differ from the last commit, or are not in it. */
export function changedFiles(root: string): string[] {
  const git = (...of: string[]) =>
    execFileSync('git', of, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
}

/** `file:line message`, which editors and terminals turn into a link. */
export function formatViolation({ path: name, line, message }: Violation): string {
  return `${name}:${line} ${message}`;
}

/** The 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** True for files whose code we check. */
export function isSource(name: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(name);
}

/** True for everything that runs only in tests. */
export function isTest(name: string): boolean {
  return /(?:^|\/)test\//.test(name) || name.endsWith('.test.ts');
}
