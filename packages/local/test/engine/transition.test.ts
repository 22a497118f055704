import { newExecution } from '../../engine/execution';
import type { Signal } from '../../engine/signals';
import { transition } from '../../engine/transition';
import { dataOf } from '../../language/asl/data';
import { contextAt, machineOf, START, UUID } from './play';

const machine = machineOf({
  T: {
    Type: 'Task',
    Resource: 'arn:aws:states:::a:b',
    Arguments: { id: '{% $uuid() %}', r: '{% $random() %}', at: '{% $now() %}' },
    TimeoutSeconds: 9,
    Assign: { got: '{% $states.result %}' },
    Next: 'W',
  },
  W: { Type: 'Wait', Seconds: 5, Next: 'End' },
  End: { Type: 'Succeed' },
});

const arn = 'arn:aws:states:eu-west-1:111111111111:execution:m:e';
const fresh = () => newExecution({ arn, name: 'e', input: dataOf({ a: [1] }), startedAt: START });
const apply = (execution: ReturnType<typeof fresh>, signal: Signal) =>
  transition(machine, execution, signal, contextAt(START, 0.25));

describe('transition', () => {
  test('the same arguments twice: the same answer, and the given execution untouched', () => {
    const execution = fresh();
    const before = JSON.stringify(execution);

    const first = apply(execution, { kind: 'started' });
    const second = apply(execution, { kind: 'started' });

    expect(second).toEqual(first);
    expect(JSON.stringify(execution)).toBe(before);
  });

  test('an execution written as JSON and read back: goes on the same', () => {
    let execution = fresh();
    const signals: Signal[] = [
      { kind: 'started' },
      { kind: 'taskSucceeded', taskId: 'task@3', output: { n: 1 } },
      { kind: 'timerDue', timerId: 'wait@7' },
    ];
    for (const signal of signals) {
      const direct = apply(execution, signal);
      const copied = apply(JSON.parse(JSON.stringify(execution)), signal);

      expect(copied).toEqual(direct);
      execution = direct.execution;
    }
    expect(execution.status).toBe('SUCCEEDED');
  });

  test('time, randomness and ids: those that were given', () => {
    const { effects } = apply(fresh(), { kind: 'started' });

    expect(effects[0]).toMatchObject({
      arguments: { id: UUID, r: 0.25, at: '2026-01-01T00:00:00.000Z' },
    });
  });

  test('while a task runs: the thread has what it waits for', () => {
    const { execution } = apply(fresh(), { kind: 'started' });

    expect(execution.root).toMatchObject({
      path: '',
      state: 'T',
      enteredEventId: 2,
      previousEventId: 4,
      waits: { kind: 'task', taskId: 'task@3', timeout: { timerId: 'timeout@3', due: START + 9000 } },
    });
  });

  test.each<Signal>([
    { kind: 'started' },
    { kind: 'taskSucceeded', taskId: 'task@99', output: 1 },
    { kind: 'taskFailed', taskId: 'task@99', error: 'E' },
    { kind: 'timerDue', timerId: 'wait@99' },
    { kind: 'timerDue', timerId: 'execution@0' },
  ])('$kind that is not waited for: the very same execution, nothing happens', signal => {
    const { execution } = apply(fresh(), { kind: 'started' });

    const after = apply(execution, signal);

    expect(after.execution).toBe(execution);
    expect(after.events).toEqual([]);
    expect(after.effects).toEqual([]);
  });

  test.each<Signal>([{ kind: 'stopped' }, { kind: 'taskSucceeded', taskId: 'task@3', output: 1 }])(
    '$kind after the end: ignored',
    signal => {
      const { execution } = apply(fresh(), { kind: 'started' });
      const { execution: stopped } = apply(execution, { kind: 'stopped' });

      expect(apply(stopped, signal).execution).toBe(stopped);
    },
  );

  test('input text with white space: kept until a state makes a new value', () => {
    const text = '{ "a": 1.0 }';
    const start = newExecution({ arn, name: 'e', input: { value: { a: 1 }, text }, startedAt: START });
    const passing = machineOf({
      A: { Type: 'Pass', Next: 'B' },
      B: { Type: 'Pass', Output: '{% $states.input %}', End: true },
    });

    const { events } = transition(passing, start, { kind: 'started' }, contextAt(START, 0.25));

    expect(events[0]?.input).toBe(text);
    expect(events[2]?.output).toBe(text);
    expect(events[4]?.output).toBe('{"a":1}');
  });
});
