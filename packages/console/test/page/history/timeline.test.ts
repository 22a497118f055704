import fc from 'fast-check';
import { Timeline } from '../../../page/history/timeline';
import type { ExecutionSnapshot, Visit } from '../../../page/history/visits';
import type { HistoryEvent } from '../../../views';

function snapshotAt(events: readonly HistoryEvent[], count = events.length): ExecutionSnapshot {
  return new Timeline(events).at(count);
}

/** Events one after the other, each behind the one before unless it says otherwise, ten milliseconds apart. */
function history(...events: readonly (Partial<HistoryEvent> & Pick<HistoryEvent, 'type'>)[]): HistoryEvent[] {
  return events.map((event, index) => ({
    id: index + 1,
    previousEventId: index,
    timestamp: (index + 1) * 10,
    ...event,
  }));
}

const STARTED = { type: 'ExecutionStarted', executionStartedEventDetails: { input: '{"a":1}' } };

function entered(name: string, type = 'Task', input = '{}') {
  return { type: `${type}StateEntered`, stateEnteredEventDetails: { name, input } };
}

function exited(name: string, type = 'Task', more = {}) {
  return { type: `${type}StateExited`, stateExitedEventDetails: { name, output: '{"done":true}', ...more } };
}

function shape({ name, status, from, parent, iteration }: Visit) {
  return { name, status, from: from?.name, parent: parent?.name, iteration };
}

const RETRIED = history(
  STARTED,
  entered('Charge'),
  { type: 'TaskScheduled', taskScheduledEventDetails: { parameters: '{"orderId":"o1"}' } },
  { type: 'TaskFailed', taskFailedEventDetails: { error: 'Lambda.SdkClientException', cause: 'cut' } },
  { type: 'TaskScheduled', taskScheduledEventDetails: { parameters: '{"orderId":"o2"}' } },
  { type: 'TaskSucceeded', taskSucceededEventDetails: {} },
  exited('Charge', 'Task', { assignedVariables: { attempt: '1' } }),
  entered('Done', 'Succeed'),
  exited('Done', 'Succeed'),
  { type: 'ExecutionSucceeded', executionSucceededEventDetails: { output: '{"done":true}' } },
);

/** Events that change what there is, behind any other. */
const ANY_EVENT = fc
  .record({
    event: fc.constantFrom<Partial<HistoryEvent> & Pick<HistoryEvent, 'type'>>(
      STARTED,
      entered('Charge'),
      entered('All', 'Map'),
      entered('Both', 'Parallel'),
      exited('Charge', 'Task', { assignedVariables: { attempt: '1' } }),
      exited('All', 'Map'),
      exited('Both', 'Parallel'),
      { type: 'MapStateStarted' },
      { type: 'MapIterationStarted', mapIterationStartedEventDetails: { index: 0 } },
      { type: 'MapIterationFailed', mapIterationFailedEventDetails: { index: 0 } },
      { type: 'MapStateFailed' },
      { type: 'ParallelStateStarted' },
      { type: 'ParallelStateSucceeded' },
      { type: 'TaskScheduled', taskScheduledEventDetails: { parameters: '{}' } },
      { type: 'TaskFailed', taskFailedEventDetails: { error: 'Down' } },
      { type: 'TaskSucceeded' },
      { type: 'ExecutionFailed', executionFailedEventDetails: { error: 'Down' } },
      { type: 'ExecutionAborted' },
      { type: 'ExecutionRedriven' },
    ),
    previousEventId: fc.option(fc.nat({ max: 40 }), { nil: undefined }),
  })
  .map(({ event, previousEventId }) => ({
    ...event,
    ...(previousEventId !== undefined && { previousEventId }),
  }));

