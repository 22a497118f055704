import { isJsonObject, type Json } from '../../../packages/local/json/json';
import { nameOfEntry } from '../model/entries';
import { leafOf } from '../model/execution-state';
import { executionAt } from '../model/state-space';
import { ends, found, type Invariant, recoveries, redrives } from './invariant';

/** The error of a delivery that finds an owner dead which has been redriven as often as deliveries may. */
export const EXHAUSTED = 'Idempotency.RedrivesExhausted';

/** What holds of how dead owners are brought back. */
export const OWNER_INVARIANTS: readonly Invariant[] = [
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

/** What holds of what recovery does, by what it was answered before: never of what lives, or has been done. */
export const RECOVERY_INVARIANTS: readonly Invariant[] = [
  {
    name: 'recoversTheDead',
    says: "Recovery acts for an execution only when that was dead as it last asked, by the end that it had at first, and its step's time is over since; it delivers only if the work was undone as it last read the record, and redrives only if that said FAILED and it was for the execution to tell of it.",
    brokenBy: (space, before, { facts }) =>
      found(recoveries(facts), ({ recovery, how }) => {
        const { isDead, isUndone, isToTell, end = before.now } = recovery.knows;
        const who = `recovery of execution ${nameOfEntry(recovery.execution)}`;
        if (!isDead) return `${who} has ${how}, and did not see it dead by the end that it is for`;
        const stepMs = space.workflow.stepMsOf(before.executions[recovery.execution] ?? -1);
        if (before.now < end + stepMs) return `${who} has ${how} ${before.now - end} ms after its end`;
        if (how === 'delivered' && !isUndone) return `${who} has delivered what was not undone`;
        if (how === 'redriven' && !isToTell) return `${who} has redriven what had not to tell of a failure`;
        return undefined;
      }),
  },
  {
    name: 'recoveryIsBounded',
    says: 'A recovery delivers, or redrives, eight times at most.',
    brokenBy: (_space, _before, { facts }) =>
      found(recoveries(facts), ({ recovery }) =>
        (recovery.knows.tries ?? 0) >= TRIES_MAX
          ? `recovery of execution ${nameOfEntry(recovery.execution)} acts once more`
          : undefined,
      ),
  },
];

const TRIES_MAX = 8;

/** The owner that a record in a variable names. */
function ownerIn(record: Json | undefined): Json | undefined {
  const { owner = null } = isJsonObject(record) ? record : {};
  return isJsonObject(owner) ? owner['S'] : undefined;
}
