import { parseHistory } from '../../../page/history/parse';

const EVENTS = [
  { id: 1, type: 'ExecutionStarted', timestamp: '2026-11-20T09:00:00.123000+00:00', previousEventId: 0 },
  { id: 2, type: 'ExecutionSucceeded', timestamp: 1795165200.5, previousEventId: 1 },
];

describe('a history out of a file', () => {
  test.each([
    ['as the AWS CLI prints it', { events: EVENTS, nextToken: 'x' }],
    ['the list alone', EVENTS],
    ['newest first', { events: EVENTS.toReversed() }],
  ])('%s: its events, oldest first, in epoch milliseconds', (_, value) => {
    const parsed = parseHistory(JSON.stringify(value));

    if (parsed.kind !== 'history') throw new Error(parsed.message);
    expect(parsed.events.map(({ id, timestamp }) => [id, timestamp])).toEqual([
      [1, Date.UTC(2026, 10, 20, 9, 0, 0, 123)],
      [2, 1795165200500],
    ]);
    expect(parsed.isCut).toBe(false);
  });

  test('events are missing: it says so', () => {
    expect(parseHistory(JSON.stringify([EVENTS[1]]))).toMatchObject({ kind: 'history', isCut: true });
  });

  test.each([
    ['{"events": [', /no JSON/],
    ['null', /no list of `events`/],
    ['{"executions": []}', /no list of `events`/],
    ['{"events": []}', /no events/],
    ['{"events": [{"id": 1}]}', /event 1 of the list has no id, type or timestamp/],
    ['{"events": [{"id": 1, "type": "A", "timestamp": "yesterday"}]}', /event 1/],
    ['[null]', /event 1/],
  ])('%s: a sentence', (text, message) => {
    expect(parseHistory(text)).toEqual({ kind: 'problem', message: expect.stringMatching(message) });
  });
});
