import { machineOf, play } from './play';
import { FAIL, map, parallel, pass, skeleton, task, wait } from './states/nested';

const HOUR_MS = 3_600_000;

describe('a redrive', () => {
  test('a failed task: scheduled again behind its entry, its retries counted anew', () => {
    const retry = { Retry: [{ ErrorEquals: ['E'], MaxAttempts: 1, IntervalSeconds: 1 }] };
    const machine = machineOf({ A: pass({ Next: 'T' }), T: task(retry) });
    const { history, execution } = play(machine, {
      answers: [{ error: 'E' }, { error: 'E' }, { error: 'E' }, { output: 1 }],
      redriveAtMs: [HOUR_MS],
    });

    expect(history[11]).toBe('12<-11 ExecutionRedriven {"redriveCount":1}');
    expect(skeleton(history).slice(10)).toEqual([
      '11<-10 ExecutionFailed',
      '12<-11 ExecutionRedriven',
      '13<-4 TaskScheduled',
      '14<-13 TaskStarted',
      '15<-14 TaskFailed',
      '16<-15 TaskScheduled',
      '17<-16 TaskStarted',
      '18<-17 TaskSucceeded',
      '19<-18 TaskStateExited',
      '20<-19 ExecutionSucceeded',
    ]);
    expect(execution).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
  });

  test('the context: counts redrives and has the time of the last one', () => {
    const context = '{% [$states.context.Execution.RedriveCount, $states.context.Execution.RedriveTime] %}';
    const { events } = play(machineOf({ T: task({ Arguments: { FunctionName: 'f', at: context } }) }), {
      answers: [{ error: 'E' }, { error: 'E' }, { output: 1 }],
      redriveAtMs: [HOUR_MS, 2 * HOUR_MS],
    });
    const parameters = events.flatMap(event => event.parameters ?? []);

    expect(parameters.map(text => JSON.parse(text).at)).toEqual([
      [0],
      [1, '2026-01-01T01:00:00.000Z'],
      [2, '2026-01-01T02:00:00.000Z'],
    ]);
  });

  test('a Parallel: branches that have ended are not run again', () => {
    const machine = machineOf({ P: parallel([{ A: pass() }, { B: task() }, { C: wait(1) }]) });
    const { history } = play(machine, {
      answers: [{ error: 'E', afterMs: 2000 }, { output: 1 }],
      redriveAtMs: [HOUR_MS],
    });

    expect(skeleton(history).slice(14)).toEqual([
      '15<-14 ExecutionRedriven',
      '16<-6 TaskScheduled',
      '17<-16 TaskStarted',
      '18<-17 TaskSucceeded',
      '19<-18 TaskStateExited',
      '20<-19 ParallelStateSucceeded',
      '21<-19 ParallelStateExited',
      '22<-21 ExecutionSucceeded',
    ]);
  });

  test('a Parallel: branches that were aborted go on as well', () => {
    const machine = machineOf({ P: parallel([{ A: task() }, { B: task() }]) });
    const { execution, history } = play(machine, {
      answers: ['never', { error: 'E' }, { output: 'a' }, { output: 'b' }],
      redriveAtMs: [HOUR_MS],
    });

    expect(execution.end?.output?.value).toEqual(['a', 'b']);
    expect(skeleton(history).filter(line => line.includes('TaskScheduled'))).toEqual([
      '5<-4 TaskScheduled',
      '8<-7 TaskScheduled',
      '16<-4 TaskScheduled',
      '18<-7 TaskScheduled',
    ]);
  });

  test('a Map: goes on at the failed iteration, and with those that had not begun', () => {
    const machine = machineOf({ M: map({ A: task() }, { Items: [1, 2, 3], MaxConcurrency: 1 }) });
    const { execution, history } = play(machine, {
      answers: [{ output: 1 }, { error: 'E' }, { output: 2 }, { output: 3 }],
      redriveAtMs: [HOUR_MS],
    });

    expect(execution.end?.output?.value).toEqual([1, 2, 3]);
    expect(skeleton(history).slice(19, 26)).toEqual([
      '20<-19 ExecutionRedriven',
      '21<-12 TaskScheduled',
      '22<-21 TaskStarted',
      '23<-22 TaskSucceeded',
      '24<-23 TaskStateExited',
      '25<-24 MapIterationSucceeded',
      '26<-24 MapIterationStarted',
    ]);
  });

  test('a Map whose selector failed: the iteration is begun as it would have been', () => {
    const selector = '{% $states.context.Execution.RedriveCount = 0 ? $zz : 7 %}';
    const machine = machineOf({ M: map({ A: pass() }, { Items: [1, 2], ItemSelector: selector }) });

    expect(play(machine, { redriveAtMs: [HOUR_MS] }).execution.end?.output?.value).toEqual([7, 7]);
  });

  test('a stopped Wait: waits its seconds again', () => {
    const { events } = play(machineOf({ W: wait(10) }), {
      stop: { atMs: 1000 },
      redriveAtMs: [HOUR_MS],
    });

    expect(events.map(event => event.type)).toEqual([
      ...['ExecutionStarted', 'WaitStateEntered', 'ExecutionAborted', 'ExecutionRedriven'],
      ...['WaitStateExited', 'ExecutionSucceeded'],
    ]);
    expect((events[4]?.timestamp ?? 0) - (events[3]?.timestamp ?? 0)).toBe(10_000);
  });

  test('a Fail state: fails again', () => {
    const { history } = play(machineOf({ F: FAIL }), { redriveAtMs: [HOUR_MS] });

    expect(skeleton(history).slice(2)).toEqual([
      '3<-2 ExecutionFailed',
      '4<-3 ExecutionRedriven',
      '5<-2 ExecutionFailed',
    ]);
  });

  test('an execution out of time: its time begins anew', () => {
    const machine = machineOf({ T: task() }, { TimeoutSeconds: 5 });
    const { events, execution } = play(machine, { answers: [], redriveAtMs: [HOUR_MS] });

    expect(events.at(-1)).toMatchObject({ type: 'ExecutionTimedOut', previousEventId: 0 });
    expect(execution.end?.at).toBe((events[0]?.timestamp ?? 0) + HOUR_MS + 5000);
  });

  test('an execution that goes on, or has succeeded: nothing happens', () => {
    const script = { answers: [{ output: 1, afterMs: 10 }], redriveAtMs: [5, HOUR_MS] };
    const { history, execution } = play(machineOf({ T: task() }), script);

    expect(history.join()).not.toContain('Redriven');
    expect(execution.redriveCount).toBe(0);
  });
});
