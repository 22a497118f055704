import type { Json, JsonObject } from '../../../json/json';
import type { Service } from '../../../runtime/calls/service';
import { Activities } from '../../../runtime/catalogue/activities';
import { MachineRegistry } from '../../../runtime/catalogue/machine-registry';
import { runToEnd } from '../../../runtime/drive';
import { seededIds } from '../../../runtime/ids';
import { Runtime } from '../../../runtime/runtime';
import { VirtualClock } from '../../../runtime/time/virtual-clock';
import { statesIntegrations } from '../../../services/states/integrations';
import { runtimeApi } from '../../../services/states/runtime-api';

const START = Date.UTC(2026, 0, 1);
const ENVIRONMENT = { partition: 'aws', region: 'us-east-1', account: '111111111111' };
const CHILD = 'arn:aws:states:us-east-1:111111111111:stateMachine:child';
const PASS: JsonObject = { Type: 'Pass', End: true };
const FAILED_IN_IT = "An error occurred while executing the state 'S' (entered at the event id #2). ";
const WAIT: JsonObject = { Type: 'Wait', Seconds: 60, End: true };
const FAIL: JsonObject = { Type: 'Fail', Error: 'E', Cause: 'c' };

/** A runtime whose state machines talk to it, with a machine `child` of one state. */
function worldOf(child: JsonObject) {
  const clock = new VirtualClock(START);
  const services = new Map<string, Service>();
  const machines = new MachineRegistry(services, ENVIRONMENT);
  const activities = new Activities();
  const runtime = new Runtime({ clock, services, machines, activities, ids: seededIds('seed') });
  const options = { newRequestId: () => 'request', now: () => clock.now() };
  for (const [resource, service] of statesIntegrations(
    runtimeApi(runtime, { machines, activities }),
    options,
  )) {
    services.set(resource, service);
  }
  const register = (name: string, state: JsonObject, more: JsonObject = {}) =>
    runtime.register(
      JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'S', States: { S: state }, ...more }),
      {
        name,
      },
    ).arn;
  register('child', child);
  return { runtime, clock, register };
}

type World = ReturnType<typeof worldOf>;

/** Runs a machine of one Task that calls an integration, to its end. */
async function call(world: World, resource: string, args: Json, more: JsonObject = {}) {
  const state = {
    Type: 'Task',
    Resource: `arn:aws:states:::${resource}`,
    Arguments: args,
    End: true,
    ...more,
  };
  const stateMachineArn = world.register('parent', state);
  const { executionArn } = await world.runtime.startExecution({ stateMachineArn, name: 'p' });
  await runToEnd(world.runtime, world.clock);
  const { events } = await world.runtime.getExecutionHistory({ executionArn });
  const description = await world.runtime.describeExecution({ executionArn });
  return { description, events, output: description.output && JSON.parse(description.output) };
}

