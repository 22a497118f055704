import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { anchorsOf, type Page, parsePage, ROOT, readPages, targetOf } from './page';
import { readingOrder, rendered, sourceText } from './rendered';

const README_LINES_MAX = 150;
const LINE_CHARACTERS_MAX = 120;
/** Languages whose blocks are files: what does not compile, or is no JSON, is found. */
const SHOWN_FROM_FILES = ['ts', 'json'];
const LANGUAGES = [...SHOWN_FROM_FILES, 'sh', 'text', 'mermaid'];

const pages = readPages();
const byPath = new Map(pages.map(page => [page.path, page]));
const index = byPath.get('docs/README.md') ?? parsePage('docs/README.md', '');
const order = readingOrder(index);
const titleOf = (name: string) => byPath.get(name)?.headings[0] ?? name;
/** README.md and the documents; the decisions have their own form. */
const documents = pages.filter(
  ({ path: name }) => name === 'README.md' || /^docs\/(?!decisions\/\d)/.test(name),
);
const named = documents.map(page => [page.path, page] as const);

if (process.env['UPDATE_DOCS'] === '1') {
  for (const page of documents) writeFileSync(path.join(ROOT, page.path), rendered(page, order, titleOf));
}

describe('every link', () => {
  test.each(pages.map(page => [page.path, page] as const))('%s: leads to a file and a heading', (_, page) => {
    const broken = page.links.flatMap(link => {
      const target = targetOf(page, link);
      if (target === undefined) return [];
      const isThere = existsSync(path.join(ROOT, target.path));
      const other = byPath.get(target.path);
      const hasAnchor = target.anchor === '' || other === undefined || anchorsOf(other).has(target.anchor);
      return isThere && hasAnchor ? [] : [`line ${link.line}: ${link.target}`];
    });

    expect(broken).toEqual([]);
  });

  test.each(['README.md', 'packages/local/README.md'])('%s, which is packed: is absolute', name => {
    const links = byPath.get(name)?.links ?? [];

    expect(links.map(({ target }) => target).filter(target => !/^(?:https:|#)/.test(target))).toEqual([]);
  });
});

describe('the index of the documents', () => {
  test('every document: is in it, and so has a page before and after it', () => {
    const missing = documents.filter(({ path: name }) => name !== 'README.md' && !order.includes(name));

    expect(missing.map(({ path: name }) => name)).toEqual([]);
  });

  test('every decision: is in the list of decisions', () => {
    const decisions = pages.filter(({ path: name }) => /^docs\/decisions\/\d/.test(name));
    const links = byPath.get('docs/decisions/README.md')?.links.map(({ target }) => target) ?? [];

    expect(links).toEqual(expect.arrayContaining(decisions.map(({ path: name }) => path.basename(name))));
  });
});

describe('a document', () => {
  test.each(named)(
    '%s: shows its files as they are, and the pages beside it (UPDATE_DOCS=1 writes them)',
    (name, page) => {
      const text = process.env['UPDATE_DOCS'] === '1' ? rendered(page, order, titleOf) : page.text;

      expect(text).toBe(rendered(page, name === 'README.md' ? [] : order, titleOf));
    },
  );

  test.each(named)('%s: every block of code is a file, and each file is there', (_, page) => {
    const loose = page.blocks.filter(
      ({ language, source }) =>
        !LANGUAGES.includes(language) ||
        (source === undefined ? SHOWN_FROM_FILES.includes(language) : sourceText(source) === undefined),
    );

    expect(loose.map(({ line, language, source }) => ({ line, language, source }))).toEqual([]);
  });

  test.each(named)('%s: its lines fit on a screen, except rows of tables and long links', (_, page) => {
    const inBlocks = new Set(
      page.blocks.flatMap(({ line, body }) => body.split('\n').map((_text, at) => line + at + 1)),
    );
    const long = page.text.split('\n').flatMap((line, at) => {
      const isFree = inBlocks.has(at + 1) || line.startsWith('|') || /^\S*\]\(\S+\)\S*$/.test(line.trim());
      return isFree || line.length <= LINE_CHARACTERS_MAX
        ? []
        : [`line ${at + 1}: ${line.length} characters`];
    });

    expect(long).toEqual([]);
  });
});

describe('README.md', () => {
  test('is one page', () => {
    const lines = (byPath.get('README.md') as Page).text.trimEnd().split('\n');

    expect(lines.length).toBeLessThanOrEqual(README_LINES_MAX);
  });
});
