import {
  type Hold,
  type Postpone,
  type Start,
  startBatch,
} from '../../functions/start-from-queue/start-batch';

function batchOf(...bodies: string[]) {
  return {
    Records: bodies.map((body, index) => ({
      messageId: `m${index}`,
      receiptHandle: `r${index}`,
      body,
      attributes: { ApproximateReceiveCount: '1' },
    })),
  };
}

/** Nothing waits in these tests, or the time of a wait does not matter. */
const postpone: Postpone = async () => undefined;

/** A JSON object of so many bytes, most of them in characters of two. */
function bodyOf(bytes: number): string {
  const room = bytes - Buffer.byteLength('{"a":""}');
  return `{"a":"${'ä'.repeat(Math.floor(room / 2))}${'x'.repeat(room % 2)}"}`;
}

/** A start that succeeds, and says what it was given. */
function startInto(started: string[]): Start {
  return async input => {
    started.push(input);
    return { kind: 'started', output: '{}' };
  };
}

describe('a batch from the queue', () => {
  test('all started: nothing comes again', async () => {
    const started: string[] = [];
    const start = startInto(started);

    const answer = await startBatch(batchOf('{"a":1}', '{"b":2}'), { start, postpone: fail, complain: fail });

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(started).toEqual(['{"a":1}', '{"b":2}']);
  });

  test('a number of 17 digits reaches the workflow as it was written', async () => {
    const started: string[] = [];
    await startBatch(batchOf('{"n":0.12345678901234568}'), {
      start: startInto(started),
      postpone: fail,
      complain: fail,
    });

    expect(started).toEqual(['{"n":0.12345678901234568}']);
  });

  test('a body as long as an input may be: started', async () => {
    const started: string[] = [];
    await startBatch(batchOf(bodyOf(262_144)), { start: startInto(started), postpone: fail, complain: fail });

    expect(started).toHaveLength(1);
  });

  test.each([
    ['no JSON', 'order 7', 'the body is not JSON'],
    ['empty', '', 'the body is not JSON'],
    ['half a document', '{"a":', 'the body is not JSON'],
    ['a list', '[1]', 'the body is not a JSON object'],
    ['a number', '7', 'the body is not a JSON object'],
    ['null', 'null', 'the body is not a JSON object'],
    ['a byte too long', bodyOf(262_145), 'the body has more than 262144 bytes'],
  ])(
    'a body that is %s: comes again, with the reason; its neighbours are started',
    async (_, body, reason) => {
      const complaints: string[] = [];
      const started: string[] = [];

      const answer = await startBatch(batchOf('{"a":1}', body, '{"b":2}'), {
        start: startInto(started),
        postpone: fail,
        complain: text => complaints.push(text),
      });

      expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
      expect(started).toEqual(['{"a":1}', '{"b":2}']);
      expect(complaints.map(text => JSON.parse(text))).toEqual([
        { message: 'not started', messageId: 'm1', reason },
      ]);
    },
  );

  test('a start that fails or throws: comes again, and no content is logged', async () => {
    const complaints: string[] = [];
    const start: Start = async input => {
      if (input.includes('secret')) throw Object.assign(new Error('secret'), { name: 'ThrottlingException' });
      return input.includes('rejected')
        ? { kind: 'notStarted', reason: 'Idempotency.NotStarted' }
        : { kind: 'started', output: undefined };
    };

    const answer = await startBatch(batchOf('{"a":"secret"}', '{"a":"rejected"}', '{"a":1}'), {
      start,
      postpone,
      complain: text => complaints.push(text),
    });

    expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['m0', 'm1']);
    expect(complaints.join()).not.toContain('secret');
  });
});

