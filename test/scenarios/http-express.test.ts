import { Duration } from 'aws-cdk-lib';
import { OnFailed, OnInProgress } from '../../infra/index';
import { at, atFirst, failing, loseFirstAnswer, noFault } from '../support/faults';
import { type Answer, BODY, type HttpWorld, keyed, openHttp, REPLAYED, told } from '../support/http';
import { GRACE_MS, type Variant } from '../support/variant';
import { fails, returns } from '../support/world';

const RECORD = 'ChargePayment#anonymous,k1';
const TIMEOUT = Duration.minutes(2);
/** For how long a claim counts whose execution has ended early. */
const LEASE = TIMEOUT.toMilliseconds() + GRACE_MS;
const CALL = 'Start the request';
const READ = 'Read its record';
/** How long a request waits for the workflow. */
const WAIT = 20_000;

describe('a request by HTTP to an Express workflow', () => {
  let world: HttpWorld;
  const open = async (workflow: Variant['workflow'] = {}) => {
    world = await openHttp(
      `express ${JSON.stringify(workflow)}`,
      { errors: { CardDeclined: 402 } },
      { type: 'EXPRESS', timeout: TIMEOUT, ...workflow },
    );
  };
  afterEach(() => world.close());

  const slow = (ms: number) => {
    world.step = async () => {
      await world.pause(ms);
      return returns({ charge: world.runs.length });
    };
  };
  const dueIn = ({ headers }: Answer) => Number(headers['Retry-After']) * 1000;

  test('the first time: the result, by one call and one read; again: the same, with its mark', async () => {
    await open();
    slow(3000);
    const first = await world.answered(keyed('"k1"'));
    const calls = [...world.calls];
    const again = await world.answered(keyed('k1', { Prefer: 'respond-async' }));

    expect(first).toEqual({ status: 200, headers: {}, body: '{"charge":1}', tookMs: 3000 });
    expect(again).toEqual({ ...first, headers: REPLAYED, tookMs: 0 });
    expect(world.runs).toEqual([
      {
        idempotencyKey: RECORD,
        attempt: 1,
        input: { idempotencyKey: ['anonymous', 'k1'], principal: 'anonymous', path: {}, body: BODY },
      },
    ]);
    expect(calls).toEqual([
      `aws-sdk:sfn:startSyncExecution from ${CALL}`,
      'dynamodb:putItem from Claim record',
      'lambda:invoke from Business step',
      'dynamodb:updateItem from Record the result',
      `dynamodb:getItem from ${READ}`,
    ]);
  });

  test('without a key, and with another body: 400, and 422 without a second run', async () => {
    await open();
    const without = await world.answered({ body: BODY });
    const starts = world.calls.length;
    await world.answered(keyed('k1'));

    expect([told(without), starts]).toEqual(['400 missing-key', 0]);
    expect(told(await world.answered(keyed('k1', {}, { ...BODY, amount: 13 })))).toBe('422 payload-mismatch');
    expect(world.runs).toHaveLength(1);
  });

  test('two at once: both start, one runs; the other is rejected, or waits for the first', async () => {
    const answersOf = async () => {
      slow(3000);
      const both = [world.request(keyed('k1')), world.request(keyed('k1'))];
      await world.settle();
      return Promise.all(both);
    };
    await open();
    const rejected = await answersOf();
    const runs = world.runs.length;
    await world.close();
    await open({ onDuplicateInProgress: OnInProgress.wait(Duration.seconds(10)) });
    const waited = await answersOf();

    expect(rejected.map(told).sort()).toEqual(['200', '409 in-progress']);
    expect(rejected.find(({ status }) => status === 409)).toMatchObject({
      headers: { 'Retry-After': '1' },
      tookMs: 0,
    });
    expect(waited.map(({ status, body }) => `${status} ${body}`)).toEqual(Array(2).fill('200 {"charge":1}'));
    expect(waited.map(({ headers }) => headers)).toEqual(expect.arrayContaining([{}, REPLAYED]));
    expect([runs, world.runs.length]).toEqual([1, 1]);
  });

  test('fifty keys, twenty requests each at once: one charge and one answer for each key', async () => {
    await open({ onDuplicateInProgress: OnInProgress.wait(Duration.seconds(10)) });
    world.step = async ({ idempotencyKey }) => {
      await world.pause(1000);
      return returns({ idempotencyKey, charge: world.runs.length });
    };
    const keys = Array.from({ length: 50 }, (_, index) => `k${index}`);
    const all = keys.map(key => Array.from({ length: 20 }, () => world.request(keyed(key))));
    await world.settle();
    const answers = await Promise.all(all.map(each => Promise.all(each)));

    expect(world.runs).toHaveLength(50);
    for (const each of answers) {
      expect(new Set(each.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
      expect(each.filter(({ headers }) => !('Idempotent-Replayed' in headers))).toHaveLength(1);
    }
    expect(new Set(answers.map(([first]) => first?.body)).size).toBe(50);
  });

  test('whose step fails: the status of its error, and again it runs; a stored failure is returned', async () => {
    await open();
    world.step = () => fails('CardDeclined', '{"trace":["at Object"]}');
    const failed = await world.answered(keyed('k1'));
    world.step = () => returns('paid');
    const later = await world.answered(keyed('k1'));
    await world.close();
    await open({ onFailedBefore: OnFailed.returnStoredFailure() });
    world.step = () => fails('CardDeclined');
    const first = await world.answered(keyed('k1'));
    const again = await world.answered(keyed('k1'));

    expect([told(failed), JSON.parse(failed.body).error]).toEqual(['402 step-failed', 'CardDeclined']);
    expect(later).toMatchObject({ status: 200, headers: {}, body: '"paid"' });
    expect([told(first), again.body]).toEqual(['402 step-failed', first.body]);
    expect(again.headers).toMatchObject(REPLAYED);
    expect(world.runs).toHaveLength(1);
  });

  test('whose step is interrupted: 503 until the lease is over, then the step runs again', async () => {
    await open();
    const start = world.clock.now();
    world.step = () => world.never();
    world.faults = at('Record the failure', () => world.never());
    const request = world.request(keyed('k1'));
    await world.pass(WAIT);
    const unknown = await request;
    world.step = () => returns('second');
    const meanwhile = await world.request(keyed('k1'));
    const due = dueIn(unknown);
    await world.pass(GRACE_MS);
    const overdue = await world.request(keyed('k1'));
    await world.pass(due - GRACE_MS - 1000);
    const early = await world.request(keyed('k1'));
    await world.pass(1000);

    expect(told(unknown)).toBe('503 outcome-unknown');
    expect(WAIT + due).toBe(LEASE + 1000);
    expect([told(meanwhile), told(early)]).toEqual(Array(2).fill('409 in-progress'));
    // Half of the time since the claim, and then, when the step has had its time, the rest of the lease.
    expect([dueIn(meanwhile), dueIn(early)]).toEqual([WAIT / 2, 1000]);
    expect(dueIn(overdue)).toBe(LEASE - GRACE_MS - WAIT + 1000);
    expect(world.clock.now()).toBe(start + LEASE + 1000);
    expect(await world.answered(keyed('k1'))).toMatchObject({ status: 200, headers: {}, body: '"second"' });
    expect(world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('at most once, and interrupted: in doubt when the lease is over, and not run again', async () => {
    await open({ delivery: 'at-most-once' });
    world.step = () => world.never();
    const request = world.request(keyed('k1'));
    await world.pass(WAIT);
    const unknown = await request;
    await world.pass(dueIn(unknown));

    expect(told(unknown)).toBe('503 outcome-unknown');
    expect(told(await world.answered(keyed('k1')))).toBe('500 in-doubt');
    expect(told(await world.answered(keyed('k1')))).toBe('500 in-doubt');
    expect(world.runs).toHaveLength(1);
  });

  test('of which the answer of the call is lost: its own record, and not 409', async () => {
    await open();
    world.faults = loseFirstAnswer(CALL, 'Sfn.SdkClientException');
    const ended = await world.answered(keyed('k1'));
    slow(3000);
    world.faults = atFirst(CALL, async (_call, next) => {
      void next();
      await world.pause(1000);
      return fails('Sfn.SdkClientException', 'Connection reset');
    });
    const running = await world.answered(keyed('k2'));
    const again = await world.answered(keyed('k2'));

    expect(ended).toMatchObject({ status: 200, headers: {}, body: '{"charge":1}' });
    expect(told(running)).toBe('503 outcome-unknown');
    expect(again).toMatchObject({ status: 200, headers: REPLAYED, body: '{"charge":2}' });
    expect(world.runs).toHaveLength(2);
  });

  test('that cannot be started: one try, and 503; whose record cannot be read: 503, and later the result', async () => {
    await open();
    world.faults = failing(CALL, 'Sfn.ThrottlingException');
    const throttled = await world.answered(keyed('k1'));
    const tries = world.calls.filter(call => call.endsWith(CALL)).length;
    world.faults = failing(READ, 'DynamoDB.AmazonDynamoDBException');
    const unread = await world.answered(keyed('k1'));
    world.faults = noFault;

    expect([told(throttled), throttled.headers['Retry-After'], tries]).toEqual(['503 not-started', '5', 1]);
    expect([told(unread), unread.headers['Retry-After']]).toEqual(['503 outcome-unknown', '5']);
    expect(unread.tookMs).toBeLessThan(8000);
    expect(await world.answered(keyed('k1'))).toMatchObject({ status: 200, headers: REPLAYED });
    expect(world.runs).toHaveLength(1);
  });

  test('that is rejected while the first fails: it can be sent again, and the failure is not its answer', async () => {
    await open();
    slow(3000);
    const first = world.request(keyed('k1'));
    await world.pass(1000);
    world.step = () => fails('CardDeclined');
    world.faults = at(READ, async (call, next) => {
      // The first one's record is written between the call and the read of the second.
      const record = await world.record(RECORD);
      await world.putRecord({ ...record, status: { S: 'FAILED' }, error: { S: '{"Error":"CardDeclined"}' } });
      return call && next();
    });

    expect(told(await world.request(keyed('k1')))).toBe('503 not-started');
    world.faults = noFault;
    await world.settle();
    await first;
  });

  test('whose result the record cannot hold: it is in the answer of the call, and later lost', async () => {
    await open();
    world.step = () => returns({ precise: 0.12345678901234568 });
    const first = await world.answered(keyed('k1'));

    expect(first).toMatchObject({ status: 200, headers: {}, body: '{"precise":0.12345678901234568}' });
    expect(told(await world.answered(keyed('k1')))).toBe('500 result-unavailable');
    expect(world.runs).toHaveLength(1);
  });

  describe.each(['Claim record', 'Business step', 'Record the result', CALL, READ])(
    'killed at "%s"',
    stateName => {
      test.each(['before', 'after'] as const)('%s the call: with the same key it ends', async when => {
        await open();
        world.faults = atFirst(stateName, async (_call, next) => {
          if (when === 'after') await next();
          return world.never();
        });
        const killed = world.request(keyed('k1')).catch(error => error);
        await world.pass(28_000);
        await killed;
        const between = await world.record(RECORD);
        const ran = world.runs.length;
        await world.pass(LEASE);
        const answer = await world.answered(keyed('k1'));

        if (between?.['status']?.S === 'COMPLETED') expect(between['result']).toEqual({ S: '{"charge":1}' });
        const isRunAgain = between?.['status']?.S !== 'COMPLETED';
        expect(answer).toMatchObject({ status: 200, body: `{"charge":${ran + (isRunAgain ? 1 : 0)}}` });
        expect(await world.record(RECORD)).toMatchObject({
          status: { S: 'COMPLETED' },
          result: { S: answer.body },
        });
      });
    },
  );
});
