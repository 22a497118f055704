import { createHash } from 'node:crypto';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  SFNClient,
  StartExecutionCommand,
  StartSyncExecutionCommand,
} from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import type { StartOnceOptions } from '../../client/index';
import { startOnceIn } from '../../client/start-once';
import { RESULT_ELSEWHERE } from '../../state-machine/contract/record';
import { sha256 } from '../../state-machine/contract/sha256';
import type { EpochMs } from '../../state-machine/contract/time';

const ARN = 'arn:aws:states:us-east-1:111111111111';
const OURS = `${ARN}:execution:Pay:order-1`;
const OWNER = `${ARN}:execution:Pay:owner`;
const INPUT = { orderId: 'order-1' };
const T0 = Date.parse('2026-11-20T09:00:00.000Z');

const sfn = mockClient(SFNClient);
const dynamodb = mockClient(DynamoDBClient);
const client = new SFNClient({ region: 'us-east-1' });
beforeEach(() => {
  sfn.reset();
  dynamodb.reset();
});

/** A time in which no call waits. */
function fakeTime() {
  const sleeps: number[] = [];
  const time = {
    now: () => T0 as EpochMs,
    elapsed: () => sleeps.reduce((sum, ms) => sum + ms, 0),
    sleep: async (ms: number) => void sleeps.push(ms),
  };
  return { time, sleeps };
}

function ask(more: Partial<StartOnceOptions> = {}, { time } = fakeTime()) {
  const options = { table: 'Records', scope: 'Pay', key: 'order-1', input: INPUT };
  return startOnceIn(time, client, { stateMachineArn: `${ARN}:stateMachine:Pay`, ...options, ...more });
}

const rejected = (name: string, httpStatusCode: number | undefined) =>
  Object.assign(new Error('secret'), { name, $metadata: { httpStatusCode } });
/** What a caller gets who looks at an execution of another state machine than its own. */
const NOT_ALLOWED = rejected('AccessDeniedException', 400);
const NOT_VISIBLE = new ExecutionDoesNotExist({ message: 'Execution Does Not Exist', $metadata: {} });
const NAME_TAKEN = new ExecutionAlreadyExists({ message: 'Execution Already Exists', $metadata: {} });
const STARTED = { executionArn: OURS, startDate: new Date(T0) };
const SUCCEEDED = { status: 'SUCCEEDED', output: '"paid"' } as const;
const heldUp = (owner?: string) =>
  ({ status: 'FAILED', error: 'Idempotency.InProgress', cause: JSON.stringify({ owner }) }) as const;

/** Names of the executions that are started, one after the other. */
function started(...names: string[]): void {
  const starts = sfn.on(StartExecutionCommand);
  for (const name of names) starts.resolvesOnce({ ...STARTED, executionArn: `${ARN}:execution:Pay:${name}` });
}

function record(attributes: object): void {
  dynamodb
    .on(GetItemCommand)
    .resolves({ Item: { owner: { S: OURS }, status: { S: 'COMPLETED' }, ...attributes } });
}

