import type { JsonObject } from '../../json/json';
import { ROLE } from './test-endpoint';
import { CHARGE, openTestState, RESULT, type TestRequest, type TestStateWorld } from './test-state-world';

let world: TestStateWorld;
beforeAll(async () => {
  // A rejected call never runs.
  world = await openTestState(
    new Map([['lambda:invoke', { call: () => Promise.reject(new Error('called')) }]]),
  );
});
afterAll(() => world.close());

describe('a request that TestState rejects', () => {
  const PASS = { Type: 'Pass', End: true };
  const MAP = { Type: 'Map', ItemProcessor: { StartAt: 'A', States: { A: PASS } }, End: true };
  const job = 'arn:aws:states:::ecs:runTask.sync';

  test.each<[string, JsonObject, TestRequest, string, string]>([
    [
      'a Task without a role',
      CHARGE,
      {},
      'ValidationException',
      'RoleArn must be specified when testing a Task',
    ],
    ['a Map without a mock', MAP, {}, 'InvalidDefinition', 'does not support Map or Parallel states'],
    [
      'a job without a mock',
      { Type: 'Task', Resource: job, Arguments: {}, End: true },
      { roleArn: ROLE },
      'InvalidDefinition',
      "does not support '.sync' or '.waitForTaskToken'",
    ],
    [
      'a service that is not there, without a mock',
      { Type: 'Task', Resource: 'arn:aws:states:::batch:submitJob', Arguments: {}, End: true },
      { roleArn: ROLE },
      'InvalidDefinition',
      'NOT_SUPPORTED_LOCALLY: Resource arn:aws:states:::batch:submitJob is not supported',
    ],
    ['a mock of nothing', CHARGE, { mock: {} }, 'ValidationException', 'one of the following fields'],
    [
      'an error without a name',
      CHARGE,
      { mock: { errorOutput: { cause: 'c' } } },
      'ValidationException',
      'An error was not specified',
    ],
    [
      'secrets with a mock',
      CHARGE,
      { mock: RESULT, revealSecrets: true },
      'ValidationException',
      'does not support RevealSecrets when a mock is specified',
    ],
    [
      'a context object without a mock',
      PASS,
      { context: {} },
      'ValidationException',
      'does not support Context',
    ],
    [
      'retries without a mock',
      PASS,
      { stateConfiguration: { retrierRetryCount: 1 } },
      'ValidationException',
      'does not support RetrierRetryCount when a mock is not specified',
    ],
    ['variables that are no object', PASS, { variables: [] }, 'ValidationException', 'Variables must be'],
    [
      'a state that is not there',
      { StartAt: 'A', States: { A: PASS } },
      { stateName: 'B' },
      'ValidationException',
      'State not found in definition',
    ],
    [
      'an error of a state that is not there',
      CHARGE,
      { mock: { errorOutput: { error: 'E' } }, stateConfiguration: { errorCausedByState: 'B' } },
      'ValidationException',
      'State not found in definition',
    ],
    [
      'a role that is too long',
      PASS,
      { roleArn: 'r'.repeat(257) },
      'ValidationException',
      "at 'roleArn' failed to satisfy constraint: Member must have length less than or equal to 256",
    ],
  ])('%s', async (_what, state, request, name, message) => {
    await expect(world.tested(state, request)).rejects.toMatchObject({
      name,
      message: expect.stringContaining(message),
    });
  });

  test('input that is not JSON', async () => {
    const request = { definition: JSON.stringify(PASS), input: '{' };

    await expect(world.sfn.testState(request)).rejects.toMatchObject({ name: 'InvalidExecutionInput' });
  });
});
