import {
  type Batch,
  type CheckedRecord,
  checkBatch,
  type Services,
} from '../../functions/check-message/check-batch';

const OWN = 'arn:own';
const MESSAGE = { messageId: 'm', receiptHandle: 'r', executionArn: OWN, recordKey: 'Pay#7' };

/** The check of one message for the nth time. */
function checkOf(receives = 1): Batch {
  const attributes = { ApproximateReceiveCount: String(receives) };
  return {
    Records: [{ messageId: 'check', receiptHandle: 'l', body: JSON.stringify(MESSAGE), attributes }],
  };
}

interface World {
  readonly record?: CheckedRecord;
  /** What Step Functions says of each execution. */
  readonly executions?: Readonly<Record<string, string>>;
  /** How long ago those that are not running have ended. */
  readonly endedSecondsAgo?: number;
  /** Calls that fail. */
  readonly failing?: readonly string[];
  /** Calls that are answered with a rejection. */
  readonly rejected?: readonly string[];
  readonly receives?: number;
  readonly checkAfterSeconds?: number;
}

/** What one check does, call by call, whether it comes again, and what it tells. */
async function checked(world: World) {
  const {
    record,
    executions = {},
    failing = [],
    rejected = [],
    receives,
    checkAfterSeconds = 40,
    endedSecondsAgo = 40,
  } = world;
  const calls: string[] = [];
  const told: string[] = [];
  const call = (name: string) => {
    calls.push(name);
    if (failing.some(begin => name.startsWith(begin)))
      throw Object.assign(new Error(name), { name: 'Throttled' });
  };
  const services: Services = {
    async read(key) {
      call(`read ${key}`);
      return record ?? { status: undefined };
    },
    async describe(arn) {
      call(`describe ${arn}`);
      const status = executions[arn];
      if (status === undefined || status === 'RUNNING') return status && { status };
      return { status, endedSecondsAgo };
    },
    async remove(handle) {
      call(`delete ${handle}`);
      return !rejected.includes('delete');
    },
    async hide(queue, handle, seconds) {
      call(`hide ${queue} ${handle} ${seconds}`);
      return !rejected.includes(`hide ${queue}`);
    },
  };
  const options = { services, checkAfterSeconds, stepSeconds: 40, tell: (text: string) => told.push(text) };
  const { batchItemFailures } = (await checkBatch(checkOf(receives), options)) as {
    readonly batchItemFailures: readonly object[];
  };
  const reasons = told.map(text => (JSON.parse(text) as { readonly reason: string }).reason);
  return { calls, isAgain: batchItemFailures.length > 0, reasons };
}

