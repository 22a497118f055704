import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readCases } from '../../../proof/conformance/cases/case-files';
import { readCase } from '../../../proof/conformance/cases/read-case';

describe('the text of a case', () => {
  test.each<[string, string, object]>([
    ['no JSON: broken', '{', { kind: 'broken', reason: expect.stringMatching(/^not JSON: /) }],
    ['a list: foreign', '[]', { kind: 'foreign' }],
    ['no kind: foreign', '{"cases":[]}', { kind: 'foreign' }],
    ['an unknown kind: broken', '{"kind":"poem"}', { kind: 'broken' }],
    ['no definition: broken', '{"kind":"execution","expected":{}}', { reason: 'lacks /definition' }],
    ['no runs: broken', '{"kind":"execution-batch"}', { reason: 'lacks /runs' }],
    ['no calls: broken', '{"kind":"api"}', { reason: 'lacks /calls' }],
    [
      'calls that are a number',
      '{"kind":"api","calls":5}',
      { kind: 'broken', reason: '/calls is not a list' },
    ],
    ['no call at all', '{"kind":"api","calls":[]}', { kind: 'broken', reason: '/calls is empty' }],
    [
      'a call that is null',
      '{"kind":"api","calls":[null]}',
      { kind: 'broken', reason: '/calls/0 is not an object' },
    ],
    [
      'a call with nothing but an operation',
      '{"kind":"api","calls":[{"op":"Nope"}]}',
      { kind: 'broken', reason: 'lacks /calls/0/id' },
    ],
    [
      'services that are a number',
      '{"kind":"execution","definition":{},"expected":{},"services":7}',
      { kind: 'broken', reason: '/services is not a list' },
    ],
    [
      'an expectation that is a text',
      '{"kind":"execution","definition":{},"expected":"x"}',
      { kind: 'broken', reason: '/expected is not an object' },
    ],
    [
      'an event that is a number',
      '{"kind":"execution","definition":{},"expected":{"history":[1]}}',
      { kind: 'broken', reason: '/expected/history/0 is not an object' },
    ],
    [
      'runs that are a number',
      '{"kind":"execution-batch","runs":3}',
      { kind: 'broken', reason: '/runs is not a list' },
    ],
    [
      'a run without an expectation',
      '{"kind":"execution-batch","runs":[{"definition":{}}]}',
      { kind: 'broken', reason: 'lacks /runs/0/expected' },
    ],
    [
      'a worker without behaviour',
      '{"kind":"execution","definition":{},"expected":{},"workers":[{}]}',
      { kind: 'broken', reason: 'lacks /workers/0/behaviour' },
    ],

    [
      'the least there can be: the rest is empty',
      '{"kind":"api","calls":[{"await":"nothing"}]}',
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
