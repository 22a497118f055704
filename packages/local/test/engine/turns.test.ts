import { type Execution, newExecution } from '../../engine/execution';
import type { Signal } from '../../engine/signals';
import { transition } from '../../engine/transition';
import type { TransitionContext } from '../../engine/turn';
import type { JsonObject } from '../../json/json';
import { dataOf } from '../../language/asl/data';
import { contextAt, machineOf, play, START } from './play';

const arn = 'arn:aws:states:eu-west-1:111111111111:execution:m:e';
const fresh = () => newExecution({ arn, name: 'e', input: dataOf({}), startedAt: START });

/** States one behind another: S1, S2, ... */
function chain(count: number): { [name: string]: JsonObject } {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index): [string, JsonObject] => [
      `S${index + 1}`,
      { Type: 'Pass', ...(index + 1 < count ? { Next: `S${index + 2}` } : { End: true }) },
    ]),
  );
}

const apply = (execution: Execution, signal: Signal, context: TransitionContext = contextAt(START)) =>
  transition(machineOf(chain(1200)), execution, signal, context);

describe('a long way without waiting', () => {
  test('500 states: the turn is over, and the thread stands before the next one', () => {
    const { execution, effects } = apply(fresh(), { kind: 'started' });

    const pauseId = 'pause:@1001';
    expect(execution).toMatchObject({ status: 'RUNNING', lastEventId: 1001, transitions: 500 });
    expect(execution.root).toMatchObject({ state: 'S500', waits: { kind: 'pause', pauseId, next: 'S501' } });
    expect(effects).toEqual([{ kind: 'pause', pauseId }]);
  });

  test('its turn again: goes on, and the history has no trace of it', () => {
    const { history, execution } = play(machineOf(chain(1200)));

    expect(execution.status).toBe('SUCCEEDED');
    expect(history.slice(999, 1004)).toEqual([
      '1000<-999 PassStateEntered {"name":"S500","input":"{}"}',
      '1001<-1000 PassStateExited {"name":"S500","output":"{}"}',
      '1002<-1001 PassStateEntered {"name":"S501","input":"{}"}',
      '1003<-1002 PassStateExited {"name":"S501","output":"{}"}',
      '1004<-1003 PassStateEntered {"name":"S502","input":"{}"}',
    ]);
    expect(history).toHaveLength(2402);
  });

  test('a pause first: before every state, also the first; what ends a pause enters one', () => {
    const looked = Object.assign(contextAt(START), { isTimeUp: () => true, pausesFirst: true });
    const entering = Object.assign(contextAt(START), { isTimeUp: () => true });
    const before = apply(fresh(), { kind: 'started' }, looked);
    const within = apply(before.execution, { kind: 'pauseEnded', pauseId: 'pause:@0' }, entering);

    expect(before.execution.root).toMatchObject({ state: '', waits: { kind: 'pause', next: 'S1' } });
    expect(before.events.map(({ type }) => type)).toEqual(['ExecutionStarted']);
    expect(within.execution.root).toMatchObject({ state: 'S1', waits: { kind: 'pause', next: 'S2' } });
    expect(within.events.map(({ type }) => type)).toEqual(['PassStateEntered', 'PassStateExited']);
  });

  test('time is up: one state all the same, so that it gets anywhere', () => {
    const { execution } = apply(
      fresh(),
      { kind: 'started' },
      Object.assign(contextAt(START), { isTimeUp: () => true }),
    );

    expect(execution.root).toMatchObject({ state: 'S1', waits: { kind: 'pause', next: 'S2' } });
  });

  test('the turn of an earlier pause: changes nothing', () => {
    const { execution } = apply(fresh(), { kind: 'started' });

    const after = apply(execution, { kind: 'pauseEnded', pauseId: 'pause:@1' });

    expect(after).toEqual({ execution, events: [], effects: [] });
  });

  test('stopped between two states and redriven: goes on with the next one, the one before is not done again', () => {
    const started = apply(fresh(), { kind: 'started' });
    const stopped = apply(started.execution, { kind: 'stopped' });
    const { events } = apply(stopped.execution, { kind: 'redriven' });

    expect(events.slice(0, 2)).toMatchObject([
      { id: 1003, type: 'ExecutionRedriven' },
      { id: 1004, previousEventId: 1001, type: 'PassStateEntered', name: 'S501' },
    ]);
  });
});