describe('the check of a message that has been started', () => {
  test('its execution has finished the key: deleted, and Step Functions is not asked', async () => {
    expect(await checked({ record: { status: 'COMPLETED', owner: OWN } })).toEqual({
      calls: ['read Pay#7', 'delete r'],
      isAgain: false,
      reasons: [],
    });
  });

  test('its execution has recorded a failure: left to come again, with the name of the error and not its cause', async () => {
    const error = '{"Error":"CardDeclined","Cause":"secret"}';

    expect(await checked({ record: { status: 'FAILED', owner: OWN, error } })).toEqual({
      calls: ['read Pay#7', 'describe arn:own'],
      isAgain: false,
      reasons: ['The business step failed: CardDeclined'],
    });
  });

  test('leave a message whose key another workflow has failed, of which nothing may be asked', async () => {
    const { calls, isAgain } = await checked({
      record: { status: 'FAILED', owner: 'arn:b' },
      executions: { [OWN]: 'FAILED' },
      failing: ['describe arn:b'],
    });

    expect(calls).toEqual(['read Pay#7', 'describe arn:own', 'describe arn:b']);
    expect(isAgain).toBe(false);
  });

  test.each(['null', 'not JSON'])('leave a failed message whose stored error is %s', async error => {
    const { isAgain, reasons } = await checked({ record: { status: 'FAILED', owner: OWN, error } });

    expect(isAgain).toBe(false);
    expect(reasons).toEqual([expect.stringMatching(/^The business step failed: /)]);
  });

  test('its execution has recorded a failure without its error: left to come again', async () => {
    const { calls, isAgain } = await checked({ record: { status: 'FAILED', owner: OWN } });

    expect(calls).toEqual(['read Pay#7', 'describe arn:own']);
    expect(isAgain).toBe(false);
  });

  test.each<[string, CheckedRecord | undefined]>([
    ['the record is gone, its retention being shorter', undefined],
    ['another execution has finished the key, and answered its own', { status: 'COMPLETED', owner: 'arn:b' }],
    ['another one has claimed the key anew', { status: 'IN_PROGRESS', owner: 'arn:b' }],
  ])('its execution has succeeded, %s: deleted, and not started again', async (_, record) => {
    const executions = { [OWN]: 'SUCCEEDED', 'arn:b': 'RUNNING' };

    const { calls, isAgain } = await checked({ ...(record && { record }), executions });

    expect(calls.at(-1)).toBe('delete r');
    expect(isAgain).toBe(false);
  });

  test.each<[string, CheckedRecord | undefined, Record<string, string>]>([
    ['its own execution works on the key', { status: 'IN_PROGRESS', owner: OWN }, { [OWN]: 'RUNNING' }],
    [
      'another one does, its own was rejected',
      { status: 'IN_PROGRESS', owner: 'arn:b' },
      { 'arn:b': 'RUNNING' },
    ],
    ['its own has not claimed the key yet', undefined, { [OWN]: 'RUNNING' }],
    [
      'its own has not taken a failed key over yet',
      { status: 'FAILED', owner: 'arn:b' },
      { [OWN]: 'RUNNING' },
    ],
    [
      'its own waits until the step of an ended owner has ended',
      { status: 'IN_PROGRESS', owner: 'arn:b' },
      { 'arn:b': 'FAILED', [OWN]: 'RUNNING' },
    ],
    [
      'its own is to take over from one that is not known',
      { status: 'IN_PROGRESS', owner: 'arn:b' },
      { [OWN]: 'RUNNING' },
    ],
    ['its own has recorded a failure and sends it', { status: 'FAILED', owner: OWN }, { [OWN]: 'RUNNING' }],
    [
      'another one has recorded a failure and sends it',
      { status: 'FAILED', owner: 'arn:b' },
      { 'arn:b': 'RUNNING', [OWN]: 'FAILED' },
    ],
    ['a redrive is to come', { status: 'IN_PROGRESS', owner: OWN }, { [OWN]: 'PENDING_REDRIVE' }],
  ])('%s: kept out of sight, and looked at again', async (_, record, executions) => {
    const { calls, isAgain } = await checked({ ...(record && { record }), executions });

    expect(calls.slice(-2)).toEqual(['hide source r 100', 'hide started l 40']);
    expect(isAgain).toBe(true);
  });

  describe.each<[string, CheckedRecord | undefined, Record<string, string>]>([
    ['its own execution was stopped', { status: 'IN_PROGRESS', owner: OWN }, { [OWN]: 'ABORTED' }],
    ['the owner failed', { status: 'IN_PROGRESS', owner: 'arn:b' }, { 'arn:b': 'FAILED', [OWN]: 'FAILED' }],
    ['the owner is not known', { status: 'IN_PROGRESS', owner: 'arn:b' }, { [OWN]: 'FAILED' }],
    ['recovery has released the key', { status: 'RELEASED', owner: OWN }, { [OWN]: 'FAILED' }],
    ['its own was stopped before its claim', undefined, { [OWN]: 'ABORTED' }],
    ['its own timed out before its claim', undefined, { [OWN]: 'TIMED_OUT' }],
  ])('%s: recovery may decide', (_, record, executions) => {
    const world = { ...(record && { record }), executions };

    test('32 times the time of the step keep the message invisible, however often it was checked', async () => {
      const { calls, isAgain } = await checked({ ...world, endedSecondsAgo: 32 * 40, receives: 7 });

      expect(calls.slice(-2)).toEqual(['hide source r 2620', 'hide started l 2560']);
      expect(isAgain).toBe(true);
    });

    test('a later check leaves it to come again: its delivery starts recovery', async () => {
      const { calls, isAgain, reasons } = await checked({ ...world, endedSecondsAgo: 32 * 40 + 1 });

      expect(calls.filter(call => /^(delete|hide)/.test(call))).toEqual([]);
      expect(isAgain).toBe(false);
      expect(reasons).toHaveLength(1);
    });
  });

  test('no execution is known: six checks keep the message invisible, the seventh leaves it', async () => {
    const record = { status: 'IN_PROGRESS', owner: 'arn:b' };

    expect(await checked({ record, receives: 6 })).toMatchObject({ isAgain: true });
    expect(await checked({ record, receives: 7 })).toMatchObject({ isAgain: false });
  });

  test('its key is held for review: left to come again, and its execution is not asked about', async () => {
    const error = JSON.stringify({ Error: 'Idempotency.InDoubt', Cause: 'secret' });

    expect(await checked({ record: { status: 'HELD', owner: OWN, error } })).toEqual({
      calls: ['read Pay#7'],
      isAgain: false,
      reasons: ['Held for review: Idempotency.InDoubt'],
    });
  });

  test.each<[string, CheckedRecord | undefined, Record<string, string>]>([
    ['its own was rejected before it claimed', undefined, { [OWN]: 'FAILED' }],
    [
      'another has finished the key, with another payload',
      { status: 'COMPLETED', owner: 'arn:b' },
      { [OWN]: 'FAILED' },
    ],
    ['its own is not known', undefined, {}],
  ])('%s: left to come again, so that the workflow decides', async (_, record, executions) => {
    const { calls, isAgain, reasons } = await checked({ ...(record && { record }), executions });

    expect(calls.filter(call => /^(delete|hide)/.test(call))).toEqual([]);
    expect(isAgain).toBe(false);
    expect(reasons).toHaveLength(1);
  });

  test.each([
    [1, 40],
    [2, 80],
    [4, 320],
    [40, 10_800],
  ])('look %d finds it at work: the next one %d seconds later', async (receives, seconds) => {
    const { calls } = await checked({ executions: { [OWN]: 'RUNNING' }, receives });

    expect(calls.slice(2)).toEqual([`hide source r ${seconds + 60}`, `hide started l ${seconds}`]);
  });

  test('a step of an hour: not looked at before it has had its time', async () => {
    const early = await checked({ checkAfterSeconds: 3600, receives: 1 });
    const first = await checked({ checkAfterSeconds: 3600, receives: 2, executions: { [OWN]: 'RUNNING' } });

    expect(early).toEqual({ calls: ['hide started l 2700'], isAgain: true, reasons: [] });
    expect(first.calls).toContain('hide source r 3660');
  });
});

