import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { listNames } from './list-names';

/** The database of a directory, and the file with the number of a write that it must have. */
export const PARTS = { log: 'log', mark: 'mark' } as const;

/** Identifies the format of the data. It is created last, so a directory with this file has all its parts. */
const FORMAT = 'format';
const FORMAT_TEXT = 'onceflow local state 7\n';
/** Its name until the parts are there: a directory with it was begun, and nothing was saved in it yet. */
const FORMAT_BEGUN = 'format.new';

/** Whether a directory can be used, and as what. */
export type FoundDirectory =
  /** The directory does not exist, is empty, or was not completed by the process that began it. */
  | { readonly kind: 'new' }
  /** Ours, with all its parts. */
  | { readonly kind: 'complete' }
  | { readonly kind: 'rejected'; readonly reason: string };

/** Looks at a directory, and changes nothing. */
export function findDirectory(root: string): FoundDirectory {
  const existing = nearest(root);
  if (!statSync(existing).isDirectory()) return rejected(`${existing} is not a directory`);
  if (existing !== root) return { kind: 'new' };
  const names = readdirSync(root);
  if (names.includes(FORMAT)) return findParts(root);
  const isBegun = names.includes(FORMAT_BEGUN) && names.every(name => OWN_NAMES.has(name));
  if (names.length === 0 || isBegun) return { kind: 'new' };
  const found = listNames(names.toSorted(), NAMES_MAX);
  return rejected(
    `${root} is not empty, and what is in it is not the local runtime's: ${found}; name a new directory`,
  );
}

/** Makes the directory, with those above it, and marks it as begun. @throws the file system's error */
export function beginDirectory(root: string): void {
  makeDirectory(root);
  writeFileSync(path.join(root, FORMAT_BEGUN), FORMAT_TEXT);
}

/** Marks the directory as one with all its parts. @throws the file system's error */
export function completeDirectory(root: string): void {
  renameSync(path.join(root, FORMAT_BEGUN), path.join(root, FORMAT));
}

const OWN_NAMES: ReadonlySet<string> = new Set([FORMAT_BEGUN, ...Object.values(PARTS), `${PARTS.mark}.new`]);

/** Files that each part must have. LevelDB would create an empty database if its file were missing. */
const NEEDED = [`${PARTS.log}/CURRENT`, PARTS.mark];

function findParts(root: string): FoundDirectory {
  const format = readFileSync(path.join(root, FORMAT), 'utf8');
  if (format !== FORMAT_TEXT) {
    const text = JSON.stringify(format.trim().slice(0, 80));
    return rejected(`the data in ${root} is of another version (${text}); name a new directory`);
  }
  const missing = NEEDED.filter(part => !existsSync(path.join(root, part)));
  if (missing.length === 0) return { kind: 'complete' };
  return rejected(`${root} lacks ${missing.join(', ')}; put it back, or name a new directory`);
}

/** The path itself, or the nearest above it that is there. */
function nearest(file: string): string {
  try {
    statSync(file);
    return file;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = path.dirname(file);
    if ((code !== 'ENOENT' && code !== 'ENOTDIR') || above === file) throw error;
    return nearest(above);
  }
}

// Step by step: where nothing can be made, such as /proc, Node's own `recursive` tries for ever.
function makeDirectory(directory: string): void {
  if (nearest(directory) === directory) return;
  makeDirectory(path.dirname(directory));
  try {
    mkdirSync(directory);
  } catch (error) {
    // Another process may have made it just now.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** How many names a message has. */
const NAMES_MAX = 5;

function rejected(reason: string): FoundDirectory {
  return { kind: 'rejected', reason };
}