describe('states:startExecution', () => {
  test('request: the start is the result, and the child goes on', async () => {
    const world = worldOf(WAIT);
    const { output, description } = await call(world, 'states:startExecution', {
      StateMachineArn: CHILD,
      Name: 'c',
      Input: { a: 1 },
    });

    expect(output).toMatchObject({
      ExecutionArn: 'arn:aws:states:us-east-1:111111111111:execution:child:c',
      SdkHttpMetadata: { HttpStatusCode: 200 },
      SdkResponseMetadata: { RequestId: 'request' },
      StartDate: START,
    });
    expect(description.stopDate).toBe(START);
    expect(await world.runtime.describeExecution({ executionArn: output.ExecutionArn })).toMatchObject({
      status: 'SUCCEEDED',
      input: '{"a":1}',
      stopDate: START + 60_000,
    });
  });

  test.each<[string, Json]>([
    ['sync', '{"a":1}'],
    ['sync:2', { a: 1 }],
  ])('%s: submitted, then the description of the child', async (pattern, data) => {
    const { output, events } = await call(worldOf(WAIT), `states:startExecution.${pattern}`, {
      StateMachineArn: CHILD,
      Name: 'c',
      Input: { a: 1 },
    });

    expect(events.map(event => event.type).slice(2)).toEqual([
      ...['TaskScheduled', 'TaskStarted', 'TaskSubmitted', 'TaskSucceeded'],
      ...['TaskStateExited', 'ExecutionSucceeded'],
    ]);
    expect(Object.entries(output)).toEqual(
      Object.entries({
        ExecutionArn: 'arn:aws:states:us-east-1:111111111111:execution:child:c',
        Input: data,
        InputDetails: { Included: true },
        Name: 'c',
        Output: data,
        OutputDetails: { Included: true },
        RedriveCount: 0,
        RedriveStatus: 'NOT_REDRIVABLE',
        RedriveStatusReason: 'Execution is SUCCEEDED and cannot be redriven',
        StartDate: START,
        StateMachineArn: CHILD,
        Status: 'SUCCEEDED',
        StopDate: START + 60_000,
      }),
    );
  });

  test('a child that fails: the task fails, with the description as cause', async () => {
    const args = { StateMachineArn: CHILD, Name: 'c' };
    const { description } = await call(worldOf(FAIL), 'states:startExecution.sync', args);

    expect(description.error).toBe('States.TaskFailed');
    expect(JSON.parse(description.cause ?? '')).toMatchObject({
      Status: 'FAILED',
      Error: 'E',
      Cause: 'c',
      RedriveStatus: 'REDRIVABLE',
    });
  });

  test('a task out of time: its child is stopped', async () => {
    const world = worldOf(WAIT);
    const args = { StateMachineArn: CHILD, Name: 'c' };
    const { description } = await call(world, 'states:startExecution.sync', args, { TimeoutSeconds: 5 });

    expect(description).toMatchObject({ error: 'States.Timeout' });
    const executionArn = 'arn:aws:states:us-east-1:111111111111:execution:child:c';
    expect(await world.runtime.describeExecution({ executionArn })).toMatchObject({
      status: 'ABORTED',
      stopDate: START + 5000,
    });
  });

  test.each(['sync', 'sync:2'])(
    '%s of an Express machine: rejected as it was started, as none can be described',
    async pattern => {
      const world = worldOf(PASS);
      const express = 'arn:aws:states:us-east-1:111111111111:stateMachine:express';
      const text = JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'S', States: { S: PASS } });
      world.runtime.register(text, { arn: express, type: 'EXPRESS' });
      const { description, events } = await call(world, `states:startExecution.${pattern}`, {
        StateMachineArn: express,
      });

      expect(events.map(event => event.type)).toContain('TaskSubmitted');
      expect(description).toMatchObject({
        status: 'FAILED',
        error: 'StepFunctions.InvalidArnException',
        cause:
          "Invalid Arn: 'Resource type not valid in this context: express' (Service: AWSStepFunctions; Status Code: 400; " +
          'Error Code: InvalidArn; Request ID: request; Proxy: null)',
      });
    },
  );

  test('a job of an Express machine that is given up: nothing is left that could not be handled', async () => {
    const world = worldOf(PASS);
    const unhandled: unknown[] = [];
    const listener = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listener);
    const express = 'arn:aws:states:us-east-1:111111111111:stateMachine:express';
    const text = JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'S', States: { S: WAIT } });
    world.runtime.register(text, { arn: express, type: 'EXPRESS' });
    const job: JsonObject = {
      Type: 'Task',
      Resource: 'arn:aws:states:::states:startExecution.sync:2',
      Arguments: { StateMachineArn: express },
      End: true,
    };
    const stateMachineArn = world.register('parent', {
      Type: 'Parallel',
      Branches: [
        { StartAt: 'T', States: { T: job } },
        { StartAt: 'F', States: { F: FAIL } },
      ],
      End: true,
    });
    await world.runtime.startExecution({ stateMachineArn });
    await runToEnd(world.runtime, world.clock);
    await new Promise(resolve => setTimeout(resolve, 10));
    process.off('unhandledRejection', listener);

    expect(unhandled).toEqual([]);
  });

  test.each<[string, Json, string, string]>([
    [
      'a machine that is not there',
      { StateMachineArn: `${CHILD}X` },
      'StepFunctions.StateMachineDoesNotExistException',
      `State Machine Does Not Exist: '${CHILD}X' (Service: AWSStepFunctions; Status Code: 400; ` +
        'Error Code: StateMachineDoesNotExist; Request ID: request; Proxy: null)',
    ],
    [
      'no machine',
      '{% {"Input": 1} %}',
      'States.Runtime',
      `${FAILED_IN_IT}The Arguments '{"Input":1}' could not be used to start the Task: ` +
        "[The field 'StateMachineArn' is required but was missing]",
    ],
    [
      'an input that is a number',
      { StateMachineArn: CHILD, Input: 1 },
      'States.Runtime',
      `${FAILED_IN_IT}The Arguments '{"StateMachineArn":"${CHILD}","Input":1}' could not be used to start the ` +
        "Task: [The value for the field 'Input' must be a STRING]",
    ],
  ])('%s: rejected', async (_case, args, error, cause) => {
    const { description } = await call(worldOf(PASS), 'states:startExecution', args);

    expect(description).toMatchObject({ error, cause });
  });
});

