import { closeAll, errorPayload, runFiles } from './fixture';

afterEach(closeAll);

const COMMON = `exports.handler = async () => 'common';`;
const MODULE = `export const handler = async () => 'module';`;

const FOUND: readonly [title: string, files: Record<string, string>, handler: string, payload: string][] = [
  ['index.js', { 'index.js': COMMON }, 'index.handler', 'common'],
  ['index.cjs', { 'index.cjs': COMMON }, 'index.handler', 'common'],
  ['index.mjs', { 'index.mjs': MODULE }, 'index.handler', 'module'],
  ['index.js before index.mjs', { 'index.js': COMMON, 'index.mjs': MODULE }, 'index.handler', 'common'],
  [
    'index.js of an ES module package',
    { 'index.js': MODULE, 'package.json': '{"type":"module"}' },
    'index.handler',
    'module',
  ],
  ['file in a folder', { 'a/b/index.js': COMMON }, 'a/b/index.handler', 'common'],
  ['nested export', { 'index.js': `exports.a = { b: async () => 'nested' }` }, 'index.a.b', 'nested'],
  [
    'top-level await',
    { 'index.mjs': `const v = await Promise.resolve('late'); export const handler = async () => v;` },
    'index.handler',
    'late',
  ],
  [
    'module of its own node_modules',
    {
      'index.js': `exports.handler = async () => require('dep')`,
      'node_modules/dep/index.js': `module.exports = 'dep'`,
    },
    'index.handler',
    'dep',
  ],
];

describe('loading a handler', () => {
  test.each(FOUND)('%s: found', async (_title, files, handler, payload) => {
    expect(await runFiles(files, { handler }).call()).toEqual({ kind: 'succeeded', payload });
  });

  test('asset inside a project of type module: its index.js is CommonJS all the same', async () => {
    const files = { 'package.json': '{"type":"module"}', 'cdk.out/asset.1/index.js': COMMON };
    const { functions } = runFiles(files);
    const outer = functions.find('fn')?.directory ?? '';
    const { call } = runFiles({}, { directory: `${outer}/cdk.out/asset.1` });

    expect(await call()).toEqual({ kind: 'succeeded', payload: 'common' });
  });

  test('AWS SDK left out of the bundle: provided by the runtime', async () => {
    const { call } = runFiles({
      'index.js': `
        const { DynamoDBClient } = require('@aws-sdk/client-dynamodb');
        exports.handler = async () => new DynamoDBClient({}).config.region();`,
    });

    expect(await call()).toEqual({ kind: 'succeeded', payload: 'eu-west-1' });
  });
});

const MISSING: readonly [
  title: string,
  files: Record<string, string>,
  handler: string,
  type: string,
  text: RegExp,
][] = [
  ['no file', {}, 'index.handler', 'Runtime.ImportModuleError', /^Error: Cannot find module 'index'/],
  [
    'a missing dependency',
    { 'index.js': `require('not-there')` },
    'index.handler',
    'Runtime.ImportModuleError',
    /^Error: Cannot find module 'not-there'/,
  ],
  [
    'no export',
    { 'index.js': COMMON },
    'index.main',
    'Runtime.HandlerNotFound',
    /^index\.main is undefined or not exported$/,
  ],
  [
    'an export that is no function',
    { 'index.js': 'exports.handler = 5' },
    'index.handler',
    'Runtime.HandlerNotFound',
    /^index\.handler is not a function$/,
  ],
  ['no dot', { 'index.js': COMMON }, 'index', 'Runtime.MalformedHandlerName', /^Bad handler$/],
  [
    'a path upwards',
    { 'index.js': COMMON },
    '../index.handler',
    'Runtime.MalformedHandlerName',
    /^'\.\.\/index\.handler' is not a valid handler name/,
  ],
  [
    'a syntax error',
    { 'index.js': 'exports.handler = (' },
    'index.handler',
    'Runtime.UserCodeSyntaxError',
    /^SyntaxError: /,
  ],
  [
    'an error while loading',
    { 'index.js': 'throw new RangeError("init")' },
    'index.handler',
    'RangeError',
    /^init$/,
  ],
  [
    'an exit while loading',
    { 'index.js': 'process.exit(2)' },
    'index.handler',
    'Runtime.ExitError',
    /exit status 2$/,
  ],
  [
    'a rejection while loading',
    {
      'index.js': `Promise.reject(new Error('r')); ${COMMON}`,
    },
    'index.handler',
    'Runtime.UnhandledPromiseRejection',
    /^Error: r$/,
  ],
];

describe('a handler that cannot be loaded', () => {
  test.each(MISSING)('%s: reported', async (_title, files, handler, errorType, message) => {
    const outcome = await runFiles(files, { handler }).call();

    expect(outcome).toMatchObject({ kind: 'functionError', errorType });
    expect(errorPayload(outcome).errorMessage).toMatch(message);
  });

  test('loading failed: the next event loads again', async () => {
    const { call } = runFiles({
      'index.js': `
        const fs = require('node:fs');
        const mark = __dirname + '/mark';
        if (!fs.existsSync(mark)) { fs.writeFileSync(mark, ''); throw new Error('first time'); }
        exports.handler = async () => 'second time';`,
    });

    expect(errorPayload(await call()).errorMessage).toBe('first time');
    expect(await call()).toEqual({ kind: 'succeeded', payload: 'second time' });
  });
});
