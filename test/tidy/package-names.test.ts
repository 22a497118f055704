import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '../..');

// Three tools must know `onceflow/client`: the examples and the proof run under all of them.
test("the packages' entries: the same for Node, for TypeScript and for jest", () => {
  const { paths } = readJson('tsconfig.json').compilerOptions;
  const { projects } = require('../../jest.config.js');

  const entries = [...entriesOf('.'), ...entriesOf('./packages/console'), ...entriesOf('./packages/local')];
  expect(Object.fromEntries(entries.map(([entry, file]) => [entry, [file]]))).toEqual(paths);
  const mapped = entries.map(([entry, file]) => [`^${entry}$`, file.replace('./', '<rootDir>/')]);
  for (const { moduleNameMapper } of projects) {
    const { '^tsx/cjs$': _loader, '^esbuild$': _shared, ...names } = moduleNameMapper;
    expect(Object.fromEntries(mapped)).toEqual(names);
  }
});

test('the packages: one version, published in public with provenance, and each takes any patch of the others', () => {
  const packages = ['.', './packages/console', './packages/local'].map(one =>
    readJson(`${one}/package.json`),
  );
  const { version } = packages[0];

  for (const { name, version: its, publishConfig, keywords, peerDependencies = {} } of packages) {
    expect({ name, version: its, publishConfig }).toEqual({
      name,
      version,
      publishConfig: { access: 'public', provenance: true },
    });
    expect(keywords).toContain('aws');
    const ours = Object.entries(peerDependencies).filter(([peer]) => peer.startsWith('@onceflow/'));
    expect(ours.map(([, range]) => range)).toEqual(ours.map(() => `^${version}`));
  }
});

test('llms.txt: every link leads to a page that is there', () => {
  const text = readFileSync(path.join(ROOT, 'llms.txt'), 'utf8');

  const files = [...text.matchAll(/\/blob\/main\/([\w./-]+)\)/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter(file => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

/** The entries of a package, each with its source. */
function entriesOf(directory: string): [entry: string, file: string][] {
  const { exports, name } = readJson(`${directory}/package.json`);
  return Object.entries<{ types: string }>(exports).flatMap(([entry, target]) =>
    typeof target === 'string'
      ? []
      : [[entry.replace('.', name), target.types.replace('./dist/types', directory).replace(/d\.ts$/, 'ts')]],
  );
}

function readJson(file: string) {
  return JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
}
