import type { JsonObject } from '../../../json/json';
import { afterStart, machineOf, play } from '../play';
import { FAIL, map, pass, skeleton, task, wait } from './nested';

describe('a Map that succeeds', () => {
  test('one at a time: an iteration hangs on the last event within the one before', () => {
    const played = play(machineOf({ M: map({ A: pass() }, { Items: [1, 'two'], MaxConcurrency: 1 }) }));

    expect(afterStart(played)).toEqual([
      '2<-0 MapStateEntered {"name":"M","input":"{}"}',
      '3<-2 MapStateStarted {"length":2}',
      '4<-3 MapIterationStarted {"name":"M","index":0}',
      '5<-4 PassStateEntered {"name":"A","input":"1"}',
      '6<-5 PassStateExited {"name":"A","output":"1"}',
      '7<-6 MapIterationSucceeded {"name":"M","index":0}',
      '8<-6 MapIterationStarted {"name":"M","index":1}',
      '9<-8 PassStateEntered {"name":"A","input":"\\"two\\""}',
      '10<-9 PassStateExited {"name":"A","output":"\\"two\\""}',
      '11<-10 MapIterationSucceeded {"name":"M","index":1}',
      '12<-11 MapStateSucceeded {}',
      '13<-11 MapStateExited {"name":"M","output":"[1,\\"two\\"]"}',
      '14<-13 ExecutionSucceeded {"output":"[1,\\"two\\"]"}',
    ]);
  });

  test('nothing to do: ends behind its start', () => {
    const played = play(machineOf({ M: map({ A: pass() }) }), { input: [] });

    expect(skeleton(afterStart(played))).toEqual([
      '2<-0 MapStateEntered',
      '3<-2 MapStateStarted',
      '4<-3 MapStateSucceeded',
      '5<-3 MapStateExited',
      '6<-5 ExecutionSucceeded',
    ]);
  });

  test.each<[string, JsonObject, number]>([
    ['no limit: the 40 of the service', {}, 40],
    ['0: the same', { MaxConcurrency: 0 }, 40],
    ['2: two', { MaxConcurrency: 2 }, 2],
    ['computed: as many', { MaxConcurrency: '{% 1 + 2 %}' }, 3],
    ['more than 40: 40', { MaxConcurrency: 100 }, 40],
  ])('MaxConcurrency, %s', (_case, more, count) => {
    const machine = machineOf({ M: map({ A: task() }, { Items: '{% [1..45] %}', ...more }) });
    const { history } = play(machine, { answers: [] });

    expect(history.filter(line => line.includes('MapIterationStarted'))).toHaveLength(count);
    expect(history.filter(line => line.includes('TaskStarted'))).toHaveLength(count);
  });

  test('iterations end in another order: a new one starts, outputs are in the order of the items', () => {
    const machine = machineOf({ M: map({ A: task() }, { Items: [1, 2, 3], MaxConcurrency: 2 }) });
    const { execution, history } = play(machine, {
      answers: [{ output: 'a', afterMs: 20 }, { output: 'b', afterMs: 10 }, { output: 'c' }],
    });

    expect(execution.end?.output?.value).toEqual(['a', 'b', 'c']);
    expect(skeleton(history).slice(11, 16)).toEqual([
      '12<-11 TaskSucceeded',
      '13<-12 TaskStateExited',
      '14<-13 MapIterationSucceeded',
      '15<-13 MapIterationStarted',
      '16<-15 TaskStateEntered',
    ]);
  });

  test.each<[string, JsonObject, unknown]>([
    [
      'array',
      { Items: [5, '{% 6 %}'] },
      [
        { Index: 0, Value: 5 },
        { Index: 1, Value: 6 },
      ],
    ],
    [
      'members of an object',
      { Items: { k: 5, l: '{% 6 %}' } },
      [
        { Index: 0, Value: 5, Key: 'k' },
        { Index: 1, Value: 6, Key: 'l' },
      ],
    ],
  ])('context of an %s: the item', (_case, more, output) => {
    const state = map({ A: pass({ Output: '{% $states.context.Map.Item %}' }) }, more);

    expect(play(machineOf({ M: state })).execution.end?.output?.value).toEqual(output);
  });

  test('ItemSelector: sees the input of the Map and the item', () => {
    const selector = { item: '{% $states.context.Map.Item.Value %}', of: '{% $states.input.name %}' };
    const machine = machineOf({ M: map({ A: pass() }, { Items: [1], ItemSelector: selector }) });
    const { execution } = play(machine, { input: { name: 'n' } });

    expect(execution.end?.output?.value).toEqual([{ item: 1, of: 'n' }]);
  });
});