describe('waiting', () => {
  test('an execution that is not visible yet, and looks that fail in passing: looked at again', async () => {
    sfn.on(StartExecutionCommand).resolves(STARTED);
    sfn
      .on(DescribeExecutionCommand)
      .rejectsOnce(NOT_VISIBLE)
      .resolvesOnce({ status: 'RUNNING' })
      .resolvesOnce({ status: 'PENDING_REDRIVE' })
      .rejectsOnce(rejected('ThrottlingException', 400))
      .rejectsOnce(rejected('InternalError', 500))
      .rejectsOnce(rejected('SlowDown', 429))
      .rejectsOnce(rejected('TooManyRequestsException', 400))
      .rejectsOnce(rejected('RequestLimitExceeded', 400))
      .rejectsOnce(rejected('TimeoutError', undefined))
      .resolves(SUCCEEDED);
    record({});

    expect(await ask({ waitUpTo: 60_000 })).toEqual({
      outcome: 'started',
      executionArn: OURS,
      result: 'paid',
    });
  });

  test('a look that is rejected: the error at once, with the execution', async () => {
    sfn.on(StartExecutionCommand).resolves(STARTED);
    sfn.on(DescribeExecutionCommand).rejects(NOT_ALLOWED);

    const error = await ask({ waitUpTo: 60_000 }).catch(thrown => thrown);

    expect(error).toMatchObject({
      name: 'StartOnceError',
      operation: 'DescribeExecution',
      executionArn: OURS,
    });
    expect(error.message).toBe(
      'DescribeExecution failed with AccessDeniedException: ' +
        "allow states:DescribeExecution on the state machine's executions",
    );
    expect(sfn.commandCalls(DescribeExecutionCommand)).toHaveLength(1);
  });

  test.each(['AccessDeniedException', 'InternalServerError'])(
    'it runs already, and its record cannot be read for %s: the error names the execution',
    async name => {
      sfn.on(StartExecutionCommand).resolves({ ...STARTED, startDate: new Date(T0 - 60_000) });
      dynamodb.on(GetItemCommand).rejects(rejected(name, 400));

      await expect(ask()).rejects.toMatchObject({
        name: 'StartOnceError',
        operation: 'GetItem',
        executionArn: OURS,
      });
    },
  );

  test.each([undefined, new Date(Number.NaN)])(
    'it began at no date, %p: the record is read',
    async startDate => {
      sfn.on(StartExecutionCommand).resolves({ ...STARTED, startDate });
      record({ result: { S: '"paid"' }, attempt: { N: '1' } });
      sfn.on(DescribeExecutionCommand).resolves({ ...SUCCEEDED, input: JSON.stringify(INPUT) });

      expect(await ask()).toEqual({ outcome: 'started', executionArn: OURS, result: 'paid' });
    },
  );

  test('no look succeeds until the time is over: the error of the last', async () => {
    sfn.on(StartExecutionCommand).resolves(STARTED);
    sfn.on(DescribeExecutionCommand).rejects(rejected('ThrottlingException', 400));

    await expect(ask({ waitUpTo: 1_000 })).rejects.toThrow(
      /^DescribeExecution failed with ThrottlingException/,
    );
  });

  test('the time is over: in progress, after growing delays and one look at the very end', async () => {
    sfn.on(StartExecutionCommand).resolves(STARTED);
    sfn.on(DescribeExecutionCommand).resolves({ status: 'RUNNING' });
    const fake = fakeTime();

    const answer = await ask({ waitUpTo: 60_000 }, fake);

    expect(answer).toEqual({ outcome: 'inProgress', executionArn: OURS });
    expect(fake.time.elapsed()).toBeCloseTo(60_000, 6);
    expect(sfn.commandCalls(DescribeExecutionCommand)).toHaveLength(fake.sleeps.length);
    for (const [index, ms] of fake.sleeps.slice(0, -1).entries()) {
      const bound = Math.min(100 * 2 ** index, 5_000);
      expect(ms).toBeGreaterThanOrEqual(bound / 2);
      expect(ms).toBeLessThanOrEqual(bound);
    }
  });

  test('the signal has aborted before: nothing is called', async () => {
    await expect(ask({ signal: AbortSignal.abort('closed') })).rejects.toBe('closed');

    expect(sfn.calls()).toEqual([]);
  });

  test('the signal: goes with every call', async () => {
    started('order-1', 'order-1-b');
    sfn
      .on(DescribeExecutionCommand)
      .resolvesOnce(heldUp(OWNER))
      .resolvesOnce(SUCCEEDED)
      .resolves({ ...SUCCEEDED, input: '{"orderId":"order-1"}' });
    record({});
    sfn.on(StartSyncExecutionCommand).resolves({ ...SUCCEEDED, executionArn: OURS });
    const { signal } = new AbortController();

    await ask({ waitUpTo: 60_000, signal });
    await ask({ type: 'EXPRESS', signal });

    const options = [...sfn.calls(), ...dynamodb.calls()].map(
      ({ args: [, given] }: { args: unknown[] }) => given,
    );
    expect(options.length).toBeGreaterThan(6);
    expect(options).toEqual(Array(options.length).fill({ abortSignal: signal }));
  });

  test('no time at all: one look', async () => {
    sfn.on(StartExecutionCommand).resolves(STARTED);
    sfn.on(DescribeExecutionCommand).resolvesOnce({ status: 'RUNNING' }).resolves(SUCCEEDED);
    const fake = fakeTime();

    expect(await ask({ waitUpTo: 0 }, fake)).toEqual({ outcome: 'inProgress', executionArn: OURS });
    expect(fake.sleeps).toEqual([]);
  });

  test.each([
    ['timed out', { status: 'TIMED_OUT' } as const, { error: 'TIMED_OUT', cause: '' }],
    ['stopped', { status: 'ABORTED', cause: 'Ctrl-C' } as const, { error: 'ABORTED', cause: 'Ctrl-C' }],
    [
      'an error of the workflow',
      { status: 'FAILED', error: 'Idempotency.InDoubt' } as const,
      { error: 'Idempotency.InDoubt' },
    ],
    [
      'a claim that was lost after the step',
      { status: 'FAILED', error: 'Idempotency.ClaimLost' } as const,
      { error: 'Idempotency.ClaimLost' },
    ],
    [
      'a record that is held in doubt',
      { status: 'FAILED', error: 'Idempotency.InDoubt' } as const,
      { outcome: 'failed', error: 'Idempotency.InDoubt' },
    ],
    [
      'a record that is held as redrives are used up',
      { status: 'FAILED', error: 'Idempotency.RedrivesExhausted' } as const,
      { outcome: 'failed', error: 'Idempotency.RedrivesExhausted' },
    ],
    [
      'no key for the workflow',
      { status: 'FAILED', error: 'Idempotency.InvalidEvent' } as const,
      { outcome: 'failed' },
    ],
  ])('%s: failed', async (_, ending, answer) => {
    sfn.on(StartExecutionCommand).resolves(STARTED);
    sfn.on(DescribeExecutionCommand).resolves(ending);

    expect(await ask({ waitUpTo: 1_000 })).toMatchObject({
      outcome: 'failed',
      executionArn: OURS,
      ...answer,
    });
  });

  test('stopped when its record was finished: the result, as the step has run', async () => {
    sfn.on(StartExecutionCommand).resolves(STARTED);
    sfn.on(DescribeExecutionCommand).resolves({ status: 'ABORTED', cause: 'Ctrl-C' });
    record({ result: { S: '"paid"' }, attempt: { N: '1' } });

    const answer = { outcome: 'started', executionArn: OURS, result: 'paid' };
    expect(await ask({ waitUpTo: 1_000 })).toEqual(answer);
  });

  test('the same, and the bucket has the pointer of the step: what that points to', async () => {
    sfn.on(StartExecutionCommand).resolves(STARTED);
    sfn.on(DescribeExecutionCommand).resolves({ status: 'ABORTED' });
    const place = `Pay/${sha256('Pay#order-1')}/1/`;
    const hash = (text: string) => createHash('sha256').update(text).digest('base64');
    const own = { bucket: 'results', key: `${place}own`, sha256: hash('"paid"') };
    const pointer = JSON.stringify({ storedResult: own });
    record({
      result: { S: RESULT_ELSEWHERE },
      resultLocation: { S: `s3://results/${place}claim` },
      resultHash: { S: hash(pointer) },
      attempt: { N: '1' },
    });
    const texts = new Map([[`${place}claim`, pointer] as const, [own.key, '"paid"'] as const]);
    const s3 = {
      getObject: async ({ Key }: { readonly Key: string }) => ({
        Body: { transformToString: async () => texts.get(Key) ?? '' },
      }),
    };

    expect(await ask({ waitUpTo: 1_000, s3 })).toMatchObject({ outcome: 'started', result: 'paid' });
  });

  test('the same, and the result would have been its output: an error, as the step has not failed', async () => {
    sfn.on(StartExecutionCommand).resolves(STARTED);
    sfn.on(DescribeExecutionCommand).resolves({ status: 'FAILED', error: 'Sqs.AccessDenied' });
    record({ result: { S: RESULT_ELSEWHERE }, attempt: { N: '1' } });

    await expect(ask({ waitUpTo: 1_000 })).rejects.toThrow(
      /^the step has run, but the record does not contain its result, .* ended with Sqs\.AccessDenied\. Call again/,
    );
  });

  test('failed, and the record is of another one: failed', async () => {
    sfn.on(StartExecutionCommand).resolves(STARTED);
    sfn.on(DescribeExecutionCommand).resolves({ status: 'FAILED', error: 'Idempotency.ClaimLost' });
    record({ owner: { S: OWNER }, result: { S: '"paid"' }, attempt: { N: '2' } });

    expect(await ask({ waitUpTo: 1_000 })).toMatchObject({ outcome: 'failed', executionArn: OURS });
  });
});

