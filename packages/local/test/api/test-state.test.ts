import { SFN, type TestStateCommandInput } from '@aws-sdk/client-sfn';
import type { Json, JsonObject } from '../../json/json';
import { advanceBy } from '../../runtime/drive';
import type { Service } from '../../runtime/service';
import { type ApiWorld, openApi, ROLE, START } from './test-endpoint';

const asked: Json[] = [];

const services: ReadonlyMap<string, Service> = new Map<string, Service>([
  [
    'lambda:invoke',
    {
      async call({ arguments: given }) {
        asked.push(given);
        return { kind: 'succeeded', output: { Payload: { total: 3 } } };
      },
    },
  ],
  ['sqs:sendMessage', { call: async () => ({ kind: 'failed', error: 'SQS.Gone', cause: 'no such queue' }) }],
  ['dynamodb:getItem', { call: () => world.runtime.activity.lose() }],
]);

let world: ApiWorld;
let sfn: SFN;

beforeAll(async () => {
  world = await openApi({ services });
  const credentials = { accessKeyId: 'x', secretAccessKey: 'y' };
  sfn = new SFN({ endpoint: world.api.endpoint, region: 'us-east-1', credentials, disableHostPrefix: true });
});

afterAll(async () => {
  sfn.destroy();
  await world.close();
});

type Request = Omit<TestStateCommandInput, 'definition' | 'input' | 'variables' | 'context'> & {
  readonly input?: Json;
  readonly variables?: Json;
  readonly context?: Json;
};

/** Tests a state in JSONata; data is given and answered as values. */
async function tested(state: JsonObject, request: Request = {}) {
  const { input, variables, context, ...others } = request;
  const { $metadata: _, ...answer } = await sfn.testState({
    definition: JSON.stringify({ ...('States' in state ? {} : { QueryLanguage: 'JSONata' }), ...state }),
    ...(input !== undefined && { input: JSON.stringify(input) }),
    ...(variables !== undefined && { variables: JSON.stringify(variables) }),
    ...(context !== undefined && { context: JSON.stringify(context) }),
    ...others,
  });
  return answer;
}

const CHARGE: JsonObject = {
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Arguments: { FunctionName: 'charge', Payload: { amount: '{% $states.input.amount %}' } },
  Output: { charged: '{% $states.result.Payload.total %}' },
  Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 2, MaxAttempts: 2, BackoffRate: 3 }],
  Catch: [
    { ErrorEquals: ['Declined'], Next: 'Refuse', Output: '{% $states.errorOutput.Cause %}' },
    { ErrorEquals: ['States.ALL'], Next: 'Apologize' },
  ],
  Next: 'Ship',
};

const RESULT = { result: JSON.stringify({ Payload: { total: 7 } }) };

describe('TestState with a mocked result', () => {
  test('INFO: where the state leads and with which output', async () => {
    expect(await tested(CHARGE, { input: { amount: 7 }, mock: RESULT })).toEqual({
      status: 'SUCCEEDED',
      nextState: 'Ship',
      output: '{"charged":7}',
    });
  });

  test('DEBUG: what the state made of its data as well', async () => {
    const { inspectionData } = await tested(CHARGE, {
      input: { amount: 7 },
      mock: RESULT,
      inspectionLevel: 'DEBUG',
    });

    expect(inspectionData).toEqual({
      input: '{"amount":7}',
      afterArguments: '{"FunctionName":"charge","Payload":{"amount":7}}',
      result: '{"Payload":{"total":7}}',
    });
  });

  test('of a service that is not there: the mock stands for it', async () => {
    const state = {
      Type: 'Task',
      Resource: 'arn:aws:states:::bedrock:invokeModel',
      Arguments: {},
      End: true,
    };

    expect(await tested(state, { mock: { result: '{"Body":"hello"}' } })).toEqual({
      status: 'SUCCEEDED',
      output: '{"Body":"hello"}',
    });
  });

  test('of a callback: the result of its token, with the token in the context object', async () => {
    const state = {
      Type: 'Task',
      Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
      Arguments: { QueueUrl: 'q', MessageBody: { token: '{% $states.context.Task.Token %}' } },
      End: true,
    };
    const context = { Task: { Token: 'token-1' } };
    const mock = { result: '{"MessageId":1}' };

    const answer = await tested(state, { context, mock, inspectionLevel: 'TRACE' });

    expect(answer).toMatchObject({ status: 'SUCCEEDED', output: '{"MessageId":1}' });
    expect(answer.inspectionData?.afterArguments).toContain('"token":"token-1"');
  });

  test('of an activity: no worker is asked', async () => {
    const Resource = 'arn:aws:states:us-east-1:111111111111:activity:approve';
    const state = { Type: 'Task', Resource, Next: 'Ship' };

    expect(await tested(state, { mock: { result: '"yes"' } })).toEqual({
      status: 'SUCCEEDED',
      output: '"yes"',
      nextState: 'Ship',
    });
  });

  test('of a Parallel: the outputs of its branches, none of which is run', async () => {
    const branch = { StartAt: 'No', States: { No: { Type: 'Fail' } } };
    const other = { StartAt: 'Nor', States: { Nor: { Type: 'Fail' } } };
    const state = {
      Type: 'Parallel',
      Branches: [branch, other],
      Output: '{% $sum($states.result) %}',
      Next: 'N',
    };

    expect(await tested(state, { mock: { result: '[1, 2]' } })).toEqual({
      status: 'SUCCEEDED',
      output: '3',
      nextState: 'N',
    });
  });
});

