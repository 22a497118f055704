import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import { statesOf } from '../model/definition-states';
import { nameOfEntry } from '../model/entries';
import type { ModelState } from '../model/model-state';
import { executionAt, type StateSpace } from '../model/state-space';
import { isOfAnotherWorkflow } from '../transition/another-workflow';
import { BY_RECOVERY } from '../transition/effects';
import type { Fact } from '../transition/step';
import {
  attemptOf,
  found,
  type Invariant,
  isClaimant,
  isSame,
  ofKind,
  recordText,
  statusOf,
  textOf,
} from './invariant';
import { answerOf, counts, RESULT_ELSEWHERE, resultText } from './past';
import { isHeldFor } from './variant-invariants';

/** What holds of the record, and of who writes it. */
export const RECORD_INVARIANTS: readonly Invariant[] = [
  {
    name: 'completedStays',
    says: "A COMPLETED record never changes until it expires, but that its result may come as text where it said that it is its owner's output.",
    brokenBy: (_, { now, skewMs }, { facts }) =>
      found(ofKind(facts, 'wrote'), ({ before, after }) => {
        if (!counts(before, now + skewMs) || statusOf(before) !== 'COMPLETED' || isSame(before, after))
          return undefined;
        // The first request for it came late: its result could be evaluated then.
        const { result } = after ?? {};
        const isElsewhere = before['result']?.['S'] === RESULT_ELSEWHERE;
        if (isElsewhere && result && isSame({ ...before, result }, after)) return undefined;
        return `the COMPLETED record became ${recordText(after)}`;
      }),
  },
  {
    name: 'onlyTheOwnerWrites',
    says: 'An execution that does not own the record writes nothing, unless it becomes the owner with a higher attempt, or, at most once, holds one whose owner is dead. Recovery writes an unfinished one of a dead owner: it releases or holds it, or ends it where the owner has succeeded; one that a person has redriven since it asked it may hold.',
    brokenBy: (space, model, { facts }) =>
      found(ofKind(facts, 'wrote'), fact => {
        const { by, before, after } = fact;
        if (before && isSame(before, after)) return undefined;
        if (by === BY_RECOVERY) {
          return isWriteOfRecovery(space, model, fact, ofKind(facts, 'recovered')[0])
            ? undefined
            : `recovery changed ${recordText(before)} to ${recordText(after)}`;
        }
        const writer = executionAt(space, model, by).execution.arn;
        if (!counts(before, model.now + model.skewMs)) {
          const isClaimed = !after || (statusOf(after) === 'IN_PROGRESS' && after['owner']?.['S'] === writer);
          return isClaimed
            ? undefined
            : `execution ${nameOfEntry(by)} wrote ${recordText(after)} where no record counts`;
        }
        if (before['owner']?.['S'] === writer && isClaimant(model, by, facts.slice(0, facts.indexOf(fact)))) {
          const isAgain = statusOf(after) === 'IN_PROGRESS' && attemptOf(after) > attemptOf(before);
          return isAgain || attemptOf(after) === attemptOf(before)
            ? undefined
            : `the owner changed ${recordText(before)} to ${recordText(after)}`;
        }
        const isTakenOver = after?.['owner']?.['S'] === writer && attemptOf(after) > attemptOf(before);
        return isTakenOver ||
          isEndedFor(space, model, before, after) ||
          isHeldFor(space, model, before, after)
          ? undefined
          : `execution ${nameOfEntry(by)} changed ${recordText(before)} to ${recordText(after)}`;
      }),
  },
  {
    name: 'anotherWorkflowsStays',
    says: "Another workflow's record that counts is never changed.",
    brokenBy: (_, { now, skewMs }, { facts }) =>
      found(ofKind(facts, 'wrote'), ({ by, before, after }) => {
        if (!isOfAnotherWorkflow(before) || !counts(before, now + skewMs) || isSame(before, after))
          return undefined;
        return `execution ${nameOfEntry(by)} changed another workflow's record to ${recordText(after)}`;
      }),
  },
  {
    name: 'unfinishedNeverExpires',
    says: 'An IN_PROGRESS, RELEASED or HELD record has no expiry: an unfinished claim is never forgotten.',
    brokenBy: (_, __, { facts }) =>
      found(ofKind(facts, 'wrote'), ({ after }) =>
        ['IN_PROGRESS', 'RELEASED', 'HELD'].includes(String(statusOf(after))) && after?.['expiry']
          ? `the record is ${recordText(after)}, and expires`
          : undefined,
      ),
  },
  {
    name: 'completedMeansSuccess',
    says: "A record becomes COMPLETED only when its owner's step has succeeded with its attempt, or its owner has succeeded with what the step once answered; it holds that answer.",
    brokenBy: (_, __, { facts, after: { past } }) =>
      found(ofKind(facts, 'wrote'), fact => {
        const { before, after } = fact;
        if (!after || statusOf(after) !== 'COMPLETED' || (before && isSame(before, after))) return undefined;
        const answer = answerOf(past, fact);
        if (answer === undefined)
          return `the record became ${recordText(after)} without a success of its step`;
        const text = resultText(after);
        return text === '' || text === answer
          ? undefined
          : `the record holds ${text}, where the step answered ${answer}`;
      }),
  },
  {
    name: 'retentionIsKept',
    says: 'A finished record expires when the retention as deployed for its outcome has passed since its finish, to the second.',
    brokenBy: (space, { now, skewMs }, { facts }) =>
      found(ofKind(facts, 'wrote'), ({ before, after }) => {
        const isFinished = after && ['COMPLETED', 'FAILED'].includes(String(statusOf(after)));
        if (!isFinished || (before && isSame(before, after))) return undefined;
        const at = (name: string) => Date.parse(textOf(after, name));
        const finishedAt = at('finishedAt');
        const isThen = finishedAt <= now + skewMs && finishedAt > at('claimedAt') - 1000 - 2 * skewMs;
        const is = `the record is ${recordText(after)}, finished at ${textOf(after, 'finishedAt') || 'no time'}`;
        if (!isThen) return is;
        const expiry = after['expiry']?.['N'];
        const kept = Math.floor(finishedAt / 1000) + (retentionOf(space, statusOf(after)) ?? Number.NaN);
        const isKept = Number(expiry) === kept;
        return isKept ? undefined : `${is}, and expires at ${expiry ?? 'no time'}`;
      }),
  },
  {
    name: 'recordSaysThePayload',
    says: 'A record holds the hash of the payload that its key was claimed with, where payloads are compared.',
    brokenBy: ({ payloadHashes }, _, { facts, after: { past } }) =>
      found(ofKind(facts, 'wrote'), ({ after }) => {
        const hash = payloadHashes[past.payload ?? -1];
        // What another workflow's record says of its payload, which refuses a write here, is that one's affair.
        const isOwn = after && !isOfAnotherWorkflow(after);
        const isSaid = !isOwn || hash === undefined || textOf(after, 'payloadHash') === hash;
        return isSaid ? undefined : `the record is ${recordText(after)}, with another payload or none`;
      }),
  },
];

