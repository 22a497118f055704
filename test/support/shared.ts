import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/** A new directory that is removed when the run of all suites ends. */
export function newDirectory(): string {
  return mkdtempSync(path.join(runDirectory(), 'own-'));
}

/** The directory that a suite of this run has shared under the name; undefined before. No test may write into it. */
export function sharedDirectory(name: string): string | undefined {
  const shared = path.join(runDirectory(), name);
  return existsSync(shared) ? shared : undefined;
}

/**
 * Shares a directory from {@link newDirectory} under the name, for the suites of all workers. Of two that make the same
 * at once, the first one's is shared and the other's is thrown away. Returns the one that is shared.
 */
export function share(directory: string, name: string): string {
  const shared = path.join(runDirectory(), name);
  try {
    renameSync(directory, shared);
  } catch (error) {
    if (!existsSync(shared)) throw error;
    rmSync(directory, { recursive: true });
  }
  return shared;
}

function runDirectory(): string {
  const directory = process.env['ONCEFLOW_TEST_RUN'];
  if (directory === undefined)
    throw new Error('no ONCEFLOW_TEST_RUN: globalSetup of jest.config.js has not run');
  return directory;
}