describe('another execution owns the key', () => {
  test('and runs: it is looked at, and asked for by one start when it has ended', async () => {
    started('order-1', 'order-1-b');
    sfn.on(DescribeExecutionCommand, { executionArn: OURS }).resolves(heldUp(OWNER));
    const running = sfn.on(DescribeExecutionCommand, { executionArn: OWNER });
    for (let looks = 0; looks < 20; looks += 1) running.resolvesOnce({ status: 'RUNNING' });
    running.resolves(SUCCEEDED);
    sfn.on(DescribeExecutionCommand, { executionArn: `${OURS}-b` }).resolves(SUCCEEDED);
    record({ owner: { S: OWNER } });

    const answer = await ask({ waitUpTo: 600_000 });

    expect(answer).toEqual({ outcome: 'duplicate', executionArn: OWNER, result: 'paid' });
    const names = sfn.commandCalls(StartExecutionCommand).map(({ args }) => args[0].input.name);
    expect(names).toEqual(['order-1', expect.stringMatching(/^order-1-[0-9a-f]{16}$/)]);
  });

  test('and runs on: in progress, nothing more is started', async () => {
    started('order-1');
    sfn.on(DescribeExecutionCommand, { executionArn: OURS }).resolves(heldUp(OWNER));
    sfn.on(DescribeExecutionCommand, { executionArn: OWNER }).resolves({ status: 'RUNNING' });

    expect(await ask({ waitUpTo: 60_000 })).toEqual({ outcome: 'inProgress', executionArn: OWNER });
    expect(sfn.commandCalls(StartExecutionCommand)).toHaveLength(1);
  });

  test.each([
    ['was stopped', OWNER],
    ['is of a machine that had another name', `${ARN}:execution:Old:owner`],
    ['is not named', undefined],
  ])('and %s: asked again, less and less often, under a new name each time', async (_, owner) => {
    sfn.on(StartExecutionCommand).resolves(STARTED);
    sfn.on(DescribeExecutionCommand).rejects(NOT_ALLOWED);
    sfn.on(DescribeExecutionCommand, { executionArn: OWNER }).resolves({ status: 'ABORTED' });
    sfn.on(DescribeExecutionCommand, { executionArn: OURS }).resolves(heldUp(owner));

    const answer = await ask({ waitUpTo: 600_000 });

    const names = sfn.commandCalls(StartExecutionCommand).map(({ args }) => args[0].input.name);
    expect(answer).toEqual({ outcome: 'inProgress', executionArn: owner ?? OURS });
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(20);
    expect(names.length).toBeLessThan(60);
  });
});

