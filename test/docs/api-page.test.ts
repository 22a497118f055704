import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { apiTables, undocumented } from './api-page';
import { ROOT } from './page';

const PAGE = path.join(ROOT, 'docs/reference/api.md');

test('docs/reference/api.md: every export of the packages, as their docstrings say (UPDATE_DOCS=1 writes it)', () => {
  const before = readFileSync(PAGE, 'utf8');
  const [, head = '', tail = ''] =
    /^([\s\S]*?<!-- api -->\n)[\s\S]*(<!-- api: end -->[\s\S]*)$/.exec(before) ?? [];
  const page = `${head}\n${apiTables()}\n${tail}`;
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, page);

  expect(page).toBe(readFileSync(PAGE, 'utf8'));
});

test('every export of the packages has a docstring with an example', () => {
  expect(undocumented()).toEqual([]);
});
