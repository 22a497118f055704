import fc from 'fast-check';
import { FAULT_KINDS } from '../../../proof/league/kinds';
import { scheduleFor } from '../../../proof/league/league';
import { CALL_FAULTS, CALM, type Schedule, scheduleOf, textOf } from '../../../proof/league/schedule';
import { runs } from '../../support/scale';

const seconds = fc.oneof(
  fc.integer({ min: 0, max: 30 * 24 * 3600 }),
  fc.integer({ min: 0, max: 9_999_999 }).map(thousandths => thousandths / 1000),
);
const atLeastOne = { minLength: 1, maxLength: 5 };

const schedules: fc.Arbitrary<Schedule> = fc
  .record({
    deliveries: fc.array(fc.record({ at: seconds, isOther: fc.boolean() }), atLeastOne),
    faults: fc.array(
      fc.record({
        call: fc.oneof(fc.constant('effect' as const), fc.integer({ min: 1, max: 999 })),
        kind: fc.constantFrom(...CALL_FAULTS),
        seconds: fc.integer({ min: 0, max: 7200 }),
      }),
      { maxLength: 3 },
    ),
    outage: fc.option(fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 101, max: 30_000 })), {
      nil: undefined,
    }),
    deletedAfter: fc.integer({ min: 0, max: 5 * 24 * 3600 }),
    // All zeros are one clock that is right, as no clock at all is.
    clocks: fc
      .array(fc.integer({ min: -900, max: 900 }), atLeastOne)
      .map(clocks => (clocks.some(clock => clock !== 0) ? clocks : CALM.clocks)),
    failures: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
    beside: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ outage, ...schedule }) => (outage ? { ...schedule, outage } : schedule));

describe('the text of a schedule', () => {
  test('any schedule: is read as it was', () => {
    fc.assert(
      fc.property(schedules, schedule => {
        expect(scheduleOf(textOf(schedule))).toEqual(schedule);
      }),
      { numRuns: runs(200, 1000) },
    );
  });

  test('what nothing happens in: only its delivery', () => {
    expect(textOf(CALM)).toBe('at=0');
    expect(scheduleOf('at=0')).toEqual(CALM);
  });

  test('has nothing in it that a shell reads within single quotes', () => {
    fc.assert(
      fc.property(schedules, schedule => {
        expect(textOf(schedule)).toMatch(/^[\w=,:./-]+$/);
      }),
    );
  });

  test.each([
    ['', /is none of at, fault, outage/],
    ['at=0/what=1', /"what=1" is none of/],
    ['at=0,-1', /"at=0,-1" cannot be read/],
    ['at=0/fault=1:exploded', /cannot be read/],
    ['at=0/fault=0x1:rejected', /cannot be read/],
    ['at=0/outage=5,2', /cannot be read/],
    ['at=0/outage=5', /cannot be read/],
    ['at=0/clocks=1,x', /cannot be read/],
    ['at=0/failures=sometimes', /cannot be read/],
    ['at=0/beside=10', /cannot be read/],
    ['at=99999999', /cannot be read/],
    [`at=${Array.from({ length: 21 }, () => 0).join(',')}`, /cannot be read/],
  ])('%p: is rejected, with the part that is wrong', (text, reason) => {
    expect(scheduleOf(text)).toMatch(reason);
  });
});

describe.each(FAULT_KINDS.map(kind => [kind.id, kind] as const))('the kind %s', (_id, kind) => {
  const drawn = (seed: number) => textOf(scheduleFor(kind, seed));
  const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

  test('the same seed: the same schedule, whatever was drawn before', () => {
    const once = seeds.map(drawn);

    expect(seeds.toReversed().map(drawn).toReversed()).toEqual(once);
  });

  test('its schedules: can be given on a command line as they are', () => {
    for (const seed of seeds) expect(scheduleOf(drawn(seed))).toEqual(scheduleFor(kind, seed));
  });

  test('other seeds: other schedules, unless nothing goes wrong in it', () => {
    const different = new Set(seeds.map(drawn)).size;

    expect(different > 1).toBe(kind.id !== 'calm');
  });
});
