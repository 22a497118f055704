import { compileScheduler, type ScheduleTimes } from '../../../../services/events/scheduler/expression';

/** The first times after one, of a schedule that came to be then. */
function times(schedule: ScheduleTimes, count: number, after: string): readonly string[] {
  const compiled = compileScheduler(schedule);
  if (compiled.kind === 'invalid') throw new Error(compiled.message);
  const origin = Date.parse(after);
  const found: string[] = [];
  for (let now: number | undefined = origin; found.length < count; ) {
    now = compiled.next(now, origin);
    if (now === undefined) break;
    found.push(new Date(now).toISOString().slice(0, 16));
  }
  return found;
}

const berlin = (expression: string) => ({ expression, timeZone: 'Europe/Berlin' });

describe('a schedule of EventBridge Scheduler', () => {
  test('a cron in a time zone: its times are those of its clocks, summer and winter', () => {
    const eight = berlin('cron(0 8 * * ? *)');

    expect(times(eight, 2, '2026-10-23T12:00:00Z')).toEqual(['2026-10-24T06:00', '2026-10-25T07:00']);
  });

  test('a time that the clocks leave out: left out', () => {
    const halfPastTwo = berlin('cron(30 2 * * ? *)');

    expect(times(halfPastTwo, 2, '2026-03-28T00:00:00Z')).toEqual(['2026-03-28T01:30', '2026-03-30T00:30']);
  });

  test('a time that they show twice: once, the first time', () => {
    const halfPastTwo = berlin('cron(30 2 * * ? *)');

    expect(times(halfPastTwo, 2, '2026-10-24T23:00:00Z')).toEqual(['2026-10-25T00:30', '2026-10-26T01:30']);
    // Between the two.
    expect(times(halfPastTwo, 1, '2026-10-25T01:00:00Z')).toEqual(['2026-10-26T01:30']);
  });

  test.each<[string, ScheduleTimes, readonly string[]]>([
    ['without a zone', { expression: 'at(2026-11-21T10:00:00)' }, ['2026-11-21T10:00']],
    ['in one', berlin('at(2026-11-21T10:00:00)'), ['2026-11-21T09:00']],
    ['that is over', { expression: 'at(2026-11-20T08:00:00)' }, []],
    ['that the clocks leave out', berlin('at(2027-03-28T02:30:00)'), []],
  ])('a one-time schedule %s: at most once', (_, schedule, expected) => {
    expect(times(schedule, 2, '2026-11-20T09:00:00Z')).toEqual(expected);
  });

  test.each(['rate(1 hour)', 'rate(1 hours)'])('%s: either form of the unit', expression => {
    expect(times(berlin(expression), 1, '2026-11-20T09:00:00Z')).toEqual(['2026-11-20T10:00']);
  });

  test('a start and an end: nothing outside, and a rate counts from the start, with it', () => {
    const startDate = Date.parse('2026-11-20T12:30:00Z');
    const endDate = Date.parse('2026-11-20T15:00:00Z');

    expect(times({ expression: 'rate(1 hour)', startDate, endDate }, 9, '2026-11-20T09:00:00Z')).toEqual([
      '2026-11-20T12:30',
      '2026-11-20T13:30',
      '2026-11-20T14:30',
    ]);
  });

  test.each<[string, ScheduleTimes, RegExp]>([
    [
      'a zone that there is not',
      { expression: 'rate(1 hour)', timeZone: 'Mars/Base' },
      /Timezone Mars\/Base/,
    ],
    ['a date without a time', { expression: 'at(2026-11-21)' }, /at\(2026-11-21\)/],
    ['neither', { expression: 'every day' }, /every day/],
  ])('%s: rejected by name', (_, schedule, message) => {
    expect(compileScheduler(schedule)).toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(message),
    });
  });
});
