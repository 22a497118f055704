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

/** The database of a directory, and the file with the number of a write that it must have. */
export const PARTS = { log: 'log', mark: 'mark' } as const;

/** Says whose data it is, so that data of another shape is not mistaken for it. Made last: then all parts are there. */
const FORMAT = 'format';
const FORMAT_TEXT = 'onceflow local state 7\n';
/** Its name until the parts are there: a directory with it was begun, and nothing was saved in it yet. */
const FORMAT_BEGUN = 'format.new';

/** What a directory is good for. */
export type FoundDirectory =
  /** There is none, or nothing in it, or no more than what making one had come to. */
  | { readonly kind: 'new' }
  /** Ours, with all its parts. */
  | { readonly kind: 'complete' }
  | { readonly kind: 'refused'; readonly reason: string };

/** Looks at a directory, and changes nothing. */
export function findDirectory(root: string): FoundDirectory {
  const existing = nearest(root);
  if (!statSync(existing).isDirectory()) return refused(`${existing} is not a directory`);
  if (existing !== root) return { kind: 'new' };
  const names = readdirSync(root);
  if (names.includes(FORMAT)) return findParts(root);
  const isBegun = names.includes(FORMAT_BEGUN) && names.every(name => OWN_NAMES.has(name));
  if (names.length === 0 || isBegun) return { kind: 'new' };
  const found = listed(names.toSorted());
  return refused(
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

/** The files without which a part is none; a database without this one would be made anew. */
const NEEDED = [`${PARTS.log}/CURRENT`, PARTS.mark];

function findParts(root: string): FoundDirectory {
  const format = readFileSync(path.join(root, FORMAT), 'utf8');
  if (format !== FORMAT_TEXT) {
    const text = JSON.stringify(format.trim().slice(0, 80));
    return refused(`the data in ${root} is of another version (${text}); name a new directory`);
  }
  const missing = NEEDED.filter(part => !existsSync(path.join(root, part)));
  if (missing.length === 0) return { kind: 'complete' };
  return refused(`${root} lacks ${missing.join(', ')}; put it back, or name a new directory`);
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

/** Names that a message has; of more, how many. */
const NAMES_MAX = 5;

function listed(names: readonly string[]): string {
  const more = names.length - NAMES_MAX;
  return names.slice(0, NAMES_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function refused(reason: string): FoundDirectory {
  return { kind: 'refused', reason };
}
