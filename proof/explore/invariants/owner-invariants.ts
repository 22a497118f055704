import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../packages/local/json/json';
import { isoTime } from '../../../packages/local/language/index';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import { nameOfEntry } from '../model/entries';
import { leafOf } from '../model/execution-state';
import type { ModelState } from '../model/model-state';
import { counts, recordText, resultText, statusOf, textOf } from '../model/record';
import { executionAt, type StateSpace } from '../model/state-space';
import { isCompletedByHand } from '../transition/release';
import { indexOfArn } from '../transition/step-functions';
import { type FactOf, found, type Invariant, ofKind, writerName } from './invariant';

/** How often an owner is redriven, and when a delivery starts recovery for it. */
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
    name: 'completedByHandStays',
    says: 'An operator completes only a key whose owner has ended, and no execution writes the record after that until it expires.',
    brokenBy: (space, before, { facts, after }) => {
      const [record, written] = [space.recordOf(before), space.recordOf(after)];
      const index = before.executions.findLastIndex(
        number => space.workflow.get(number).execution.arn === textOf(record, 'owner'),
      );
      const isRunning = index >= 0 && executionAt(space, before, index).execution.status === 'RUNNING';
      if (isRunning && !isCompletedByHand(record) && isCompletedByHand(written))
        return `the key is completed by hand while its owner, execution ${index + 1}, runs`;
      return found(ofKind(facts, 'wrote'), ({ by, before: was, after: is }) =>
        isCompletedByHand(was) && counts(was, before.now + before.skewMs) && !isDeepStrictEqual(was, is)
          ? `${writerName(by)} writes a record that was completed by hand`
          : undefined,
      );
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
  // The reason for a late request is not known any more.
  if (!record) return undefined;
  if (owner === undefined || owner !== record['owner']?.['S'])
    return `${who} starts recovery for another owner than that of its record`;
  if (statusOf(record) === 'COMPLETED' && resultText(record) === '') return undefined;
  if (hasJustBegun(space, before, record)) return `${who} starts recovery for an owner that has just begun`;
  if (statusOf(record) === 'IN_PROGRESS' && mayBeOverdue(space, before, record)) return undefined;
  return `${who} starts recovery, and its record is ${recordText(record)}`;
}

type Called = FactOf<'called'>;

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
