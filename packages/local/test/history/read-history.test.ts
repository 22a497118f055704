import { readHistory } from '../../history/read-history';

const EVENTS = [
  { id: 1, type: 'ExecutionStarted', timestamp: '2026-11-20T09:00:00.123000+00:00', previousEventId: 0 },
  { id: 2, type: 'ExecutionSucceeded', timestamp: 1795165200.5, previousEventId: 1 },
];
const TIMES = [
  [1, Date.UTC(2026, 10, 20, 9, 0, 0, 123)],
  [2, 1795165200500],
];

function timesOf(text: string) {
  const read = readHistory(text);
  if (read.kind === 'unreadable') throw new Error(read.reason);
  return read.events.map(({ id, timestamp }) => [id, timestamp]);
}

describe('a history out of a file', () => {
  test.each([
    ['as the AWS CLI prints it', { events: EVENTS, nextToken: 'x' }],
    ['the list alone', EVENTS],
    ['newest first', { events: EVENTS.toReversed() }],
    ['a list of pages', [{ events: [EVENTS[0]], nextToken: 'x' }, { events: [EVENTS[1]] }]],
    [
      'times in epoch milliseconds',
      EVENTS.map((event, index) => ({ ...event, timestamp: TIMES[index]?.[1] })),
    ],
  ])('%s: its events are read, oldest first, with times in epoch milliseconds', (_, value) => {
    expect(timesOf(JSON.stringify(value))).toEqual(TIMES);
  });

  test('events that are missing are left out, and no error', () => {
    expect(timesOf(JSON.stringify([EVENTS[1]]))).toEqual([TIMES[1]]);
  });

  test('the members of an event are kept as they are', () => {
    const event = { ...EVENTS[0], executionStartedEventDetails: { input: '{}', roleArn: 'arn' } };

    expect(readHistory(JSON.stringify([event]))).toMatchObject({
      events: [{ executionStartedEventDetails: { input: '{}', roleArn: 'arn' } }],
    });
  });

  describe('the log of an execution, as aws logs filter-log-events prints it', () => {
    const line = (id: number, type: string, details: object, executionArn = 'arn:one') => {
      const numbers = { id: String(id), previous_event_id: String(id - 1), event_timestamp: '1795165200500' };
      const message = JSON.stringify({ ...numbers, type, details, execution_arn: executionArn });
      return { logStreamName: 's', timestamp: 1, message, ingestionTime: 2, eventId: 'e' };
    };

    test('its events are read like those of a history', () => {
      const events = [
        line(1, 'ExecutionStarted', { input: '{}' }),
        line(2, 'TaskStateEntered', { name: 'A', input: '{}' }),
      ];

      expect(readHistory(JSON.stringify({ events, searchedLogStreams: [] }))).toEqual({
        kind: 'history',
        hasNextPage: false,
        events: [
          {
            id: 1,
            previousEventId: 0,
            type: 'ExecutionStarted',
            timestamp: 1795165200500,
            executionStartedEventDetails: { input: '{}' },
          },
          {
            id: 2,
            previousEventId: 1,
            type: 'TaskStateEntered',
            timestamp: 1795165200500,
            stateEnteredEventDetails: { name: 'A', input: '{}' },
          },
        ],
      });
    });

    test.each([
      [
        'several executions',
        [line(1, 'ExecutionStarted', {}), line(1, 'ExecutionStarted', {}, 'arn:other')],
        `it has events of 2 executions; pass those of one, with --filter-pattern '{ $.execution_arn = "arn:one" }'`,
      ],
      [
        'another log',
        [{ message: 'START RequestId: x' }],
        /^events\[0\] was not logged by Step Functions: \{"message":/,
      ],
      ['another log in JSON', [{ message: '{"id":"1"}' }], /^events\[0\] was not logged by Step Functions: /],
    ])('%s: rejected, with a sentence', (_, events, reason) => {
      const read = readHistory(JSON.stringify({ events }));

      expect(read).toEqual({
        kind: 'unreadable',
        reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
      });
    });
  });

  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  test.each<[string, string, RegExp]>([
    ['nothing', ' ', /^it is empty$/],
    ['a file that was cut', '{"events": [', /^its JSON stops in the middle/],
    [
      'another text, which may be a secret',
      'hello',
      /^it is not a JSON document: the first error is at line 1, column 6$/,
    ],
    [
      'an error on a later line',
      '{\n  "secret": 1,}',
      /^it is not a JSON document: the first error is at line 2, column 16$/,
    ],
    ['null', 'null', /^it is not a history: it has no `events`; pass/],
    ['another answer', '{"executions": []}', /has no `events`; it has executions;/],
    [
      'no events',
      '{"events": []}',
      /^it has no events; a Standard execution has them for 90 days, an Express one in its log alone/,
    ],
    ['a list of something else', '[null]', /^it is not a history/],
    [
      'an event without a type',
      '{"events": [{"id": 1}]}',
      /^events\[0\] is not a history event: an event has/,
    ],
    ['a time that is none', '[{"id": 1, "type": "A", "timestamp": "yesterday"}]', /^events\[0\] is not/],
    ['a time beyond all times', '[{"id": 1, "type": "A", "timestamp": 1e300}]', /^events\[0\] is not/],
    ['200,000 nested lists', deep, /^it is nested more than 1,000 levels deep at character 1000$/],
    [
      '200,000 nested lists within an event',
      `[{"id": 1, "type": "A", "timestamp": 1, "aEventDetails": {"input": ${deep}}}]`,
      /^it is nested more than 1,000 levels deep at character \d+$/,
    ],
    [
      '200,000 nested lists within an input',
      JSON.stringify([{ ...EVENTS[0], executionStartedEventDetails: { input: deep } }]),
      /^input of event 1 is nested more than 1,000 levels deep$/,
    ],
    [
      '200,000 nested lists within a variable',
      JSON.stringify([{ ...EVENTS[0], stateExitedEventDetails: { assignedVariables: { order: deep } } }]),
      /^assignedVariables of event 1 is nested/,
    ],
  ])('%s: a sentence says so', (_, text, reason) => {
    expect(readHistory(text)).toEqual({ kind: 'unreadable', reason: expect.stringMatching(reason) });
  });
});
