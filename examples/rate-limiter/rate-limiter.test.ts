import { OPENS_AT } from '../fixture';
import { COUNTING, Limiter, REQUESTS_PER_DAY, type Request, synthesizeLimiter } from './limiter';

const TODAY = 'ada#2026-11-20';
const TOMORROW = 'ada#2026-11-21';
const MIDNIGHT = Date.parse('2026-11-21T00:00:00.000Z');
const EXCEEDED = 'RateLimiter.QuotaExceeded';
const MINUTE = 60_000;

const request = (number: number, more: Request = {}): Request => ({
  requestId: `request-${number}`,
  user: 'ada',
  at: '2026-11-20T09:00:00Z',
  ...more,
});
const requests = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => request(from + i));

describe('the rate limiter', () => {
  const { assembly, remove } = synthesizeLimiter();
  let limiter: Limiter;
  beforeEach(async () => {
    limiter = await new Limiter().open(assembly);
  });
  afterEach(() => limiter.close());
  afterAll(remove);

  const answerOf = async (one: Request) => {
    const [execution] = await limiter.ask(one);
    return execution?.error ?? JSON.parse(execution?.output ?? 'null');
  };

  test('a request: counted for its user and day', async () => {
    expect(await answerOf(request(1))).toEqual({ user: 'ada', day: '2026-11-20', used: 1 });
    expect(await answerOf(request(2))).toEqual({ user: 'ada', day: '2026-11-20', used: 2 });
    expect(await limiter.quotas()).toEqual([{ userAndDay: TODAY, requestIds: ['request-1', 'request-2'] }]);
  });

  test('what was counted: kept for 100 days after its day, whenever the request comes', async () => {
    await limiter.pass(5 * 24 * 60 * MINUTE);
    await limiter.ask(request(1, { at: '2026-11-20T23:59:59Z' }));

    expect(await limiter.expiryOf(TODAY)).toBe(Date.parse('2027-02-28T00:00:00Z') / 1000);
  });

  test('20 at the same time: five pass, the others learn at once that the quota is used up', async () => {
    const ends = await limiter.ask(...requests(1, 20));

    const passed = ends.filter(({ status }) => status === 'SUCCEEDED');
    const rejected = ends.filter(({ error }) => error === EXCEEDED);
    expect([passed.length, rejected.length]).toEqual([REQUESTS_PER_DAY, 15]);
    expect(new Set(passed.map(({ output }) => output)).size).toBe(REQUESTS_PER_DAY);
    const counted = passed.map(({ input }) => JSON.parse(input ?? '').detail.requestId);
    expect(await limiter.countedOf(TODAY)).toEqual(counted.sort());
    expect(rejected.map(({ startDate, stopDate = 0 }) => stopDate - startDate)).toEqual(Array(15).fill(0));
  });

  test('20 at the same time, each delivered twice by the bus: five pass, five are counted', async () => {
    const twenty = requests(1, 20);
    await limiter.deliver(...twenty, ...twenty);

    const passed = (await limiter.executions()).filter(({ status }) => status === 'SUCCEEDED');
    expect(new Set(passed.map(({ input }) => input)).size).toBe(REQUESTS_PER_DAY);
    expect(await limiter.countedOf(TODAY)).toHaveLength(REQUESTS_PER_DAY);
  });

  test('a rejection: says of whom and when, and is not the result of the request', async () => {
    await limiter.ask(...requests(1, 5));
    const [rejection] = await limiter.ask(request(6));

    expect(rejection).toMatchObject({ status: 'FAILED', error: EXCEEDED });
    expect(JSON.parse(rejection?.cause ?? '')).toEqual({
      message: 'the user has no request left on this day',
      user: 'ada',
      day: '2026-11-20',
      requestsPerDay: REQUESTS_PER_DAY,
    });
    expect(await limiter.records()).toContain('RateLimiter#request-6 FAILED');
  });

  test('the same request again, the quota used up: the first answer, without asking the quota', async () => {
    const [first] = await limiter.deliver(request(1));
    await limiter.ask(...requests(2, 6));
    const before = limiter.callsOf(COUNTING);

    expect(await limiter.ask(request(1))).toMatchObject([{ status: 'SUCCEEDED', output: first?.output }]);
    expect(await limiter.deliver(request(1))).toEqual([]);
    expect(limiter.callsOf(COUNTING)).toBe(before);
  });

  test('rejected, then the quota is raised: passes when delivered again', async () => {
    await limiter.ask(...requests(1, 5));
    await limiter.deliver(request(6));
    await limiter.raise(TODAY, 6);

    expect(await limiter.deliver(request(6))).toMatchObject([{ status: 'SUCCEEDED' }]);
    expect(await answerOf(request(7))).toBe(EXCEEDED);
    expect(await limiter.countedOf(TODAY)).toHaveLength(6);
  });

  test('rejected, then a slot is freed: passes when delivered again, one only', async () => {
    await limiter.ask(...requests(1, 7));
    await limiter.free(TODAY, 'request-1');

    const ends = await limiter.deliver(request(6), request(7));
    expect(ends.map(({ status }) => status).sort()).toEqual(['FAILED', 'SUCCEEDED']);
    expect(await limiter.countedOf(TODAY)).toHaveLength(REQUESTS_PER_DAY);
  });

  test('a raised quota before the first request: that many, no more', async () => {
    await limiter.raise(TODAY, 6);
    const ends = await limiter.ask(...requests(1, 9));

    expect(ends.filter(({ status }) => status === 'SUCCEEDED')).toHaveLength(6);
  });

  test('other users and other days: quotas of their own', async () => {
    await limiter.ask(...requests(1, 5));

    expect(await answerOf(request(6, { user: 'bob' }))).toMatchObject({ user: 'bob', used: 1 });
    expect(await answerOf(request(7, { at: '2026-11-21T00:00:00.000Z' }))).toMatchObject({ used: 1 });
    expect(await answerOf(request(8, { at: '2026-11-20T23:59:59.999999999Z' }))).toBe(EXCEEDED);
  });

  test('epoch milliseconds: the day that they are of, as the same time in text', async () => {
    const at = 1_510_067_704_370;

    expect(await answerOf(request(1, { at }))).toEqual({ user: 'ada', day: '2017-11-07', used: 1 });
    expect(await answerOf(request(1, { at: new Date(at).toISOString() }))).toMatchObject({ used: 1 });
    expect(await answerOf(request(2, { at: Date.UTC(2017, 10, 7) }))).toMatchObject({
      day: '2017-11-07',
      used: 2,
    });
    expect(await answerOf(request(3, { at: Date.UTC(2017, 10, 8) - 1 }))).toMatchObject({ used: 3 });
  });

  describe('faults, on the last slot of the day', () => {
    const last = request(5);
    beforeEach(() => limiter.ask(...requests(1, 4)));

    test('the answer of the update is lost: passes, counted once', async () => {
      limiter.stack.faults.loseAnswer(COUNTING);

      expect(await answerOf(last)).toMatchObject({ used: 5 });
      expect(limiter.callsOf(COUNTING)).toBe(6);
      expect(await limiter.countedOf(TODAY)).toHaveLength(5);
    });

    test('stopped right after the update: recovery redrives it, and it passes, counted once', async () => {
      limiter.stack.faults.killIn(COUNTING);
      await limiter.deliver(last);

      const owner = (await limiter.executions()).find(({ name }) => name === 'request-5');
      expect(owner).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
      expect(JSON.parse(owner?.output ?? '')).toEqual({ user: 'ada', day: '2026-11-20', used: 5 });
      expect(await limiter.countedOf(TODAY)).toHaveLength(5);
    });

    test('the table does not answer: the error of the service, and a later delivery passes', async () => {
      limiter.stack.faults.throttle(COUNTING, { times: 100 });
      expect(await answerOf(last)).toBe('DynamoDB.ProvisionedThroughputExceededException');
      limiter.stack.faults.clear();

      expect(await answerOf(last)).toMatchObject({ used: 5 });
    });

    test('every answer is lost, so that it fails: has its slot when it is delivered again', async () => {
      limiter.stack.faults.loseAnswer(COUNTING, { times: 100 });
      expect(await answerOf(last)).toBe('DynamoDB.SdkClientException');
      limiter.stack.faults.clear();
      expect(await answerOf(request(6))).toBe(EXCEEDED);

      expect(await answerOf(last)).toMatchObject({ used: 5 });
    });
  });

  describe('a request of the evening', () => {
    const late = request(6, { at: '2026-11-20T23:59:59.500Z' });
    beforeEach(() => limiter.passUntil(MIDNIGHT - 500));

    test('first delivered after midnight: counts on its own day', async () => {
      await limiter.passUntil(MIDNIGHT + MINUTE);

      await limiter.deliver(late);
      expect(await limiter.quotas()).toEqual([{ userAndDay: TODAY, requestIds: ['request-6'] }]);
    });

    test('counted before midnight and stopped, redriven after it: passes, counts on its own day only', async () => {
      limiter.stack.faults.killIn(COUNTING);
      await limiter.deliver(late);

      const [owner] = await limiter.executions();
      expect(owner?.redriveDate).toBeGreaterThan(MIDNIGHT);
      expect(await limiter.records()).toEqual(['RateLimiter#request-6 COMPLETED']);
      expect(await limiter.quotas()).toEqual([{ userAndDay: TODAY, requestIds: ['request-6'] }]);
    });

    test('rejected, delivered again after midnight: still rejected, and does not count today', async () => {
      await limiter.ask(...requests(1, 5));
      await limiter.deliver(late);
      await limiter.passUntil(MIDNIGHT + MINUTE);

      expect(await limiter.deliver(late)).toMatchObject([{ error: EXCEEDED }]);
      expect(await limiter.countedOf(TOMORROW)).toEqual([]);
    });
  });

  describe('a request id that is used again', () => {
    test.each([
      ['by another user', { user: 'bob' }],
      ['for another day', { at: '2026-11-21T09:00:00Z' }],
    ])('%s: rejected, after a pass and after a rejection, and not counted', async (_, more) => {
      await limiter.ask(...requests(1, 5));
      await limiter.ask(request(6));
      const before = limiter.callsOf(COUNTING);

      expect(await answerOf(request(1, more))).toBe('Idempotency.PayloadMismatch');
      expect(await answerOf(request(6, more))).toBe('Idempotency.PayloadMismatch');
      expect(limiter.callsOf(COUNTING)).toBe(before);
      expect(await limiter.quotas()).toHaveLength(1);
    });

    test('at another time of the same day: the same request', async () => {
      const first = await answerOf(request(1));

      expect(await answerOf(request(1, { at: '2026-11-20T17:30:00Z' }))).toEqual(first);
      expect(await limiter.countedOf(TODAY)).toHaveLength(1);
    });

    test('the number 7 and the text "7": two requests', async () => {
      await limiter.ask(request(0, { requestId: 7 }), request(0, { requestId: '7' }));

      expect(await limiter.countedOf(TODAY)).toEqual(['#7', '7']);
    });
  });

  test.each<[string, Request]>([
    ['no day', { at: undefined }],
    ['a day without its time', { at: '2026-11-20' }],
    ['no UTC', { at: '2026-11-20T09:00:00+02:00' }],
    ['no offset', { at: '2026-11-20T09:00:00' }],
    ['the 30th of February', { at: '2026-02-30T09:00:00Z' }],
    ['the 29th of February of no leap year', { at: '2026-02-29T09:00:00Z' }],
    ['a 13th month', { at: '2026-13-01T09:00:00Z' }],
    ['the 25th hour', { at: '2026-11-20T25:00:00Z' }],
    ['half a millisecond', { at: OPENS_AT + 0.5 }],
    ['a time before 1970', { at: -1 }],
    ['a time after the year 9999', { at: Date.UTC(9999, 11, 31) + 86_400_000 }],
    ['a list', { at: ['2026-11-20T09:00:00Z'] }],
    ['something behind the time', { at: '2026-11-20T09:00:00Z#2' }],
    ['a line break behind the time', { at: '2026-11-20T09:00:00Z\n' }],
    ['no user', { user: undefined }],
    ['an empty user', { user: '' }],
    ['a user that is a number', { user: 7 }],
    ['a user that would look like another day', { user: 'ada#2026-11-19' }],
    ['a user with a line break', { user: 'ada\n' }],
    ['a user of 101 characters', { user: 'a'.repeat(101) }],
  ])('%s: rejected before anything is written, and may be sent again corrected', async (_, bad) => {
    const [end] = await limiter.deliver(request(1, bad));

    expect(end).toMatchObject({ status: 'FAILED', error: 'Idempotency.InvalidEvent' });
    expect([await limiter.quotas(), await limiter.records()]).toEqual([[], []]);
    expect(await limiter.deliver(request(1))).toMatchObject([{ status: 'SUCCEEDED' }]);
  });

  test('no request id: rejected, nothing is written', async () => {
    expect(await answerOf(request(1, { requestId: undefined }))).toBe('Idempotency.InvalidEvent');
    expect([await limiter.quotas(), await limiter.records()]).toEqual([[], []]);
  });

  test('the leap day: a day like another', async () => {
    expect(await answerOf(request(1, { at: '2028-02-29T00:00:00Z' }))).toMatchObject({ day: '2028-02-29' });
  });
});
