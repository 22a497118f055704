import { readRepository } from '../tidy/repository';
import { ROOT, readIfThere } from './page';

const SOURCE = /^(?:cli|client|functions|infra|state-machine|packages|proof|test)\/.*\.tsx?$/;
const EXPORT =
  /^export (?:declare |abstract |async )*(?:class|const|enum|function\*?|interface|type) (\w+)/gm;

/** Every name that a source exports, with its file. */
function exportedNames(): readonly (readonly [name: string, file: string])[] {
  const sources = readRepository(ROOT).filter(({ path }) => SOURCE.test(path));
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(EXPORT)].map(([, name = '']) => [name, path] as const),
  );
}

/** The words of a name: `isEndUnsent` has `is`, `end` and `unsent`. */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_]+/);

const GLOSSARY = readIfThere('docs/concepts/glossary.md') ?? '';
const [TERMS = '', OTHERS = ''] = GLOSSARY.split('\n## Other words\n');
const codeIn = (cell: string | undefined) =>
  [...(cell ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
const lastCells = (table: string) =>
  [...table.matchAll(/^\| .*$/gm)].flatMap(([row]) => codeIn(row.split(' |').at(-2)));

describe('docs/concepts/glossary.md', () => {
  const exported = exportedNames();

  test('each name in code is an export', () => {
    const names = lastCells(TERMS);
    const known = new Set(exported.map(([name]) => name));

    expect(names.length).toBeGreaterThan(15);
    expect(names.filter(name => !known.has(name))).toEqual([]);
  });

  test('no exported name has a word that the glossary replaces', () => {
    const replaced = new Set(lastCells(OTHERS));
    const found = exported.filter(([name]) => wordsOf(name).some(word => replaced.has(word)));

    expect(replaced).toContain('look');
    expect(found.map(([name, file]) => `${file}: ${name}`)).toEqual([]);
  });
});
