import { Duration } from 'aws-cdk-lib';
import { checkFindings } from '../findings';
import type { Request } from './limiter';
import { WindowedLimiter } from './windowed-limiter';
import { WindowedRateLimiterStack, type WindowedRateLimiterStackProps } from './windowed-stack';

const EXCEEDED = 'RateLimiter.QuotaExceeded';

// Functions run for real, in processes of their own: a busy machine takes its time.
jest.setTimeout(60_000);

const request = (number: number, at = '2026-11-20T09:00:00Z', user = 'ada'): Request => ({
  requestId: `request-${number}`,
  user,
  at,
});
const requests = (from: number, to: number, at?: string, user?: string) =>
  Array.from({ length: to - from + 1 }, (_, i) => request(from + i, at, user));

describe('the rate limiter with windows of seven minutes, and three shards', () => {
  let limiter: WindowedLimiter;
  beforeAll(async () => {
    limiter = await WindowedLimiter.with({ limit: 10, window: Duration.minutes(7), shards: 3 });
  });
  afterAll(() => limiter?.close());

  const passed = async (...some: readonly Request[]) =>
    (await limiter.ask(...some)).filter(({ status }) => status === 'SUCCEEDED').length;
  const of = async (user: string) =>
    Object.entries(await limiter.counted()).filter(([name]) => name.startsWith(`${user}#`));
  const idsOf = (user: string, some: readonly Request[]) =>
    some.map(one => ({ ...one, user, requestId: `${user} ${one.requestId}` }));

  test('20 at the same time, each started twice: ten pass, whatever shard they are of', async () => {
    const twenty = idsOf('twenty', requests(1, 20));
    const ends = await limiter.ask(...twenty, ...twenty);
    const idOf = (input = '') => JSON.parse(input).detail.requestId;
    const passes = new Set(ends.filter(end => end.status === 'SUCCEEDED').map(end => idOf(end.input)));

    expect(passes.size).toBe(10);
    expect(await of('twenty')).toEqual([['twenty#2026-11-20T08:54:00.000Z', 10]]);
  });

  test('full, one after the other: the tenth passes and the eleventh does not, also when it comes again', async () => {
    for (const one of idsOf('serial', requests(1, 10))) expect(await passed(one)).toBe(1);
    const [eleventh] = idsOf('serial', requests(11, 11));

    expect(await limiter.ask(eleventh ?? {})).toMatchObject([{ status: 'FAILED', error: EXCEEDED }]);
    expect(await passed(eleventh ?? {})).toBe(0);
    expect(await passed(...idsOf('serial', requests(1, 10)))).toBe(10);
    expect((await of('serial'))[0]?.[1]).toBe(10);
  });

  test('windows follow each other without a gap, and each has a limit of its own', async () => {
    const at = (time: string, from: number) => idsOf('edges', requests(from, from + 11, time));
    expect(await passed(...at('2026-11-20T09:00:59.999Z', 1))).toBe(10);
    expect(await passed(...at('2026-11-20T09:01:00Z', 21))).toBe(10);

    expect(await of('edges')).toEqual([
      ['edges#2026-11-20T08:54:00.000Z', 10],
      ['edges#2026-11-20T09:01:00.000Z', 10],
    ]);
  });

  test('stopped when counted, with the last slot, and delivered again: passes, counted once', async () => {
    await limiter.ask(...idsOf('stopped', requests(1, 9)));
    const [last] = idsOf('stopped', requests(10, 10));
    limiter.stack.faults.killIn('Business step');
    await limiter.ask(last ?? {});
    await limiter.pass(60_000);
    expect(await passed(...idsOf('stopped', requests(11, 11)))).toBe(0);
    // The first brings the ended execution back, the second is answered by its record.
    await limiter.ask(last ?? {});

    expect(await passed(last ?? {})).toBe(1);
    expect((await of('stopped'))[0]?.[1]).toBe(10);
  });

  test('an id again in another window: rejected, and not counted', async () => {
    const [one] = idsOf('moved', requests(1, 1));
    await limiter.ask(one ?? {});
    const [moved] = await limiter.ask({ ...one, at: '2026-11-20T10:00:00Z' });

    expect(moved).toMatchObject({ error: 'Idempotency.PayloadMismatch' });
    expect(await of('moved')).toHaveLength(1);
  });

  test('a time that is none: rejected before anything is counted', async () => {
    const before = limiter.callsOf('Business step');
    const [bad] = await limiter.ask(...idsOf('bad', [request(1, '2026-11-20T25:00:00Z')]));

    expect(bad).toMatchObject({ error: 'Idempotency.InvalidEvent' });
    expect(limiter.callsOf('Business step')).toBe(before);
  });
});

describe('the rate limiter of a million an hour, that answers with { limited }', () => {
  let limiter: WindowedLimiter;
  beforeAll(async () => {
    limiter = await WindowedLimiter.with({ limit: 1_000_000, window: Duration.hours(1), answer: 'limited' });
  });
  afterAll(() => limiter?.close());

  test('the last five of the hour pass, the others are limited, and each keeps its answer', async () => {
    const answersOf = async (some: readonly Request[]) =>
      (await limiter.ask(...some)).map(({ output }) => JSON.parse(output ?? ''));
    await limiter.setCounter('ada', '2026-11-20T09:00:00Z', 999_995);
    const answers = await answersOf(requests(1, 12));

    expect(answers.filter(({ limited }) => limited === false)).toHaveLength(5);
    expect(answers.filter(({ limited }) => limited === true)).toHaveLength(7);
    expect(await answersOf(requests(1, 12))).toEqual(answers);
    expect(await limiter.counted()).toEqual({ 'ada#2026-11-20T09:00:00.000Z': 1_000_000 });
    expect(await limiter.noted()).toBe(5);
    expect(await answersOf(requests(21, 21, '2026-11-20T10:00:00Z'))).toEqual([{ limited: false }]);
  });
});

describe('the stack of the windowed rate limiter', () => {
  const check = (settings: Partial<WindowedRateLimiterStackProps>) =>
    checkFindings(
      app =>
        new WindowedRateLimiterStack(app, 'Windowed', { limit: 5, window: Duration.minutes(1), ...settings }),
    );

  test('the AwsSolutions rules of cdk-nag: no finding that is not acknowledged with its reason', () => {
    expect(() => check({})).not.toThrow();
  });

  test.each([
    [{ limit: 0 }, '`limit` must be a whole number from 1 to 1000000000, got 0'],
    [{ limit: 2.5 }, '`limit` must be a whole number from 1 to 1000000000, got 2.5'],
    [{ shards: 6 }, '`shards` must be a whole number from 1 to 5, got 6'],
    [
      { window: Duration.days(32) },
      '`window` must be a whole number of seconds from 1 to 2678400, got 2764800',
    ],
  ])('%p: rejected with the bounds', (settings, message) => {
    expect(() => check(settings)).toThrow(message);
  });
});
