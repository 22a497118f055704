import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The version of the package, from beside `cli/` and beside `dist/` alike. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(path.join(__dirname, '../package.json'), 'utf8')).version;
}
