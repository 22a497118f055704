import { stateOf } from '../../../proof/explore/mutations/edit';
import type { Mutation } from '../../../proof/explore/mutations/mutation';
import { mutated } from '../../../proof/explore/mutations/run';
import { explore } from '../../../proof/explore/search/search';
import { WITHOUT_RECOVERY } from '../../../proof/explore/transition/recovery';
import { NOTHING_TO_RECOVER } from '../../../state-machine/contract/error-names';
import { shippedSubject } from './subject';

const BUDGET = { executions: 1, faults: 1, channels: ['direct'] } as const;

describe('recovery alone', () => {
  test('the errors without a recovery: those of the contract, which are in the rule and in the definition', () => {
    expect([...WITHOUT_RECOVERY].sort()).toEqual([...NOTHING_TO_RECOVER].sort());
  });

  test('a claim that is left by a name for which recovery is not started: found', async () => {
    const mutation: Mutation = {
      name: 'gives-up-as-in-progress',
      says: 'gives up a claim by the name of a rejected duplicate',
      of: 'workflow',
      change: draft => {
        stateOf(draft, 'Invalid event')['Error'] = 'Idempotency.InProgress';
      },
    };
    // The other one goes by the name alone.
    const mutant = { ...mutated(shippedSubject(), mutation), unchecked: ['rejectedForWhatIs'] };

    const { violation } = await explore(mutant, BUDGET);

    expect(violation?.invariant).toBe('recovered');
    expect(violation?.seen).toContain('the record is IN_PROGRESS of direct-1, attempt 1');
  }, 60_000);
});

describe('with every recovery lost so far, the next delivery', () => {
  test('starts none: found', async () => {
    const mutation: Mutation = {
      name: 'calls-nobody',
      says: 'leaves an overdue record alone',
      of: 'workflow',
      change: draft => {
        stateOf(draft, 'Call recovery')['Type'] = 'Pass';
        for (const member of ['Resource', 'Arguments', 'Retry', 'Catch'])
          delete stateOf(draft, 'Call recovery')[member];
      },
    };

    // The other one goes by the call alone.
    const mutant = { ...mutated(shippedSubject(), mutation), unchecked: ['callsWhenOverdue'] };
    const { violation } = await explore(mutant, BUDGET);

    expect(violation?.invariant).toBe('nothingIsStuck');
  }, 60_000);
});