test('another client for the records: asked instead', async () => {
  sfn.on(StartExecutionCommand).resolves(STARTED);
  sfn.on(DescribeExecutionCommand).resolves(SUCCEEDED);
  const other = new DynamoDBClient({ region: 'eu-central-1' });
  record({});

  await ask({ waitUpTo: 1_000, dynamodb: other });

  expect(dynamodb.calls().map(({ thisValue }) => thisValue)).toEqual([other]);
});

test('an Express workflow that is not waited for: run once', async () => {
  sfn.on(StartSyncExecutionCommand).resolves({ ...heldUp(OWNER), executionArn: OURS });

  expect(await ask({ type: 'EXPRESS' })).toEqual({ outcome: 'inProgress', executionArn: OWNER });
  expect(sfn.calls()).toHaveLength(1);
});

test('an Express workflow whose key stays with another: asked until the time is over, less and less often', async () => {
  sfn.on(StartSyncExecutionCommand).callsFake(() => {
    if (sfn.calls().length > 500) throw NOT_ALLOWED;
    return { ...heldUp(OWNER), executionArn: OURS };
  });
  const fake = fakeTime();

  expect(await ask({ type: 'EXPRESS', waitUpTo: 60_000 }, fake)).toEqual({
    outcome: 'inProgress',
    executionArn: OWNER,
  });
  expect(fake.time.elapsed()).toBeCloseTo(60_000, 6);
  expect(sfn.calls()).toHaveLength(fake.sleeps.length + 1);
});

