import { afterStart, machineOf, play, START } from './play';

const waiting = machineOf({ W: { Type: 'Wait', Seconds: 100, End: true } });
const calling = {
  Type: 'Task',
  Resource: 'arn:aws:states:::a:b',
  Arguments: {},
  TimeoutSeconds: 99,
  End: true,
};
const entered = '2<-0 WaitStateEntered {"name":"W","input":"{}"}';

describe('an execution that is stopped', () => {
  test('without a reason: an event without details', () => {
    const played = play(waiting, { stop: { atMs: 10 } });

    expect(afterStart(played)).toEqual([entered, '3<-0 ExecutionAborted {}']);
    expect(played.execution).toMatchObject({ status: 'ABORTED', end: { at: START + 10 } });
    expect(played.effects.slice(1)).toEqual([
      { kind: 'cancelTimer', timerId: 'wait@2' },
      { kind: 'ended', status: 'ABORTED', end: { at: START + 10 } },
    ]);
  });

  test('with a reason: it is in the event and the end', () => {
    const played = play(waiting, { stop: { atMs: 10, error: 'E', cause: 'C' } });

    expect(afterStart(played)).toEqual([entered, '3<-0 ExecutionAborted {"error":"E","cause":"C"}']);
    expect(played.execution.end).toEqual({ at: START + 10, error: 'E', cause: 'C' });
  });

  test('during a call: the call is abandoned, its answer ignored', () => {
    const machine = machineOf({ T: calling });

    const { effects, events } = play(machine, {
      answers: [{ output: 1, afterMs: 20 }],
      stop: { atMs: 10 },
    });

    expect(events.at(-1)?.type).toBe('ExecutionAborted');
    expect(effects.slice(2).map(effect => effect.kind)).toEqual(['abandon', 'cancelTimer', 'ended']);
  });

  test('during a retry: the timer is cancelled', () => {
    const machine = machineOf({ T: { ...calling, Retry: [{ ErrorEquals: ['E'], IntervalSeconds: 5 }] } });

    const { effects } = play(machine, { answers: [{ error: 'E' }], stop: { atMs: 10 } });

    expect(effects.slice(-2)).toEqual([
      { kind: 'cancelTimer', timerId: 'retry@5' },
      expect.objectContaining({ kind: 'ended' }),
    ]);
  });
});

describe('an execution that takes too long', () => {
  test('at its limit: timed out at exactly that time, without an error in its end', () => {
    const machine = machineOf({ W: { Type: 'Wait', Seconds: 100, End: true } }, { TimeoutSeconds: 30 });

    const played = play(machine);

    expect(afterStart(played)).toEqual([entered, '3<-0 ExecutionTimedOut {"error":"States.Timeout"}']);
    expect(played.execution).toMatchObject({ status: 'TIMED_OUT', end: { at: START + 30_000 } });
    expect(played.execution.end).toEqual({ at: START + 30_000 });
  });

  test('ended before its limit: the timer is cancelled', () => {
    const machine = machineOf({ W: { Type: 'Wait', Seconds: 29, End: true } }, { TimeoutSeconds: 30 });

    const { effects } = play(machine);

    expect(effects.at(-2)).toEqual({ kind: 'cancelTimer', timerId: 'execution@0' });
  });
});

describe('data beyond 262,144 bytes', () => {
  const tooLarge = (name: string) =>
    `The state/task '${name}' returned a result with a size exceeding the maximum ` +
    `number of bytes service limit.`;
  // Two quotation marks come on top.
  const text = (bytes: number) => 'é'.repeat((bytes - 2) / 2);
  const pass = machineOf({
    P: { Type: 'Pass', Output: '{% $states.input.a & $states.input.b %}', End: true },
  });
  const half = text(131_074);

  test('the output of a Pass at the limit: goes on', () => {
    const { execution } = play(pass, { input: { a: half, b: text(131_072) } });

    expect(execution.status).toBe('SUCCEEDED');
  });

  test('the output of a Pass above it: ends the execution behind the entry', () => {
    const { events } = play(pass, { input: { a: half, b: half } });

    expect(events.slice(2)).toEqual([
      expect.objectContaining({
        id: 3,
        previousEventId: 2,
        type: 'ExecutionFailed',
        error: 'States.DataLimitExceeded',
        cause: tooLarge('P'),
      }),
    ]);
  });

  test('the result of a task: fails the task, and States.ALL catches it', () => {
    const machine = machineOf({
      T: { ...calling, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Done' }] },
      Done: { Type: 'Succeed' },
    });

    const { events, execution } = play(machine, { answers: [{ output: half + half }] });

    expect(events[4]).toMatchObject({
      type: 'TaskFailed',
      error: 'States.DataLimitExceeded',
      cause: tooLarge('a'),
    });
    expect(execution.status).toBe('SUCCEEDED');
  });

  test('the variables of one Assign together: end the execution', () => {
    const assign = { x: '{% $states.input.a %}', y: '{% $states.input.b %}' };
    const machine = machineOf({ P: { Type: 'Pass', Assign: assign, Output: 1, End: true } });

    const { execution } = play(machine, { input: { a: half, b: half } });

    expect(execution.end?.error).toBe('States.DataLimitExceeded');
  });
});

describe('a history of 25,000 events', () => {
  test('an endless circle: the last possible event says that it is full', () => {
    const machine = machineOf({
      A: { Type: 'Choice', Choices: [{ Condition: '{% $states.input.stop %}', Next: 'B' }], Default: 'A' },
      B: { Type: 'Succeed' },
    });

    const { events, execution } = play(machine, { input: { stop: false } });

    expect(events).toHaveLength(25_000);
    expect(events.map(event => event.id)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({
      id: 25_000,
      previousEventId: 24_999,
      type: 'ExecutionFailed',
      error: 'States.Runtime',
      cause: 'The execution reached the maximum number of history events (25000).',
    });
    expect(execution).toMatchObject({ status: 'FAILED', lastEventId: 25_000 });
  });

  test('a state that would wait at the last event: fails instead, and sets no timer', () => {
    // Three events come before the loop and two with each of its rounds, so the Wait is entered with event 25,000.
    const machine = machineOf({
      Init: { Type: 'Pass', Assign: { i: 1 }, Next: 'Loop' },
      Loop: {
        Type: 'Choice',
        Choices: [{ Condition: '{% $i = 12498 %}', Next: 'W' }],
        Default: 'Loop',
        Assign: { i: '{% $i + 1 %}' },
      },
      W: { Type: 'Wait', Seconds: 1, End: true },
    });

    const { execution, events, effects } = play(machine);

    expect(events.at(-2)).toMatchObject({ id: 24_999, type: 'ChoiceStateExited' });
    expect(execution).toMatchObject({ status: 'FAILED', lastEventId: 25_000, transitions: 12_499 });
    expect(new Set(effects.map(effect => effect.kind))).toEqual(new Set(['pause', 'ended']));
  });

  test('a task that no longer fits: is not called', () => {
    // Each round has five events for the task and two for the Choice.
    const machine = machineOf({
      T: { ...calling, End: undefined as never, Next: 'C' },
      C: { Type: 'Choice', Choices: [{ Condition: '{% $states.input.stop %}', Next: 'E' }], Default: 'T' },
      E: { Type: 'Succeed' },
    });

    const { events, effects } = play(machine, {
      answers: Array(4000).fill({ output: { stop: false } }),
    });

    const scheduled = events.filter(({ type }) => type === 'TaskScheduled').length;
    expect(events).toHaveLength(25_000);
    expect(effects.filter(effect => effect.kind === 'call')).toHaveLength(scheduled);
  });
});
