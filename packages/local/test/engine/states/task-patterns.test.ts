import { targetOf } from '../../../engine/task-token';
import type { JsonObject } from '../../../json/json';
import { afterStart, machineOf, play } from '../play';
import { pass, skeleton, task } from './nested';

const callback = (more: JsonObject = {}) =>
  task({ Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken', ...MESSAGE, ...more });
const MESSAGE = { Arguments: { QueueUrl: 'q', MessageBody: '{% $states.context.Task.Token %}' } };
const CAUGHT = (name: string) => ({
  Catch: [{ ErrorEquals: [name], Output: '{% $states.errorOutput %}', Next: 'X' }],
});

describe('a task that waits for its token', () => {
  test('its history: submitted, then the result that came with the token', () => {
    const played = play(machineOf({ T: callback() }), {
      answers: [{ output: { MessageId: 'm' } }],
      signals: [{ atMs: 5000, task: 0, kind: 'succeed', output: { a: 1 } }],
    });
    const names = '"resourceType":"sqs","resource":"sendMessage.waitForTaskToken"';

    expect(afterStart(played).slice(2)).toEqual([
      `4<-3 TaskStarted {${names}}`,
      `5<-4 TaskSubmitted {${names},"output":"{\\"MessageId\\":\\"m\\"}"}`,
      `6<-5 TaskSucceeded {${names},"output":"{\\"a\\":1}"}`,
      '7<-6 TaskStateExited {"name":"T","output":"{\\"a\\":1}"}',
      '8<-7 ExecutionSucceeded {"output":"{\\"a\\":1}"}',
    ]);
  });

  test('the token: names the execution and the attempt, another one for each attempt', () => {
    const retry = { Retry: [{ ErrorEquals: ['E'], MaxAttempts: 1 }] };
    const { effects } = play(machineOf({ T: callback(retry) }), { answers: [{ error: 'E' }, 'never'] });
    const tokens = effects.flatMap(effect =>
      effect.kind === 'call' ? [String((effect.arguments as JsonObject)['MessageBody'])] : [],
    );

    expect(tokens.map(targetOf)).toEqual(
      ['task@3', 'task@6'].map(taskId => ({
        executionArn: 'arn:aws:states:eu-west-1:111111111111:execution:m:e',
        taskId,
      })),
    );
  });

  test('a failure without words: error output of nulls', () => {
    const machine = machineOf({ T: callback(CAUGHT('States.ALL')), X: pass() });
    const { execution, history } = play(machine, {
      answers: [{ output: 1 }],
      signals: [{ atMs: 10, task: 0, kind: 'fail' }],
    });

    expect(history[5]).toBe(
      '6<-5 TaskFailed {"resourceType":"sqs","resource":"sendMessage.waitForTaskToken"}',
    );
    expect(execution.end?.output?.value).toEqual({ Error: null, Cause: null });
  });

  test('the result before the call is answered: the task is over, and the answer changes nothing', () => {
    const { history } = play(machineOf({ T: callback() }), {
      answers: [{ output: 1, afterMs: 50 }],
      signals: [{ atMs: 10, task: 0, kind: 'succeed', output: 2 }],
    });

    expect(skeleton(history).slice(3)).toEqual([
      '4<-3 TaskStarted',
      '5<-4 TaskSucceeded',
      '6<-5 TaskStateExited',
      '7<-6 ExecutionSucceeded',
    ]);
  });

  test.each([
    ['a heartbeat in time: goes on waiting', [8000, 16_000], 26_000],
    ['none: fails after the seconds of the heartbeat', [], 10_000],
    ['one too late: does not help', [10_001], 10_000],
  ])('%s', (_case, heartbeats, endMs) => {
    const { events } = play(machineOf({ T: callback({ HeartbeatSeconds: 10, TimeoutSeconds: 600 }) }), {
      answers: [{ output: 1 }],
      signals: heartbeats.map(atMs => ({ atMs, task: 0, kind: 'heartbeat' as const })),
    });

    expect(events.at(-2)).toMatchObject({
      type: 'TaskTimedOut',
      error: 'States.Timeout',
      timestamp: (events[0]?.timestamp ?? 0) + endMs,
    });
    expect(events[2]).toMatchObject({
      heartbeatInSeconds: 10,
      timeoutInSeconds: 600,
    });
  });

  test.each(['States.HeartbeatTimeout', 'States.Timeout', 'States.ALL'])(
    'a missed heartbeat: %s covers it',
    name => {
      const machine = machineOf({ T: callback({ HeartbeatSeconds: 1, ...CAUGHT(name) }), X: pass() });
      const { execution } = play(machine, { answers: [{ output: 1 }] });

      expect(execution.end?.output?.value).toEqual({ Error: 'States.Timeout', Cause: '' });
    },
  );

  test('a timeout: States.HeartbeatTimeout does not cover it', () => {
    const machine = machineOf({
      T: callback({ TimeoutSeconds: 1, ...CAUGHT('States.HeartbeatTimeout') }),
      X: pass(),
    });

    expect(play(machine, { answers: [{ output: 1 }] }).execution.status).toBe('FAILED');
  });
});

describe('a task that names a function by its ARN', () => {
  const arn = 'arn:aws:lambda:us-east-1:111111111111:function:f';
  const direct = (more: JsonObject = {}) => ({ Type: 'Task', Resource: arn, End: true, ...more });

  test('its history: events of its own, the input as payload', () => {
    const played = play(machineOf({ T: direct() }), { input: { a: 1 }, answers: [{ output: 'x' }] });

    expect(afterStart(played).slice(1)).toEqual([
      `3<-2 LambdaFunctionScheduled {"resource":"${arn}","input":"{\\"a\\":1}"}`,
      '4<-3 LambdaFunctionStarted {}',
      '5<-4 LambdaFunctionSucceeded {"output":"\\"x\\""}',
      '6<-5 TaskStateExited {"name":"T","output":"\\"x\\""}',
      '7<-6 ExecutionSucceeded {"output":"\\"x\\""}',
    ]);
    expect(played.effects[0]).toMatchObject({
      resource: 'lambda:function',
      arguments: { FunctionName: arn, Payload: { a: 1 } },
    });
  });

  test.each([
    ['fails', [{ error: 'E', cause: 'c' }], 'LambdaFunctionFailed {"error":"E","cause":"c"}'],
    ['is late', [], 'LambdaFunctionTimedOut {"error":"States.Timeout"}'],
  ])('it %s: as its events say', (_case, answers, line) => {
    const { history } = play(machineOf({ T: direct({ TimeoutSeconds: 5 }) }), { answers });

    expect(history[4]).toBe(`5<-4 ${line}`);
  });

  test('a result beyond the quota: names the function', () => {
    const { execution } = play(machineOf({ T: direct() }), {
      answers: [{ output: 'x'.repeat(262_144) }],
    });

    expect(execution.end).toMatchObject({
      error: 'States.DataLimitExceeded',
      cause: expect.stringContaining(`The state/task '${arn}' returned`),
    });
  });

  test('Credentials: the role is in the event, and may be computed', () => {
    const role = { Credentials: { RoleArn: '{% $states.input.role %}' } };
    const { events } = play(machineOf({ T: direct(role) }), { input: { role: 'r' }, answers: [] });

    expect(events[2]?.taskCredentials).toEqual({ roleArn: 'r' });
  });
});
