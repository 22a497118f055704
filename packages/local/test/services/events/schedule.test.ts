import { compileSchedule } from '../../../services/events/schedule';

const START = '2026-11-20T09:00:00.000Z';

/** The first times after `after`, of a rule that came to be then. */
function times(expression: string, count: number, after = START): readonly string[] {
  const schedule = compileSchedule(expression);
  if (schedule.kind === 'invalid') throw new Error(schedule.message);
  const origin = Date.parse(after);
  const found: string[] = [];
  for (let now: number | undefined = origin; found.length < count; ) {
    now = schedule.next(now, origin);
    if (now === undefined) break;
    found.push(new Date(now).toISOString().slice(0, 16));
  }
  return found;
}

describe('a schedule expression', () => {
  test.each<[string, readonly string[]]>([
    ['rate(1 minute)', ['2026-11-20T09:01', '2026-11-20T09:02']],
    ['rate(5 hours)', ['2026-11-20T14:00', '2026-11-20T19:00']],
    ['rate(1 day)', ['2026-11-21T09:00', '2026-11-22T09:00']],
    ['cron(0 9 * * ? *)', ['2026-11-21T09:00', '2026-11-22T09:00']],
    ['cron(1 9 * * ? *)', ['2026-11-20T09:01', '2026-11-21T09:01']],
    [
      'cron(0/20 9-10 ? * FRI *)',
      ['2026-11-20T09:20', '2026-11-20T09:40', '2026-11-20T10:00', '2026-11-20T10:20'],
    ],
    ['cron(15 12 ? * 2-3 *)', ['2026-11-23T12:15', '2026-11-24T12:15', '2026-11-30T12:15']],
    [
      'cron(0 0 1,31 * ? *)',
      ['2026-12-01T00:00', '2026-12-31T00:00', '2027-01-01T00:00', '2027-01-31T00:00'],
    ],
    ['cron(0 0 31 apr ? *)', []],
    ['cron(0 0 29 FEB ? *)', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['cron(0 8 1 1 ? 2027-2028)', ['2027-01-01T08:00', '2028-01-01T08:00']],
    ['cron(0 8 1 1 ? 2026)', []],
  ])('%s: its next times', (expression, expected) => {
    expect(times(expression, Math.max(expected.length, 1))).toEqual(expected);
  });

  test('a rate asked late: the next time of its own rhythm', () => {
    const schedule = compileSchedule('rate(5 minutes)');
    expect(schedule.kind === 'schedule' && schedule.next(12 * 60_000, 60_000)).toBe(16 * 60_000);
    expect(schedule.kind === 'schedule' && schedule.next(16 * 60_000, 60_000)).toBe(21 * 60_000);
  });

  test.each([
    'rate(5 minute)',
    'rate(1 minutes)',
    'rate(0 minutes)',
    'rate(5 seconds)',
    'every day',
    'cron(0 8 * * *)',
    'cron(0 8 * * * *)',
    'cron(0 8 ? * ? *)',
    'cron(60 8 * * ? *)',
    'cron(5-1 8 * * ? *)',
    'cron(0/0 8 * * ? *)',
    'cron(0 8 L * ? *)',
    'cron(0 8 ? * 2#1 *)',
    'cron(0 8 3W * ? *)',
    'cron(? 8 * * ? *)',
  ])('%s: rejected by name', expression => {
    expect(compileSchedule(expression)).toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining(`Parameter ScheduleExpression is not valid: ${expression}; `),
    });
  });
});
