import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BILL, ENDLESS_KEY, serveWorkflow } from '../cli/workflow-endpoint';
import {
  cleanUp,
  type Ended,
  installAlone,
  newDirectory,
  node,
  packAll,
  projectWith,
  ROOT,
  run,
  start,
} from './project';

/** The goal of the package: what it adds to a project that has the CDK. */
const MEGABYTES_MAX = 5;
const PACKAGES_MAX = 10;
/** The most that `onceflow/client` takes of it. */
const CLIENT_MEGABYTES_MAX = 1;

const CDK = ['aws-cdk-lib', 'constructs'];
const SDK = ['@aws-sdk/client-dynamodb', '@aws-sdk/client-sfn'];
/** What the guide's first page has its reader install beside our packages. */
const FIRST_STACK = [
  'esbuild',
  'tsx',
  'jest',
  '@swc/core',
  '@swc/jest',
  'typescript',
  '@types/node',
  '@types/jest',
];

const CONSTRUCTS = [
  'EventBridgeSource',
  'IdempotentFragment',
  'IdempotentWorkflow',
  'OnFailed',
  'OnInProgress',
];
const COMMAND_LINE = 'node_modules/onceflow/dist/cli.js';
const TSX = require.resolve('tsx');

let tarballs: string;
/** onceflow and nothing else. */
let alone: string;
/** The app of the guide's first page, with all that it installs. */
let firstStack: string;
/** An app with the constructs, the CDK and the SDK. */
let everything: string;

beforeAll(() => {
  tarballs = packAll();
  alone = installAlone(tarballs);
  firstStack = projectWith(tarballs, {
    files: 'docs/guide/first-stack',
    ours: ['onceflow', '@onceflow/local'],
    others: [...CDK, ...FIRST_STACK],
  });
  everything = projectWith(tarballs, {
    files: 'test/package/fixture',
    ours: ['onceflow'],
    others: [...CDK, ...SDK],
  });
}, 120_000);
afterAll(cleanUp);

