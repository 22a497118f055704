import fc from 'fast-check';
import type { HistoryOrder, RecordedEvent } from '../../../../proof/conformance/cases/recorded-case';
import { compareHistory } from '../../../../proof/conformance/compare/history';
import { ignoring } from '../../../../proof/conformance/compare/ignored';
import { Placeholders } from '../../../../proof/conformance/compare/placeholders';

type Event = RecordedEvent & { readonly name?: string };

const event = (id: number | null, previousEventId: number | null, type: string, name?: string): Event => ({
  id,
  previousEventId,
  type,
  ...(name !== undefined && { name }),
});

/** Two branches, one after the other. */
const IN_TURN: readonly Event[] = [
  event(1, 0, 'ExecutionStarted'),
  event(2, 0, 'ParallelStateEntered'),
  event(3, 2, 'ParallelStateStarted'),
  event(4, 3, 'PassStateEntered', 'A'),
  event(5, 4, 'PassStateExited', 'A'),
  event(6, 3, 'PassStateEntered', 'B'),
  event(7, 6, 'PassStateExited', 'B'),
  event(8, 7, 'ParallelStateSucceeded'),
  event(9, 7, 'ParallelStateExited'),
  event(10, 9, 'ExecutionSucceeded'),
];

/** The same two, B first and both at once. */
const AT_ONCE: readonly Event[] = [
  ...IN_TURN.slice(0, 3),
  event(4, 3, 'PassStateEntered', 'B'),
  event(5, 3, 'PassStateEntered', 'A'),
  event(6, 5, 'PassStateExited', 'A'),
  event(7, 4, 'PassStateExited', 'B'),
  event(8, 7, 'ParallelStateSucceeded'),
  event(9, 7, 'ParallelStateExited'),
  event(10, 9, 'ExecutionSucceeded'),
];

/** The recording of a block whose ids were not kept. */
const WITHOUT_IDS = IN_TURN.map(given =>
  given.type.startsWith('Pass') ? { ...given, id: null, previousEventId: null } : given,
);

/** The same, and the end of the Parallel state is only seen by the ids after it. */
const WITHOUT_END = WITHOUT_IDS.filter(({ type }) => type !== 'ParallelStateSucceeded');

function changed(events: readonly Event[], index: number, change: Partial<Event>): Event[] {
  return events.map((given, at) => (at === index ? { ...given, ...change } : given));
}

function differenceAt(
  actual: readonly RecordedEvent[] | undefined,
  expected: readonly RecordedEvent[],
  order: HistoryOrder,
): string | undefined {
  const terms = { placeholders: new Placeholders({ '<n>': {} }), isIgnored: ignoring([]) };
  return compareHistory(terms, expected, actual, order)?.path;
}

describe('the order of a history', () => {
  test.each<[HistoryOrder, string, readonly Event[] | undefined, readonly Event[], string | undefined]>([
    ['strict', 'the same', IN_TURN, IN_TURN, undefined],
    ['strict', 'another interleaving', AT_ONCE, IN_TURN, '/history/3/name'],
    [
      'strict',
      'another predecessor',
      changed(IN_TURN, 9, { previousEventId: 8 }),
      IN_TURN,
      '/history/9/previousEventId',
    ],
    ['strict', 'one event too few', IN_TURN.slice(0, -1), IN_TURN, '/history/9'],
    ['strict', 'no history', undefined, IN_TURN, '/history'],
    ['causal', 'the same', IN_TURN, IN_TURN, undefined],
    ['causal', 'another interleaving', AT_ONCE, IN_TURN, undefined],
    [
      'causal',
      'an exit by way of the other branch',
      changed(AT_ONCE, 5, { previousEventId: 4 }),
      IN_TURN,
      '/history/4',
    ],
    ['causal', 'an event without id', changed(AT_ONCE, 4, { id: null }), IN_TURN, '/history/4'],
    ['causal', 'another event', changed(AT_ONCE, 5, { type: 'WaitStateExited' }), IN_TURN, '/history'],
    ['causal', 'another detail', changed(AT_ONCE, 5, { name: 'C' }), IN_TURN, '/history/4/name'],
    ['parallelBlocksUnordered', 'the same', IN_TURN, WITHOUT_IDS, undefined],
    ['parallelBlocksUnordered', 'another interleaving', AT_ONCE, WITHOUT_IDS, undefined],
    [
      'parallelBlocksUnordered',
      'another detail in the block',
      changed(AT_ONCE, 4, { name: 'C' }),
      WITHOUT_IDS,
      '/history/3/name',
    ],
    [
      'parallelBlocksUnordered',
      'another id after the block',
      changed(AT_ONCE, 8, { id: 11 }),
      WITHOUT_IDS,
      '/history/8/id',
    ],
    ['parallelBlocksUnordered', 'an end that was left out', IN_TURN, WITHOUT_END, undefined],
    [
      'parallelBlocksUnordered',
      'no end where ids leave no room for one',
      IN_TURN,
      changed(WITHOUT_END, 7, { id: 8 }),
      '/history',
    ],
    ['prefix', 'the recording stops before the end', IN_TURN, IN_TURN.slice(0, 4), undefined],
    ['prefix', 'the execution stops before the recording', IN_TURN.slice(0, 4), IN_TURN, '/history/4'],
    ['none', 'no history', undefined, IN_TURN, undefined],
  ])('%s, %s', (order, _title, actual, expected, path) => {
    expect(differenceAt(actual, expected, order)).toBe(path);
  });

  test('a placeholder that fits two events: the pairing that works for all of them is found', () => {
    const expected = [
      event(null, null, 'Pass', '<n>'),
      event(null, null, 'Pass', 'A'),
      event(null, null, 'Done', '<n>'),
    ];
    const actual = [event(1, 0, 'Pass', 'A'), event(2, 0, 'Pass', 'B'), event(3, 0, 'Done', 'B')];

    expect(differenceAt(actual, expected, 'parallelBlocksUnordered')).toBeUndefined();
  });

  test('any order of the events of a block: equal, and not with one of them changed', () => {
    const block = WITHOUT_IDS.slice(3, 7);
    const orders = fc.shuffledSubarray(block, { minLength: block.length });

    fc.assert(
      fc.property(orders, fc.nat(block.length - 1), (shuffled, index) => {
        const wrong = changed(shuffled, index, { name: 'C' });

        expect(differenceAt(shuffled, block, 'parallelBlocksUnordered')).toBeUndefined();
        expect(differenceAt(wrong, block, 'parallelBlocksUnordered')).toBeDefined();
      }),
    );
  });
});
