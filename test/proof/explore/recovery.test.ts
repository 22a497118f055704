import { stateOf } from '../../../proof/explore/mutations/edit';
import type { Mutation } from '../../../proof/explore/mutations/mutation';
import { mutated } from '../../../proof/explore/mutations/run';
import { explore } from '../../../proof/explore/search/search';
import { WITHOUT_RECOVERY } from '../../../proof/explore/transition/recovery';
import { NOTHING_TO_RECOVER } from '../../../state-machine/contract/error-names';
import { shippedSubject } from './subject';

describe('recovery sees what lies about', () => {
  test('the errors without a recovery: those of the contract, which are in the rule and in the definition', () => {
    expect([...WITHOUT_RECOVERY].sort()).toEqual([...NOTHING_TO_RECOVER].sort());
  });

  test.each([
    ['Claim contended', 'its owner has ended FAILED, Idempotency.InProgress'],
    ['Table refused', 'there is no record, and every delivery was told to come again'],
  ] as const)(
    '%s: ends by a name for which recovery is not started: found, as %s',
    async (state, seen) => {
      const mutation: Mutation = {
        name: 'gives-up-as-in-progress',
        says: 'gives up a claim by the name of a refused duplicate',
        of: 'workflow',
        change: draft => {
          stateOf(draft, state)['Error'] = 'Idempotency.InProgress';
        },
      };
      const budget = { executions: 1, faults: 2, channels: ['direct'] } as const;

      // The other one goes by the name alone.
      const mutant = { ...mutated(shippedSubject(), mutation), unchecked: ['refusedForWhatIs'] };
      const { violation } = await explore(mutant, budget);

      expect(violation?.invariant).toBe('recoverySeesIt');
      expect(violation?.seen).toContain(seen);
    },
    60_000,
  );
});
