import { circleRule } from './circles';
import { smallFileRule } from './file-rules';
import { formatViolation, type RepositoryFile, type Rule, repositoryFile } from './repository';
import { RULES } from './rules';
import { blankCommentsAndStrings } from './source-text';

/** What a rule says about these files. */
function check(title: string, files: Readonly<Record<string, string>>): string[] {
  const rule = RULES.find(candidate => candidate.title === title);
  if (rule === undefined) throw new Error(`no rule is called "${title}"`);
  return checkBy(rule, files);
}

function checkBy(rule: Rule, files: Readonly<Record<string, string>>): string[] {
  return rule.check(repository(files)).map(formatViolation);
}

function repository(files: Readonly<Record<string, string>>): RepositoryFile[] {
  return Object.entries(files).map(([path, text]) => repositoryFile(path, text));
}

describe('blankCommentsAndStrings', () => {
  const cases: [title: string, text: string, blanked: string][] = [
    ['line comment', 'a // b\nc', 'a     \nc'],
    ['block comment', 'a /* b\n c */ d', 'a     \n      d'],
    ['strings', `f('a"', "b'")`, `f('  ', "  ")`],
    ['escaped quote', `'\\'' + x`, `'  ' + x`],
    ['template: the code inside stays', '`a${b}c`', '` ${b} `'],
    ['template in a template', '`a${f(`b${c}`)}d` + e', '` ${f(` ${c}`)} ` + e'],
    ['object in a template', '`${{ a: 1 }.a}b`', '`${{ a: 1 }.a} `'],
    ['regular expression', 'x = /[/"]/.test(y)', 'x = /    /.test(y)'],
    ['division', 'a / b / c', 'a / b / c'],
    ['comment sign in a string', `'//' + a`, `'  ' + a`],
    ['comment without end', 'a /* b', 'a     '],
  ];

  test.each(cases)('%s', (_title, text, blanked) => {
    expect(blankCommentsAndStrings(text)).toBe(blanked);
  });
});

