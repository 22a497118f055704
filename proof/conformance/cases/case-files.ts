import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ReadCase, readCase } from './read-case';

/** A JSON file that was found, and what is in it. */
export interface CaseFile {
  /** Path from the folder that was asked for, with `/`. */
  readonly file: string;
  readonly read: ReadCase;
}

/**
 * The cases in a folder and the folders below it, or in one file; sorted by path.
 *
 * @throws the error of the file system where that cannot be read
 */
export async function readCases(source: string, filter = ''): Promise<CaseFile[]> {
  const isFile = (await stat(source)).isFile();
  const files = isFile ? [source] : await jsonFilesIn(source);
  const root = isFile ? path.dirname(source) : source;
  const wanted = files
    .map(file => ({ file: path.relative(root, file).split(path.sep).join('/'), from: file }))
    .filter(({ file }) => file.includes(filter));
  return Promise.all(
    wanted.map(async ({ file, from }) => ({
      file,
      read: readCase(await readFile(from, 'utf8'), path.basename(file, '.json')),
    })),
  );
}

async function jsonFilesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile() && entry.name.endsWith('.json'))
    .map(entry => path.join(entry.parentPath ?? entry.path, entry.name))
    .toSorted();
}