describe('an execution at a point of its history', () => {
  test('at its end: its states in order, their calls, failures and variables', () => {
    const snapshot = snapshotAt(RETRIED);

    expect(snapshot).toMatchObject({
      status: 'SUCCEEDED',
      input: '{"a":1}',
      output: '{"done":true}',
      running: [],
    });
    expect(snapshot.variables).toEqual({ attempt: '1' });
    expect(snapshot.visits.map(shape)).toEqual([
      { name: 'Charge', status: 'succeeded', from: undefined, parent: undefined, iteration: undefined },
      { name: 'Done', status: 'succeeded', from: 'Charge', parent: undefined, iteration: undefined },
    ]);
    expect(snapshot.visits[0]).toMatchObject({
      calls: 2,
      args: '{"orderId":"o2"}',
      failures: [{ at: 40, error: 'Lambda.SdkClientException', cause: 'cut' }],
      enteredAt: 20,
      exitedAt: 70,
    });
  });

  test('before its end: the state that is at work, and nothing of what comes', () => {
    const snapshot = snapshotAt(RETRIED, 3);

    expect(snapshot).toMatchObject({ status: 'RUNNING', output: undefined, variables: {} });
    expect(snapshot.running.map(({ name }) => name)).toEqual(['Charge']);
    expect(snapshot.visits[0]).toMatchObject({
      calls: 1,
      args: '{"orderId":"o1"}',
      failures: [],
      exitedAt: undefined,
    });
  });

  test('every moment, of any events in any order: as if nothing had come behind it', () => {
    fc.assert(
      fc.property(fc.array(ANY_EVENT, { maxLength: 40 }), drawn => {
        const events = history(...drawn);
        const timeline = new Timeline(events);
        for (let count = events.length; count >= 0; count -= 1) {
          expect(timeline.at(count)).toEqual(new Timeline(events.slice(0, count)).at());
        }
      }),
    );
  });

  test('an error that a catcher takes: the state was left by it', () => {
    const events = history(
      STARTED,
      entered('Claim'),
      { type: 'TaskScheduled', taskScheduledEventDetails: {} },
      { type: 'TaskFailed', taskFailedEventDetails: { error: 'Rejected' } },
      exited('Claim'),
      entered('Read'),
    );

    expect(snapshotAt(events).visits.map(({ name, status }) => [name, status])).toEqual([
      ['Claim', 'caught'],
      ['Read', 'running'],
    ]);
  });

  test.each([
    ['ExecutionAborted', 'aborted', 'ABORTED'],
    ['ExecutionTimedOut', 'timedOut', 'TIMED_OUT'],
    ['ExecutionFailed', 'failed', 'FAILED'],
  ])('%s within a state: the state ends so', (type, status, ended) => {
    const snapshot = snapshotAt(history(STARTED, entered('Step'), { type }));

    expect(snapshot.status).toBe(ended);
    expect(snapshot.visits[0]?.status).toBe(status);
  });

  test('a redrive: the execution and the state where it stopped run again', () => {
    const events = history(
      STARTED,
      entered('Step'),
      { type: 'TaskScheduled', taskScheduledEventDetails: {} },
      { type: 'ExecutionAborted' },
      { type: 'ExecutionRedriven', executionRedrivenEventDetails: { redriveCount: 1 } },
      { type: 'TaskScheduled', taskScheduledEventDetails: {} },
      { type: 'TaskSucceeded', taskSucceededEventDetails: {} },
      exited('Step'),
    );

    expect(snapshotAt(events, 5)).toMatchObject({ status: 'RUNNING', redrives: 1 });
    expect(snapshotAt(events).visits.map(({ name, status, calls }) => [name, status, calls])).toEqual([
      ['Step', 'succeeded', 2],
    ]);
  });

  test('iterations of a Map that run side by side: each state belongs to its own', () => {
    const events = history(
      STARTED,
      entered('Each', 'Map'),
      { type: 'MapStateStarted', mapStateStartedEventDetails: { length: 2 } },
      { type: 'MapIterationStarted', mapIterationStartedEventDetails: { name: 'Each', index: 0 } },
      {
        type: 'MapIterationStarted',
        mapIterationStartedEventDetails: { name: 'Each', index: 1 },
        previousEventId: 3,
      },
      { ...entered('Charge'), previousEventId: 4 },
      { ...entered('Charge'), previousEventId: 5 },
      { ...exited('Charge'), previousEventId: 6 },
      { ...entered('Notify'), previousEventId: 8 },
      { ...exited('Charge'), previousEventId: 7 },
      { ...exited('Notify'), previousEventId: 9 },
      { type: 'MapIterationSucceeded', mapIterationSucceededEventDetails: { index: 0 }, previousEventId: 11 },
      { type: 'MapIterationSucceeded', mapIterationSucceededEventDetails: { index: 1 }, previousEventId: 10 },
      { type: 'MapStateSucceeded', previousEventId: 13 },
      exited('Each', 'Map'),
      entered('Done'),
    );

    expect(snapshotAt(events).visits.map(shape)).toEqual([
      { name: 'Each', status: 'succeeded', from: undefined, parent: undefined, iteration: undefined },
      { name: 'Charge', status: 'succeeded', from: undefined, parent: 'Each', iteration: 0 },
      { name: 'Charge', status: 'succeeded', from: undefined, parent: 'Each', iteration: 1 },
      { name: 'Notify', status: 'succeeded', from: 'Charge', parent: 'Each', iteration: 0 },
      { name: 'Done', status: 'running', from: 'Each', parent: undefined, iteration: undefined },
    ]);
  });

  test('a branch that fails, and a catcher of the Parallel state: the other branches end with it', () => {
    const events = history(
      STARTED,
      entered('Both', 'Parallel'),
      { type: 'ParallelStateStarted' },
      { ...entered('Left'), previousEventId: 3 },
      { ...entered('Right'), previousEventId: 3 },
      { type: 'TaskFailed', taskFailedEventDetails: { error: 'Boom' }, previousEventId: 4 },
      { type: 'ParallelStateFailed', parallelStateFailedEventDetails: { error: 'Boom' }, previousEventId: 6 },
      exited('Both', 'Parallel'),
      entered('Handle'),
    );

    expect(snapshotAt(events).visits.map(({ name, status }) => [name, status])).toEqual([
      ['Both', 'caught'],
      ['Left', 'failed'],
      ['Right', 'aborted'],
      ['Handle', 'running'],
    ]);
  });

  test('a Parallel state that failed, was tried again and succeeded: it succeeded, what failed within it failed', () => {
    const branch = (from: number, name: string) => ({ ...entered(name), previousEventId: from });
    const { visits } = snapshotAt(
      history(
        STARTED,
        entered('Both', 'Parallel'),
        { type: 'ParallelStateStarted' },
        entered('Left'),
        { type: 'TaskScheduled' },
        branch(3, 'Right'),
        { type: 'TaskFailed', previousEventId: 5, taskFailedEventDetails: { error: 'Down' } },
        { type: 'ParallelStateFailed' },
        { type: 'ParallelStateStarted' },
        entered('Left'),
        { type: 'TaskScheduled' },
        { type: 'TaskSucceeded' },
        exited('Left'),
        { type: 'ParallelStateSucceeded' },
        exited('Both', 'Parallel'),
      ),
    );

    expect(visits.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'Both succeeded',
      'Left failed',
      'Right aborted',
      'Left succeeded',
    ]);
  });

  test('a redrive within a Parallel state: what stopped there runs again, and the state was not left by its error', () => {
    const events = history(
      STARTED,
      entered('Both', 'Parallel'),
      { type: 'ParallelStateStarted' },
      entered('Left'),
      { type: 'TaskScheduled' },
      { type: 'TaskFailed', taskFailedEventDetails: { error: 'Down' } },
      { type: 'ParallelStateFailed' },
      { type: 'ExecutionFailed' },
      { type: 'ExecutionRedriven' },
      { type: 'TaskScheduled', previousEventId: 4 },
      { type: 'TaskSucceeded' },
      exited('Left'),
      { type: 'ParallelStateSucceeded' },
      exited('Both', 'Parallel'),
    );
    const at = (count: number) =>
      snapshotAt(events, count).visits.map(({ name, status }) => `${name} ${status}`);

    expect(at(8)).toEqual(['Both failed', 'Left failed']);
    expect(at(9)).toEqual(['Both running', 'Left running']);
    expect(at(14)).toEqual(['Both succeeded', 'Left succeeded']);
  });

  test('a task that succeeded, whose output could not be made, and a catcher: left by that error', () => {
    const { visits } = snapshotAt(
      history(
        STARTED,
        entered('Charge'),
        { type: 'TaskScheduled' },
        { type: 'TaskSucceeded' },
        { type: 'EvaluationFailed', evaluationFailedEventDetails: { error: 'States.QueryEvaluationError' } },
        exited('Charge'),
      ),
    );

    expect(visits[0]?.status).toBe('caught');
  });

  test('10,000 iterations of a Map that fail: read in a time that grows with their number', () => {
    const iterations = Array.from({ length: 10_000 }, (_, index) => [
      { type: 'MapIterationStarted', previousEventId: 3, mapIterationStartedEventDetails: { index } },
      entered('Each', 'Pass'),
      { type: 'MapIterationFailed', mapIterationFailedEventDetails: { index } },
    ]).flat();
    const map = [STARTED, entered('All', 'Map'), { type: 'MapStateStarted' }] as const;
    const { visits } = snapshotAt(history(...map, ...iterations));

    expect(visits.filter(({ status }) => status === 'failed')).toHaveLength(10_000);
  });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['a name that is an object', { name: { toString: 1 } }],
    ['a name that is missing', {}],
  ])('%s: a state of no known name', (_, details) => {
    const { visits } = snapshotAt(
      history(STARTED, { type: 'PassStateEntered', stateEnteredEventDetails: details }),
    );

    expect(visits[0]?.name).toBe('?');
  });

  test('assigned variables of strange types: those that are texts', () => {
    const assignedVariables = { a: '1', b: { toString: 1 }, c: null };
    const { variables } = snapshotAt(
      history(STARTED, entered('A', 'Pass'), exited('A', 'Pass', { assignedVariables })),
    );

    expect(variables).toEqual({ a: '1' });
  });

  test('a history whose beginning is missing: read as far as it goes', () => {
    expect(snapshotAt(RETRIED.slice(4)).visits.map(({ name }) => name)).toEqual(['Done']);
    expect(snapshotAt(RETRIED.slice(4)).status).toBe('SUCCEEDED');
  });
});
