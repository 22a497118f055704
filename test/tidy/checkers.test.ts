import { smallFileRule } from './file-rules';
import { formatViolation, type Rule } from './repository';
import { RULES } from './rules';
import { longFilesWarning } from './sizes';

/** What a rule says about these files. */
function check(title: string, files: Readonly<Record<string, string>>): string[] {
  const rule = RULES.find(candidate => candidate.title === title);
  if (rule === undefined) throw new Error(`no rule is called "${title}"`);
  return checkBy(rule, files);
}

function checkBy(rule: Rule, files: Readonly<Record<string, string>>): string[] {
  return rule.check(Object.entries(files).map(([path, text]) => ({ path, text }))).map(formatViolation);
}

describe('actions of a workflow', () => {
  const commit = '11bd71901bbe5b1630ceea73d27597364c9af683';

  test.each([
    [`- uses: actions/checkout@${commit} # v4.2.2`, 0],
    ['- uses: ./.github/actions/own', 0],
    ['- uses: actions/checkout@v4', 1],
    ['  - uses: "actions/checkout@main" # v4', 1],
    [`- uses: actions/checkout@${commit}`, 1],
    [`- uses: actions/checkout@${commit.slice(0, 12)} # v4.2.2`, 1],
    ['- uses: docker://node:24', 1],
  ])('%s', (text, count) => {
    expect(check('actions are pinned by commit', { '.github/workflows/x.yml': text })).toHaveLength(count);
    expect(check('actions are pinned by commit', { 'docs/x.yml': text })).toEqual([]);
  });
});

describe('sizes', () => {
  const lines = (count: number) => 'x;\n'.repeat(count);

  test.each([
    ['packages/local/x.ts', 400, 401],
    ['test/x.ts', 450, 451],
    ['examples/x.test.ts', 450, 451],
  ])('%s: %i lines pass, %i do not', (path, most, tooMany) => {
    expect(check('files stay short', { [path]: lines(most) })).toEqual([]);
    expect(check('files stay short', { [path]: lines(tooMany) })).toHaveLength(1);
  });

  test('line of 120 characters passes, of 121 does not, unless it cannot be broken', () => {
    const text = [
      'x'.repeat(120),
      'x'.repeat(121),
      `// https://example.com/${'x'.repeat(111)}`,
      `const a = '${'x'.repeat(111)}';`,
      `// ${'x '.repeat(60)}`,
      `f('a', ${'x, '.repeat(40)}'b');`,
    ].join('\n');

    expect(check('lines stay short', { 'packages/local/x.ts': text })).toEqual([
      'packages/local/x.ts:2 has 121 characters, at most 120',
      'packages/local/x.ts:5 has 123 characters, at most 120',
      'packages/local/x.ts:6 has 132 characters, at most 120',
    ]);
  });

  test('warning: names the sources of 250 lines and more, longest first', () => {
    const file = (path: string, count: number) => ({ path, text: lines(count) });

    expect(longFilesWarning([file('cli/a.ts', 249), file('test/x.ts', 300)])).toBeUndefined();
    expect(longFilesWarning([file('cli/a.ts', 250), file('cli/b.ts', 251)])).toBe(
      '2 files have 250 lines or more: cli/b.ts (251), cli/a.ts (250)',
    );
  });
});

