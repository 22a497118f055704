/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test', '<rootDir>/docs', '<rootDir>/examples', '<rootDir>/packages/local/test'],
  testMatch: ['**/*.test.ts'],
  // The examples import the package by its name, as its users do; these are the entries of package.json's exports.
  moduleNameMapper: {
    '^onceflow$': '<rootDir>/infra/index.ts',
    '^onceflow/contract$': '<rootDir>/state-machine/contract/index.ts',
    '^onceflow/client$': '<rootDir>/client/index.ts',
    '^@onceflow/local$': '<rootDir>/packages/local/index.ts',
  },
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022' } }] },
  // On a busy machine the synthesis and bundling of a file's first world can take longer than the default of 5 s; a
  // hook that is given up leaves a stack open, and one process with all tests would then never end.
  testTimeout: 30_000,
  setupFiles: ['<rootDir>/test/support/environment.ts'],
  setupFilesAfterEnv: ['aws-cdk-lib/testhelpers/jest-autoclean'],
};
