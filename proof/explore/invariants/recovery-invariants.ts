import { nameOfEntry } from '../model/entries';
import type { ModelState, Recovery } from '../model/model-state';
import { counts, EXHAUSTED, storedErrorOf } from '../model/record';
import type { StateSpace } from '../model/state-space';
import { hasEndedByItself } from '../transition/effects';
import { isReleasedByHand } from '../transition/release';
import { found, type Invariant, ofKind } from './invariant';

/** What recovery does, by its last answers: nothing for an execution that is running, or has completed its key. */
export const RECOVERY_INVARIANTS: readonly Invariant[] = [
  {
    name: 'recoversTheEnded',
    says: [
      'Recovery acts for an execution that had ended without success, or was unknown, when recovery last asked.',
      "The step's time must be over since that end.",
      'If the execution had succeeded, recovery completes its record.',
      'Recovery delivers an input only if its last read found the key never claimed, or released by a recovery.',
      'It redrives, releases and holds only the owner of an unfinished record.',
      'It also redrives an execution that must report the end.',
      'It holds a record for exhausted redrives only if the redrives are exhausted.',
    ].join(' '),
    brokenBy: (space, before, { facts, after }) =>
      found(ofKind(facts, 'recovered'), ({ recovery, how }) => {
        const { hasFailed, isUnknown, hasSucceeded, isUndone, isToDeliver, isToTell, end } = recovery.knows;
        const who = `recovery of execution ${nameOfEntry(recovery.execution)}`;
        if (how === 'completed')
          return hasSucceeded && isUndone ? undefined : `${who} has completed what had not succeeded`;
        // What a recovery has released is delivered whenever that is seen.
        if (how === 'delivered' && recovery.knows.isReleased) return undefined;
        if (!hasFailed && !isUnknown) return `${who} has ${how}, and did not see its failed end`;
        const number = before.executions[recovery.execution] ?? -1;
        // An execution that has never claimed has no record with the time of its step.
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
    says: 'When an operator has released a record, recovery does nothing more for its owner: the next delivery goes on.',
    brokenBy: (space, before, { facts }) =>
      found(ofKind(facts, 'recovered'), ({ recovery, how }) => {
        const record = space.recordOf(before);
        const { arn } = space.workflow.get(before.executions[recovery.execution] ?? -1).execution;
        return isReleasedByHand(record) && record?.['owner']?.['S'] === arn
          ? `recovery of execution ${nameOfEntry(recovery.execution)} has ${how}, and the key was released by hand`
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

/** The fault of a record that is held for the bound before the bound is reached; undefined if there is none. */
function heldTooEarly(space: StateSpace, model: ModelState, { execution }: Recovery): string | undefined {
  if (storedErrorOf(space.recordOf(model)) !== EXHAUSTED) return undefined;
  const { maxRedrives: max = 0 } = space.subject.workflow.traits;
  const { redriveCount } = space.workflow.get(model.executions[execution] ?? -1).execution;
  return redriveCount >= max ? undefined : `held for ${EXHAUSTED} after ${redriveCount} redrives of ${max}`;
}
