import { afterStart, machineOf, play, START } from '../play';

const wait = (fields: object) => machineOf({ W: { Type: 'Wait', ...fields, End: true } });

describe('Wait', () => {
  test.each([
    [{ Seconds: 5 }, 5000],
    [{ Seconds: '{% $states.input.s %}' }, 7000],
    [{ Seconds: 0 }, 0],
    [{ Timestamp: '2026-01-01T00:01:00Z' }, 60_000],
    [{ Timestamp: '{% "2026-01-01T02:00:00+01:00" %}' }, 3_600_000],
    [{ Timestamp: '2025-12-31T23:59:59Z' }, 0],
  ])('%j: leaves after %d ms', (fields, ms) => {
    const { events, execution } = play(wait(fields), { input: { s: 7 } });

    expect(events.map(({ type, timestamp }) => [type, timestamp - START])).toEqual([
      ['ExecutionStarted', 0],
      ['WaitStateEntered', 0],
      ['WaitStateExited', ms],
      ['ExecutionSucceeded', ms],
    ]);
    expect(execution.end?.at).toBe(START + ms);
  });

  test('a time that has passed: no timer is asked for', () => {
    const { effects } = play(wait({ Seconds: 0 }));

    expect(effects.map(effect => effect.kind)).toEqual(['ended']);
  });

  test('its output: computed when it leaves', () => {
    const { execution } = play(wait({ Seconds: 5, Output: '{% $millis() %}' }));

    expect(execution.end?.output?.value).toBe(START + 5000);
  });

  test.each([
    [
      { Seconds: '{% "3" %}' },
      'Seconds',
      "returned an unexpected result type. Expected 'number', but was 'string' for value: \"3\"",
    ],
    [{ Seconds: '{% -1 %}' }, 'Seconds', 'Seconds must be between 0 and 99999999 but was: -1'],
    [{ Seconds: '{% 1.6 %}' }, 'Seconds', 'The Seconds field cannot be parsed as an integer: 1.6'],
    [
      { Timestamp: '{% 5 %}' },
      'Timestamp',
      "returned an unexpected result type. Expected 'string', but was 'number' for value: 5",
    ],
  ])('%j: fails where the state hangs', (fields, location, reason) => {
    const { events } = play(wait(fields));

    expect(events[2]).toMatchObject({ type: 'EvaluationFailed', id: 3, previousEventId: 0 });
    expect(events[2]?.location).toBe(location);
    expect(events[2]?.cause).toContain(reason);
  });

  test('a computed timestamp without offset: fails behind the entry', () => {
    const cause =
      "An error occurred while executing the state 'W' (entered at the event id #2). " +
      'The Timestamp field cannot be ' +
      'parsed as an ISO-8601 extended offset date-time format string: 2016-12-05T21:29:29';
    const error = 'States.QueryEvaluationError';

    expect(afterStart(play(wait({ Timestamp: '{% "2016-12-05T21:29:29" %}' })))).toEqual([
      '2<-0 WaitStateEntered {"name":"W","input":"{}"}',
      `3<-2 EvaluationFailed ${JSON.stringify({ error, cause, location: 'Timestamp', state: 'W' })}`,
      `4<-3 ExecutionFailed ${JSON.stringify({ error, cause })}`,
    ]);
  });
});
