import { visitInFocus } from '../../../page/history/focus';
import type { Visit } from '../../../page/history/visits';

const NOTHING = { at: 0, cause: '' };

function visit(name: string, enteredAt: number, more: Partial<Visit> = {}): Visit {
  return {
    ...{ id: enteredAt, name, type: 'Task', parent: undefined, iteration: undefined, from: undefined },
    ...{ enteredAt, input: '{}', status: 'succeeded', exitedAt: enteredAt + 10, output: '{}', args: '{}' },
    ...{ calls: 1, assigned: {}, failures: [], hasFailed: false },
    ...more,
  };
}

describe('the state that is shown first', () => {
  const claim = visit('Claim', 0, { failures: [{ ...NOTHING, error: 'Refused' }] });
  const step = visit('Step', 10, { exitedAt: 90, failures: [{ ...NOTHING, error: 'Declined' }] });
  const choice = visit('Choice', 90, { exitedAt: 90, type: 'Choice' });
  const end = visit('End', 90, { exitedAt: undefined, type: 'Fail' });
  const world = {
    visits: [claim, step, choice, end],
    running: [],
    status: 'FAILED',
    error: 'Declined',
  } as const;

  test.each([
    ['at a moment at which several ended: the longest', world, 90, step],
    ['at a moment between: the one that it was in', world, 50, step],
    ['at a moment before all: as without one', world, -1, step],
    ['it has failed: the one that failed so', world, undefined, step],
    ['it has failed with an error of its own: the last', { ...world, error: 'Mismatch' }, undefined, end],
    ['it was stopped: the last', { ...world, status: 'ABORTED', error: undefined } as const, undefined, end],
    ['it runs: what is at work', { ...world, running: [claim] }, undefined, claim],
    ['nothing was entered: none', { ...world, visits: [] }, 50, undefined],
  ])('%s', (_, at, moment, expected) => {
    expect(visitInFocus(at, moment)).toBe(expected);
  });
});
