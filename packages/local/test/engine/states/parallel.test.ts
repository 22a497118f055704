import { afterStart, machineOf, play } from '../play';
import { FAIL, parallel, pass, skeleton, task, wait } from './nested';

const CAUGHT = { Catch: [{ ErrorEquals: ['States.ALL'], Output: '{% $states.errorOutput %}', Next: 'X' }] };

describe('a Parallel that succeeds', () => {
  test('its history: the end hangs on the last event within it', () => {
    const state = parallel([{ A: pass({ Output: 'a' }) }, { B: pass({ Output: 'b' }) }]);
    const played = play(machineOf({ P: state }));

    expect(afterStart(played)).toEqual([
      '2<-0 ParallelStateEntered {"name":"P","input":"{}"}',
      '3<-2 ParallelStateStarted {}',
      '4<-3 PassStateEntered {"name":"A","input":"{}"}',
      '5<-4 PassStateExited {"name":"A","output":"\\"a\\""}',
      '6<-3 PassStateEntered {"name":"B","input":"{}"}',
      '7<-6 PassStateExited {"name":"B","output":"\\"b\\""}',
      '8<-7 ParallelStateSucceeded {}',
      '9<-7 ParallelStateExited {"name":"P","output":"[\\"a\\",\\"b\\"]"}',
      '10<-9 ExecutionSucceeded {"output":"[\\"a\\",\\"b\\"]"}',
    ]);
  });

  test('branches that end in another order: outputs stay in that of the branches', () => {
    const machine = machineOf({ P: parallel([{ A: task() }, { B: task() }]) });
    const { execution, history } = play(machine, {
      answers: [
        { output: 1, afterMs: 20 },
        { output: 2, afterMs: 10 },
      ],
    });

    expect(execution.end?.output?.value).toEqual([1, 2]);
    expect(skeleton(history).slice(-4, -1)).toEqual([
      '13<-12 TaskStateExited',
      '14<-13 ParallelStateSucceeded',
      '15<-13 ParallelStateExited',
    ]);
  });

  test('Arguments: what each branch gets; texts of the input keep their form otherwise', () => {
    const given = play(machineOf({ P: parallel([{ A: pass() }], { Arguments: { n: 1 } }) }));
    const nested = parallel([{ Q: parallel([{ A: pass() }]) }]);

    expect(given.execution.end?.output?.text).toBe('[{"n":1}]');
    expect(play(machineOf({ P: nested }), { input: [1] }).execution.end?.output?.text).toBe('[[[1]]]');
  });
});

describe('variables', () => {
  test('a branch: reads what is around it, and takes its own with it', () => {
    const first = pass({ Assign: { y: '{% $x + 1 %}' }, Next: 'B' });
    const branch = { A: first, B: pass({ Output: '{% $x + $y %}' }) };
    const { execution } = play(
      machineOf({
        S: pass({ Assign: { x: 1 }, Next: 'P' }),
        P: parallel([branch], { Assign: { x: '{% $states.result[0] %}' }, Next: 'Z' }),
        Z: pass({ Output: '{% [$x, $exists($y)] %}' }),
      }),
    );

    expect(execution.end?.output?.value).toEqual([3, false]);
  });
});

describe('a Parallel with a failed branch', () => {
  test('a task fails: it and its siblings are aborted, and a catcher leads on', () => {
    const machine = machineOf({
      P: parallel([{ A: task() }, { B: wait(60) }], CAUGHT),
      X: pass(),
    });
    const { history, effects } = play(machine, { answers: [{ error: 'E', afterMs: 10 }] });

    expect(history.slice(7, 12)).toEqual([
      '8<-6 TaskFailed {"resourceType":"lambda","resource":"invoke","error":"E"}',
      '9<-8 TaskStateAborted {}',
      '10<-8 WaitStateAborted {}',
      '11<-8 ParallelStateFailed {}',
      '12<-11 ParallelStateExited {"name":"P","output":"{\\"Error\\":\\"E\\",\\"Cause\\":\\"\\"}"}',
    ]);
    expect(effects).toContainEqual({ kind: 'cancelTimer', timerId: 'wait@7' });
  });

  test('retried: begins anew behind the failing event, without saying that it failed', () => {
    const retry = { Retry: [{ ErrorEquals: ['E'], MaxAttempts: 1 }] };
    const played = play(machineOf({ P: parallel([{ A: FAIL }], retry) }));

    expect(skeleton(afterStart(played))).toEqual([
      '2<-0 ParallelStateEntered',
      '3<-2 ParallelStateStarted',
      '4<-3 FailStateEntered',
      '5<-4 ParallelStateStarted',
      '6<-5 FailStateEntered',
      '7<-6 ParallelStateFailed',
      '8<-7 ExecutionFailed',
    ]);
  });

  test('States.Runtime within a branch: ends the execution at once', () => {
    const choice = { Type: 'Choice', Choices: [{ Condition: false, Next: 'B' }] };
    const machine = machineOf({ P: parallel([{ A: choice, B: pass() }, { C: wait(9) }], CAUGHT), X: pass() });
    const played = play(machine);

    expect(skeleton(afterStart(played))).toEqual([
      '2<-0 ParallelStateEntered',
      '3<-2 ParallelStateStarted',
      '4<-3 ChoiceStateEntered',
      '5<-4 ExecutionFailed',
    ]);
    expect(played.execution.end).toMatchObject({ error: 'States.Runtime' });
  });

  test('Arguments that fail: the state never starts', () => {
    const machine = machineOf({ P: parallel([{ A: pass() }], { Arguments: '{% $zz %}' }) });
    const played = play(machine);

    expect(skeleton(afterStart(played))).toEqual([
      '2<-0 ParallelStateEntered',
      '3<-0 EvaluationFailed',
      '4<-3 ParallelStateFailed',
      '5<-4 ExecutionFailed',
    ]);
  });

  test.each([
    ['stopped', { stop: { atMs: 1000 } }, {}, 'ExecutionAborted'],
    ['out of time', {}, { TimeoutSeconds: 1 }, 'ExecutionTimedOut'],
  ])('the execution is %s: nothing is said of the branches', (_case, script, more, type) => {
    const machine = machineOf({ P: parallel([{ A: wait(60) }, { B: task() }]) }, more);
    const { history, effects } = play(machine, script);

    expect(skeleton(history).slice(-2)).toEqual(['7<-6 TaskStarted', `8<-0 ${type}`]);
    expect(effects).toContainEqual({ kind: 'abandon', taskId: 'task@6' });
  });
});
