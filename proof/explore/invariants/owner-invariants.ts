import { isJsonObject } from '../../../packages/local/json/json';
import { isoTime } from '../../../packages/local/language/index';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import { nameOfEntry } from '../model/entries';
import { leafOf } from '../model/execution-state';
import type { ModelState, Recovery } from '../model/model-state';
import { executionAt, type StateSpace } from '../model/state-space';
import { hasEndedByItself } from '../transition/effects';
import { isReleasedByHand } from '../transition/release';
import type { Fact } from '../transition/step';
import { indexOfArn } from '../transition/step-functions';
import { found, type Invariant, ofKind, recordText, statusOf, storedErrorOf, textOf } from './invariant';
import { counts, resultText } from './past';

/** The error that a record is held for whose owner has been redriven as often as it may be. */
export const EXHAUSTED = 'Idempotency.RedrivesExhausted';

/** What holds of how dead owners are brought back, and of how recovery is called. */
export const OWNER_INVARIANTS: readonly Invariant[] = [
  {
    name: 'redrivesAreBounded',
    says: 'The owner of an unfinished record is redriven no more often than the definition says; redrives by hand count as well.',
    brokenBy: (space, before, { facts }) => {
      const max = space.subject.workflow.traits.maxRedrives ?? Number.POSITIVE_INFINITY;
      const record = space.recordOf(before);
      return found(ofKind(facts, 'redriven'), ({ execution, redrives: count }) => {
        const isOwner = record?.['owner']?.['S'] === executionAt(space, before, execution).execution.arn;
        return isOwner && statusOf(record) === 'IN_PROGRESS' && count > max
          ? `execution ${execution + 1} is redriven for time ${count} of ${max}`
          : undefined;
      });
    },
  },
  {
    name: 'callsWhenOverdue',
    says: "A delivery starts recovery for the owner of the record that it has read: of an unfinished one when the step's time is over since the claim, and since its owner began, and of a COMPLETED one where its result is missing. It does not end with Idempotency.InProgress about an overdue one without that, nor with another error if recovery could not be started.",
    brokenBy: (space, before, { facts, after }) =>
      found(ofKind(facts, 'called'), call => calledWrongly(space, before, call)) ??
      found(ofKind(facts, 'ended'), ({ execution }) => {
        const { state } = leafOf(executionAt(space, before, execution).execution) ?? {};
        const { status, end } = executionAt(space, after, execution).execution;
        const isOther = status === 'FAILED' && end?.error !== 'Idempotency.InProgress';
        return state === 'Call recovery' && isOther
          ? `execution ${nameOfEntry(execution)} ends with ${end?.error}, as it cannot start recovery`
          : undefined;
      }) ??
      found(ofKind(facts, 'ended'), ({ execution }) => {
        const { end } = executionAt(space, after, execution).execution;
        const [read] = ofKind(facts, 'read');
        if (end?.error !== 'Idempotency.InProgress' || !space.subject.recovery || !read?.seen)
          return undefined;
        const isLeft = statusOf(read.seen) === 'IN_PROGRESS' && !read.seen['leaseExpiry'];
        const isLate = isOverdue(space, before, read.seen);
        return isLeft && isLate && space.subject.workflow.traits.waitMs === undefined
          ? `execution ${nameOfEntry(execution)} leaves an overdue record alone`
          : undefined;
      }),
  },
];

function calledWrongly(space: StateSpace, before: ModelState, { by, owner }: Called): string | undefined {
  const record = recordReadBy(space, before, by);
  const who = `execution ${nameOfEntry(by)}`;
  // Of a request that is made late nobody knows any more what it went by.
  if (!record) return undefined;
  if (owner === undefined || owner !== record['owner']?.['S'])
    return `${who} starts recovery for another owner than that of its record`;
  if (statusOf(record) === 'COMPLETED' && resultText(record) === '') return undefined;
  if (hasJustBegun(space, before, record)) return `${who} starts recovery for an owner that has just begun`;
  if (statusOf(record) === 'IN_PROGRESS' && mayBeOverdue(space, before, record)) return undefined;
  return `${who} starts recovery, and its record is ${recordText(record)}`;
}

type Called = Extract<Fact, { kind: 'called' }>;

/** Whether the step's time since the claim may be over: to the fastest clock, by the shorter definition. */
function mayBeOverdue({ subject }: StateSpace, { now, skewMs }: ModelState, record: Item): boolean {
  const { workflow, former = workflow } = subject;
  return now + skewMs >= claimedAt(record) + Math.min(workflow.stepMs, former.stepMs);
}

/** Whether the owner that has made this claim, and no predecessor of its name, began less than the step's time ago. */
function hasJustBegun(space: StateSpace, before: ModelState, record: Item): boolean {
  const { workflow, former = workflow } = space.subject;
  const index = indexOfArn(space, before, record['owner']?.['S']);
  const { startedAt = 0 } = index === undefined ? {} : executionAt(space, before, index).execution;
  const isItsClaim = textOf(record, 'claimId') === isoTime(startedAt);
  return isItsClaim && before.now + 2 * before.skewMs < startedAt + Math.min(workflow.stepMs, former.stepMs);
}

/** Whether it is over: to every clock, by the longer definition. */
function isOverdue({ subject }: StateSpace, { now, skewMs }: ModelState, record: Item): boolean {
  const { workflow, former = workflow } = subject;
  return now - skewMs >= claimedAt(record) + Math.max(workflow.stepMs, former.stepMs);
}

function claimedAt(record: Item): number {
  return Date.parse(textOf(record, 'claimedAt'));
}

function recordReadBy(space: StateSpace, model: ModelState, entry: number): Item | undefined {
  const record = leafOf(executionAt(space, model, entry).execution)?.variables['record'];
  return isJsonObject(record) ? (record as unknown as Item) : undefined;
}

/** What holds of what recovery does, by what it was answered before: never of what lives, or has been done. */
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

/** What is wrong with a record that is held for the bound, where that is not reached; undefined where nothing is. */
function heldTooEarly(space: StateSpace, model: ModelState, { execution }: Recovery): string | undefined {
  if (storedErrorOf(space.recordOf(model)) !== EXHAUSTED) return undefined;
  const { maxRedrives: max = 0 } = space.subject.workflow.traits;
  const { redriveCount } = space.workflow.get(model.executions[execution] ?? -1).execution;
  return redriveCount >= max ? undefined : `held for ${EXHAUSTED} after ${redriveCount} redrives of ${max}`;
}
