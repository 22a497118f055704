import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isSource, isTest, readRepository } from '../tidy/repository';
import {
  anchorsOf,
  type Page,
  parsePage,
  REPOSITORY_URL,
  ROOT,
  readIfThere,
  readPages,
  targetOf,
} from './page';
import { readingOrder, rendered, snippetText } from './rendered';

const README_LINES_MAX = 120;
const LINE_CHARACTERS_MAX = 120;
/** READMEs of packages: what documents are checked for counts for these, too. */
const PACKED = ['README.md', 'packages/local/README.md', 'packages/console/README.md'];
/**
 * npm shows them, and leads a relative link to the root of the repository. So that of the root has relative links,
 * which work in a clone, on GitHub and on npm; those of a folder have absolute ones.
 */
const PACKED_IN_FOLDERS = PACKED.filter(name => name !== 'README.md');
/** Languages whose blocks are files: what does not compile, or is not JSON, is found there. */
const SHOWN_FROM_FILES = ['ts', 'json', 'yaml', 'python', 'hcl'];
const LANGUAGES = [...SHOWN_FROM_FILES, 'sh', 'text', 'mermaid'];

const isUpdate = process.env['UPDATE_DOCS'] === '1';
const pages = readPages();
const byPath = new Map(pages.map(page => [page.path, page]));
const order = readingOrder(pageAt('docs/README.md'));
const titleOf = (name: string) => pageAt(name).headings[0] ?? name;
/** The pages that are checked beyond their links: a decision and an example have forms of their own. */
const documents = pages.filter(
  ({ path: name }) => PACKED.includes(name) || /^(?:proof|docs)\/(?!decisions\/\d)/.test(name),
);

function pageAt(name: string): Page {
  return byPath.get(name) ?? parsePage(name, '');
}

