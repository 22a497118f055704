import { importsOf } from '../tidy/imports';
import { isSource, isTest, readRepository } from '../tidy/repository';
import { ROOT, readIfThere } from './page';

const page = readIfThere('docs/architecture.md') ?? '';
const sources = readRepository(ROOT).filter(({ path }) => isSource(path) && !isTest(path));

/** The folders that the page speaks of; the first that a path begins with is its package. */
const PACKAGES = [
  'state-machine/words',
  'state-machine/contract',
  'state-machine',
  'functions',
  'infra',
  'client',
  'cli',
  'packages/console',
  'packages/local',
  'proof',
  'examples',
];
/** What the entries of the packages are, for those who import them by name. */
const ENTRIES: Readonly<Record<string, string>> = {
  onceflow: 'infra',
  'onceflow/contract': 'state-machine/contract',
  'onceflow/client': 'client',
  '@onceflow/console': 'packages/console',
  '@onceflow/local': 'packages/local',
  '@onceflow/local/explore': 'packages/local',
  '@onceflow/local/gherkin': 'packages/local',
};

function packageOf(path: string): string | undefined {
  return PACKAGES.find(folder => `${path}/`.startsWith(`${folder}/`));
}

describe('docs/architecture.md', () => {
  test('draws the imports between the packages, all of them and no other', () => {
    const imported = sources.flatMap(file => {
      const from = packageOf(file.path);
      if (from === undefined) return [];
      return importsOf(file).flatMap(({ specifier, target }) => {
        const to = target === undefined ? ENTRIES[specifier] : packageOf(target);
        return to === undefined || to === from ? [] : [`${from} --> ${to}`];
      });
    });
    const diagram = /```mermaid\nflowchart TD\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    const names = new Map(
      [...diagram.matchAll(/^ {2}(\S+)\["(.+)"\]$/gm)].map(([, id = '', name = '']) => [id, name]),
    );
    const drawn = [...diagram.matchAll(/^ {2}(\S+) --> (\S+)$/gm)].map(
      ([, from = '', to = '']) => `${names.get(from) ?? from} --> ${names.get(to) ?? to}`,
    );

    expect(drawn.sort()).toEqual([...new Set(imported)].sort());
  });

  test.each([
    ['How an event travels', 14],
    ['How a key travels', 11],
  ])('%s: its files are there, and each is read in one sitting', (title, count) => {
    const section = page.split(`## ${title}`)[1]?.split('\n## ')[0] ?? '';
    const named = [...section.matchAll(/^\| \d+ \| \[.*\]\(\.\.\/(\S+)\) \|/gm)].map(([, path = '']) => path);
    const lengths = named.map(path => sources.find(file => file.path === path)?.text.split('\n').length);

    expect(named).toHaveLength(count);
    expect(lengths.filter(lines => lines === undefined || lines >= 330)).toEqual([]);
  });

  test.each(PACKAGES)('%s: its size is right to a fifth', folder => {
    const row =
      page.split('\n').find(line => line.startsWith('|') && line.includes(`| \`${folder}\` |`)) ?? '';
    const numberIn = (cell: string | undefined) => Number(cell?.replace(/[\s,]/g, ''));
    const [files, lines] = row.split('|').slice(-3, -1).map(numberIn);
    const own = sources.filter(({ path }) => packageOf(path) === folder);
    const ownLines = own.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0);

    expect(Math.abs((files ?? 0) - own.length)).toBeLessThanOrEqual(own.length / 5);
    expect(Math.abs((lines ?? 0) - ownLines)).toBeLessThanOrEqual(ownLines / 5);
  });
});
