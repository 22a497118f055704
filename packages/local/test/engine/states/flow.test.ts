import { afterStart, machineOf, play, ROLE, START } from '../play';

const EVALUATION = 'States.QueryEvaluationError';
const within = (state: string, id: number, reason: string) =>
  `An error occurred while executing the state '${state}' (entered at the event id #${id}). ${reason}`;

describe('Pass and Succeed', () => {
  test('two states: a whole history, times and details included', () => {
    const machine = machineOf({
      First: { Type: 'Pass', Output: { doubled: '{% $states.input.n * 2 %}' }, Next: 'Last' },
      Last: { Type: 'Succeed', Output: '{% $states.input.doubled %}' },
    });

    const { execution, events } = play(machine, { input: { n: 21 } });

    const at = { timestamp: START };
    expect(events).toEqual([
      {
        ...at,
        id: 1,
        previousEventId: 0,
        type: 'ExecutionStarted',
        input: '{"n":21}',
        roleArn: ROLE,
      },
      {
        ...at,
        id: 2,
        previousEventId: 0,
        type: 'PassStateEntered',
        name: 'First',
        input: '{"n":21}',
      },
      {
        ...at,
        id: 3,
        previousEventId: 2,
        type: 'PassStateExited',
        name: 'First',
        output: '{"doubled":42}',
      },
      {
        ...at,
        id: 4,
        previousEventId: 3,
        type: 'SucceedStateEntered',
        name: 'Last',
        input: '{"doubled":42}',
      },
      {
        ...at,
        id: 5,
        previousEventId: 4,
        type: 'SucceedStateExited',
        name: 'Last',
        output: '42',
      },
      {
        ...at,
        id: 6,
        previousEventId: 5,
        type: 'ExecutionSucceeded',
        output: '42',
      },
    ]);
    expect(execution).toMatchObject({ status: 'SUCCEEDED', lastEventId: 6, transitions: 2, root: null });
    expect(execution.end).toEqual({ at: START, output: { value: 42, text: '42' } });
  });

  test.each([null, 0, 0.1, true, '', [], { a: null }])('output %j: as it is', value => {
    const { execution } = play(machineOf({ P: { Type: 'Pass', Output: value, End: true } }));

    expect(execution.end?.output?.value).toEqual(value);
  });

  test('an expression that gives nothing: the failed evaluation hangs where the state hangs', () => {
    const machine = machineOf({
      A: { Type: 'Pass', Next: 'B' },
      B: { Type: 'Pass', Output: { result: '{% $nobody %}' }, End: true },
    });
    const cause = within(
      'B',
      4,
      "The JSONata expression '$nobody' specified for the field 'Output/result' " +
        'returned nothing (undefined).',
    );

    const played = play(machine);

    expect(afterStart(played)).toEqual([
      '2<-0 PassStateEntered {"name":"A","input":"{}"}',
      '3<-2 PassStateExited {"name":"A","output":"{}"}',
      '4<-3 PassStateEntered {"name":"B","input":"{}"}',
      `5<-3 EvaluationFailed ` +
        `${JSON.stringify({ error: EVALUATION, cause, location: 'Output/result', state: 'B' })}`,
      `6<-5 ExecutionFailed ${JSON.stringify({ error: EVALUATION, cause })}`,
    ]);
    expect(played.execution.end).toEqual({ at: START, error: EVALUATION, cause });
  });
});

describe('variables', () => {
  test('assigned values: seen from the next state on, in the event as text', () => {
    const machine = machineOf({
      Set: { Type: 'Pass', Assign: { x: 1, s: 'a' }, Next: 'Swap' },
      Swap: {
        Type: 'Pass',
        Assign: { x: '{% $s %}', s: '{% $x %}' },
        Output: ['{% $x %}', '{% $s %}'],
        Next: 'Show',
      },
      Show: { Type: 'Pass', Output: ['{% $x %}', '{% $s %}'], End: true },
    });

    const { events, execution } = play(machine);

    expect(events[2]).toMatchObject({
      name: 'Set',
      output: '{}',
      assignedVariables: { x: '1', s: '"a"' },
    });
    expect(events[4]?.output).toBe('[1,"a"]');
    expect(execution.end?.output?.text).toBe('["a",1]');
  });

  test('a failing assignment: fails at its variable, and before the output', () => {
    const state = { Type: 'Pass', Assign: { ok: 1, bad: '{% $no %}' }, Output: '{% $no %}', End: true };

    const { events } = play(machineOf({ P: state }));

    expect(events[2]?.location).toBe('Assign/bad');
  });
});

describe('$states.context', () => {
  test('in a Pass: execution, machine and state', () => {
    const machine = machineOf({ P: { Type: 'Pass', Output: '{% $states.context %}', End: true } });

    const { execution } = play(machine, { input: { a: 1 } });

    expect(execution.end?.output?.value).toEqual({
      Execution: {
        Id: 'arn:aws:states:eu-west-1:111111111111:execution:m:e',
        Input: { a: 1 },
        StartTime: '2026-01-01T00:00:00.000Z',
        Name: 'e',
        RoleArn: ROLE,
        RedriveCount: 0,
      },
      StateMachine: { Id: 'arn:aws:states:eu-west-1:111111111111:stateMachine:m', Name: 'm' },
      State: { Name: 'P', EnteredTime: '2026-01-01T00:00:00.000Z' },
    });
  });
});

describe('Fail', () => {
  const failed = (fields: object) => play(machineOf({ F: { Type: 'Fail', ...fields } }));

  test.each([
    { given: { Error: 'E', Cause: '{% "c" & 1 %}' }, is: { error: 'E', cause: 'c1' } },
    { given: { Error: 'E' }, is: { error: 'E' } },
    { given: { Cause: 'C' }, is: { cause: 'C' } },
    { given: {}, is: {} },
  ])('$given: $is', ({ given, is }) => {
    const played = failed(given);

    expect(afterStart(played)).toEqual([
      '2<-0 FailStateEntered {"name":"F","input":"{}"}',
      `3<-2 ExecutionFailed ${JSON.stringify(is)}`,
    ]);
    expect(played.execution.end).toEqual({ at: START, ...is });
  });

  test('an error that is not a text: fails with its value', () => {
    const { execution } = failed({ Error: '{% 1 %}' });

    expect(execution.end?.cause).toBe(
      within(
        'F',
        2,
        "The JSONata expression '1' specified for the field 'Error' returned an unexpected result type. " +
          "Expected 'string', but was 'number' for value: 1",
      ),
    );
  });
});
