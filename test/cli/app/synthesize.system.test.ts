import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Project } from '../../../cli/app/project';
import { errorIn, lookupsMissing, synthesize } from '../../../cli/app/synthesize';

const MANIFEST = 'process.env.CDK_OUTDIR + "/manifest.json"';

let output: string;
beforeEach(() => {
  output = mkdtempSync(path.join(tmpdir(), 'onceflow-synthesize-'));
});
afterEach(() => rmSync(output, { recursive: true }));

/** An app of these scripts, each run by a command of its own. */
function appOf(...scripts: readonly string[]): Project {
  return {
    directory: output,
    commands: scripts.map(script => `"${process.execPath}" -e '${script}'`),
    context: { flag: true, 'aws:cdk:enable-asset-metadata': false },
    watched: { include: [], exclude: [] },
  };
}

const manifest = () => JSON.parse(readFileSync(path.join(output, 'manifest.json'), 'utf8'));

describe('synthesizing an app', () => {
  test('its command gets the context as the CDK hands it over, the own before the usual', async () => {
    const app = appOf(`fs.writeFileSync(${MANIFEST}, process.env.CDK_CONTEXT_JSON)`);

    expect(await synthesize(app, output)).toBeUndefined();
    expect(manifest()).toEqual({
      flag: true,
      'aws:cdk:enable-path-metadata': true,
      'aws:cdk:enable-asset-metadata': false,
    });
  });

  test('several commands: in their order', async () => {
    const app = appOf('fs.writeFileSync("built", "{}")', `fs.copyFileSync("built", ${MANIFEST})`);

    expect(await synthesize(app, output)).toBeUndefined();
    expect(manifest()).toEqual({});
  });

  test('a command that fails: what it printed, and none after it', async () => {
    const app = appOf(
      'console.log("one"); console.error("two"); process.exit(7)',
      `fs.writeFileSync(${MANIFEST}, "{}")`,
    );

    const problem = await synthesize(app, output);

    expect(problem).toMatch(/ended with exit code 7:\n/);
    expect(problem?.split('\n').slice(1).sort()).toEqual(['one', 'two']);
    expect(manifest).toThrow('no such file');
  });

  test('a command that fails and prints nothing: says so', async () => {
    const problem = await synthesize(appOf('process.exit(7)'), output);

    expect(problem).toMatch(/ended with exit code 7, and printed nothing$/);
  });

  test('a command that throws: its message and its place, no stack trace', async () => {
    writeFileSync(
      path.join(output, 'app.cjs'),
      'console.log("before");\nthrow new Error("`payload` is wrong");\n',
    );
    const app = { ...appOf(), commands: [`"${process.execPath}" app.cjs`] };

    const problem = await synthesize(app, output);

    expect(problem?.split('\n').slice(1)).toEqual(['Error: `payload` is wrong', '  at app.cjs:2']);
  });

  test('no cloud assembly in the end: says so', async () => {
    expect(await synthesize(appOf('0'), output)).toMatch(/wrote no cloud assembly\. It must create an App/);
  });

  test('aborted: ends the command and what it has started', async () => {
    const ended = new AbortController();
    const synthesizing = synthesize(appOf('setTimeout(() => 0, 60_000)'), output, ended.signal);
    ended.abort();

    expect(await synthesizing).toMatch(/ended with exit code null/);
  });

  test.each([
    ['none', '{}', []],
    [
      'several',
      '{"missing":[{"provider":"vpc-provider"},{"provider":"ami"},{"provider":"ami"}]}',
      ['vpc-provider', 'ami'],
    ],
  ])('lookups that it misses, %s: by their kinds', async (_case, content, kinds) => {
    await synthesize(appOf(`fs.writeFileSync(${MANIFEST}, ${JSON.stringify(content)})`), output);

    expect(lookupsMissing(output)).toEqual(kinds);
  });
});

describe('the error in what an app has printed', () => {
  const FRAMES = [
    '    at checked (/app/node_modules/onceflow/dist/index.js:1:2)',
    '    at new PaymentsStack (/app/stack.ts:20:22)',
    '    at file:///app/app.ts:4:1',
    '    at Module._compile (node:internal/modules/cjs/loader:1554:14)',
  ];

  test.each([
    [
      'a message of several lines',
      ['Error: one', 'two', ...FRAMES, '', 'Node.js v22.1.0'],
      'Error: one\ntwo\n  at stack.ts:20',
    ],
    [
      'the code that threw',
      [
        'bundling',
        '/app/node_modules/onceflow/dist/index.js:1',
        '  throw new Error(x);',
        '  ^',
        '',
        'Error: one',
        ...FRAMES,
      ],
      'Error: one\n  at stack.ts:20',
    ],
    ['nothing of the app', ['Error: one', FRAMES[0] ?? ''], 'Error: one'],
    ['a module', ['Error: one', FRAMES[2] ?? ''], 'Error: one\n  at app.ts:4'],
    ['no stack trace', ['error TS1005', '  at least'], 'error TS1005\n  at least'],
    ['nothing but a stack trace', FRAMES, FRAMES.join('\n').trim()],
  ])('%s', (_case, lines, expected) => {
    expect(errorIn(`${lines.join('\n')}\n`, '/app')).toBe(expected);
  });
});