describe('many threads', () => {
  const loop = { Type: 'Pass', Next: 'L' };
  const branches = (...states: JsonObject[]) =>
    states.map(state => ({ StartAt: Object.keys(state)[0] ?? '', States: state }));

  test('more states than one turn takes in a Map: all iterations come to their end', () => {
    const processor = { StartAt: 'S1', States: chain(30) };
    const { execution, history } = play(
      machineOf({ M: { Type: 'Map', Items: '{% [1..50] %}', ItemProcessor: processor, End: true } }),
    );

    expect(execution.status).toBe('SUCCEEDED');
    expect(execution.end?.output?.value).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(history.filter(line => line.includes('MapIterationSucceeded'))).toHaveLength(50);
  });

  test('a branch in a circle: the one beside it has its turn, and its failure ends both', () => {
    const parallel = {
      Type: 'Parallel',
      Branches: branches({ L: loop, E: { Type: 'Pass', End: true } }, { F: { Type: 'Fail', Error: 'E' } }),
      Catch: [{ ErrorEquals: ['E'], Next: 'Z' }],
      End: true,
    };
    parallel.Branches[0] = {
      StartAt: 'C',
      States: {
        C: { Type: 'Choice', Choices: [{ Condition: false, Next: 'E' }], Default: 'L' },
        L: { Type: 'Pass', Next: 'C' },
        E: { Type: 'Pass', End: true },
      },
    };
    const { history } = play(machineOf({ P: parallel, Z: { Type: 'Pass', End: true } }));

    // The circle had two turns and stood between two of them: none of its states is aborted.
    expect(history.slice(-6).map(line => line.split(' ')[1])).toEqual([
      'FailStateEntered',
      'ParallelStateFailed',
      'ParallelStateExited',
      'PassStateEntered',
      'PassStateExited',
      'ExecutionSucceeded',
    ]);
    expect(history.filter(line => line.includes('ParallelStateFailed'))[0]).toContain('2003<-2002');
  });

  test('stopped while a branch has not come to its first state: the redrive begins it', () => {
    const circle = {
      C: { Type: 'Choice', Choices: [{ Condition: false, Next: 'E' }], Default: 'L' },
      L: { Type: 'Pass', Next: 'C' },
      E: { Type: 'Pass', End: true },
    };
    const machine = machineOf({
      P: { Type: 'Parallel', Branches: branches(circle, chain(1)), End: true },
    });
    const step = (execution: Execution, signal: Signal) =>
      transition(machine, execution, signal, contextAt(START));
    const started = step(fresh(), { kind: 'started' });
    const stopped = step(started.execution, { kind: 'stopped' });
    const redriven = step(stopped.execution, { kind: 'redriven' });

    expect(redriven.effects.map(effect => effect.kind)).toContain('pause');
    const pauses = redriven.effects.flatMap(effect => (effect.kind === 'pause' ? [effect] : []));
    const [, second] = pauses;
    const after = step(redriven.execution, { kind: 'pauseEnded', pauseId: second?.pauseId ?? '' });
    expect(after.events.map(event => event.name)).toEqual(['S1', 'S1']);
  });
});

describe('the life of an execution', () => {
  const day = 24 * 60 * 60 * 1000;
  const waiting = machineOf({ W: { Type: 'Wait', Seconds: 99_999_999, End: true } });
  const life: Signal = { kind: 'timerDue', timerId: 'life' };

  test('365 days: timed out at exactly that time', () => {
    const { execution } = transition(waiting, fresh(), { kind: 'started' }, contextAt(START));
    const at = (now: number) => transition(waiting, execution, life, contextAt(now));

    expect(at(START + 365 * day - 1).execution).toBe(execution);
    const over = at(START + 365 * day + 5);
    expect(over.events).toMatchObject([
      { id: 3, previousEventId: 0, type: 'ExecutionTimedOut', error: 'States.Timeout' },
    ]);
    expect(over.execution).toMatchObject({ status: 'TIMED_OUT', end: { at: START + 365 * day } });
  });

  test('a redrive: the days count from the start', () => {
    const { execution } = transition(waiting, fresh(), { kind: 'started' }, contextAt(START));
    const stopped = transition(waiting, execution, { kind: 'stopped' }, contextAt(START + 360 * day));
    const redriven = transition(
      waiting,
      stopped.execution,
      { kind: 'redriven' },
      contextAt(START + 361 * day),
    );
    const over = transition(waiting, redriven.execution, life, contextAt(START + 365 * day));

    expect(over.execution.status).toBe('TIMED_OUT');
  });
});