describe('onceflow, installed alone', () => {
  test('it adds at most ten packages and five megabytes', () => {
    const lock = JSON.parse(readFileSync(path.join(alone, 'node_modules/.package-lock.json'), 'utf8'));

    expect(Object.keys(lock.packages).length).toBeLessThanOrEqual(PACKAGES_MAX);
    expect(megabytesIn(path.join(alone, 'node_modules'))).toBeLessThanOrEqual(MEGABYTES_MAX);
  });

  test('the client takes at most one megabyte of them', () => {
    const dist = path.join(alone, 'node_modules/onceflow/dist');
    const parts = ['client.js', 'types/client', 'types/state-machine/contract'];

    const megabytes = parts.reduce((sum, part) => sum + megabytesIn(path.join(dist, part)), 0);

    expect(megabytes).toBeLessThanOrEqual(CLIENT_MEGABYTES_MAX);
  });

  test('no source map, and no test', () => {
    const files = readdirSync(path.join(alone, 'node_modules/onceflow'), {
      recursive: true,
      encoding: 'utf8',
    });

    expect(files.filter(file => /\.map$|\.test\./.test(file))).toEqual([]);
  });

  test.each([
    ['onceflow', 'onceflow needs aws-cdk-lib and constructs: npm install aws-cdk-lib@2 constructs@10'],
    [
      'onceflow/client',
      'onceflow/client needs @aws-sdk/client-dynamodb and @aws-sdk/client-sfn: ' +
        'npm install @aws-sdk/client-dynamodb@3 @aws-sdk/client-sfn@3',
    ],
  ])('%s without its peers: an error that says what to install', async (entry, message) => {
    const required = await node(
      alone,
      '-e',
      `try { require('${entry}') } catch ({ message }) { console.log(message) }`,
    );
    const imported = await node(
      alone,
      '-e',
      `import('${entry}').catch(({ message }) => console.log(message))`,
    );

    expect([required.stdout, imported.stdout]).toEqual([`${message}\n`, `${message}\n`]);
  });

  test('onceflow/contract: needs nothing', async () => {
    const { stdout } = await node(alone, '-p', `require('onceflow/contract').ERROR.invalidEvent`);

    expect(stdout).toBe('Idempotency.InvalidEvent\n');
  });

  test('onceflow dev: says what to install, exit code 2', async () => {
    expect(await node(alone, COMMAND_LINE, 'dev', '--assembly', 'cdk.out')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'onceflow dev: it needs @onceflow/local; install @onceflow/local from its tarball, which `npm pack --workspaces` writes in a clone of onceflow\nSee onceflow dev --help\n',
    });
  });

  test('npx onceflow show, with nothing at the endpoint: a clear error, exit code 1', async () => {
    const args = ['--no-install', 'onceflow', 'show', 'order-1', '--endpoint', 'http://127.0.0.1:1'];

    const { code, stderr } = await run('npx', alone, args);

    expect(stderr).toContain('onceflow: ListStateMachines got no answer from 127.0.0.1:1 (ECONNREFUSED)');
    expect(code).toBe(1);
  });

  test('onceflow start: the key of the input is evaluated beside the program, and Ctrl-C ends it', async () => {
    const [plain, endless] = [await serveWorkflow('$states.input.id'), await serveWorkflow(ENDLESS_KEY)];
    const input = path.join(newDirectory(), 'input.json');
    writeFileSync(input, '{"id":"order-1"}');
    const args = [COMMAND_LINE, 'start', 'order-2', '--state-machine', BILL, '--input', input, '--endpoint'];

    const rejected = await node(alone, ...args, plain.url);
    const evaluating = start(process.execPath, alone, [...args, endless.url]);
    await delay(2000);
    evaluating.end('SIGINT');

    expect(rejected.stderr).toMatch(
      /^onceflow: nothing was started, because the input belongs to order-1, not to order-2: Bill reads/,
    );
    expect(await evaluating.ended).toBe(130);
    plain.close();
    endless.close();
  });

  test('onceflow show with a profile that takes its credentials from a role: the providers are in the bundle', async () => {
    const config = path.join(newDirectory(), 'config');
    writeFileSync(
      config,
      '[profile sso]\nsso_start_url = https://x.invalid\nsso_region = eu-west-1\nregion = eu-west-1\nsso_account_id = 1\nsso_role_name = r\n',
    );

    const env = { AWS_CONFIG_FILE: config, AWS_PROFILE: 'sso', AWS_SHARED_CREDENTIALS_FILE: config };
    const { code, stderr } = await run(process.execPath, alone, [COMMAND_LINE, 'show', 'order-1'], env);

    expect(stderr).toContain('aws sso login');
    expect(code).toBe(1);
  });
});