describe('a name that is taken', () => {
  const isDuplicate = async () => (await ask()).outcome === 'duplicate';
  beforeEach(() => {
    sfn.on(StartExecutionCommand).callsFake(({ name }) => {
      if (name === 'order-1') throw NAME_TAKEN;
      return { executionArn: `${ARN}:execution:Pay:${name}` };
    });
    sfn
      .on(DescribeExecutionCommand)
      .rejects(NOT_ALLOWED)
      .on(DescribeExecutionCommand, { executionArn: OURS })
      .resolves({ ...SUCCEEDED, input: '{"orderId":"order-1"}' });
  });

  test.each([
    ['counts for one second more', { expiry: { N: String(T0 / 1000 + 1) } }, true],
    ['expires this second', { expiry: { N: String(T0 / 1000) } }, false],
    ['has no expiry', {}, true],
    ['is in progress', { status: { S: 'IN_PROGRESS' } }, false],
    ['failed', { status: { S: 'FAILED' } }, false],
    ['has its result with the owner', { result: { S: 'ELSEWHERE' } }, true],
    ['of a first version has its result with the owner', { result: { NULL: true } }, true],
    ['is of a state machine that had another name', { owner: { S: `${ARN}:execution:Old:order-1` } }, false],
    ['is of an Express execution', { owner: { S: `${ARN}:express:Pay:order-1:1` } }, false],
  ])('the record %s: a duplicate is %j', async (_, attributes, isAnswered) => {
    record({ result: { S: '"paid"' }, ...attributes });

    expect(await isDuplicate()).toBe(isAnswered);
  });

  test.each([
    ['has another input', { ...SUCCEEDED, input: '{"orderId":"order-1","x":1}' }],
    ['does not tell its input', SUCCEEDED],
    [
      'has not ended for those who look, and only it has the result',
      { status: 'RUNNING', input: '{"orderId":"order-1"}' } as const,
    ],
  ])('the owner %s: the workflow decides', async (_, description) => {
    record({ result: { S: 'ELSEWHERE' } });
    sfn.on(DescribeExecutionCommand, { executionArn: OURS }).resolves(description);

    expect(await isDuplicate()).toBe(false);
  });

  test('asked by a version or an alias of the state machine: its executions are the same', async () => {
    record({ result: { S: '"paid"' } });

    expect(await ask({ stateMachineArn: `${ARN}:stateMachine:Pay:live` })).toMatchObject({
      outcome: 'duplicate',
      executionArn: OURS,
    });
  });

  test('the owner is gone: the workflow decides', async () => {
    record({ result: { S: '"paid"' } });
    sfn.on(DescribeExecutionCommand, { executionArn: OURS }).rejects(NOT_VISIBLE);

    expect(await isDuplicate()).toBe(false);
  });

  test('the record is read as it is, not as it was', async () => {
    record({ result: { S: '"paid"' } });
    await ask();

    expect(dynamodb.commandCalls(GetItemCommand)[0]?.args[0].input).toEqual({
      TableName: 'Records',
      Key: { idempotencyKey: { S: 'Pay#order-1' } },
      ConsistentRead: true,
    });
  });
});