describe('TestState with a mocked error', () => {
  const failing = (error: string, retrierRetryCount?: number) =>
    tested(CHARGE, {
      input: { amount: 7 },
      mock: { errorOutput: { error, cause: 'said no' } },
      inspectionLevel: 'DEBUG',
      ...(retrierRetryCount !== undefined && { stateConfiguration: { retrierRetryCount } }),
    });

  test('that is caught: the catcher, its output and where it leads', async () => {
    expect(await failing('Declined')).toMatchObject({
      status: 'CAUGHT_ERROR',
      error: 'Declined',
      cause: 'said no',
      nextState: 'Refuse',
      output: '"said no"',
      inspectionData: { errorDetails: { catchIndex: 0 } },
    });
  });

  test.each([
    [0, 2],
    [1, 6],
  ])('that is retried after %d retries: again in %d seconds', async (retries, seconds) => {
    const answer = await failing('Busy', retries);

    expect(answer).toMatchObject({ status: 'RETRIABLE', error: 'Busy' });
    expect(answer.inspectionData?.errorDetails).toEqual({
      retryIndex: 0,
      retryBackoffIntervalSeconds: seconds,
    });
    expect(answer).not.toHaveProperty('nextState');
  });

  test('that has been retried as often as it may be: caught', async () => {
    expect(await failing('Busy', 2)).toMatchObject({ status: 'CAUGHT_ERROR', nextState: 'Apologize' });
  });
});

describe('TestState of a Map with a mock', () => {
  const state = {
    Type: 'Map',
    Items: '{% $states.input.orders %}',
    MaxConcurrency: 5,
    ToleratedFailurePercentage: 50,
    ItemProcessor: {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'One',
      States: { One: { Type: 'Pass', End: true } },
    },
    End: true,
  };
  const mapped = (mapIterationFailureCount: number) =>
    tested(state, {
      input: { orders: ['a', 'b', 'c', 'd'] },
      mock: { result: '[1,2,3,4]' },
      stateConfiguration: { mapIterationFailureCount },
      inspectionLevel: 'TRACE',
    });

  test('as many failures as are tolerated: the mocked result, and the numbers of the Map', async () => {
    expect(await mapped(2)).toMatchObject({
      status: 'SUCCEEDED',
      output: '[1,2,3,4]',
      inspectionData: { maxConcurrency: 5, toleratedFailurePercentage: 50 },
    });
  });

  test('one more: it fails', async () => {
    expect(await mapped(3)).toMatchObject({
      status: 'FAILED',
      error: 'States.ExceedToleratedFailureThreshold',
    });
  });

  test('more than there are items: refused', async () => {
    await expect(mapped(5)).rejects.toThrow('Map iteration failure count must be less than or equal to');
  });
});