// The gate runs this suite on each release of Node.js that is recommended.
describe('this Node.js', () => {
  const evaluate = (...args: string[]): Promise<Ended> => node(everything, ...args);

  test('CommonJS: all entries have their names', async () => {
    const names = `[Object.keys(require('onceflow')), typeof require('onceflow/client').startOnce]`;

    const { stdout, stderr } = await evaluate('-p', `JSON.stringify(${names})`);

    expect(stderr).not.toContain('Error');
    expect(JSON.parse(stdout)).toEqual([expect.arrayContaining(CONSTRUCTS), 'function']);
  });

  test('an ES module: imports them by name', async () => {
    const file = path.join(everything, 'names.mjs');
    writeFileSync(
      file,
      `import { ${CONSTRUCTS.join(', ')} } from 'onceflow';
       import { startOnce } from 'onceflow/client';
       import { ERROR } from 'onceflow/contract';
       console.log([${CONSTRUCTS.join(', ')}, startOnce].every(Boolean), ERROR.invalidEvent);`,
    );

    expect(await evaluate(file)).toMatchObject({ code: 0, stdout: 'true Idempotency.InvalidEvent\n' });
  });

  test('an expression that may take long: evaluated by the program that stands beside the runtime', async () => {
    const file = path.join(firstStack, 'regular-expression.cjs');
    const definition = {
      QueryLanguage: 'JSONata',
      StartAt: 'P',
      States: { P: { Type: 'Pass', Output: '{% $match("aab", /a+/).match %}', End: true } },
    };
    writeFileSync(
      file,
      `const { App, Stack } = require('aws-cdk-lib');
       const { startLocal } = require('@onceflow/local');
       (async () => {
         const app = new App({ outdir: ${JSON.stringify(newDirectory())} });
         new Stack(app, 'Main');
         const stack = await startLocal({ assembly: app.synth().directory });
         const { arn } = stack.runtime.register(${JSON.stringify(JSON.stringify(definition))}, { name: 'm' });
         const { executionArn } = await stack.runtime.startExecution({ stateMachineArn: arn });
         await stack.runtime.whenEnded(executionArn);
         console.log((await stack.runtime.describeExecution({ executionArn })).output);
         await stack.close();
       })();`,
    );

    expect(await node(firstStack, file)).toMatchObject({ code: 0, stdout: '"aa"\n' });
  });

  test('the first stack: synthesizes, and its test passes on the local runtime', async () => {
    const jest = path.join(firstStack, 'node_modules/jest/bin/jest.js');
    const { code, stderr } = await node(firstStack, jest, '--no-cache');

    expect(stderr).toMatch(/Tests: +\d+ passed, \d+ total/);
    expect(code).toBe(0);
  }, 240_000);
});

describe('@onceflow/local for tests', () => {
  const DOUBLE_CHARGE = `
    const Arguments = { TopicArn: 'charges', Message: 'charge' };
    const definition = {
      QueryLanguage: 'JSONata',
      StartAt: 'Charge',
      States: { Charge: { Type: 'Task', Resource: 'arn:aws:states:::sns:publish', Arguments, End: true } },
    };
    const invariant = ({ effects }) => effects.length <= 1 || 'charged twice';
    console.log(explore({ definition, inputs: [{}], invariant }).violation.message, typeof stackSteps);`;

  test.each([
    [
      'CommonJS',
      'explore.cjs',
      `const { explore } = require('@onceflow/local/explore');
       const { stackSteps } = require('@onceflow/local/gherkin');`,
    ],
    [
      'an ES module',
      'explore.mjs',
      `import { explore } from '@onceflow/local/explore';
       import { stackSteps } from '@onceflow/local/gherkin';`,
    ],
  ])('%s: explores a definition, and has the steps', async (_kind, name, imports) => {
    writeFileSync(path.join(firstStack, name), imports + DOUBLE_CHARGE);

    expect(await node(firstStack, name)).toMatchObject({ code: 0, stdout: 'charged twice function\n' });
  });

  // Vitest is not installed here: `ONCEFLOW_VITEST` names where it is.
  const vitest = process.env['ONCEFLOW_VITEST'];
  (vitest === undefined ? test.skip : test)(
    'Vitest: the tests of the first stack pass as they are',
    async () => {
      const program = path.join(vitest ?? '', 'vitest.mjs');
      const args = ['run', '--globals', '--root', firstStack, '--dir', path.join(firstStack, 'test')];
      const { code, stdout, stderr } = await node(firstStack, program, ...args, '--testTimeout', '60000');

      expect(`${stdout}${stderr}`).toMatch(/Tests +\d+ passed \(\d+\)/);
      expect(code).toBe(0);
    },
    120_000,
  );
});

