import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** The JSON that a file keeps, or undefined without a file. @throws SyntaxError where somebody else wrote to it */
export function readKept(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Puts JSON in the place of what a file keeps. A crash leaves the one or the other. */
export function writeKept(file: string, content: unknown): void {
  writeFileSync(`${file}.new`, JSON.stringify(content));
  renameSync(`${file}.new`, file);
}
