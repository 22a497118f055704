import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { DamagedState } from './damage';

/** The JSON that a file keeps. @throws DamagedState where it is none, or the file system's error */
export function readKept(file: string): unknown {
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = text === '' ? 'it is empty' : (error as { readonly message?: string }).message;
    throw new DamagedState([`${file} is no JSON: ${reason}`]);
  }
}

/** Puts JSON in the place of what a file keeps. A crash leaves the one or the other. */
export function writeKept(file: string, content: unknown): void {
  writeFileSync(`${file}.new`, JSON.stringify(content));
  renameSync(`${file}.new`, file);
}