describe('a batch whose messages wait for the end of their keys', () => {
  const STARTED = { executionArn: 'arn:e', recordKey: 'Pay#7' };
  /** What becomes of one message whose start has this output. */
  async function heldAfter(output: object | undefined, hold: Hold) {
    const complaints: string[] = [];
    const answer = await startBatch(batchOf('{"a":1}'), {
      start: async () => ({ kind: 'started', output: output && JSON.stringify(output) }),
      postpone: fail,
      hold,
      complain: text => complaints.push(text),
    });
    return {
      stays: answer.batchItemFailures.length === 1,
      complaints: complaints.map(text => JSON.parse(text)),
    };
  }

  test('started: held by its receipt handle, and stays', async () => {
    const held: unknown[] = [];

    const answer = await heldAfter(STARTED, async (...given) => void held.push(given));

    expect(answer).toEqual({ stays: true, complaints: [] });
    expect(held).toEqual([['r0', { messageId: 'm0', receiptHandle: 'r0', ...STARTED }]]);
  });

  test('a duplicate of a finished key: gone', async () => {
    expect(await heldAfter({ duplicateOf: 'arn:e' }, fail)).toEqual({ stays: false, complaints: [] });
  });

  test('without a usable key: stays for the redrive policy, with the reason, and nothing is held', async () => {
    const { stays, complaints } = await heldAfter({ executionArn: 'arn:e' }, fail);

    expect(stays).toBe(true);
    expect(complaints).toEqual([
      { message: 'cannot finish', messageId: 'm0', reason: 'the event has no usable idempotency key' },
    ]);
  });

  test.each([[{}], [undefined]])(
    'started before, which answers %j: stays, for the next receive to see',
    async output => {
      expect(await heldAfter(output, fail)).toEqual({ stays: true, complaints: [] });
    },
  );

  test('a failed write of what holds it: it stays all the same, and the failure is reported', async () => {
    const throttled = Object.assign(new Error('secret'), { name: 'RequestThrottled' });

    const { stays, complaints } = await heldAfter(STARTED, () => Promise.reject(throttled));

    expect(stays).toBe(true);
    expect(complaints).toEqual([
      { message: 'started, but not held', messageId: 'm0', reason: 'RequestThrottled' },
    ]);
  });
});

function fail(...given: unknown[]): never {
  throw new Error(JSON.stringify(given));
}

describe('a batch of a FIFO queue', () => {
  const message = (messageId: string, MessageGroupId: string, queue = 'orders.fifo') => ({
    messageId,
    receiptHandle: messageId,
    body: JSON.stringify({ messageId }),
    eventSourceARN: `arn:aws:sqs:eu-west-1:111111111111:${queue}`,
    attributes: { ApproximateReceiveCount: '1', MessageGroupId },
  });
  /** A start that fails for some messages, and says for which it was called. */
  const startBut =
    (failing: readonly string[], called: string[]): Start =>
    async input => {
      const { messageId } = JSON.parse(input);
      called.push(messageId);
      await new Promise(resolve => setImmediate(resolve));
      return failing.includes(messageId)
        ? { kind: 'notStarted', reason: 'Throttled' }
        : { kind: 'started', output: '{}' };
    };

  test('the second of a group fails: none behind it is started, other groups are', async () => {
    const called: string[] = [];
    const Records = [message('a1', 'a'), message('a2', 'a'), message('b1', 'b'), message('a3', 'a')];

    const answer = await startBatch(
      { Records },
      { start: startBut(['a2'], called), postpone, complain: () => undefined },
    );

    expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['a2', 'a3']);
    expect(called.sort()).toEqual(['a1', 'a2', 'b1']);
  });

  test('a message is kept until its key is finished: the next of its group waits', async () => {
    const called: string[] = [];
    const start: Start = async input => {
      called.push(JSON.parse(input).messageId);
      return { kind: 'started', output: JSON.stringify({ executionArn: 'arn', recordKey: 'Pay#a' }) };
    };
    const hold: Hold = async () => undefined;
    const Records = [message('a1', 'a'), message('a2', 'a')];

    const { batchItemFailures } = await startBatch(
      { Records },
      { start, postpone: fail, hold, complain: fail },
    );

    expect(batchItemFailures).toHaveLength(2);
    expect(called).toEqual(['a1']);
  });

  test('groups of a standard queue: every message is started, whatever becomes of others', async () => {
    const called: string[] = [];
    const Records = [message('a1', 'a', 'orders'), message('a2', 'a', 'orders')];

    const answer = await startBatch(
      { Records },
      { start: startBut(['a1'], called), postpone, complain: () => undefined },
    );

    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'a1' }]);
    expect(called).toEqual(['a1', 'a2']);
  });
});
