/**
 * Five projects, told apart by where a suite stands or how its file is called:
 *
 * - `system`, `*.system.test.ts`: starts programs, as a user does, or packs the package.
 * - `proof`, `test/proof/`: the programs that prove the workflow, run in the test's own process.
 * - `scenarios`, `*.scenario.test.ts`, `test/scenarios/`, `examples/`, `docs/`: an app on the local runtime; and the
 *   suites of that stack, of its executions and functions.
 * - `constructs`, `test/infra/`: apps, synthesized.
 * - `unit`: all the others. `npm run check` and `npm run watch` run these alone.
 *
 * `npm test` leaves out `system` and `proof`, which take as long as all others; `npm run test:all` has them.
 *
 * How much the long ones do is for `test/support/scale.ts` to say.
 */
const SYSTEM = '\\.system\\.test\\.ts$';
const SCENARIO = '\\.scenario\\.test\\.ts$';
const APPS = [
  '<rootDir>/examples/',
  '<rootDir>/docs/',
  '<rootDir>/test/scenarios/',
  '<rootDir>/packages/local/test/stack/',
  '<rootDir>/packages/local/test/runtime/',
  '<rootDir>/packages/local/test/services/lambda/',
];
const CONSTRUCTS = '<rootDir>/test/infra/';
const PROOF = '<rootDir>/test/proof/';

/** @type {import('jest').Config} */
const shared = {
  testEnvironment: '<rootDir>/test/support/jest-environment.js',
  roots: [
    '<rootDir>/test',
    '<rootDir>/examples',
    '<rootDir>/docs',
    '<rootDir>/packages/console/test',
    '<rootDir>/packages/local/test',
  ],
  moduleNameMapper: {
    '^esbuild$': '<rootDir>/test/support/esbuild.js',
    // The threads and processes that a suite starts load their sources by this.
    '^tsx/cjs$': '<rootDir>/test/support/typescript.js',
    // The examples import the package by its name, as its users do; these are the entries of package.json's exports.
    '^onceflow$': '<rootDir>/infra/index.ts',
    '^onceflow/contract$': '<rootDir>/state-machine/contract/index.ts',
    '^onceflow/client$': '<rootDir>/client/index.ts',
    '^@onceflow/console$': '<rootDir>/packages/console/index.ts',
    '^@onceflow/local$': '<rootDir>/packages/local/index.ts',
    '^@onceflow/local/explore$': '<rootDir>/packages/local/explore/explore.ts',
    '^@onceflow/local/gherkin$': '<rootDir>/packages/local/testing/gherkin.ts',
  },
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022' } }] },
  setupFiles: ['<rootDir>/test/support/environment.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/support/synthesis.ts'],
};

/** @type {import('jest').Config} */
module.exports = {
  // On a busy machine the synthesis and bundling of a file's first world can take longer than the default of 5 s. A
  // hook that times out leaves a stack open, and one process with all tests would then never end. Jest reads it here
  // alone, not in a project.
  testTimeout: 30_000,
  // By default jest leaves one core idle; of two that is half the machine.
  maxWorkers: '100%',
  // What suites leave behind adds up, and collecting it takes longer than starting anew.
  workerIdleMemoryLimit: '1GB',
  globalSetup: '<rootDir>/test/support/run-directory.js',
  reporters: ['default', '<rootDir>/test/support/slowest.js'],
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: [SYSTEM, SCENARIO, PROOF, CONSTRUCTS, ...APPS],
    },
    {
      ...shared,
      displayName: 'constructs',
      testMatch: [`${CONSTRUCTS}**/*.test.ts`],
      testPathIgnorePatterns: [SYSTEM, SCENARIO],
    },
    {
      ...shared,
      displayName: 'scenarios',
      testMatch: [...APPS.map(folder => `${folder}**/*.test.ts`), '**/*.scenario.test.ts'],
      testPathIgnorePatterns: [SYSTEM],
    },
    {
      ...shared,
      displayName: 'proof',
      testMatch: [`${PROOF}**/*.test.ts`],
      testPathIgnorePatterns: [SYSTEM, SCENARIO],
    },
    { ...shared, displayName: 'system', testMatch: ['**/*.system.test.ts'] },
  ],
};
