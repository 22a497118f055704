import fc from 'fast-check';
import { rememberStart } from '../../../state-machine/dispatcher/dispatcher-states';
import { STARTED } from '../../../state-machine/front-door/await-record';
import { evaluate206 } from '../../support/evaluate';
import { runs } from '../../support/scale';

const CALLS_AT = Date.parse('2026-11-29T12:00:00Z');
const EARLIER = CALLS_AT - 60_000;

/** What an expression makes of the answer to a start. */
function evaluated(text: string, StartDate: unknown, RetryCount: number | undefined = 0) {
  const states = { result: { ExecutionArn: 'its', StartDate }, context: { State: { RetryCount } } };
  return evaluate206(text, { states, callsAt: CALLS_AT });
}

const { assign } = rememberStart('{% 1 %}', undefined) ?? {};
const JOINED = String(assign?.['joined']);

/** Texts that look like dates, the other forms of one, and everything else that JSON has. */
const ANY_DATE = fc.oneof(
  fc.date({ noInvalidDate: true }).map(String),
  fc.date({ noInvalidDate: true }).map(date => date.toISOString()),
  fc.stringMatching(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{0,10})?)?)?(Z|[+-]\d\d(:?\d\d)?)?$/),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: EARLIER - 5_000, max: CALLS_AT + 5_000 }),
  fc.constant(undefined),
  fc.jsonValue(),
);

test('any value as the date of a start: an answer, whatever the number of tries', async () => {
  await fc.assert(
    fc.asyncProperty(ANY_DATE, fc.constantFrom(0, 1, undefined), async (date, retries) => {
      for (const text of [JOINED, ...Object.values(STARTED.assign)]) {
        expect(await evaluated(text, date, retries)).toEqual({ value: expect.anything() });
      }
    }),
    { numRuns: runs(300, 20_000) },
  );
});

describe('the execution that answers the start of a dispatcher', () => {
  test.each<[string, unknown]>([
    ['a text', new Date(EARLIER).toISOString()],
    ['a text without milliseconds', '2026-11-29T11:59:00Z'],
    ['a text with nanoseconds', '2026-11-29T11:59:00.000000000Z'],
    ['milliseconds', EARLIER],
    ['seconds', EARLIER / 1000],
  ])('began a minute before, as %s: it was running', async (_, date) => {
    expect(await evaluated(JOINED, date)).toEqual({ value: { executionArn: 'its', since: EARLIER } });
  });

  test.each<[string, unknown]>([
    ['no date', undefined],
    ['null', null],
    ['another text', 'Sun Nov 29 11:59:00 UTC 2026'],
    ['a day that no month has', '2026-11-39T11:59:00Z'],
    ['a month that no year has', '2026-13-29T11:59:00Z'],
    ['microseconds', EARLIER * 1000],
    ['zero', 0],
    ['a list', [EARLIER]],
    ['an object', { seconds: EARLIER / 1000 }],
  ])('has %s: the record decides, and it began with the call', async (_, date) => {
    expect(await evaluated(JOINED, date)).toEqual({ value: { executionArn: 'its', since: CALLS_AT } });
  });

  test.each([
    [-101, 0, true],
    [-100, 0, false],
    [50, 0, false],
    [50, 1, true],
  ])('began %i ms after the call, %i retries: the record decides, %s', async (after, retries, isRead) => {
    const at = CALLS_AT + after;

    expect(await evaluated(JOINED, at, retries)).toEqual({
      value: isRead ? { executionArn: 'its', since: at } : {},
    });
  });
});

test.each([
  [0, false],
  [1, true],
])(
  'a request whose start was tried %i times more: its own, and the read is consistent, %s',
  async (...given) => {
    const [retries, sure] = given;
    const at = CALLS_AT + 50;

    expect(await evaluated(STARTED.assign.started, at, retries)).toEqual({ value: { at, arn: 'its' } });
    expect(await evaluated(STARTED.assign.sure, at, retries)).toEqual({ value: sure });
  },
);
