import { VirtualClock, WorkTracker } from '@onceflow/local';
import { judge, type Outcome } from '../../../proof/league/judge';
import { NO_OUTCOME } from '../../../proof/league/league';
import { CALM, type Schedule } from '../../../proof/league/schedule';
import { AMOUNT, type Answer, OTHER_AMOUNT, Play } from '../../../proof/league/world/play';

const HOUR = 3600;
const DAY = 24 * HOUR;
const KEY = 'order-1';
const DUPLICATE_TOO: Partial<Schedule> = { deliveries: [0, 10].map(at => ({ at, isOther: false })) };
const ANOTHER_TOO: Partial<Schedule> = { deliveries: [false, true].map(isOther => ({ at: 0, isOther })) };

/** Something that a play has seen, in seconds from its beginning. */
type Seen =
  | readonly [at: number, what: 'charge', amount?: number, key?: string]
  | readonly [at: number, what: Answer['kind'], result?: string, delivery?: number]
  | readonly [at: number, what: 'fault ends' | 'waits'];

/** What a play comes to in which this was seen, beside what every play has. */
function judged(seen: readonly Seen[], schedule: Partial<Schedule> = {}, reported: readonly string[] = []) {
  const clock = new VirtualClock(0);
  const play = new Play({ ...CALM, ...schedule }, KEY, clock, new WorkTracker());
  for (const one of seen) {
    clock.advanceTo(one[0] * 1000);
    if (one[1] === 'charge') play.effect({ key: one[3] ?? KEY, amount: one[2] ?? AMOUNT });
    else if (one[1] === 'fault ends') play.lastFaultAt = clock.now();
    else if (one[1] === 'waits') play.isWaiting = true;
    else play.answered({ key: KEY, delivery: one[3] ?? 0 }, one[1], one[2]);
  }
  const { deliveries, ...outcome } = judge(play, new Set(reported));
  return Object.fromEntries(Object.entries(outcome).filter(([, count]) => count !== 0));
}

describe('an event', () => {
  test('charged once, and answered so: no failure', () => {
    expect(
      judged([
        [1, 'charge'],
        [1, 'result', 'charge-1'],
      ]),
    ).toEqual({});
  });

  test('charged again at once: doubled, and not at a provider that honours keys', () => {
    expect(
      judged([
        [1, 'charge'],
        [2, 'charge'],
      ]),
    ).toEqual({ doubled: 1 });
  });

  test('charged again a second before the provider forgets its key: doubled alone; at that time: at both', () => {
    expect(
      judged([
        [0, 'charge'],
        [DAY - 1, 'charge'],
      ]),
    ).toEqual({ doubled: 1 });
    expect(
      judged([
        [0, 'charge'],
        [DAY, 'charge'],
      ]),
    ).toEqual({ doubled: 1, doubledAtProvider: 1 });
  });

  test('charged three times in two days: a charge that the provider answered for does not prolong its memory', () => {
    const seen: Seen[] = [0, DAY / 2, DAY + 1].map(at => [at, 'charge']);

    expect(judged(seen)).toEqual({ doubled: 2, doubledAtProvider: 1 });
  });

  test('charged never, and not reported: lost', () => {
    expect(judged([[1, 'rejected']])).toEqual({ lost: 1 });
  });

  test('charged never, and reported: left to an operator, and not lost', () => {
    expect(judged([[1, 'failed']], {}, [KEY])).toEqual({ reported: 1 });
  });

  test('charged, and reported: nothing is left to do', () => {
    expect(judged([[1, 'charge']], {}, [KEY])).toEqual({});
  });

  test('beside others: each is judged alone', () => {
    const beside = `${KEY}-beside-1`;

    expect(judged([[1, 'charge']], { beside: 2 }, [beside])).toEqual({ reported: 1, lost: 1 });
    expect(
      judged(
        [
          [1, 'charge'],
          [1, 'charge', AMOUNT, beside],
        ],
        { beside: 1 },
      ),
    ).toEqual({});
  });
});

