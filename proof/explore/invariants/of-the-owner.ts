import { isJsonObject, type Json } from '../../../packages/local/json/json';
import { nameOfEntry } from '../model/entries';
import { leafOf } from '../model/execution-state';
import { executionAt } from '../model/state-space';
import { ends, found, type Invariant, redrives } from './invariant';

/** The error of a delivery that finds an owner dead which has been redriven as often as deliveries may. */
export const EXHAUSTED = 'Idempotency.RedrivesExhausted';

/** What holds of how dead owners are brought back. */
export const OF_THE_OWNER: readonly Invariant[] = [
  {
    name: 'redrivesAreBounded',
    says: 'Deliveries redrive one owner no more often than the definition says; redrives by hand count as well.',
    brokenBy: (space, _, { facts }) => {
      const max = space.subject.workflow.traits.maxRedrives ?? Number.POSITIVE_INFINITY;
      return found(redrives(facts), ({ execution, redrives: count }) =>
        count > max
          ? `a delivery redrives execution ${execution + 1} for time ${count} of ${max}`
          : undefined,
      );
    },
  },
  {
    name: 'exhaustedWhenDead',
    says: 'A delivery ends with Idempotency.RedrivesExhausted only about an owner that is dead and has been redriven so often.',
    brokenBy: (space, before, { facts, after }) =>
      found(ends(facts), ({ execution }) => {
        const { end } = executionAt(space, after, execution).execution;
        if (end?.error !== EXHAUSTED) return undefined;
        const max = space.subject.workflow.traits.maxRedrives ?? Number.POSITIVE_INFINITY;
        const owner = ownerIn(leafOf(executionAt(space, before, execution).execution)?.variables['record']);
        const { redriveCount = 0 } =
          after.executions
            .map(number => space.workflow.get(number).execution)
            .find(({ arn }) => arn === owner) ?? {};
        if (redriveCount >= max) return undefined;
        const who = nameOfEntry(execution);
        return `execution ${who} ends with ${EXHAUSTED}, and its owner was redriven ${redriveCount} times`;
      }),
  },
];

/** The owner that a record in a variable names. */
function ownerIn(record: Json | undefined): Json | undefined {
  const { owner = null } = isJsonObject(record) ? record : {};
  return isJsonObject(owner) ? owner['S'] : undefined;
}
