import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type * from './actions';
export type * from './views';

/** The page, as a server of it sends it: one document, one script, one style sheet. */
export interface Page {
  readonly html: string;
  readonly script: string;
  readonly style: string;
}

/**
 * The page's files, from beside this one in the published package. A clone builds them from their source.
 */
export async function readPage(): Promise<Page> {
  const built = path.join(__dirname, 'page');
  const read = (file: string) => readFileSync(path.join(built, file), 'utf8');
  const html = read('index.html');
  if (existsSync(path.join(built, 'main.js')))
    return { html, script: read('main.js'), style: read('main.css') };
  // Bundled by the build as one that the published package never gets to.
  const { buildPage }: typeof import('./build-page') = require('./build-page');
  return { html, ...(await buildPage(path.join(built, 'main.tsx'))) };
}
