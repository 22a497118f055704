import { definitionOf, inShort, recorded, replayed, type States } from './recorded';

const STATES: States = {
  A: { Type: 'Pass', Output: { n: 1 }, Next: 'B' },
  B: {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Arguments: { FunctionName: 'f' },
    Next: 'C',
  },
  C: { Type: 'Pass', End: true },
};
const history = recorded(STATES, { answers: [{ output: { ok: true } }] });
const events = (JSON.parse(history) as { events: object[] }).events;
const written = (content: unknown) => JSON.stringify(content);
const outcomeOf = (text: string) => inShort(replayed(STATES, text));

describe('what is read', () => {
  test.each<[string, string]>([
    ['as the CLI prints it', history],
    ['laid out in lines', JSON.stringify(JSON.parse(history), undefined, 4)],
    ['newest first', written({ events: events.toReversed() })],
    [
      'a list of pages',
      written([{ events: events.slice(0, 4), nextToken: 't' }, { events: events.slice(4) }]),
    ],
    ['all up to its success, and a token', written({ NextToken: 't', events })],
    ['a list of events', written(events)],
    [
      'times in seconds, as the API has them',
      written({ events: events.map(event => ({ ...event, timestamp: 1767225600.125 })) }),
    ],
  ])('%s: goes the same way', (_title, text) => {
    expect(outcomeOf(text)).toBe('same');
  });

  test('a history that stops before the end: replayed so far, as one that is running', () => {
    for (let count = 1; count < events.length; count += 1) {
      const report = replayed(STATES, written({ events: events.slice(0, count) }));

      expect(report).toMatchObject({ kind: 'same', status: 'RUNNING', events: count });
    }
  });
});

describe('what cannot be replayed', () => {
  const without = (name: string) =>
    JSON.parse(history, (key, value) => (key === name ? undefined : value)) as { events: object[] };
  const cases: [title: string, text: string, reason: RegExp][] = [
    ['nothing', '', /^it is empty$/],
    ['no JSON', 'hello', /^it is not a JSON document: /],
    ['what only begins like JSON', '{bad', /^it is not a JSON document: /],
    ['JSON with more behind it', `${history}}`, /^it is not a JSON document: /],
    ['a file that was cut', history.slice(0, 300), /^its JSON stops in the middle: the file was cut/],
    [
      'another answer',
      '{"executionArn":"a","status":"RUNNING"}',
      /has no `events`; it has executionArn, status;/,
    ],
    ['a list of something else', '[1,2]', /^it is not a history: it has no `events`;/],
    ['a number as events', '{"events":5}', /^it is not a history: its `events` is not a list; pass what/],
    ['no events', '{"events":[]}', /^it has no events; .* an Express one in its log alone/],
    ['an event that is none', '{"events":[{"id":1}]}', /^events\[0\] is not a history event: an event has/],
    ['the second page', written({ events: events.slice(3) }), /^it begins at event 4: .* export all pages/],
    [
      'a beginning, as --max-items prints it',
      written({ NextToken: 't', events: events.slice(0, 5) }),
      /^it has a NextToken: the events after event 5 are missing; export all pages into one file$/,
    ],
    [
      'pages without the last one',
      written([
        { events: events.slice(0, 3), nextToken: 't' },
        { events: events.slice(3, 5), nextToken: 'u' },
      ]),
      /^it has a NextToken: the events after event 5 are missing;/,
    ],
    [
      'a hole',
      written({ events: [...events.slice(0, 3), ...events.slice(5)] }),
      /^events 4 to 5 are missing; export all pages/,
    ],
    [
      'an event that follows itself',
      history.replace('"previousEventId":3', '"previousEventId":4'),
      /^event 4 follows event 4, which is not before it$/,
    ],
    ['a page twice', written({ events: [...events, ...events.slice(-2)] }), /^it has event 10 twice$/],
    [
      'no data',
      written({ events: JSON.parse(JSON.stringify(without('input'))).events }),
      /^it has no data: it was exported with --no-include-execution-data;/,
    ],
    [
      'a result that was cut off',
      written({
        events: events.map(event =>
          JSON.parse(
            JSON.stringify(event).replace(
              /("taskSucceededEventDetails":.*)"truncated":false/,
              '$1"truncated":true',
            ),
          ),
        ),
      }),
      /^it cannot be replayed beyond event \d: the recording has not all of the output of event \d$/,
    ],
  ];

  test.each(cases)('%s: not replayed, with the reason', (_title, text, reason) => {
    expect(outcomeOf(text)).toMatch(reason);
  });

  test('the history of another state machine: is asked about', () => {
    const other: States = { X: { Type: 'Pass', End: true } };

    expect(replayed(other, history)).toEqual({
      kind: 'notReplayed',
      subject: 'match',
      reason:
        'none of its states are in the definition: it begins with "A", and the definition has "X"; ' +
        'is it the history of another state machine?',
    });
  });

  test('a definition that Step Functions would reject: not replayed, with its reason', () => {
    const definition = JSON.stringify({
      StartAt: 'A',
      States: { A: { Type: 'Pass', ResultPath: 'a', End: true } },
    });

    expect(inShort(replayed(STATES, history, { definition }))).toMatch(
      /^the definition cannot be used: SCHEMA_VALIDATION_FAILED: Value must be a valid JSONPath\. at/,
    );
    const endless = JSON.stringify({ StartAt: 'A', States: { A: { Type: 'Pass', Next: 'A' } } });
    expect(inShort(replayed(STATES, history, { definition: endless }))).toMatch(
      /Workflow has no terminal state$/,
    );
    expect(replayed(STATES, history, { definition: definitionOf(STATES).slice(1) })).toMatchObject({
      kind: 'notReplayed',
      subject: 'definition',
    });
  });
});

test('a history that was cut, wherever: said to be cut', () => {
  const whole = history.trimEnd();
  for (let length = 1; length < whole.length; length += 1 + Math.floor(length / 50)) {
    expect(outcomeOf(whole.slice(0, length))).toMatch(/^its JSON stops in the middle/);
  }
});