describe('files', () => {
  const small: [title: string, files: Readonly<Record<string, string>>, count: number][] = [
    ['one importer', { 'functions/a/b.ts': '', 'functions/a/handler.ts': "import './b';" }, 1],
    ['types only', { 'functions/a/b.ts': '', 'functions/a/handler.ts': "import type { B } from './b';" }, 1],
    [
      'imported twice by the same file',
      { 'functions/a/b.ts': '', 'functions/a/handler.ts': "import './b';\nimport type { B } from './b';" },
      1,
    ],
    [
      'two importers',
      { 'client/b.ts': '', 'client/index.ts': "import './b';", 'infra/index.ts': "import '../client/b';" },
      0,
    ],
    [
      'a test imports it',
      { 'client/b.ts': '', 'client/index.ts': "import './b';", 'test/x.test.ts': "import '../client/b';" },
      0,
    ],
    [
      'a test bears its name',
      { 'client/b.ts': '', 'client/index.ts': "import './b';", 'test/client/b.test.ts': '' },
      0,
    ],
    [
      'a test of another room bears its name',
      { 'client/b.ts': '', 'client/index.ts': "import './b';", 'test/functions/b.test.ts': '' },
      1,
    ],
    [
      "a specification's name",
      {
        'packages/local/engine/states/pass.ts': '',
        'packages/local/engine/run.ts': "import './states/pass';",
      },
      0,
    ],
    ['40 lines', { 'client/b.ts': 'x;\n'.repeat(40), 'client/index.ts': "import './b';" }, 1],
    ['41 lines', { 'client/b.ts': 'x;\n'.repeat(41), 'client/index.ts': "import './b';" }, 0],
    ['in a test folder', { 'test/a/b.ts': '', 'test/a/x.test.ts': "import './b';" }, 0],
  ];

  test.each(small)('a small file, %s', (_title, files, count) => {
    expect(checkBy(smallFileRule([]), files)).toHaveLength(count);
  });

  test('small files in an excepted room: pass until there is none, then it leaves the list', () => {
    const rule = smallFileRule(['infra/']);
    const files = (count: number) => ({
      'infra/index.ts': "import './a';",
      'infra/a.ts': 'x;\n'.repeat(count),
    });

    expect(checkBy(rule, files(40))).toEqual([]);
    expect(checkBy(rule, files(41))).toEqual([
      'infra/:1 has no small file to merge any more; remove it from the list in rules.ts',
    ]);
  });

  const titles: [title: string, text: string, expected: string[]][] = [
    ['one', '# A\n\ntext', []],
    ['none', 'text', ['x.md:1 has no title (`# ...`)']],
    ['two', '# A\n# B', ['x.md:2 is a second title; use `## `']],
    ['one more in a code fence', '# A\n```sh\n# comment\n```\n', []],
    [
      'fence in a longer fence',
      '# A\n````md\n```\n# x\n```\n````\n# B',
      ['x.md:7 is a second title; use `## `'],
    ],
  ];

  test.each(titles)('titles of a document: %s', (_title, text, expected) => {
    expect(check('every document has one title', { 'x.md': text })).toEqual(expected);
  });
});

describe('banned text', () => {
  const leftover = `// ${'TO'}${'DO'} later`;
  const machinePath = `see ${'/ho'}${'me/'}me/x`;
  const ROW = 'no rule of a state machine that is not a row';
  const cases: [rule: string, path: string, text: string, count: number][] = [
    ['no leftovers', 'packages/local/x.ts', leftover, 1],
    ['no leftovers', 'docs/x.md', leftover, 1],
    ['no paths of one machine', 'README.md', machinePath, 1],
    [
      'no paths of one machine',
      'README.md',
      `https://example.com${'/ho'}${'me/'}x and a${'/wo'}${'rk/'}b`,
      0,
    ],
    [ROW, 'state-machine/recovery/x.ts', "import { decide, when } from '../choice';", 1],
    [ROW, 'state-machine/recovery/x.ts', "choice.when(Condition.jsonata('{% true %}'), next);", 1],
    [ROW, 'state-machine/recovery/x.ts', "import { decide } from '../choice';", 0],
    [ROW, 'state-machine/front-door/x.ts', "import { when } from '../choice';", 0],
  ];

  test.each(cases)('%s: %s %s', (rule, path, text, count) => {
    expect(check(rule, { [path]: text })).toHaveLength(count);
  });

  test('place: the line of the match', () => {
    expect(check('no leftovers', { 'packages/local/x.ts': `const a = 1;\n${leftover}` })).toEqual([
      expect.stringMatching(/^packages\/local\/x\.ts:2 /),
    ]);
  });
});