describe('onceflow template', () => {
  const key = ['template', '--key', '{% $states.input.paymentId %}', '--source', 'queue'];

  test('beside the CDK: a template with the functions of the package', async () => {
    const { code, stdout } = await node(everything, COMMAND_LINE, ...key);

    const { Resources } = JSON.parse(stdout) as {
      Resources: Record<string, { Type: string; Properties: unknown }>;
    };
    const functions = Object.values(Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
    expect(code).toBe(0);
    expect(functions).toHaveLength(3);
    expect(JSON.stringify(functions)).not.toContain('S3Key');
  }, 60_000);

  test('without the CDK: says how to get it', async () => {
    const { code, stderr } = await node(alone, COMMAND_LINE, ...key);

    expect(code).toBe(2);
    expect(stderr).toContain('template needs aws-cdk-lib and constructs, which are not installed');
    expect(stderr).toContain('-p aws-cdk-lib@2 -p constructs@10');
  });
});

describe('what is deployed', () => {
  async function synthesized(directory: string, app: string): Promise<unknown> {
    const output = newDirectory();
    const { code, stderr } = await run(process.execPath, directory, ['--import', TSX, app], {
      CDK_OUTDIR: output,
    });
    if (code !== 0) throw new Error(stderr);
    expect(readdirSync(output).filter(name => name.startsWith('asset.'))).toEqual([]);
    return JSON.parse(readFileSync(path.join(output, 'Everything.template.json'), 'utf8'));
  }

  test('by the package: the template of a clone, functions included, and no asset', async () => {
    const [packaged, cloned] = await Promise.all([
      synthesized(everything, 'app.ts'),
      synthesized(ROOT, 'test/package/fixture/app.ts'),
    ]);

    expect(packaged).toEqual(cloned);
  }, 60_000);
});

describe('the first stack of the guide', () => {
  test('TypeScript, with the settings of the guide: no error', async () => {
    const { code, stdout } = await node(firstStack, 'node_modules/typescript/bin/tsc');

    expect(stdout).toBe('');
    expect(code).toBe(0);
  }, 60_000);

  test('TypeScript, with the libraries checked: no error, in CommonJS and in ES modules', async () => {
    const compilerOptions = {
      target: 'ES2022',
      module: 'NodeNext',
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: ['node', 'jest'],
    };
    writeFileSync(
      path.join(firstStack, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, exclude: ['cdk.out'] }),
    );
    const imports = [
      `import { startLocal, startTestStack } from '@onceflow/local';`,
      `import { explore } from '@onceflow/local/explore';`,
      `import { stackSteps } from '@onceflow/local/gherkin';`,
      `import { IdempotentWorkflow } from 'onceflow';`,
      `import { startOnce } from 'onceflow/client';`,
      `import { ERROR } from 'onceflow/contract';`,
      'export const all = [startLocal, startTestStack, explore, stackSteps] as const;',
      'export const ours = [IdempotentWorkflow, startOnce, ERROR] as const;',
    ];
    writeFileSync(path.join(firstStack, 'module.mts'), imports.join('\n'));

    const { code, stdout } = await node(firstStack, 'node_modules/typescript/bin/tsc');

    expect(stdout).toBe('');
    expect(code).toBe(0);
  }, 120_000);

  test('onceflow dev --json: synthesizes it with its own command, and answers', async () => {
    const stack = start(process.execPath, firstStack, [COMMAND_LINE, 'dev', '--json', '--port', '0']);
    const { endpoint, stateMachines } = JSON.parse(await stack.firstLine);

    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'AWSStepFunctions.ListStateMachines',
      },
      body: '{}',
    });

    expect(((await response.json()) as { stateMachines: unknown[] }).stateMachines).toHaveLength(
      stateMachines.length,
    );
    stack.end('SIGINT');
    expect(await stack.ended).toBe(0);
  }, 60_000);
});

function megabytesIn(entry: string): number {
  const files = statSync(entry).isDirectory()
    ? readdirSync(entry, { recursive: true, encoding: 'utf8' }).map(name => path.join(entry, name))
    : [entry];
  return files.reduce((bytes, file) => bytes + statSync(file).size, 0) / 1e6;
}
