import type { JsonObject } from '../../../json/json';
import { afterStart, machineOf, play, START } from '../play';

const RESOURCE = '"resourceType":"lambda","resource":"invoke"';

function task(fields: JsonObject, next: JsonObject = { Type: 'Pass', End: true }) {
  const state = {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Arguments: { FunctionName: 'f', Payload: { try: '{% $states.context.State.RetryCount %}' } },
    ...fields,
  };
  const isCaught = 'Catch' in fields;
  return isCaught
    ? machineOf({ T: { ...state, End: true }, Next: next })
    : machineOf({ T: { ...state, End: true } });
}

const retry = (more: JsonObject = {}) => [{ ErrorEquals: ['States.ALL'], ...more }];
const fallback = (more: JsonObject = {}) => [{ ErrorEquals: ['States.ALL'], Next: 'Next', ...more }];
const scheduled = (id: string, count: number) => {
  const parameters = JSON.stringify({ FunctionName: 'f', Payload: { try: count } });
  return `${id} TaskScheduled {${RESOURCE},"region":"eu-west-1","parameters":${JSON.stringify(parameters)}}`;
};
const entered = '2<-0 TaskStateEntered {"name":"T","input":"{}"}';

describe('a task that succeeds', () => {
  test('its history: scheduled, started, succeeded, left with the result', () => {
    const played = play(task({}), { answers: [{ output: { n: 1 } }] });

    expect(afterStart(played)).toEqual([
      entered,
      scheduled('3<-2', 0),
      `4<-3 TaskStarted {${RESOURCE}}`,
      `5<-4 TaskSucceeded {${RESOURCE},"output":"{\\"n\\":1}"}`,
      '6<-5 TaskStateExited {"name":"T","output":"{\\"n\\":1}"}',
      '7<-6 ExecutionSucceeded {"output":"{\\"n\\":1}"}',
    ]);
    expect(played.effects[0]).toEqual({
      kind: 'call',
      taskId: 'task@3',
      resource: 'lambda:invoke',
      isCallback: false,
      arguments: { FunctionName: 'f', Payload: { try: 0 } },
      stateName: 'T',
      retryCount: 0,
    });
  });

  test('output and variables: see the result and the input', () => {
    const fields = {
      Output: ['{% $states.result %}', '{% $states.input %}'],
      Assign: { r: '{% $states.result %}' },
    };

    const { execution, events } = play(task(fields), { input: 'in', answers: [{ output: 'out' }] });

    expect(execution.end?.output?.text).toBe('["out","in"]');
    expect(events[5]?.assignedVariables).toEqual({ r: '"out"' });
  });

  test('variables without an output: they are set, and the output is the result', () => {
    const { execution, events } = play(task({ Assign: { r: '{% $states.result %}' } }), {
      answers: [{ output: 'out' }],
    });

    expect(execution.end?.output?.text).toBe('"out"');
    expect(events[5]?.assignedVariables).toEqual({ r: '"out"' });
  });

  test('an output that fails: the failed evaluation follows the result', () => {
    const { events } = play(task({ Output: '{% $states.result.no %}' }), { answers: [{ output: {} }] });

    expect(events.slice(4).map(event => [event.id, event.previousEventId, event.type])).toEqual([
      [5, 4, 'TaskSucceeded'],
      [6, 5, 'EvaluationFailed'],
      [7, 6, 'ExecutionFailed'],
    ]);
  });
});

describe('a task that fails', () => {
  const failure = { error: 'E', cause: 'c' };
  const failed = (id: string) => `${id} TaskFailed {${RESOURCE},"error":"E","cause":"c"}`;

  test('not caught: no exit event', () => {
    expect(afterStart(play(task({}), { answers: [failure] }))).toEqual([
      entered,
      scheduled('3<-2', 0),
      `4<-3 TaskStarted {${RESOURCE}}`,
      failed('5<-4'),
      '6<-5 ExecutionFailed {"error":"E","cause":"c"}',
    ]);
  });

  test('one retry, then a catcher: arguments are computed anew, no event marks the retry', () => {
    const catcher = fallback({
      Output: { got: '{% $states.errorOutput %}', had: '{% $states.input %}' },
      Assign: { e: '{% $states.errorOutput.Error %}' },
    });
    const machine = task({ Retry: retry({ MaxAttempts: 1 }), Catch: catcher, Output: '{% $nobody %}' });

    const played = play(machine, { answers: [failure, failure] });

    const output = '{\\"got\\":{\\"Error\\":\\"E\\",\\"Cause\\":\\"c\\"},\\"had\\":{}}';
    expect(afterStart(played)).toEqual([
      entered,
      scheduled('3<-2', 0),
      `4<-3 TaskStarted {${RESOURCE}}`,
      failed('5<-4'),
      scheduled('6<-5', 1),
      `7<-6 TaskStarted {${RESOURCE}}`,
      failed('8<-7'),
      `9<-8 TaskStateExited {"name":"T","output":"${output}","assignedVariables":{"e":"\\"E\\""}}`,
      `10<-9 PassStateEntered {"name":"Next","input":"${output}"}`,
      `11<-10 PassStateExited {"name":"Next","output":"${output}"}`,
      `12<-11 ExecutionSucceeded {"output":"${output}"}`,
    ]);
    expect(played.execution.transitions).toBe(3);
  });

  test('delays between attempts: interval, then times the rate', () => {
    const { events } = play(task({ Retry: retry() }), { answers: Array(4).fill(failure) });
    const times = events.filter(({ type }) => type === 'TaskScheduled').map(event => event.timestamp - START);

    expect(times).toEqual([0, 1000, 3000, 7000]);
  });

  test('two retriers: each counts for itself, a used-up one is not replaced by the next', () => {
    const retriers = [
      { ErrorEquals: ['A'], MaxAttempts: 1, IntervalSeconds: 1 },
      { ErrorEquals: ['States.ALL'], MaxAttempts: 5, IntervalSeconds: 10 },
    ];
    const answers = [{ error: 'A' }, { error: 'B' }, { error: 'A' }];

    const { events, execution } = play(task({ Retry: retriers }), { answers });

    const times = events.filter(({ type }) => type === 'TaskScheduled').map(event => event.timestamp - START);
    expect(times).toEqual([0, 1000, 11_000]);
    expect(execution.end).toEqual({ at: START + 11_000, error: 'A' });
  });

  test('States.Runtime: neither retried nor caught', () => {
    const machine = task({ Retry: retry(), Catch: fallback() });

    const { execution } = play(machine, { answers: [{ error: 'States.Runtime', cause: 'broken' }] });

    expect(execution.end).toEqual({ at: START, error: 'States.Runtime', cause: 'broken' });
  });

  test('a failure that says nothing: nulls for the catcher, absent in the event', () => {
    const { events, history } = play(task({ Catch: fallback() }), { answers: [{}] });

    expect(history[4]).toBe('5<-4 TaskFailed {"resourceType":"lambda","resource":"invoke"}');
    expect(events[5]?.output).toBe('{"Error":null,"Cause":null}');
  });

  test('a catcher whose own output fails: ends the execution at the catcher', () => {
    const catchers = [{ ErrorEquals: ['X'], Next: 'Next' }, ...fallback({ Output: { v: '{% $nobody %}' } })];

    const { events } = play(task({ Catch: catchers }), { answers: [failure] });

    expect(events[5]).toMatchObject({ type: 'EvaluationFailed', previousEventId: 5 });
    expect(events[5]?.location).toBe('Catch[1]/Output/v');
    expect(events.at(-1)).toMatchObject({ type: 'ExecutionFailed', previousEventId: 6 });
  });
});