describe('imports', () => {
  const RULE = 'imports keep to the import table';
  const cases: [path: string, text: string, verdict: 'allowed' | RegExp][] = [
    ['state-machine/contract/record.ts', "import { createHash } from 'node:crypto';", 'allowed'],
    ['state-machine/contract/record.ts', "import { Stack } from 'aws-cdk-lib';", /imports aws-cdk-lib/],
    ['state-machine/workflow/claim.ts', "import { KEY } from '../contract/record';", 'allowed'],
    [
      'state-machine/workflow/claim.ts',
      "import { x } from '../../infra/index';",
      /imports \.\.\/\.\.\/infra\/index/,
    ],
    ['functions/charge/handler.ts', "import { x } from './charge';", 'allowed'],
    ['functions/charge/handler.ts', "import { x } from '../other/handler';", /imports \.\.\/other/],
    ['functions/charge/handler.ts', "import { Stack } from 'aws-cdk-lib';", /imports aws-cdk-lib/],
    [
      'infra/workflow.ts',
      "import { x } from '../packages/local/index';",
      /imports \.\.\/packages\/local\/index/,
    ],
    ['infra/app/main.ts', "import { x } from '../index';", 'allowed'],
    ['infra/app/main.ts', "import { x } from '../record-table';", /imports \.\.\/record-table/],
    ['examples/one/app.ts', "import { x } from 'onceflow';", 'allowed'],
    ['examples/one/app.ts', "import { x } from '../../infra/index';", /imports/],
    ['packages/local/asl/parse.ts', "import { x } from '../engine/transition';", /imports/],
    ['packages/local/engine/transition.ts', "import type { Json } from '../json/json';", 'allowed'],
    ['packages/local/engine/transition.ts', "import path from 'node:path';", /imports node:path/],
    ['packages/local/engine/transition.ts', "import { x } from '../runtime/runtime';", /imports/],
    ['packages/local/runtime/runtime.ts', "import { x } from '../engine/transition';", 'allowed'],
    ['packages/local/runtime/runtime.ts', "import { x } from '../services/sqs/queues';", /imports/],
    [
      'packages/local/services/lambda/service.ts',
      "import type { Service } from '../../runtime/service';",
      'allowed',
    ],
    [
      'packages/local/services/lambda/service.ts',
      "import { x } from '../../runtime/service';",
      /only `import type`/,
    ],
    [
      'packages/local/services/lambda/service.ts',
      "import type { X } from '../../runtime/runtime';",
      /imports/,
    ],
    ['packages/local/services/lambda/service.ts', "import { x } from '../local-service';", 'allowed'],
    ['packages/local/services/states/service.ts', "import { x } from '../../runtime/runtime';", 'allowed'],
    ['packages/local/services/states/service.ts', "import { x } from '../sqs/queues';", /imports/],
    ['packages/local/services/lambda/service.ts', "import { x } from '../events/event';", /imports/],
    ['packages/local/services/lambda/service.ts', "import { x } from '../../engine/transition';", /imports/],
    ['packages/local/services/index.ts', "import { x } from './lambda/service';", 'allowed'],
    ['packages/local/api/server.ts', "import { x } from '../services/sqs/queues';", /imports/],
    ['packages/local/assembly/load.ts', "import { x } from '../asl/resource';", 'allowed'],
    ['packages/local/assembly/load.ts', "import { x } from '../engine/transition';", /imports/],
    ['packages/local/index.ts', "import { x } from './load-assembly';", 'allowed'],
    ['packages/local/index.ts', "import { x } from '../../state-machine/contract/record';", /imports/],
    ['packages/local/moon/x.ts', '', /without a row/],
    ['proof/demo/main.ts', "import { x } from '@onceflow/local';", 'allowed'],
    ['proof/demo/main.ts', "import { x } from './report/table';", 'allowed'],
    ['proof/demo/main.ts', "import { x } from '../../packages/local/engine/transition';", /imports/],
    ['proof/demo/main.ts', "import { x } from '../../infra/index';", /imports/],
    ['packages/local/test/x.test.ts', "import { x } from '../engine/transition';", 'allowed'],
  ];

  test.each(cases)('%s: %s', (path, text, verdict) => {
    const expected = verdict === 'allowed' ? [] : [expect.stringMatching(verdict)];

    expect(check(RULE, { [path]: text })).toEqual(expected);
  });

  test('every way to import counts, with its line; comments and strings do not', () => {
    const text = [
      'import {',
      '  a,',
      "} from '../runtime/a';",
      "export { b } from '../runtime/b';",
      "export type * from '../runtime/c';",
      "const d = require('../runtime/d');",
      "const e = import('../runtime/e');",
      "import '../runtime/f';",
      "// import '../runtime/g';",
      'const text = "import \'../runtime/h\'";',
    ].join('\n');

    const lines = check(RULE, { 'packages/local/asl/x.ts': text }).map(line =>
      /:(\d+) imports (\S+);/.exec(line)?.slice(1),
    );

    expect(lines).toEqual([
      ['3', '../runtime/a'],
      ['4', '../runtime/b'],
      ['5', '../runtime/c'],
      ['6', '../runtime/d'],
      ['7', '../runtime/e'],
      ['8', '../runtime/f'],
    ]);
  });
});