/** Whether the write finishes the record for an owner that has succeeded: with its output as the result. */
function isEndedFor(space: StateSpace, model: ModelState, before: Item, after: Item | undefined): boolean {
  const owner = model.executions
    .map(number => space.workflow.get(number).execution)
    .find(({ arn }) => arn === before['owner']?.['S']);
  const isSameOwner = after?.['owner']?.['S'] === before['owner']?.['S'];
  return (
    owner?.status === 'SUCCEEDED' &&
    isSameOwner &&
    attemptOf(after) === attemptOf(before) &&
    statusOf(after) === 'COMPLETED' &&
    after?.['result']?.['S'] === RESULT_ELSEWHERE
  );
}

/**
 * Whether a write is one of recovery: of an unfinished record whose owner has ended, and stays its owner. An owner that
 * a person has redriven since recovery asked about it may be held: it finishes its record all the same.
 */
function isWriteOfRecovery(
  space: StateSpace,
  model: ModelState,
  { before, after }: Pick<Written, 'before' | 'after'>,
  act: Acted | undefined,
): boolean {
  if (!before || statusOf(before) !== 'IN_PROGRESS') return false;
  if (isEndedFor(space, model, before, after)) return true;
  const isOwners = ['owner', 'claimId'].every(name => textOf(before, name) === textOf(after ?? {}, name));
  const isLeft = ['RELEASED', 'HELD'].includes(String(statusOf(after)));
  const owner = model.executions
    .map(number => space.workflow.get(number).execution)
    .findLast(({ arn }) => arn === before['owner']?.['S']);
  const isDead = owner !== undefined && !['RUNNING', 'SUCCEEDED'].includes(owner.status);
  const wasDead = act?.how === 'held' && act.recovery.knows.isDead && (owner?.redriveCount ?? 0) > 0;
  return isOwners && isLeft && (isDead || !!wasDead) && attemptOf(after) === attemptOf(before);
}

type Written = Extract<Fact, { kind: 'wrote' }>;
type Acted = Extract<Fact, { kind: 'recovered' }>;

/** For how many seconds a record of this status counts, by the definition as it is deployed; undefined: not said. */
function retentionOf({ subject: { workflow } }: StateSpace, status: unknown): number | undefined {
  const { json } = workflow.deployed ?? workflow;
  const writer = status === 'FAILED' ? 'Record the failure' : 'Record the result';
  const state = JSON.stringify(statesOf(json)[writer]);
  const seconds = /\$floor\(\$millis\(\) \/ 1000\) \+ (\d+)\)/.exec(state)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}
