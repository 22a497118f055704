import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readCases } from '../../conformance/cases/case-files';
import { readCase } from '../../conformance/cases/recorded-case';

describe('the text of a case', () => {
  test.each<[string, string, object]>([
    ['no JSON: broken', '{', { kind: 'broken', reason: expect.stringMatching(/^not JSON: /) }],
    ['a list: foreign', '[]', { kind: 'foreign' }],
    ['no kind: foreign', '{"cases":[]}', { kind: 'foreign' }],
    ['an unknown kind: broken', '{"kind":"poem"}', { kind: 'broken' }],
    ['no definition: broken', '{"kind":"execution","expected":{}}', { reason: 'lacks `definition`' }],
    ['no runs: broken', '{"kind":"execution-batch"}', { reason: 'lacks `runs`' }],
    ['no calls: broken', '{"kind":"api"}', { reason: 'lacks `calls`' }],
    [
      'the least there can be: the rest is empty',
      '{"kind":"api","calls":[]}',
      { kind: 'case', recorded: { name: 'file', kind: 'api', services: [], ignore: [], placeholders: {} } },
    ],
  ])('%s', (_title, text, read) => {
    expect(readCase(text, 'file')).toMatchObject(read);
  });
});

describe('a folder of cases', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'onceflow-cases-'));
    mkdirSync(path.join(folder, 'b/deep'), { recursive: true });
    for (const file of ['z.json', 'b/deep/a.json', 'b/notes.md']) {
      writeFileSync(path.join(folder, file), '{"kind":"api","calls":[]}');
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each<[string, string, string, readonly string[]]>([
    ['all JSON files below it, by path', '', '', ['b/deep/a.json', 'z.json']],
    ['with a text in their path', '', 'deep/', ['b/deep/a.json']],
    ['one file', 'b/deep/a.json', '', ['a.json']],
    ['one file that the filter leaves out', 'z.json', 'deep', []],
  ])('%s', async (_title, place, filter, files) => {
    const cases = await readCases(path.join(folder, place), filter);

    expect(cases.map(({ file }) => file)).toEqual(files);
  });

  test('a place that is not there: the error of the file system', async () => {
    await expect(readCases(path.join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