describe('import circles', () => {
  const importing = (...specifiers: string[]) =>
    specifiers.map(name => `import { x } from '${name}';`).join('\n');
  const cases: [title: string, files: Readonly<Record<string, string>>, violations: string[]][] = [
    ['one direction', { 'a/x.ts': importing('./y', '../z'), 'a/y.ts': importing('../z'), 'z.ts': '' }, []],
    [
      'two files',
      { 'a/x.ts': importing('../y'), 'y.ts': importing('./a/x') },
      ['a/x.ts:1 is in an import circle: a/x.ts -> y.ts -> a/x.ts (2 files import each other)'],
    ],
    ['itself', { 'x.ts': importing('./x') }, ['x.ts:1 is in an import circle: x.ts -> x.ts']],
    [
      'types only, one of them in a re-export',
      { 'x.ts': "import type { Y } from './y';", 'y.ts': "export type { X } from './x';" },
      ['x.ts:1 is in an import circle: x.ts -> y.ts -> x.ts (2 files import each other)'],
    ],
    [
      'through an index and an import at run time',
      { 'a/index.ts': importing('./x'), 'a/x.ts': "const y = await import('../a');" },
      ['a/index.ts:1 is in an import circle: a/index.ts -> a/x.ts -> a/index.ts (2 files import each other)'],
    ],
    [
      "through a package's name",
      {
        'tsconfig.json': '{ "compilerOptions": { "paths": { "onceflow/client": ["./client/index.ts"] } } }',
        'client/index.ts': importing('../cli/x'),
        'cli/x.ts': importing('onceflow/client'),
      },
      [
        'cli/x.ts:1 is in an import circle: cli/x.ts -> client/index.ts -> cli/x.ts (2 files import each other)',
      ],
    ],
    [
      'two circles, one file between them',
      {
        'a.ts': importing('./b'),
        'b.ts': importing('./a', './c'),
        'c.ts': importing('./d'),
        'd.ts': importing('./e'),
        'e.ts': importing('./d'),
      },
      [
        'd.ts:1 is in an import circle: d.ts -> e.ts -> d.ts (2 files import each other)',
        'a.ts:1 is in an import circle: a.ts -> b.ts -> a.ts (2 files import each other)',
      ],
    ],
    [
      'two ways around: the shorter one is shown, all files count',
      { 'a.ts': importing('./b'), 'b.ts': importing('./c', './a'), 'c.ts': importing('./a') },
      ['a.ts:1 is in an import circle: a.ts -> b.ts -> a.ts (3 files import each other)'],
    ],
  ];

  test.each(cases)('%s', (_title, files, violations) => {
    expect(checkBy(circleRule([]), files)).toEqual(violations);
  });

  test('an excepted circle: passes until it is opened, then leaves the list', () => {
    const rule = circleRule(['x.ts']);

    expect(checkBy(rule, { 'x.ts': importing('./y'), 'y.ts': importing('./x') })).toEqual([]);
    expect(checkBy(rule, { 'x.ts': importing('./y'), 'y.ts': '' })).toEqual([
      'x.ts:1 is in no import circle any more; remove it from the list in rules.ts',
    ]);
  });
});

describe('sizes', () => {
  const lines = (count: number) => 'x;\n'.repeat(count);

  test.each([
    ['packages/local/x.ts', 300, 301],
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
    ].join('\n');

    expect(check('lines stay short', { 'packages/local/x.ts': text })).toEqual([
      'packages/local/x.ts:2 has 121 characters, at most 120',
      'packages/local/x.ts:5 has 123 characters, at most 120',
    ]);
  });

  test.each(['export function f(): void {', 'const f = async () => {', 'function f(', 'if (x) {'])(
    '%s',
    opening => {
      const body = (count: number) => `${opening}\n${'  x;\n'.repeat(count - 2)}}\n`;
      const multiline = opening.endsWith('(')
        ? (count: number) => body(count).replace('(\n', '(\n): void {\n')
        : body;
      const isFunction = !opening.startsWith('if');

      expect(check('functions stay short', { 'packages/local/x.ts': multiline(70) })).toEqual([]);
      expect(check('functions stay short', { 'packages/local/x.ts': multiline(71) })).toHaveLength(
        isFunction ? 1 : 0,
      );
    },
  );
});

describe('docstrings', () => {
  const RULE = 'every export has a docstring';
  const cases: [title: string, text: string, count: number][] = [
    ['none', 'export function f() {}', 1],
    ['one above', '/** What it gives. */\nexport function f() {}', 0],
    ['several lines', '/**\n * What.\n */\nexport const a = 1;', 0],
    ['an ordinary comment', '/* what */\nexport const a = 1;', 1],
    ['a blank line between', '/** What. */\n\nexport const a = 1;', 1],
    ['a note to the linter between', '/** What. */\n// biome-ignore lint: reason\nexport const a = 1;', 0],
    ['overloads', '/** What. */\nexport function f(a: 1): 1;\nexport function f(a: 2): 2;', 0],
    [
      'each kind',
      'export type A = 1;\nexport interface B {}\nexport abstract class C {}\nexport async function d() {}',
      4,
    ],
    ['re-exports and locals', "export { a } from './a';\nexport type { B } from './b';\nconst c = 1;", 0],
  ];

  test.each(cases)('%s', (_title, text, count) => {
    expect(check(RULE, { 'packages/local/x.ts': text })).toHaveLength(count);
    expect(check(RULE, { 'functions/x.ts': text })).toEqual([]);
  });
});

