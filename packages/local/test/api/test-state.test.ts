import { TestStateCommand } from '@aws-sdk/client-sfn';
import type { Json } from '../../json/json';
import type { Service } from '../../runtime/calls/service';
import { advanceBy } from '../../runtime/drive';
import { ROLE, START } from './test-endpoint';
import { CHARGE, openTestState, RESULT, type TestStateWorld } from './test-state-world';

const asked: Json[] = [];

const services: ReadonlyMap<string, Service> = new Map<string, Service>([
  [
    'lambda:invoke',
    {
      rejectionOf: given => ('wrong' in Object(given) ? "The field 'wrong' is not supported" : undefined),
      async call({ arguments: given }) {
        asked.push(given);
        return { kind: 'succeeded', output: { Payload: { total: 3 } } };
      },
    },
  ],
  ['sqs:sendMessage', { call: async () => ({ kind: 'failed', error: 'SQS.Gone', cause: 'no such queue' }) }],
  ['dynamodb:getItem', { call: () => world.runtime.work.lose() }],
]);

let world: TestStateWorld;
beforeAll(async () => {
  world = await openTestState(services);
});
afterAll(() => world.close());

const tested: TestStateWorld['tested'] = (state, request) => world.tested(state, request);

describe('parameters that make no call', () => {
  const state = {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Arguments: { FunctionName: 'charge', wrong: 1 },
    Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Ship' }],
    End: true,
  };

  test('the state has failed, and nothing catches it', async () => {
    const { status, error, cause } = await tested(state, { roleArn: ROLE });

    expect([status, error]).toEqual(['FAILED', 'States.Runtime']);
    expect(cause).toMatch(
      /The Arguments '\{"FunctionName":"charge","wrong":1\}' could not be used to start the Task: \[The field 'wrong' is not supported\]$/,
    );
    expect(asked).toEqual([]);
  });

  test('with a mock: no service is called', async () => {
    expect(await tested(state, { mock: RESULT })).toMatchObject({ status: 'SUCCEEDED' });
  });
});

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
      nextState: 'Reject',
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

describe('TestState without a mock', () => {
  test('a Task: the service is called with its arguments', async () => {
    asked.length = 0;

    const answer = await tested(CHARGE, { input: { amount: 5 }, roleArn: ROLE });

    expect(asked).toEqual([{ FunctionName: 'charge', Payload: { amount: 5 } }]);
    expect(answer).toMatchObject({ status: 'SUCCEEDED', output: '{"charged":3}' });
  });

  test('a Task whose service rejects: the error of the service', async () => {
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

  test('a Wait without a caller that waits: leaves nothing', async () => {
    const gone = new AbortController();
    const definition = JSON.stringify({ Type: 'Wait', Seconds: 60, End: true });
    const answer = world.sfn.send(new TestStateCommand({ definition }), { abortSignal: gone.signal });
    await expected();

    gone.abort();

    await expect(answer).rejects.toThrow();
    while (world.runtime.work.expected.length > 0) await new Promise(resolve => setImmediate(resolve));
    expect(world.clock.nextDue()).toBeUndefined();
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

  test('the context object: an execution of a machine that was never created', async () => {
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

describe('TestState of a state in JSONPath', () => {
  const { InputPath, ...PLAIN } = {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    InputPath: '$.order',
    Parameters: { FunctionName: 'charge', 'Payload.$': '$.amount' },
    ResultSelector: { 'total.$': '$.Payload.total' },
    ResultPath: '$.charge',
    OutputPath: '$.charge.total',
    QueryLanguage: 'JSONPath',
    Next: 'Ship',
  };

  test('with a mock: what each step of its data flow gives', async () => {
    const input = { order: { amount: 7 } };

    expect(await tested({ ...PLAIN, InputPath }, { input, mock: RESULT, inspectionLevel: 'TRACE' })).toEqual({
      status: 'SUCCEEDED',
      nextState: 'Ship',
      output: '7',
      inspectionData: {
        input: '{"order":{"amount":7}}',
        afterInputPath: '{"amount":7}',
        afterParameters: '{"FunctionName":"charge","Payload":7}',
        result: '{"Payload":{"total":7}}',
        afterResultSelector: '{"total":7}',
        afterResultPath: '{"order":{"amount":7},"charge":{"total":7}}',
      },
    });
  });

  test('an input that a path leads to nothing in: it fails, and shows its steps so far', async () => {
    const answer = await tested(PLAIN, { input: {}, mock: RESULT, inspectionLevel: 'DEBUG' });

    expect(answer).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
    expect(answer.cause).toMatch(/^The JSONPath '\$\.amount' specified for the field 'Payload\.\$'/);
    expect(answer.inspectionData).toEqual({ input: '{}', afterInputPath: '{}' });
  });

  test('a Fail and a Parallel: as little as AWS shows', async () => {
    const branch = { StartAt: 'A', States: { A: { Type: 'Pass', End: true } } };
    const parallel = { Type: 'Parallel', QueryLanguage: 'JSONPath', Branches: [branch], End: true };
    const mock = { result: '[1]' };

    const failed = await tested({ Type: 'Fail', QueryLanguage: 'JSONPath' }, { inspectionLevel: 'DEBUG' });
    const ran = await tested(parallel, { mock, inspectionLevel: 'DEBUG' });

    expect(failed.inspectionData).toEqual({ input: '{}', afterInputPath: '{}' });
    expect(ran.inspectionData).toEqual({ input: '{}', afterResultSelector: '[1]', afterResultPath: '[1]' });
  });
});

/** Resolves when a tested state waits for the clock. */
async function expected(): Promise<void> {
  while (world.runtime.work.expected.length === 0) await new Promise(resolve => setImmediate(resolve));
}
