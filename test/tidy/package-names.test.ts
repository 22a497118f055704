import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '../..');

// Three tools have to know what `onceflow/local` is: the examples run under all of them.
test("the package's entries: the same for Node, for TypeScript and for jest", () => {
  const { exports, name } = readJson('package.json');
  const { paths } = readJson('tsconfig.json').compilerOptions;
  const { moduleNameMapper } = require('../../jest.config.js');

  const entries = Object.entries<{ default: string }>(exports).flatMap(([entry, target]) =>
    typeof target === 'string'
      ? []
      : [[entry.replace('.', name), target.default.replace('./dist/', './').replace(/js$/, 'ts')] as const],
  );
  expect(Object.fromEntries(entries.map(([entry, file]) => [entry, [file]]))).toEqual(paths);
  const mapped = entries.map(([entry, file]) => [`^${entry}$`, file.replace('./', '<rootDir>/')]);
  expect(Object.fromEntries(mapped)).toEqual(moduleNameMapper);
});

function readJson(file: string) {
  return JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
}