describe('a key', () => {
  const late = HOUR + 1;

  test('charged more than an hour after the last fault: was overdue; within it: was not', () => {
    expect(judged([[late, 'charge']])).toEqual({ overdue: 1 });
    expect(judged([[HOUR, 'charge']])).toEqual({});
  });

  test('the hour counts from the end of the last fault, and from that of an outage', () => {
    expect(
      judged([
        [100, 'fault ends'],
        [100 + HOUR, 'charge'],
      ]),
    ).toEqual({});
    expect(
      judged([
        [100, 'fault ends'],
        [101 + HOUR, 'charge'],
      ]),
    ).toEqual({ overdue: 1 });
    expect(judged([[500 + HOUR, 'charge']], { outage: [0, 500] })).toEqual({});
    expect(judged([[501 + HOUR, 'charge']], { outage: [0, 500] })).toEqual({ overdue: 1 });
  });

  test('charged late, and reported: not overdue', () => {
    expect(judged([[late, 'charge']], {}, [KEY])).toEqual({});
  });

  test('that still rejects a duplicate an hour later: overdue, also if the event is reported', () => {
    const rejected: Seen[] = [
      [1, 'charge'],
      [late, 'rejected', undefined, 1],
    ];

    expect(judged(rejected, DUPLICATE_TOO)).toEqual({ overdue: 1 });
    expect(judged(rejected, DUPLICATE_TOO, [KEY])).toEqual({ overdue: 1 });
    expect(
      judged(
        [
          [1, 'charge'],
          [HOUR, 'rejected', undefined, 1],
        ],
        DUPLICATE_TOO,
      ),
    ).toEqual({});
  });

  test('that something waits for for ever: overdue', () => {
    expect(
      judged([
        [1, 'charge'],
        [2, 'waits'],
      ]),
    ).toEqual({ overdue: 1 });
  });

  test('that is accepted by HTTP, and has no result an hour later: overdue', () => {
    expect(
      judged([
        [1, 'charge'],
        [HOUR, 'accepted'],
      ]),
    ).toEqual({});
    expect(
      judged([
        [1, 'charge'],
        [late, 'accepted'],
      ]),
    ).toEqual({ overdue: 1 });
  });

  test('of a step that always fails: has no end to come to, and one beside it has', () => {
    expect(judged([[late, 'rejected']], { failures: undefined }, [KEY])).toEqual({ reported: 1 });
    const beside: Seen[] = [[late, 'charge', AMOUNT, `${KEY}-beside-1`]];
    expect(judged(beside, { failures: undefined, beside: 1 }, [KEY])).toEqual({ overdue: 1, reported: 1 });
  });
});

