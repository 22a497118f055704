import type { SFNClient } from '@aws-sdk/client-sfn';
import { MissingKeyError, PayloadMismatchError, StartOnceError, startOnce } from '../../client/index';
import { gate, openWorld, returns, until, type World } from './world';

const WAIT = { waitUpTo: 30_000 };
const OTHER_AMOUNT = {
  input: { detail: { orderId: 'order-1', amount: 13, currency: 'EUR', card: 'secret' } },
};

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

describe('another payload under the same key', () => {
  test('of a finished order: rejected, with the key and the execution that was rejected', async () => {
    const first = await world.startOnce('order-1', WAIT);

    const error = await world.startOnce('order-1', { ...WAIT, ...OTHER_AMOUNT }).catch(thrown => thrown);

    expect(error).toBeInstanceOf(PayloadMismatchError);
    expect(error).toBeInstanceOf(StartOnceError);
    expect(error).toMatchObject({
      key: 'order-1',
      executionArn: expect.stringMatching(/:order-1-[0-9a-f]{16}$/),
    });
    expect(JSON.parse(error.cause)).toMatchObject({ owner: first.executionArn });
    expect(`${error.message}${error.cause}`).not.toContain('secret');
    expect(world.runs).toHaveLength(1);
  });

  test('of a running order: rejected all the same', async () => {
    const { passed, open } = gate();
    world.step = () => passed.then(() => returns('paid'));
    await world.startOnce('order-1');
    await until(() => world.runs.length === 1);

    await expect(world.startOnce('order-1', { ...WAIT, ...OTHER_AMOUNT })).rejects.toThrow(
      PayloadMismatchError,
    );

    open();
  });

  test('not waited for: the workflow rejects it, and runs nothing', async () => {
    await world.startOnce('order-1', WAIT);

    const { outcome, executionArn } = await world.startOnce('order-1', OTHER_AMOUNT);

    expect(outcome).toBe('started');
    await until(async () => (await world.sfn.describeExecution({ executionArn })).status === 'FAILED');
    expect(world.runs).toHaveLength(1);
  });
});

/** Loses the answers of the first successful calls of this operation, of as many as are given. */
function loseAnswers(client: SFNClient, operation: string, count: number, before = async () => {}): void {
  const handler = client.config.requestHandler;
  const handle = handler.handle.bind(handler);
  let lost = 0;
  handler.handle = async (request, options) => {
    const answer = await handle(request, options);
    const isAsked = String(request.headers['x-amz-target']).endsWith(`.${operation}`);
    if (!isAsked || answer.response.statusCode !== 200 || lost >= count) return answer;
    lost += 1;
    await before();
    throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
  };
}

const ended = (name: string) => async () => {
  await until(async () => {
    const { stateMachineArn } = world.options(name);
    const { executions = [] } = await world.sfn.listExecutions({
      stateMachineArn,
      statusFilter: 'SUCCEEDED',
    });
    return executions.length > 0;
  });
};

describe('the answer of StartExecution is lost', () => {
  test('and the execution runs: the repeated call finds it', async () => {
    const { passed, open } = gate();
    world.step = () => passed.then(() => returns('paid'));
    const client = world.client();
    loseAnswers(client, 'StartExecution', 1);

    const waiting = startOnce(client, world.options('order-1', WAIT));
    await until(() => world.runs.length === 1);
    setTimeout(open, 300);

    expect(await waiting).toMatchObject({ outcome: 'started', result: 'paid' });
    expect(await world.executions()).toEqual(['order-1']);
  });

  test('and the execution has ended: its result, no second execution', async () => {
    const client = world.client();
    loseAnswers(client, 'StartExecution', 1, ended('order-1'));

    const answer = await startOnce(client, world.options('order-1', WAIT));

    expect(answer).toMatchObject({ result: { charge: 1 } });
    expect(await world.executions()).toEqual(['order-1']);
  });

  test('of a start under another name, and it has ended: that one, no third execution', async () => {
    const { stateMachineArn } = world.options('order-1');
    const { executionArn } = await world.sfn.startExecution({
      stateMachineArn,
      name: 'order-1',
      input: '{}',
    });
    await until(async () => (await world.sfn.describeExecution({ executionArn })).status === 'FAILED');
    const client = world.client();
    loseAnswers(client, 'StartExecution', 1, ended('order-1'));

    const answer = await startOnce(client, world.options('order-1', WAIT));

    expect(answer).toMatchObject({
      outcome: 'started',
      executionArn: expect.stringMatching(/:order-1-[0-9a-f]{16}$/),
      result: { charge: 1 },
    });
    expect(await world.executions()).toHaveLength(2);
  });

  test('each time: an error that says how to go on; calling again finds the execution', async () => {
    const { passed, open } = gate();
    world.step = () => passed.then(() => returns('paid'));
    const client = world.client({ maxAttempts: 2 });
    loseAnswers(client, 'StartExecution', 2);

    const error = await startOnce(client, world.options('order-1', WAIT)).catch(thrown => thrown);

    expect(error).toMatchObject({
      name: 'StartOnceError',
      operation: 'StartExecution',
      cause: { code: 'ECONNRESET' },
    });
    expect(error.message).toMatch(/calling again with the same key is safe/);
    const again = startOnce(client, world.options('order-1', WAIT));
    open();
    expect(resultOf(await again)).toBe('paid');
    expect(world.runs).toHaveLength(1);
  });
});

