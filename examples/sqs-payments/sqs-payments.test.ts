import { type Interceptor, startTestStack, type TestStack } from '@onceflow/local';
import { checkFindings } from '../findings';
import { OPENS_AT, synthesized } from '../fixture';
import { accountOf, openAccount, payIn } from './accounts';
import { play, Runs } from './play';
import { SqsPaymentsStack } from './stack';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** The queue's visibility timeout. */
const VISIBILITY = 3 * MINUTE;
/** A key that cannot be evaluated is evaluated again, one and three seconds later, and then rejected. */
const EVALUATED_AGAIN = 4 * SECOND;

// Functions run for real, in processes of their own: a busy machine takes its time.
jest.setTimeout(60_000);

const { assembly, remove } = synthesized(app => new SqsPaymentsStack(app, 'SqsPayments'));
afterAll(remove);

describe('payments from a queue', () => {
  let stack: TestStack;
  /** What happens to the workflow's calls from now on. */
  let faults: Interceptor;
  /** Every call of the workflow so far, by the state it came from, and every run of the step with its second. */
  let calls: string[];
  let runs: string[];
  /** What the queue's function has logged. */
  let logged: string[];

  beforeEach(async () => {
    [calls, runs, logged] = [[], [], []];
    faults = (_, next) => next();
    const interceptor: Interceptor = (call, next) => {
      calls.push(call.stateName);
      if (call.stateName === 'Business step') runs.push(describeRun(call.arguments));
      return faults(call, next);
    };
    const log = (_: string, text: string) => logged.push(text);
    stack = await startTestStack({ assembly, startAt: OPENS_AT, interceptor, log });
    await openAccount(stack, 'anna', 5000);
  });
  afterEach(() => stack.close());

  const describeRun = (given: unknown) => {
    const { Payload } = given as { Payload: { idempotencyKey: string; attempt: number } };
    return `${Payload.idempotencyKey} attempt ${Payload.attempt} at ${(stack.now() - OPENS_AT) / SECOND} s`;
  };
  const pay = (paymentId: unknown, amount: unknown = 100, account: unknown = 'anna') =>
    JSON.stringify({ paymentId, account, amount });
  const send = (...bodies: readonly string[]) => {
    for (const body of bodies) stack.queues.send(stack.output('QueueUrl'), body);
  };
  const queued = () => stack.queues.peek(stack.output('QueueUrl')) ?? [];
  const dead = () => stack.queues.peek(stack.output('DeadLetterQueueUrl')) ?? [];
  const bodies = (messages: readonly { readonly body: string }[]) => messages.map(({ body }) => body).sort();
  const pass = (ms: number) => stack.pass(ms);
  const settle = () => stack.act(async () => undefined);
  const anna = () => accountOf(stack, 'anna');
  /** Lets the business step take clock time before it does anything. */
  const slowly = (ms: number) => {
    faults = async (call, next) => {
      if (call.stateName === 'Business step') await stack.work.pause(stack.clock, ms);
      return next();
    };
  };

  test('twelve payments, each sent twice at once: each made once, no message left', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `p-${index}`);
    send(...ids.map(id => pay(id)), ...ids.map(id => pay(id)));
    await settle();

    expect(await anna()).toEqual({ balance: 5000 - 12 * 100, payments: 12 });
    expect([...queued(), ...dead()]).toEqual([]);
  });

  test('the claim was written and its answer lost: not taken for a duplicate, but paid', async () => {
    let isLost = false;
    faults = async (call, next) => {
      const answer = await next();
      if (isLost || call.stateName !== 'Claim record') return answer;
      isLost = true;
      return { kind: 'failed', error: 'DynamoDB.SdkClientException', cause: '' };
    };
    send(pay('p-1'));
    await settle();

    expect(runs).toEqual([expect.stringContaining('Pay#p-1 attempt 1')]);
    expect(await anna()).toEqual({ balance: 4900, payments: 1 });
    expect([...queued(), ...dead()]).toEqual([]);
  });

  describe('a batch with bad messages', () => {
    const bad = ['p-9, please', '["p-9"]', pay(undefined), pay('p-8', -5), pay('p-7', 100, 'nobody')];

    test('the good ones are paid and gone at once, and only the bad ones come again', async () => {
      send(bad[0] ?? '', pay('p-1'), ...bad.slice(1), pay('p-2'));
      await pass(EVALUATED_AGAIN);

      expect(await anna()).toEqual({ balance: 4800, payments: 2 });
      expect(bodies(queued())).toEqual([...bad].sort());
      await settle();
      expect(runs.filter(run => /p-[12] /.test(run)).sort()).toEqual([
        'Pay#p-1 attempt 1 at 0 s',
        'Pay#p-2 attempt 1 at 0 s',
      ]);
    });

    test('poison: in the dead-letter queue as it came, after five receives and not before', async () => {
      send(...bad);
      await pass(5 * VISIBILITY - 1);
      expect(bodies(queued())).toEqual([...bad].sort());
      expect(dead()).toEqual([]);

      await pass(1);
      expect(queued()).toEqual([]);
      expect(bodies(dead())).toEqual([...bad].sort());
      expect(dead().map(({ receiveCount }) => receiveCount)).toEqual([5, 5, 5, 5, 5]);
      expect(await anna()).toEqual({ balance: 5000, payments: 0 });
    });

    test('the log says why, by message and without what is in it', async () => {
      send('p-9, please', pay(undefined), pay('p-8', -5));
      const ids = queued().map(({ messageId }) => messageId);
      await pass(EVALUATED_AGAIN);

      const reasons = logged.flatMap(text => text.match(/\{"message":"not started".*\}/g) ?? []);
      expect(reasons.map(reason => JSON.parse(reason))).toEqual(
        expect.arrayContaining([
          { message: 'not started', messageId: ids[0], reason: 'the body is not JSON' },
          { message: 'not started', messageId: ids[1], reason: 'Idempotency.InvalidEvent' },
          { message: 'not started', messageId: ids[2], reason: 'InvalidPayment' },
        ]),
      );
    });
  });

  describe('redelivery after the visibility timeout', () => {
    test('the payment failed: it is made by a later receive, as the next attempt', async () => {
      await openAccount(stack, 'ben', 0);
      send(pay('p-1', 100, 'ben'));
      await pass(VISIBILITY + MINUTE);
      await payIn(stack, 'ben', 100);
      await settle();

      expect(runs).toEqual([
        'Pay#p-1 attempt 1 at 0 s',
        'Pay#p-1 attempt 2 at 180 s',
        'Pay#p-1 attempt 3 at 360 s',
      ]);
      expect(await accountOf(stack, 'ben')).toEqual({ balance: 0, payments: 1 });
      expect([...queued(), ...dead()]).toEqual([]);
    });

    test('sent again while the payment runs: rejected, kept, and dropped when it comes back', async () => {
      slowly(30 * SECOND);
      send(pay('p-1'));
      await pass(10 * SECOND);
      send(pay('p-1'));
      await pass(30 * SECOND);

      // The first has been paid and is gone; the other waits out of sight.
      expect(await anna()).toEqual({ balance: 4900, payments: 1 });
      expect(queued()).toMatchObject([{ receiveCount: 1, visibleAt: OPENS_AT + 10 * SECOND + VISIBILITY }]);
      await settle();
      expect(runs).toHaveLength(1);
      expect([...queued(), ...dead()]).toEqual([]);
    });

    test('the message itself comes again while its payment runs: paid once, and deleted by the first check', async () => {
      slowly(30 * SECOND);
      send(pay('p-1'));
      await pass(0);
      const [{ receiptHandle = '' } = {}] = queued();
      // As if its time in a poller's hands had used up most of the visibility timeout.
      stack.queues.changeVisibility(stack.output('QueueUrl'), receiptHandle, 20);
      await pass(40 * SECOND);

      expect(await anna()).toEqual({ balance: 4900, payments: 1 });
      // SQS takes the handle of an earlier receive.
      expect(queued()).toEqual([]);
      await settle();
      expect(runs).toEqual(['Pay#p-1 attempt 1 at 0 s']);
      expect([...queued(), ...dead()]).toEqual([]);
    });

    test('the whole execution is interrupted within the step: free when the message comes back, and made then', async () => {
      faults = (call, next) => (call.stateName === 'Claim record' ? next() : stack.work.lose());
      send(pay('p-1'));
      await pass(VISIBILITY - 1);
      faults = (_, next) => next();
      await settle();

      expect(runs).toEqual(['Pay#p-1 attempt 1 at 0 s', 'Pay#p-1 attempt 2 at 180 s']);
      expect(await anna()).toEqual({ balance: 4900, payments: 1 });
      expect([...queued(), ...dead()]).toEqual([]);
    });
  });

  describe('messages of a finished payment', () => {
    test('an hour later: deleted, and nothing runs', async () => {
      send(pay('p-1'));
      await settle();
      await pass(60 * MINUTE);
      const before = calls.length;
      send(pay('p-1'), pay('p-1'));
      await pass(0);

      expect(queued()).toEqual([]);
      expect(new Set(calls.slice(before))).toEqual(new Set(['Claim record', 'Read record']));
      expect(await anna()).toEqual({ balance: 4900, payments: 1 });
    });

    test('with another amount: not dropped but rejected, and set aside for an operator', async () => {
      send(pay('p-1', 100));
      await settle();
      send(pay('p-1', 10_000));
      await settle();

      expect(bodies(dead())).toEqual([pay('p-1', 10_000)]);
      expect(runs).toHaveLength(1);
      expect(logged.join()).toContain('Idempotency.PayloadMismatch');
    });
  });

  describe('DynamoDB is away when the payment has been made', () => {
    const lose = (calls: number) => {
      let left = calls;
      faults = async (call, next) => {
        if (call.stateName !== 'Record the result' || left === 0) return next();
        left -= 1;
        return { kind: 'failed', error: 'DynamoDB.SdkClientException', cause: '' };
      };
    };

    test('for some seconds: recorded by a retry, and paid once', async () => {
      lose(4);
      send(pay('p-1'));
      await settle();

      expect(await anna()).toEqual({ balance: 4900, payments: 1 });
      expect([...queued(), ...dead()]).toEqual([]);
    });

    // What the README says is not guaranteed: there is no telling that the money has gone.
    test('for as long as the execution lasts: the step runs again, as the next attempt of the same key', async () => {
      lose(Number.POSITIVE_INFINITY);
      send(pay('p-1'));
      await pass(VISIBILITY - 1);
      faults = (_, next) => next();
      await settle();

      expect(runs).toEqual(['Pay#p-1 attempt 1 at 0 s', 'Pay#p-1 attempt 2 at 180 s']);
      expect(await anna()).toEqual({ balance: 4800, payments: 2 });
    });
  });
});

test('the story of the command: whatever can be paid is paid once', async () => {
  const runs = new Runs();
  const stack = await startTestStack({ assembly, startAt: OPENS_AT, interceptor: runs.interceptor });
  const rows = await play(stack, runs).finally(() => stack.close());

  expect(rows.map(({ runs, closed, dead, isRight }) => ({ runs, closed, dead, isRight }))).toEqual([
    { runs: 1, closed: 3000, dead: 0, isRight: true },
    { runs: 3, closed: 0, dead: 0, isRight: true },
    { runs: 5, closed: 100, dead: 1, isRight: true },
    { runs: 1, closed: 9300, dead: 1, isRight: true },
    { runs: 0, closed: 1000, dead: 1, isRight: true },
  ]);
});

test('the AwsSolutions rules of cdk-nag: no finding that is not acknowledged with its reason', () => {
  expect(() => checkFindings(app => new SqsPaymentsStack(app, 'SqsPayments'))).not.toThrow();
});