test('several looks: those come again whose keys are worked on, and no others', async () => {
  const looks = ['done', 'running'].map(messageId => ({
    ...checkOf().Records[0],
    messageId,
    body: JSON.stringify({ ...MESSAGE, recordKey: messageId }),
  }));
  const services: Services = {
    read: async key => (key === 'done' ? { status: 'COMPLETED', owner: OWN } : { status: undefined }),
    describe: async () => ({ status: 'RUNNING' }),
    remove: async () => true,
    hide: async () => true,
  };
  const options = { services, checkAfterSeconds: 40, stepSeconds: 40, tell: () => undefined };

  expect(await checkBatch({ Records: looks } as unknown as Batch, options)).toEqual({
    batchItemFailures: [{ itemIdentifier: 'running' }],
  });
});

describe('a look that goes wrong', () => {
  test('DynamoDB does not answer: the execution is asked', async () => {
    const executions = { [OWN]: 'RUNNING' };

    expect(await checked({ failing: ['read'], executions })).toMatchObject({ isAgain: true });
    expect(await checked({ failing: ['read'], executions: { [OWN]: 'FAILED' } })).toMatchObject({
      isAgain: false,
    });
  });

  test('no answer: counts as running, so that no receive is used up', async () => {
    const { calls, isAgain } = await checked({ failing: ['read', 'describe'] });

    expect(calls).toContain('hide source r 100');
    expect(isAgain).toBe(true);
  });

  test('the delete fails: looked at again', async () => {
    const record = { status: 'COMPLETED', owner: OWN };

    expect(await checked({ record, failing: ['delete'] })).toMatchObject({
      isAgain: true,
      reasons: ['Throttled'],
    });
  });

  test('do not check again if SQS rejects the receipt handle of a finished message', async () => {
    const record = { status: 'COMPLETED', owner: OWN };

    expect(await checked({ record, rejected: ['delete'] })).toEqual({
      calls: ['read Pay#7', 'delete r'],
      isAgain: false,
      reasons: ['SQS rejects the receipt handle, and the message comes again'],
    });
  });

  test('the receipt handle has expired: not checked again, because the message comes on its own', async () => {
    const executions = { [OWN]: 'RUNNING' };

    expect(await checked({ executions, rejected: ['hide source'] })).toMatchObject({ isAgain: false });
  });

  test('SQS does not answer: checked again before the message comes on its own, which uses up no receive', async () => {
    const executions = { [OWN]: 'RUNNING' };

    expect(await checked({ executions, failing: ['hide source'] })).toMatchObject({
      isAgain: true,
      reasons: ['Throttled'],
    });
  });

  test('the look itself cannot be delayed: it comes again all the same', async () => {
    const executions = { [OWN]: 'RUNNING' };

    expect(await checked({ executions, failing: ['hide started'] })).toMatchObject({ isAgain: true });
  });
});

describe('a batch with bodies that name no message', () => {
  const WRONG = ['order 7', '', 'null', '7', '[]', '{}', JSON.stringify({ ...MESSAGE, recordKey: 7 })];

  test('they are dropped, each with a line, and the others are checked', async () => {
    const [good] = checkOf().Records;
    const looks = WRONG.map((body, index) => ({ ...good, messageId: `bad-${index}`, body }));
    const deleted: string[] = [];
    const lines: unknown[] = [];
    const services: Services = {
      read: async () => ({ status: 'COMPLETED', owner: OWN }),
      describe: async () => undefined,
      remove: async handle => deleted.push(handle) > 0,
      hide: async () => true,
    };

    const answer = await checkBatch({ Records: [...looks, ...checkOf().Records] } as Batch, {
      services,
      checkAfterSeconds: 40,
      stepSeconds: 40,
      tell: text => lines.push(JSON.parse(text)),
    });

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(deleted).toEqual(['r']);
    expect(lines).toEqual(
      WRONG.map((_, index) => ({
        message: 'not checked',
        messageId: `bad-${index}`,
        reason: 'the body does not name a message',
      })),
    );
  });
});
