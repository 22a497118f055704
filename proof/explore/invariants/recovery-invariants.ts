import { nameOfEntry } from '../model/entries';
import type { ModelState, Recovery } from '../model/model-state';
import { counts, EXHAUSTED, storedErrorOf } from '../model/record';
import type { StateSpace } from '../model/state-space';
import { hasEndedByItself } from '../transition/effects';
import { isReleasedByHand } from '../transition/release';
import { found, type Invariant, ofKind } from './invariant';

/** What recovery does, by what it was answered before: nothing for an execution that runs, or has done its work. */
export const RECOVERY_INVARIANTS: readonly Invariant[] = [
  {
    name: 'recoversTheDead',
    says: "Recovery acts for an execution only when that had ended without success as it last asked, or was unknown, and its step's time is over since; it finishes a record where it had succeeded. It delivers only what was never claimed, or released by a recovery, as it last read the record; it redrives, releases and holds only the owner of an unfinished record, and redrives who has to tell of the end. It holds for the bound only where that is reached.",
    brokenBy: (space, before, { facts, after }) =>
      found(ofKind(facts, 'recovered'), ({ recovery, how }) => {
        const { isDead, isUnknown, hasSucceeded, isUndone, isToDeliver, isToTell, end } = recovery.knows;
        const who = `recovery of execution ${nameOfEntry(recovery.execution)}`;
        if (how === 'completed')
          return hasSucceeded && isUndone ? undefined : `${who} has completed what had not succeeded`;
        // What a recovery has released is delivered whenever that is seen.
        if (how === 'delivered' && recovery.knows.isReleased) return undefined;
        if (!isDead && !isUnknown) return `${who} has ${how}, and did not see it dead`;
        const number = before.executions[recovery.execution] ?? -1;
        // Of an execution that has never claimed no record tells how long its step may work: it has none.
        const stepMs = how === 'delivered' ? space.subject.workflow.stepMs : space.workflow.stepMsOf(number);
        if (end !== undefined && before.now < end + stepMs)
          return `${who} has ${how} ${before.now - end} ms after its end`;
        if (how === 'delivered')
          return isToDeliver ? undefined : `${who} has delivered what was not to be delivered`;
        const hasChosen = isUndone && hasEndedByItself(space, space.workflow.get(number));
        if (how === 'redriven' && hasChosen) return `${who} redrives it into the Fail state that it ended in`;
        if (how === 'redriven' && (isUndone || isToTell)) return undefined;
        if (!isUndone) return `${who} has ${how} what was not unfinished`;
        return how === 'held' ? heldTooEarly(space, after, recovery) : undefined;
      }),
  },
  {
    name: 'deliversWhatIsUndone',
    says: 'Recovery does not deliver again an event whose key was finished since its execution began, when the record of that is gone. While it is there, the delivery is answered with it.',
    brokenBy: (space, before, { facts }) =>
      found(ofKind(facts, 'recovered'), ({ recovery, how }) => {
        const { executions, past, now } = before;
        if (counts(space.recordOf(before), now + before.skewMs)) return undefined;
        const { startedAt } = space.workflow.get(executions[recovery.execution] ?? -1).execution;
        const isDone = past.completedAt !== undefined && past.completedAt >= startedAt;
        return how === 'delivered' && isDone && recovery.knows.isToDeliver
          ? `recovery of execution ${nameOfEntry(recovery.execution)} delivers ${now - startedAt} ms after its start`
          : undefined;
      }),
  },
  {
    name: 'nothingAfterARelease',
    says: 'When a person has released a record, recovery does nothing more for its owner: the next delivery goes on.',
    brokenBy: (space, before, { facts }) =>
      found(ofKind(facts, 'recovered'), ({ recovery, how }) => {
        const record = space.recordOf(before);
        const { arn } = space.workflow.get(before.executions[recovery.execution] ?? -1).execution;
        return isReleasedByHand(record) && record?.['owner']?.['S'] === arn
          ? `recovery of execution ${nameOfEntry(recovery.execution)} has ${how}, and a person had released the key`
          : undefined;
      }),
  },
  {
    name: 'recoveryIsBounded',
    says: 'A recovery delivers, or redrives, eight times at most.',
    brokenBy: (_space, _before, { facts }) =>
      found(ofKind(facts, 'recovered'), ({ recovery }) =>
        (recovery.knows.tries ?? 0) >= TRIES_MAX
          ? `recovery of execution ${nameOfEntry(recovery.execution)} acts once more`
          : undefined,
      ),
  },
];

const TRIES_MAX = 8;

/** What is wrong with a record that is held for the bound, if that is not reached; undefined if nothing is. */
function heldTooEarly(space: StateSpace, model: ModelState, { execution }: Recovery): string | undefined {
  if (storedErrorOf(space.recordOf(model)) !== EXHAUSTED) return undefined;
  const { maxRedrives: max = 0 } = space.subject.workflow.traits;
  const { redriveCount } = space.workflow.get(model.executions[execution] ?? -1).execution;
  return redriveCount >= max ? undefined : `held for ${EXHAUSTED} after ${redriveCount} redrives of ${max}`;
}