describe('files', () => {
  test.each([
    ['packages/local/utils.ts', 1],
    ['packages/local/helpers/x.ts', 1],
    ['state-machine/common/x.ts', 1],
    ['test/util.test.ts', 1],
    ['packages/local/utilization.ts', 0],
  ])('%s: %i vague names', (path, count) => {
    expect(check('names say what is inside', { [path]: '' })).toHaveLength(count);
  });

  test('source nobody imports: reported, entries are not', () => {
    const files = {
      'packages/local/index.ts': "import { a } from './a';",
      'packages/local/a.ts': '',
      'packages/local/dead.ts': '',
      'functions/charge/handler.ts': '',
      'test/a.test.ts': '',
      'jest.config.js': '',
    };

    expect(check('every source file is used', files)).toEqual([
      expect.stringMatching(/^packages\/local\/dead\.ts:1 /),
    ]);
  });

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
  const alone = `it${'.only'}('x', f);`;
  const cases: [rule: string, path: string, text: string, count: number][] = [
    ['the engine knows no clock', 'packages/local/engine/x.ts', 'const now = Date.now();', 1],
    ['the engine knows no clock', 'packages/local/engine/x.ts', 'setTimeout(f, 1);', 1],
    [
      'the engine knows no clock',
      'packages/local/engine/x.ts',
      '// Date.now() would not do\nconst startDate = 1;',
      0,
    ],
    ['the engine knows no clock', 'packages/local/runtime/x.ts', 'const now = Date.now();', 0],
    ['the engine draws no random numbers', 'packages/local/engine/x.ts', 'Math.random();', 1],
    ['no any', 'packages/local/x.ts', 'const a: any = b as any;', 2],
    ['no any', 'packages/local/x.ts', 'Match.any(); any(); const x = { any: 1 };', 0],
    ['no any', 'test/x.ts', 'const a: any = 1;', 0],
    ['no non-null assertion', 'packages/local/x.ts', 'a!.b; f()!; c[0]!;', 3],
    ['no non-null assertion', 'packages/local/x.ts', 'a != b; a !== b; !c; return !d;', 0],
    ['no printing outside entry points and renderers', 'packages/local/x.ts', 'console.log(1);', 1],
    ['no printing outside entry points and renderers', 'proof/demo/x.ts', 'console.log(1);', 0],
    ['no printing outside entry points and renderers', 'infra/app/main.ts', 'console.log(1);', 0],
    ['no test runs alone', 'test/x.test.ts', alone, 1],
    ['tests are written with test', 'test/x.test.ts', "it('a', () => {}); it.each([])('b', () => {});", 2],
    ['tests are written with test', 'test/x.test.ts', "test('a', () => commit(it).it());", 0],
    ['no leftovers', 'packages/local/x.ts', leftover, 1],
    ['no leftovers', 'docs/x.md', leftover, 1],
    ['no paths of one machine', 'README.md', machinePath, 1],
    [
      'no paths of one machine',
      'README.md',
      `https://example.com${'/ho'}${'me/'}x and a${'/wo'}${'rk/'}b`,
      0,
    ],
  ];

  test.each(cases)('%s: %s %s', (rule, path, text, count) => {
    expect(check(rule, { [path]: text })).toHaveLength(count);
  });

  test('place: the line of the match', () => {
    expect(check('no any', { 'packages/local/x.ts': 'const a = 1;\nconst b: any = a;' })).toEqual([
      'packages/local/x.ts:2 `any` uses the type any; use unknown and narrow it',
    ]);
  });
});
