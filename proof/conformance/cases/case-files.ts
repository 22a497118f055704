import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ReadCase, readCase } from './recorded-case';

/** A JSON file that was found, and what is in it. */
export interface CaseFile {
  /** Path from the folder that was asked for, with `/`. */
  readonly file: string;
  readonly read: ReadCase;
}

/**
 * The cases in a folder and the folders below it, or in one file; sorted by path.
 *
 * @throws the error of the file system where the place cannot be read
 */
export async function readCases(place: string, filter = ''): Promise<CaseFile[]> {
  const isFile = (await stat(place)).isFile();
  const files = isFile ? [place] : await jsonFilesIn(place);
  const root = isFile ? path.dirname(place) : place;
  const wanted = files
    .map(file => ({ file: path.relative(root, file).split(path.sep).join('/'), source: file }))
    .filter(({ file }) => file.includes(filter));
  return Promise.all(
    wanted.map(async ({ file, source }) => ({
      file,
      read: readCase(await readFile(source, 'utf8'), path.basename(file, '.json')),
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
