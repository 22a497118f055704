import { fstatSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FilePatterns } from '../app/project';

/** The files of an app: a text for each that changes when the file does, by paths relative to the app's directory. */
export type Snapshot = ReadonlyMap<string, string>;

/** How often the files are compared, in milliseconds; less often where that takes long. */
const INTERVAL_MS = 300;
/** The part of the time that comparing may take. */
const BUSY_MAX = 0.05;

/**
 * The files that make the app. As for `cdk watch`, `node_modules` and names that begin with a dot never count, and no
 * logs either; a pattern that fits a directory fits all within it.
 */
export function snapshotOf(directory: string, { include, exclude }: FilePatterns): Snapshot {
  const included = include.map(patternOf);
  const excluded = [...exclude, '**/node_modules', '**/.*', '**/*.log'].map(patternOf);
  const outputs = [process.stdout.fd, process.stderr.fd].map(fd => fstatSync(fd).ino);
  const found = new Map<string, string>();
  const visit = (folder: string, isIncluded: boolean) => {
    for (const entry of entriesIn(path.join(directory, folder))) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (excluded.some(pattern => pattern.test(name))) continue;
      const fits = isIncluded || included.some(pattern => pattern.test(name));
      if (entry.isDirectory()) visit(name, fits);
      else if (fits) add(name);
    }
  };
  const add = (name: string) => {
    const stats = lstatSync(path.join(directory, name), { throwIfNoEntry: false });
    // What this program prints may go into a file of the directory: each line would be a change, and cause the next.
    if (stats && !outputs.includes(stats.ino)) found.set(name, `${stats.mtimeMs} ${stats.size} ${stats.ino}`);
  };
  visit('', false);
  return found;
}

/** The files that have been added, changed or removed between two snapshots. */
export function changesBetween(before: Snapshot, after: Snapshot): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter(name => before.get(name) !== after.get(name)).sort();
}

/**
 * Resolves to the files that have changed since `before`, as soon as no more of them do; to none when `signal` aborts.
 *
 * The files are compared again and again, and not watched by the system. In some places the system watches few files,
 * and in others none, such as a folder that is shared with a container.
 */
export async function untilChanged(
  directory: string,
  patterns: FilePatterns,
  before: Snapshot,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let last = before;
  for (;;) {
    const since = performance.now();
    const now = snapshotOf(directory, patterns);
    const tookMs = performance.now() - since;
    const changes = changesBetween(before, now);
    if (changes.length > 0 && changesBetween(last, now).length === 0) return changes;
    last = now;
    const pause = sleep(Math.max(INTERVAL_MS, tookMs / BUSY_MAX), undefined, { signal });
    await pause.catch(() => undefined);
    if (signal.aborted) return [];
  }
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Removed since its name was read, or not to be read: nothing that the app could use.
    return [];
  }
}

/** A glob pattern as a regular expression for whole paths: `**` for any folders, `*` and `?` within a name, `{a,b}`. */
function patternOf(glob: string): RegExp {
  let depth = 0;
  const source = glob
    .replace(/^\.\//, '')
    .replace(/\/(?:\*\*)?$/, '')
    .replace(/\*\*\/?|[*?{},]|[\\^$+.()|[\]]/g, found => {
      if (found === '{') depth += 1;
      if (found === '}') depth -= 1;
      if (found === ',') return depth > 0 ? '|' : ',';
      return PATTERN_PARTS[found] ?? `\\${found}`;
    });
  return new RegExp(`^${source}$`);
}

const PATTERN_PARTS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
  '{': '(?:',
  '}': ')',
};