const resultOf = (answer: object) => ('result' in answer ? answer.result : answer);

describe('the signal', () => {
  test('aborts while the result is waited for: rejects with its reason, the execution goes on', async () => {
    const { passed, open } = gate();
    world.step = () => passed.then(() => returns('paid'));
    const controller = new AbortController();
    const reason = new Error('the shop closes');
    const waiting = world.startOnce('order-1', { ...WAIT, signal: controller.signal });
    await until(() => world.runs.length === 1);

    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    open();

    expect(resultOf(await world.startOnce('order-1', WAIT))).toBe('paid');
    expect(await world.executions()).toEqual(['order-1']);
  });

  test('aborts while a call is under way: its reason all the same', async () => {
    const controller = new AbortController();
    const client = world.client();
    loseAnswers(client, 'StartExecution', 1, async () => controller.abort('closed'));

    const waiting = startOnce(client, world.options('order-1', { ...WAIT, signal: controller.signal }));

    await expect(waiting).rejects.toBe('closed');
  });

  test('has aborted before: nothing is started', async () => {
    await expect(world.startOnce('order-1', { signal: AbortSignal.abort('closed') })).rejects.toBe('closed');

    expect(await world.executions()).toEqual([]);
  });
});

describe('what AWS rejects', () => {
  test.each([
    [
      'a state machine that is not there',
      { stateMachineArn: 'arn:aws:states:us-east-1:111111111111:stateMachine:none' },
      'StartExecution failed with StateMachineDoesNotExist: check `stateMachineArn`',
    ],
    [
      'no ARN',
      { stateMachineArn: 'payments' },
      'StartExecution failed with InvalidArn: check `stateMachineArn`',
    ],
    [
      'a table that is not there',
      { table: 'none', ...WAIT },
      'GetItem failed with ResourceNotFoundException: check `table`',
    ],
  ])('%s: the operation and what to check, with the SDK error as the cause', async (_, more, message) => {
    const error = await world.startOnce('order-1', more).catch(thrown => thrown);

    expect(error).toMatchObject({ name: 'StartOnceError', cause: { $metadata: { httpStatusCode: 400 } } });
    expect(error.message).toContain(message);
  });

  test('an execution that was started, and a table that is not there: the error names the execution', async () => {
    const error = await world.startOnce('order-1', { ...WAIT, table: 'none' }).catch(thrown => thrown);

    expect(error.executionArn).toMatch(/:order-1$/);
  });
});

test.each([null, undefined, '', 1.5, true, {}, [], [['a']], ['a', null], '\ud800', 2 ** 53])(
  'the key %p: none, and nothing is called',
  async key => {
    const unusable = {} as SFNClient;

    await expect(startOnce(unusable, world.options('order-1', { key }))).rejects.toThrow(MissingKeyError);
  },
);

test.each([
  [['card 4711', ['secret']], 'a list of a text, a list of a text'],
  [['\ud800', null, 7], 'a list of a text with half a surrogate pair, null, a whole number'],
  [[2 ** 53, 0.5, ''], 'a list of a greater number, a fraction or not a number, an empty text'],
])('the key %j: the error says of what kind it is, and not what is in it', async (key, kind) => {
  const error = await world.startOnce('order-1', { key }).catch(thrown => thrown);

  expect(error.message.split('; got ')[1]).toBe(kind);
});

test.each([
  [{ stateMachineArn: '' }, '`stateMachineArn` must be a non-empty text; got an empty text'],
  [{ scope: undefined }, '`scope` must be a non-empty text; got undefined'],
  [{ table: 7 }, '`table` must be a non-empty text; got a whole number'],
  [{ waitUpTo: -1 }, '`waitUpTo` must be a number of milliseconds'],
  [{ waitUpTo: Number.NaN }, '`waitUpTo` must be a number of milliseconds'],
  [{ type: 'express' }, "`type` must be 'STANDARD' or 'EXPRESS'; got express"],
  [{ executionNames: 'hashed' }, "`executionNames` must be 'readable' or 'hash'; got hashed"],
  [{ input: undefined }, '`input` is undefined, which JSON cannot hold'],
])('the options %j: rejected before anything is called', async (more, message) => {
  const options = { ...world.options('order-1'), ...(more as object) };

  await expect(startOnce({} as SFNClient, options)).rejects.toMatchObject({
    name: 'StartOnceError',
    message: expect.stringContaining(message),
  });
});