describe('every link of every Markdown file', () => {
  test('leads to a file that is there, and to a heading of it', () => {
    const broken = pages.flatMap(page =>
      page.links.flatMap(link => {
        const target = targetOf(page, link);
        if (target === undefined) return [];
        const { path: name, anchor } = target;
        const isThere = existsSync(path.join(ROOT, name));
        const hasAnchor = anchor === '' || !byPath.has(name) || anchorsOf(pageAt(name)).has(anchor);
        return isThere && hasAnchor ? [] : [`${page.path}:${link.line} ${link.target}`];
      }),
    );

    expect(broken).toEqual([]);
  });

  test('and so does every link of a source to the repository', () => {
    const sources = readRepository(ROOT).filter(({ path: name }) => isSource(name) && !isTest(name));
    const addresses = new RegExp(`(?:${REPOSITORY_URL}|documentation\\(')([\\w./#-]+)`, 'g');
    const links = sources.flatMap(({ path: name, text }) =>
      [...text.matchAll(addresses)].map(([, address = '']) => ({
        name,
        address: address.replace(/\.$/, ''),
      })),
    );
    const broken = links.filter(({ address }) => {
      const [file = '', anchor = ''] = address.split('#');
      const hasAnchor = anchor === '' || anchorsOf(pageAt(file)).has(anchor);
      return !existsSync(path.join(ROOT, file)) || !hasAnchor;
    });

    expect(links.length).toBeGreaterThan(40);
    expect(broken).toEqual([]);
  });

  test('has the address of the repository from one place, unless it is a comment', () => {
    const sources = readRepository(ROOT).filter(({ path: name }) => isSource(name) && !isTest(name));
    const written = sources.flatMap(({ path: name, text }) =>
      text.split('\n').flatMap(line => (line.includes(REPOSITORY_URL) && !/^\s*\*/.test(line) ? [name] : [])),
    );

    expect(written).toEqual(['state-machine/words/documentation.ts']);
  });

  test.each(PACKED_IN_FOLDERS)('%s, which npm shows: is absolute', name => {
    const targets = pageAt(name).links.map(({ target }) => target);

    expect(targets.filter(target => !/^(?:https:|#)/.test(target))).toEqual([]);
  });

  test('of another page to a file of the repository: is relative, so that a clone has it', () => {
    const absolute = pages
      .filter(({ path: name }) => !PACKED_IN_FOLDERS.includes(name))
      .flatMap(page =>
        page.links.filter(({ target }) => target.startsWith(REPOSITORY_URL)).map(() => page.path),
      );

    expect(absolute).toEqual([]);
  });

  test('npm finds the repository of README.md', () => {
    const { repository } = JSON.parse(readIfThere('package.json') ?? '{}');

    expect(`${REPOSITORY_URL}`).toBe(`${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`);
    expect(repository.directory).toBeUndefined();
  });
});

test('packages/local/README.md: shows code from files, as it is there', () => {
  const shown = pageAt('packages/local/README.md').blocks.filter(({ language }) => language !== 'sh');

  const files = shown.map(({ source = '' }) => snippetText(source)?.trim());
  expect(files.length).toBeGreaterThan(0);
  expect(shown.map(({ lines }) => lines.join('\n'))).toEqual(files);
});

describe('what stands in backticks', () => {
  const inCode = [...documents, pageAt('CONTRIBUTING.md')].flatMap(page =>
    [...page.text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => ({
      at: page.path,
      code,
    })),
  );

  test('as a path of the repository: is there', () => {
    const isPath =
      /^(?:cli|client|docs|examples|functions|infra|packages|proof|state-machine|test)\/[\w./-]*$/;
    // The guide's first stack is a directory of its own, which its page speaks of.
    const roots = ['.', 'docs/guide/first-stack'];
    const isThere = (name: string) => roots.some(root => existsSync(path.join(ROOT, root, name)));
    const missing = inCode.filter(({ code }) => isPath.test(code) && !isThere(code));

    expect(missing).toEqual([]);
  });

  test('as a script of npm: is one', () => {
    const { scripts } = JSON.parse(readIfThere('package.json') ?? '{}') as { readonly scripts: object };
    const unknown = inCode.filter(({ code }) => {
      const name = /^npm run (?:--silent |-s )?(\w[\w:-]*)/.exec(code)?.[1];
      return name !== undefined && !(name in scripts);
    });

    expect(unknown).toEqual([]);
  });
});

describe('the index of the documents', () => {
  test('has every document, so that each has a page before and after it', () => {
    const missing = documents.filter(({ path: name }) => name.startsWith('docs/') && !order.includes(name));

    expect(missing.map(({ path: name }) => name)).toEqual([]);
  });

  test('has every decision, in the list of decisions', () => {
    const decisions = pages.filter(({ path: name }) => /^docs\/decisions\/\d/.test(name));
    const listed = pageAt('docs/decisions/README.md').links.map(({ target }) => target);

    expect(listed).toEqual(expect.arrayContaining(decisions.map(({ path: name }) => path.basename(name))));
  });
});

describe('a document', () => {
  test.each(documents.map(page => [page.path, page] as const))(
    '%s: its blocks are as their files, its last line has its neighbours (UPDATE_DOCS=1 writes them)',
    (name, page) => {
      const expected = rendered(page, order, titleOf);
      if (isUpdate) writeFileSync(path.join(ROOT, name), expected);

      expect(isUpdate ? expected : page.text).toBe(expected);
    },
  );

  test('shows code from files only, and in a language that is checked', () => {
    const loose = documents.flatMap(page =>
      page.blocks.flatMap(({ line, language, source }) => {
        const hasFile = source === undefined ? undefined : snippetText(source) !== undefined;
        const isRight =
          LANGUAGES.includes(language) && (hasFile ?? !SHOWN_FROM_FILES.includes(language)) !== false;
        return isRight ? [] : [`${page.path}:${line} ${language} ${source ?? 'without a file'}`];
      }),
    );

    expect(loose).toEqual([]);
  });
});

describe('a Markdown file', () => {
  test('has lines that fit on a screen, beside its blocks, its tables and the addresses of its links', () => {
    const long = pages.flatMap(page => {
      const inBlocks = new Set(page.blocks.flatMap(({ line, lines }) => lines.map((_, at) => line + 1 + at)));
      return page.text.split('\n').flatMap((text, at) => {
        const shown = text.replace(/\]\([^)\s]*\)/g, ']');
        const isFree = inBlocks.has(at + 1) || text.startsWith('|');
        return isFree || shown.length <= LINE_CHARACTERS_MAX ? [] : [`${page.path}:${at + 1}`];
      });
    });

    expect(long).toEqual([]);
  });
});

describe('README.md', () => {
  test(`has at most ${README_LINES_MAX} lines`, () => {
    expect(pageAt('README.md').text.trimEnd().split('\n').length).toBeLessThanOrEqual(README_LINES_MAX);
  });
});
