import type { Json, JsonObject } from '../../../json/json';
import { advanceBy, runToEnd } from '../../../runtime/drive';
import { StatesError } from '../../../runtime/requests/errors';
import { service, taskOf, textOf, worldOf } from '../world';

/** An execution that waits for its token, which the service has seen. */
async function waiting(more: JsonObject = {}) {
  const seen: Json[] = [];
  const notify = service(call => {
    seen.push((call.arguments as JsonObject)['token'] ?? null);
    return { kind: 'succeeded', output: 'notified' };
  });
  const world = worldOf({ services: new Map([['test:notify', notify]]) });
  const args = { Arguments: { token: '{% $states.context.Task.Token %}' } };
  const state = taskOf('test:notify.waitForTaskToken', { ...args, ...more });
  const { arn } = world.runtime.register(textOf({ T: state }), { name: 'm' });
  const { executionArn } = await world.runtime.startExecution({ stateMachineArn: arn });
  await world.runtime.work.idle();
  return { ...world, executionArn, taskToken: String(seen[0]) };
}

function rejection(sent: Promise<unknown>): Promise<string> {
  return sent.then(
    () => 'accepted',
    error => (error instanceof StatesError ? `${error.name}: ${error.message}` : String(error)),
  );
}

const GONE = "TaskTimedOut: Task Timed Out: 'Provided task does not exist anymore'";

describe('task tokens', () => {
  test('success: the text given is the result', async () => {
    const { runtime, executionArn, taskToken } = await waiting();
    await runtime.taskResults.succeed({ taskToken, output: '{ "a": 1 }' });

    expect(await runtime.describeExecution({ executionArn })).toMatchObject({
      status: 'SUCCEEDED',
      output: '{ "a": 1 }',
    });
  });

  test('failure: error and cause as given', async () => {
    const { runtime, executionArn, taskToken } = await waiting();
    await runtime.taskResults.fail({ taskToken, error: 'E', cause: 'c' });

    expect(await runtime.describeExecution({ executionArn })).toMatchObject({ error: 'E', cause: 'c' });
  });

  test('heartbeats: keep the task, as long as they come', async () => {
    const { runtime, clock, executionArn, taskToken } = await waiting({ HeartbeatSeconds: 10 });
    await advanceBy(runtime, clock, 9000);
    await runtime.taskResults.heartbeat({ taskToken });
    await advanceBy(runtime, clock, 9000);

    expect(await runtime.describeExecution({ executionArn })).toMatchObject({ status: 'RUNNING' });
    await advanceBy(runtime, clock, 1000);
    expect(await runtime.describeExecution({ executionArn })).toMatchObject({ error: 'States.Timeout' });
    expect(await rejection(runtime.taskResults.heartbeat({ taskToken }))).toBe(GONE);
  });

  test('while the token does not come back: the execution waits, and time alone changes nothing', async () => {
    const { runtime, clock, executionArn } = await waiting();

    expect(await runToEnd(runtime, clock)).toEqual({ kind: 'waiting', executionArns: [executionArn] });
  });

  test('a token a second time: rejected', async () => {
    const { runtime, taskToken } = await waiting();
    await runtime.taskResults.succeed({ taskToken, output: '1' });

    expect(await rejection(runtime.taskResults.succeed({ taskToken, output: '1' }))).toBe(GONE);
  });

  test.each(['before', 'never'])('a stopped execution, its token sent %s: timed out', async sent => {
    const { runtime, executionArn, taskToken } = await waiting();
    if (sent === 'before') await runtime.taskResults.succeed({ taskToken, output: '1' });
    await runtime.stopExecution({ executionArn });

    expect(await rejection(runtime.taskResults.succeed({ taskToken, output: '1' }))).toBe(GONE);
    expect(await rejection(runtime.taskResults.fail({ taskToken }))).toBe(GONE);
    expect(await rejection(runtime.taskResults.heartbeat({ taskToken }))).toBe(GONE);
  });

  test.each([
    ['a new line', 'a\nb'],
    ['half a character', 'a\ud800'],
    ['80 letters of three bytes', '注文の処理'.repeat(16)],
  ])('a state within states whose names have %s: a token that works', async (_case, name) => {
    let state: JsonObject = taskOf('test:echo.waitForTaskToken', {
      Arguments: { token: '{% $states.context.Task.Token %}' },
    });
    for (let level = 0; level < 4; level += 1) {
      const inner = `${level}${name}`.slice(0, 80);
      state = { Type: 'Parallel', Branches: [{ StartAt: inner, States: { [inner]: state } }], End: true };
    }
    const { runtime, clock } = worldOf();
    const { arn: stateMachineArn } = runtime.register(textOf({ P: state }), { name: 'm' });
    const { executionArn } = await runtime.startExecution({ stateMachineArn });
    await runtime.work.idle();
    const { events } = await runtime.getExecutionHistory({ executionArn });
    const scheduled = events.find(event => event.type === 'TaskScheduled')?.taskScheduledEventDetails;
    const { token: taskToken } = JSON.parse(scheduled?.parameters ?? '{}');

    expect(taskToken.length).toBeLessThanOrEqual(2048);
    await runtime.taskResults.succeed({ taskToken, output: '1' });
    expect(await runToEnd(runtime, clock)).toEqual({ kind: 'ended' });
    expect(await runtime.describeExecution({ executionArn })).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('two at once: one counts', async () => {
    const { runtime, taskToken } = await waiting();
    const send = () => rejection(runtime.taskResults.succeed({ taskToken, output: '1' }));

    expect(await Promise.all([send(), send()])).toEqual(['accepted', GONE]);
  });

  test.each([
    ['no token', 'nope', '1', "InvalidToken: Invalid Token: 'Invalid token'"],
    [
      'a token of an execution that never was',
      btoa('arn:aws:states:us-east-1:1:execution:m:x\ntask@3'),
      '1',
      "TaskDoesNotExist: Task Does Not Exist: 'Provided task does not exist'",
    ],
    [
      'no JSON',
      'nope',
      'not',
      "InvalidOutput: Invalid Output: 'Unrecognized token 'not': was expecting (JSON String, Number, Array, " +
        "Object or token 'null', 'true' or 'false')'",
    ],
    [
      'too much',
      'nope',
      'x'.repeat(262_145),
      "ValidationException: 1 validation error detected: Value at 'output' failed to satisfy constraint: " +
        'Member must have size less than or equal to 262144 bytes in UTF-8 encoding',
    ],
  ])('%s: rejected', async (_case, taskToken, output, message) => {
    expect(await rejection(worldOf().runtime.taskResults.succeed({ taskToken, output }))).toBe(message);
  });
});
