import { Recovery } from '../../../infra/index';
import { subjectOfAssembly } from '../../../proof/explore/model/load-subject';
import { listOf, stateOf } from '../../../proof/explore/mutations/edit';
import { mutated } from '../../../proof/explore/mutations/run';
import { explore } from '../../../proof/explore/search/search';
import { assemblyOf } from '../../support/assembly';

const BUDGET = { executions: 2, faults: 1, channels: ['dispatcher'] as const };

/** What only recovery ensures: without it, the key of an execution that ended waits for an operator. */
const BY_RECOVERY = ['nothingIsStuck', 'recoverySeesIt'];

function subject() {
  const loaded = subjectOfAssembly(
    assemblyOf({ name: 'reference, unrecovered', workflow: { recovery: Recovery.none() } }),
  );
  if (loaded.kind === 'problem') throw new Error(loaded.message);
  return { ...loaded.subject, unchecked: BY_RECOVERY };
}

describe('a workflow without recovery, started by name', () => {
  test('every order of two deliveries and a fault: no delivery is dropped', async () => {
    const { violation, states } = await explore(subject(), BUDGET);

    expect(violation).toBeUndefined();
    expect(states).toBeGreaterThan(1000);
  });

  test('left to an execution without a record: dropped if that execution ends before its claim', async () => {
    const mutant = mutated(subject(), {
      name: 'leaves-without-recovery',
      says: 'leaves a delivery to an execution that may still claim',
      of: 'dispatcher',
      change: draft => {
        const Condition = '{% $exists($joined.since) and $not($exists($record.status.S)) %}';
        listOf(stateOf(draft, 'Has it been done?'), 'Choices').push({ Condition, Next: 'Started' });
      },
    });

    expect((await explore(mutant, BUDGET)).violation?.invariant).toBe('noDeliveryIsDropped');
  });
});
