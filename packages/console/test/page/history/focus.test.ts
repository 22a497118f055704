import { countAt, visitInFocus } from '../../../page/history/focus';
import type { Visit } from '../../../page/history/visits';

const NOTHING = { at: 0, cause: '' };

function visit(name: string, enteredAt: number, more: Partial<Visit> = {}): Visit {
  return {
    ...{ id: enteredAt, name, type: 'Task', parent: undefined, iteration: undefined, from: undefined },
    ...{ enteredAt, input: '{}', status: 'succeeded', exitedAt: enteredAt + 10, output: '{}', args: '{}' },
    ...{ calls: 1, redrives: 0, assigned: {}, failures: [], hasFailed: false },
    ...more,
  };
}

describe('the state that is shown first', () => {
  const claim = visit('Claim', 0, { failures: [{ ...NOTHING, error: 'Rejected' }] });
  const step = visit('Step', 10, { exitedAt: 90, failures: [{ ...NOTHING, error: 'Declined' }] });
  const choice = visit('Choice', 90, { exitedAt: 90, type: 'Choice' });
  const end = visit('End', 90, { exitedAt: undefined, type: 'Fail' });
  const snapshot = {
    visits: [claim, step, choice, end],
    running: [],
    status: 'FAILED',
    error: 'Declined',
  } as const;

  test.each([
    ['at a moment at which several ended: the longest', snapshot, 90, step],
    ['at a moment between: the one that it was in', snapshot, 50, step],
    ['at a moment before all: as without one', snapshot, -1, step],
    ['it has failed: the one that failed so', snapshot, undefined, step],
    ['it has failed with an error of its own: the last', { ...snapshot, error: 'Mismatch' }, undefined, end],
    [
      'it was stopped: the last',
      { ...snapshot, status: 'ABORTED', error: undefined } as const,
      undefined,
      end,
    ],
    ['it runs: what is at work', { ...snapshot, running: [claim] }, undefined, claim],
    ['nothing was entered: none', { ...snapshot, visits: [] }, 50, undefined],
  ])('%s', (_, at, moment, expected) => {
    expect(visitInFocus(at, moment)).toBe(expected);
  });
});

describe('how many events there were at a moment', () => {
  const event = (id: number, timestamp: number, type: string, name?: string) => ({
    ...{ id, timestamp, type },
    ...(name !== undefined && { stateExitedEventDetails: { name } }),
  });
  const events = [
    event(1, 0, 'ExecutionStarted'),
    event(2, 5, 'TaskStateEntered'),
    event(3, 90, 'TaskStateExited', 'Step'),
    event(4, 90, 'ChoiceStateEntered'),
    event(5, 90, 'ChoiceStateExited', 'Choice'),
    event(6, 95, 'ExecutionSucceeded'),
  ];
  const step = visit('Step', 2, { exitedAt: 90 });

  test.each([
    ['a visit that ended then: up to its end', step, 90, 3],
    [
      'a visit that ended then, the last of several: up to its end',
      visit('Choice', 4, { exitedAt: 90 }),
      90,
      5,
    ],
    ['a visit that goes on: all that had happened', step, 50, 2],
    ['none: all that had happened', undefined, 90, 5],
    ['a moment before all: the first event', undefined, -1, 1],
    ['a moment behind all: all', undefined, 200, 6],
  ])('%s', (_, visit, moment, expected) => {
    expect(countAt(events, visit, moment)).toBe(expected);
  });
});
