import { replayTrace } from '../../../proof/explore/trace';
import { variantSubject } from './subject';

const HELD =
  'start1 do1 do1 abort1 ends1.1 tell1 recover1 pass pass wake1 recover1 recover1 recover1 recover1 complete';

// That nothing breaks with both guards is explored with the other variants.
describe('a completion by hand, at most once, with recovery', () => {
  test.each([
    ['owner', 1, `${HELD} pass completed redrive1 do1 works1.1 do1`, 'completedStays'],
    ['condition', 2, `${HELD} release:beside pass start2 do2 do2 do2 completed`, 'completedByHandStays'],
  ] as const)('without its %s breaks along a trace', (completionWithout, executions, trace, invariant) => {
    const subject = { ...variantSubject('recovery-at-most-once'), completionWithout };
    const budget = { executions, faults: 3, channels: ['direct'] } as const;

    const { violation } = replayTrace(subject, budget, trace.split(' '));

    expect(violation?.invariant).toBe(invariant);
  });
});
