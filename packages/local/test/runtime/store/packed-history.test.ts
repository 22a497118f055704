import fc from 'fast-check';
import { runs } from '../../../../../test/support/scale';
import type { HistoryEvent } from '../../../engine/history';
import { packedHistory, unpackedHistory } from '../../../runtime/store/packed-history';

const details = fc.record(
  {
    name: fc.string(),
    input: fc.string(),
    output: fc.string(),
    redriveCount: fc.nat(),
    assignedVariables: fc.dictionary(fc.string(), fc.string()),
  },
  { requiredKeys: [] },
);
const history = fc
  .array(
    fc.tuple(
      fc.constantFrom<HistoryEvent['type'][]>('ExecutionStarted', 'TaskStateEntered', 'TaskStateExited'),
      fc.nat(),
      fc.nat({ max: 2 ** 40 }),
      details,
    ),
  )
  .map(events =>
    events.map(
      ([type, previousEventId, timestamp, more], index): HistoryEvent => ({
        ...{ id: index + 1, previousEventId, type, timestamp },
        ...more,
      }),
    ),
  );

test('any history: the same events are unpacked, their details in the same order', () => {
  fc.assert(
    fc.property(history, events => {
      const unpacked = unpackedHistory(packedHistory(events));

      expect(unpacked).toEqual(events);
      expect(JSON.stringify(unpacked)).toBe(JSON.stringify(events));
    }),
    { numRuns: runs(100, 1000) },
  );
});

test('events that differ in how far back they go alone: each keeps its own', () => {
  const withPrevious = (previousEventId: number): HistoryEvent[] =>
    [0, 1, previousEventId].map((previous, index) => ({
      ...{ id: index + 1, previousEventId: previous, type: 'TaskStateEntered', timestamp: 5 },
      name: 'T',
    }));

  for (const previous of [2, 1, 0, 2]) {
    const events = withPrevious(previous);
    expect(unpackedHistory(packedHistory(events))).toEqual(events);
  }
});