describe('arguments that fail', () => {
  const bad = { FunctionName: '{% $nobody %}' };

  test('not caught: nothing is scheduled', () => {
    const { events, effects } = play(task({ Arguments: bad }));

    expect(events.slice(1).map(event => [event.id, event.previousEventId, event.type])).toEqual([
      [2, 0, 'TaskStateEntered'],
      [3, 0, 'EvaluationFailed'],
      [4, 3, 'ExecutionFailed'],
    ]);
    expect(events[2]?.location).toBe('Arguments/FunctionName');
    expect(effects.map(effect => effect.kind)).toEqual(['ended']);
  });

  test('a retrier, then a catcher: one failed evaluation for each attempt', () => {
    const machine = task({
      Arguments: bad,
      Retry: retry({ MaxAttempts: 1 }),
      Catch: fallback({ Output: 'caught' }),
    });

    const { events, execution } = play(machine);

    expect(events.slice(1, 5).map(event => [event.id, event.previousEventId, event.type])).toEqual([
      [2, 0, 'TaskStateEntered'],
      [3, 0, 'EvaluationFailed'],
      [4, 3, 'EvaluationFailed'],
      [5, 4, 'TaskStateExited'],
    ]);
    expect(execution.end?.output?.value).toBe('caught');
  });
});

describe('a task that takes too long', () => {
  test('caught: no cause in the event, an empty one for the catcher', () => {
    const machine = task({ TimeoutSeconds: 5, Catch: fallback() });

    const played = play(machine, { answers: ['never'] });

    expect(afterStart(played).slice(1, 5)).toEqual([
      scheduled('3<-2', 0).replace(/}$/, ',"timeoutInSeconds":5}'),
      `4<-3 TaskStarted {${RESOURCE}}`,
      `5<-4 TaskTimedOut {${RESOURCE},"error":"States.Timeout"}`,
      '6<-5 TaskStateExited {"name":"T","output":"{\\"Error\\":\\"States.Timeout\\",\\"Cause\\":\\"\\"}"}',
    ]);
    expect(played.events[4]?.timestamp).toBe(START + 5000);
    expect(played.effects.map(effect => effect.kind)).toEqual(['call', 'setTimer', 'abandon', 'ended']);
  });

  test('not caught: the execution fails, it does not time out', () => {
    const { execution } = play(task({ TimeoutSeconds: 5 }), { answers: ['never'] });

    expect(execution.status).toBe('FAILED');
    expect(execution.end).toEqual({ at: START + 5000, error: 'States.Timeout' });
  });

  test('an answer in time: the timer is cancelled', () => {
    const { effects } = play(task({ TimeoutSeconds: 5 }), { answers: [{ output: 1, afterMs: 4999 }] });

    expect(effects.at(-2)).toEqual({ kind: 'cancelTimer', timerId: 'timeout@3' });
  });

  test('an answer too late: ignored', () => {
    const answers = [{ output: 'late', afterMs: 6000 }, { output: 'second' }];

    const { execution } = play(task({ TimeoutSeconds: 5, Retry: retry() }), { answers });

    expect(execution.end?.output?.value).toBe('second');
  });

  test.each([
    ['{% "3" %}', `Expected 'number', but was 'string' for value: "3"`],
    ['{% -1 %}', 'TimeoutSeconds must be between 0 and 99999999 but was: -1'],
    ['{% 1.6 %}', 'The TimeoutSeconds field cannot be parsed as an integer: 1.6'],
  ])('computed as %s: nothing is scheduled', (timeout, reason) => {
    const { events } = play(task({ TimeoutSeconds: timeout }));

    expect(events[2]).toMatchObject({ type: 'EvaluationFailed', previousEventId: 0 });
    expect(events[2]).toMatchObject({
      location: 'TimeoutSeconds',
      cause: expect.stringContaining(reason),
    });
  });
});