describe('a Map with a failed iteration', () => {
  test('a task fails: it and its siblings are aborted', () => {
    const machine = machineOf({ M: map({ A: task() }, { Items: [1, 2, 3], MaxConcurrency: 2 }) });
    const { history } = play(machine, {
      answers: [{ output: 1, afterMs: 5 }, { error: 'E', afterMs: 10 }, 'never'],
    });

    expect(history.slice(18)).toEqual([
      '19<-11 TaskFailed {"resourceType":"lambda","resource":"invoke","error":"E"}',
      '20<-19 MapIterationFailed {"name":"M","index":1}',
      '21<-19 TaskStateAborted {}',
      '22<-19 MapIterationAborted {"name":"M","index":2}',
      '23<-19 TaskStateAborted {}',
      '24<-19 MapStateFailed {}',
      '25<-24 ExecutionFailed {"error":"E"}',
    ]);
  });

  test('retried: all iterations again', () => {
    const retry = { Items: [1], Retry: [{ ErrorEquals: ['E'], MaxAttempts: 1 }] };
    const played = play(machineOf({ M: map({ A: FAIL }, retry) }));

    expect(skeleton(afterStart(played)).slice(1)).toEqual([
      '3<-2 MapStateStarted',
      '4<-3 MapIterationStarted',
      '5<-4 FailStateEntered',
      '6<-5 MapIterationFailed',
      '7<-5 MapStateStarted',
      '8<-7 MapIterationStarted',
      '9<-8 FailStateEntered',
      '10<-9 MapIterationFailed',
      '11<-9 MapStateFailed',
      '12<-11 ExecutionFailed',
    ]);
  });

  test('tolerated failures: make no difference to an inline Map', () => {
    const more = { Items: [1, 2], ToleratedFailurePercentage: 100, MaxConcurrency: 1 };

    expect(play(machineOf({ M: map({ A: FAIL }, more) })).execution.status).toBe('FAILED');
  });

  test('an outer Map aborts an inner one: from the outside in', () => {
    const inner = map({ B: wait(60) }, { Items: [1] });
    const states = {
      T: { Type: 'Choice', Choices: [{ Condition: '{% $states.input = 1 %}', Next: 'I' }], Default: 'F' },
    };
    const machine = machineOf({ M: map({ ...states, I: inner, F: FAIL }, { Items: [1, 2] }) });
    const { history } = play(machine);

    expect(skeleton(history).slice(-7)).toEqual([
      '15<-14 MapIterationFailed',
      '16<-14 MapIterationAborted',
      '17<-14 MapStateAborted',
      '18<-14 MapIterationAborted',
      '19<-14 WaitStateAborted',
      '20<-14 MapStateFailed',
      '21<-20 ExecutionFailed',
    ]);
  });
});

describe('fields of a Map that fail', () => {
  test.each<[string, JsonObject, string]>([
    [
      'Items',
      { Items: '{% {"a": 1} %}' },
      `The JSONata expression '{"a": 1}' specified for the field 'Items' returned an unexpected result type. ` +
        `Expected 'array', but was 'object' for value: {"a":1}`,
    ],
    ['no Items', {}, 'Map state input must be an array but was: {}'],
    [
      'MaxConcurrency',
      { Items: [1], MaxConcurrency: '{% -1 %}' },
      'MaxConcurrency must be between 0 and 2147483647 but was: -1',
    ],
    [
      'ToleratedFailurePercentage',
      { Items: [1], ToleratedFailurePercentage: '{% 100.5 %}' },
      'ToleratedFailurePercentage must be between 0 and 100 but was: 100.5',
    ],
  ])('%s: fails the state before it starts', (_case, more, reason) => {
    const { history, execution } = play(machineOf({ M: map({ A: pass() }, more) }));

    expect(skeleton(history).slice(2)).toEqual([
      '3<-0 EvaluationFailed',
      '4<-3 MapStateFailed',
      '5<-4 ExecutionFailed',
    ]);
    expect(execution.end?.cause).toBe(
      `An error occurred while executing the state 'M' (entered at the event id #2). ${reason}`,
    );
  });

  test('ItemSelector: fails its iteration', () => {
    const machine = machineOf({ M: map({ A: pass() }, { Items: [1, 2], ItemSelector: '{% $zz %}' }) });
    const { history } = play(machine);

    expect(skeleton(history).slice(3)).toEqual([
      '4<-3 MapIterationStarted',
      '5<-3 MapIterationStarted',
      '6<-4 EvaluationFailed',
      '7<-6 MapIterationFailed',
      '8<-6 MapIterationAborted',
      '9<-6 MapStateFailed',
      '10<-9 ExecutionFailed',
    ]);
  });
});

describe('an item selector that gives too much', () => {
  test('fails its iteration, before a state is entered', () => {
    const selector = { ItemSelector: { a: '{% $states.input %}', b: '{% $states.input %}' } };
    const machine = machineOf({ M: map({ A: pass() }, { Items: [1], ...selector }) });
    const { history, execution } = play(machine, { input: 'x'.repeat(200_000) });

    expect(history.slice(3).map(line => line.split(' ')[1])).toEqual([
      'MapIterationStarted',
      'MapIterationFailed',
      'MapStateFailed',
      'ExecutionFailed',
    ]);
    expect(execution.end?.error).toBe('States.DataLimitExceeded');
  });
});

describe('a history of 25,000 events within a Map', () => {
  test('more iterations than fit: the last event says so', () => {
    const { execution, events } = play(machineOf({ M: map({ A: pass() }, { Items: '{% [1..8000] %}' }) }));

    expect(events).toHaveLength(25_000);
    expect(events.at(-1)).toMatchObject({ id: 25_000, previousEventId: 24_999, type: 'ExecutionFailed' });
    expect(execution.end).toMatchObject({
      error: 'States.Runtime',
      cause: 'The execution reached the maximum number of history events (25000).',
    });
  });
});