describe('TestState without a mock', () => {
  test('a Task: the service is called with its arguments', async () => {
    asked.length = 0;

    const answer = await tested(CHARGE, { input: { amount: 5 }, roleArn: ROLE });

    expect(asked).toEqual([{ FunctionName: 'charge', Payload: { amount: 5 } }]);
    expect(answer).toMatchObject({ status: 'SUCCEEDED', output: '{"charged":3}' });
  });

  test('a Task whose service refuses: the error of the service', async () => {
    const Resource = 'arn:aws:states:::sqs:sendMessage';
    const state = { Type: 'Task', Resource, Arguments: { QueueUrl: 'q', MessageBody: 'm' }, End: true };

    expect(await tested(state, { roleArn: ROLE })).toEqual({
      status: 'FAILED',
      error: 'SQS.Gone',
      cause: 'no such queue',
    });
  });

  test.each([
    ['its own limit', { TimeoutSeconds: 20 }, 20_000],
    ['five minutes', {}, 300_000],
  ])('a Task that is not answered: it times out after %s', async (_limit, limit, ms) => {
    const Arguments = { TableName: 't', Key: {} };
    const state = {
      Type: 'Task',
      Resource: 'arn:aws:states:::dynamodb:getItem',
      Arguments,
      End: true,
      ...limit,
    };
    let isAnswered = false;
    const answer = tested(state, { roleArn: ROLE }).finally(() => {
      isAnswered = true;
    });
    await expected();

    await advanceBy(world.runtime, world.clock, ms - 1);
    expect(isAnswered).toBe(false);
    await advanceBy(world.runtime, world.clock, 1);

    expect(await answer).toEqual({ status: 'FAILED', error: 'States.Timeout' });
  });

  test('a Wait: the answer comes when it is over', async () => {
    const begun = world.clock.now();
    const answer = tested({ Type: 'Wait', Seconds: '{% $states.input %}', Next: 'N' }, { input: 30 });
    await expected();

    await advanceBy(world.runtime, world.clock, 30_000);

    expect(await answer).toEqual({ status: 'SUCCEEDED', output: '30', nextState: 'N' });
    expect(world.clock.now() - begun).toBe(30_000);
  });

  test('a state within a Map of a whole machine, with variables: they are there, and what it assigns', async () => {
    const definition = {
      QueryLanguage: 'JSONata',
      StartAt: 'Each',
      States: {
        Each: {
          Type: 'Map',
          ItemProcessor: {
            StartAt: 'Sum',
            States: { Sum: { Type: 'Pass', Assign: { sum: '{% $sum + $states.input %}' }, End: true } },
          },
          End: true,
        },
      },
    };
    const request = { stateName: 'Sum', input: 2, variables: { sum: 3 }, inspectionLevel: 'DEBUG' } as const;

    const { inspectionData } = await tested(definition, request);

    expect(inspectionData).toEqual({ input: '2', variables: '{"sum":5}' });
  });

  test('an expression without a value: it fails, and the cause says why', async () => {
    const { status, error, cause } = await tested({
      Type: 'Pass',
      Output: '{% $states.input.none %}',
      End: true,
    });

    expect({ status, error }).toEqual({ status: 'FAILED', error: 'States.QueryEvaluationError' });
    expect(cause).toMatch(/^The JSONata expression '\$states.input.none' specified for the field 'Output'/);
  });

  test('the context object: an execution of a machine that nobody has created', async () => {
    const { output = '' } = await tested({ Type: 'Pass', Output: '{% $states.context %}', End: true });

    expect(JSON.parse(output)).toEqual({
      Execution: {
        Id: expect.stringMatching(/^arn:aws:states:us-east-1:111111111111:express:[^:]+:[^:]+$/),
        Input: {},
        Name: expect.any(String),
        RoleArn: null,
        StartTime: expect.stringContaining(new Date(START).toISOString().slice(0, 10)),
      },
      StateMachine: { Id: expect.stringContaining(':stateMachine:'), Name: expect.any(String) },
      State: { Name: 'StateName', EnteredTime: expect.any(String) },
    });
    expect(world.runtime.running()).toEqual([]);
  });
});

describe('a request that TestState refuses', () => {
  const PASS = { Type: 'Pass', End: true };
  const MAP = { Type: 'Map', ItemProcessor: { StartAt: 'A', States: { A: PASS } }, End: true };
  const job = 'arn:aws:states:::ecs:runTask.sync';

  test.each<[string, JsonObject, Request, string, string]>([
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
    await expect(tested(state, request)).rejects.toMatchObject({
      name,
      message: expect.stringContaining(message),
    });
  });

  test('input that is no JSON', async () => {
    const request = { definition: JSON.stringify(PASS), input: '{' };

    await expect(sfn.testState(request)).rejects.toMatchObject({ name: 'InvalidExecutionInput' });
  });
});

/** Resolves when a tested state waits for the clock. */
async function expected(): Promise<void> {
  while (world.runtime.activity.expected.length === 0) await new Promise(resolve => setImmediate(resolve));
}