describe('aws-sdk:sfn', () => {
  test('startSyncExecution of a machine that waits: time passes meanwhile', async () => {
    const world = worldOf(PASS);
    const express = 'arn:aws:states:us-east-1:111111111111:stateMachine:express';
    const text = JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'S', States: { S: WAIT } });
    world.runtime.register(text, { arn: express, type: 'EXPRESS' });
    const args = { StateMachineArn: express, Input: { a: 1 } };
    const { output, description } = await call(world, 'aws-sdk:sfn:startSyncExecution', args);

    expect(output).toMatchObject({ Status: 'SUCCEEDED', Output: '{"a":1}' });
    expect(description.stopDate).toBe(START + 60_000);
  });

  test('startExecution: JSON as input, the time as text', async () => {
    const world = worldOf(PASS);
    const { output } = await call(world, 'aws-sdk:sfn:startExecution', {
      StateMachineArn: CHILD,
      Input: { key: 'value' },
    });

    expect(output).toEqual({
      ExecutionArn: expect.stringContaining(':execution:child:'),
      StartDate: '2026-01-01T00:00:00.000Z',
    });
  });

  test('describeExecution: names capitalized, JSON texts as they are', async () => {
    const world = worldOf(PASS);
    await world.runtime.startExecution({ stateMachineArn: CHILD, name: 'c', input: '{"a": 1}' });
    await world.runtime.work.idle();
    const executionArn = 'arn:aws:states:us-east-1:111111111111:execution:child:c';
    const { output } = await call(world, 'aws-sdk:sfn:describeExecution', { ExecutionArn: executionArn });

    expect(output).toMatchObject({
      ExecutionArn: executionArn,
      Status: 'SUCCEEDED',
      Input: '{"a": 1}',
      InputDetails: { Included: true },
      StopDate: '2026-01-01T00:00:00.000Z',
    });
  });

  test('describeExecution with METADATA_ONLY: without input and output', async () => {
    const world = worldOf(PASS);
    await world.runtime.startExecution({ stateMachineArn: CHILD, name: 'c', input: '{"a": 1}' });
    await world.runtime.work.idle();
    const { output } = await call(world, 'aws-sdk:sfn:describeExecution', {
      ExecutionArn: 'arn:aws:states:us-east-1:111111111111:execution:child:c',
      IncludedData: 'METADATA_ONLY',
    });

    expect(output).toMatchObject({ Status: 'SUCCEEDED', InputDetails: { Included: false } });
    expect(output).not.toHaveProperty('Input');
    expect(output).not.toHaveProperty('Output');
  });

  test('getExecutionHistory: events with times as text', async () => {
    const world = worldOf(PASS);
    await world.runtime.startExecution({ stateMachineArn: CHILD, name: 'c' });
    await world.runtime.work.idle();
    const { output } = await call(world, 'aws-sdk:sfn:getExecutionHistory', {
      ExecutionArn: 'arn:aws:states:us-east-1:111111111111:execution:child:c',
      MaxResults: 1,
    });

    expect(output.Events).toMatchObject([
      { Id: 1, Type: 'ExecutionStarted', Timestamp: '2026-01-01T00:00:00.000Z' },
    ]);
    expect(output.NextToken).toEqual(expect.any(String));
  });

  test.each<[string, JsonObject, JsonObject]>([
    [
      'describeStateMachine',
      { StateMachineArn: CHILD },
      { Name: 'child', Status: 'ACTIVE', Type: 'STANDARD' },
    ],
    ['listStateMachines', {}, { StateMachines: [{ Name: 'child' }, { Name: 'parent' }] }],
    ['listExecutions', { StateMachineArn: CHILD }, { Executions: [] }],
  ])('%s: answers', async (operation, args, output) => {
    expect((await call(worldOf(PASS), `aws-sdk:sfn:${operation}`, args)).output).toMatchObject(output);
  });

  test('sendTaskSuccess from another execution: ends the task', async () => {
    const send = {
      Type: 'Task',
      Resource: 'arn:aws:states:::aws-sdk:sfn:sendTaskSuccess',
      Arguments: { TaskToken: '{% $states.input.token %}', Output: { done: true } },
      End: true,
    };
    const { output, events } = await call(worldOf(send), 'states:startExecution.waitForTaskToken', {
      StateMachineArn: CHILD,
      Input: { token: '{% $states.context.Task.Token %}' },
    });

    expect(output).toEqual({ done: true });
    expect(events.map(event => event.type)).toContain('TaskSucceeded');
  });

  test.each<[string, string, JsonObject, string, string]>([
    [
      'a token that is none',
      'sendTaskFailure',
      { TaskToken: 'nope' },
      'Sfn.InvalidTokenException',
      "Invalid Token: 'Invalid token' (Service: Sfn, Status Code: 400, Request ID: request) (SDK Attempt Count: 1)",
    ],
    [
      'an execution that is not there',
      'describeExecution',
      { ExecutionArn: 'arn:aws:states:us-east-1:111111111111:execution:child:x' },
      'Sfn.ExecutionDoesNotExistException',
      "Execution Does Not Exist: 'arn:aws:states:us-east-1:111111111111:execution:child:x' (Service: Sfn, " +
        'Status Code: 400, Request ID: request) (SDK Attempt Count: 1)',
    ],
    [
      'no execution',
      'stopExecution',
      {},
      'States.Runtime',
      `${FAILED_IN_IT}The Arguments '{}' could not be used to start the Task: ` +
        "[The field 'ExecutionArn' is required but was missing]",
    ],
  ])('%s: rejected', async (_case, operation, args, error, cause) => {
    const { description } = await call(worldOf(PASS), `aws-sdk:sfn:${operation}`, args);

    expect(description).toMatchObject({ error, cause });
  });
});