describe('an answer', () => {
  test("a duplicate's, with the first charge: right, early and late", () => {
    const seen: Seen[] = [
      [1, 'charge'],
      [2, 'duplicate', 'charge-1', 1],
      [9 * DAY, 'duplicate', 'charge-1', 1],
    ];

    expect(judged(seen, DUPLICATE_TOO)).toEqual({});
  });

  test("a duplicate's, with another charge than was answered before: wrong, whichever of them came first", () => {
    const charges: Seen[] = [
      [1, 'charge'],
      [2, 'charge'],
    ];

    expect(
      judged([...charges, [2, 'result', 'charge-1'], [3, 'duplicate', 'charge-2', 1]], DUPLICATE_TOO),
    ).toEqual({ doubled: 1, wrongAnswers: 1 });
    expect(
      judged([...charges, [2, 'result', 'charge-2'], [3, 'duplicate', 'charge-1', 1]], DUPLICATE_TOO),
    ).toEqual({ doubled: 1, wrongAnswers: 1 });
  });

  test("a duplicate's, as answered before, where the first charge's answer was lost: doubled, and not wrong", () => {
    const seen: Seen[] = [
      [1, 'charge'],
      [2, 'charge'],
      [2, 'result', 'charge-2'],
      [3, 'duplicate', 'charge-2', 1],
    ];

    expect(judged(seen, DUPLICATE_TOO)).toEqual({ doubled: 1 });
  });

  test("a duplicate's, with a result that no charge had: wrong", () => {
    const seen: Seen[] = [
      [1, 'charge'],
      [2, 'duplicate', '[object Object]', 1],
    ];

    expect(judged(seen, DUPLICATE_TOO)).toEqual({ wrongAnswers: 1 });
  });

  test('the result of an own run, which was one too many: doubled, and no wrong answer', () => {
    const seen: Seen[] = [
      [1, 'charge'],
      [1, 'result', 'charge-1'],
      [2, 'charge'],
      [2, 'result', 'charge-2', 1],
    ];

    expect(judged(seen, DUPLICATE_TOO)).toEqual({ doubled: 1 });
  });

  test('done, before anything was: wrong, with or without a result, and also if it is done later', () => {
    expect(
      judged(
        [
          [1, 'duplicate', undefined, 1],
          [5, 'charge'],
        ],
        DUPLICATE_TOO,
      ),
    ).toEqual({ wrongAnswers: 1 });
    expect(
      judged([
        [1, 'result', 'charge-1'],
        [5, 'charge'],
      ]),
    ).toEqual({ wrongAnswers: 1 });
  });

  test('done without a result, when it is: right', () => {
    expect(
      judged(
        [
          [1, 'charge'],
          [2, 'duplicate', undefined, 1],
        ],
        DUPLICATE_TOO,
      ),
    ).toEqual({});
  });

  test('rejected, failed or mismatched: says nothing that could be wrong', () => {
    const seen: Seen[] = [
      [0, 'rejected'],
      [0, 'failed'],
      [0, 'mismatch'],
      [1, 'charge'],
    ];

    expect(judged(seen)).toEqual({});
  });
});

describe('another payload under the key', () => {
  test('rejected: no failure', () => {
    expect(
      judged(
        [
          [1, 'charge'],
          [2, 'mismatch', undefined, 1],
        ],
        ANOTHER_TOO,
      ),
    ).toEqual({});
  });

  test('answered as the event, again and again: let through once, and no wrong answer besides', () => {
    const seen: Seen[] = [
      [1, 'charge'],
      [2, 'duplicate', 'charge-1', 1],
      [3, 'duplicate', 'charge-1', 1],
    ];

    expect(judged(seen, ANOTHER_TOO)).toEqual({ letThrough: 1 });
  });

  test('answered as done before the event was: let through, and that is all', () => {
    const seen: Seen[] = [
      [0, 'duplicate', undefined, 1],
      [1, 'charge'],
    ];

    expect(judged(seen, ANOTHER_TOO)).toEqual({ letThrough: 1 });
  });

  test('worked off as well: let through, and not doubled, as it is another amount', () => {
    const seen: Seen[] = [
      [1, 'charge'],
      [2, 'charge', OTHER_AMOUNT],
      [2, 'result', 'charge-2', 1],
    ];

    expect(judged(seen, ANOTHER_TOO)).toEqual({ letThrough: 1 });
  });

  test('charged first: the key is its, and the first delivery is the one that has another payload', () => {
    const rejectedFirst: Seen[] = [
      [1, 'charge', OTHER_AMOUNT],
      [1, 'result', 'charge-1', 1],
      [2, 'mismatch', undefined, 0],
    ];

    expect(judged(rejectedFirst, ANOTHER_TOO)).toEqual({});
    expect(judged([...rejectedFirst, [3, 'duplicate', 'charge-1', 0]], ANOTHER_TOO)).toEqual({
      letThrough: 1,
    });
  });
});

test('deliveries: those of the event and the events beside', () => {
  const play = new Play(
    { ...CALM, ...DUPLICATE_TOO, beside: 3 },
    KEY,
    new VirtualClock(0),
    new WorkTracker(),
  );
  const { deliveries }: Outcome = { ...NO_OUTCOME, ...judge(play, new Set()) };

  expect(deliveries).toBe(5);
});
