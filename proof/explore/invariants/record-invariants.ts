import type { Execution } from '../../../packages/local/engine/index';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import { nameOfEntry } from '../model/entries';
import type { ModelState } from '../model/model-state';
import {
  attemptOf,
  counts,
  isSame,
  RESULT_ELSEWHERE,
  recordText,
  resultText,
  statusOf,
  textOf,
} from '../model/record';
import { executionAt, type StateSpace } from '../model/state-space';
import { isOfAnotherWorkflow } from '../transition/another-workflow';
import { BY_RECOVERY } from '../transition/effects';
import { isHeld } from '../transition/release';
import type { Fact } from '../transition/step';
import { type FactOf, found, type Invariant, ofKind } from './invariant';
import { answerOf, isClaimant } from './remembered';

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
    says: [
      'An execution that does not own the record writes nothing, unless it becomes the owner with a higher attempt.',
      'At most once, it may hold a record whose owner has ended.',
      'Recovery writes an unfinished record of an ended owner: it releases or holds it.',
      'If the owner has succeeded, recovery completes it.',
      'It may also hold the record if an operator has redriven the owner since recovery asked.',
    ].join(' '),
    brokenBy: (space, model, { facts }) =>
      found(ofKind(facts, 'wrote'), fact => wrongWrite(space, model, facts, fact)),
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
        // What another workflow's record says of its payload, which rejects a write here, is that one's affair.
        const isOwn = after && !isOfAnotherWorkflow(after);
        const isSaid = !isOwn || hash === undefined || textOf(after, 'payloadHash') === hash;
        return isSaid ? undefined : `the record is ${recordText(after)}, with another payload or none`;
      }),
  },
];

/** How a write is one that its sender may not make; undefined if it may. */
function wrongWrite(
  space: StateSpace,
  model: ModelState,
  facts: readonly Fact[],
  fact: FactOf<'wrote'>,
): string | undefined {
  const { by, before, after } = fact;
  if (before && isSame(before, after)) return undefined;
  const isHigher = attemptOf(after) > attemptOf(before);
  const changedBy = (who: string) => `${who} changed ${recordText(before)} to ${recordText(after)}`;
  if (by === BY_RECOVERY)
    return isWriteOfRecovery(space, model, fact, facts) ? undefined : changedBy('recovery');
  const who = `execution ${nameOfEntry(by)}`;
  const { arn } = executionAt(space, model, by).execution;
  const isOwnedAfter = textOf(after, 'owner') === arn;
  if (!counts(before, model.now + model.skewMs)) {
    const isClaimed = !after || (statusOf(after) === 'IN_PROGRESS' && isOwnedAfter);
    return isClaimed ? undefined : `${who} wrote ${recordText(after)} where no record counts`;
  }
  if (textOf(before, 'owner') === arn && isClaimant(model, by, facts.slice(0, facts.indexOf(fact)))) {
    const isAgain = statusOf(after) === 'IN_PROGRESS' && isHigher;
    return isAgain || attemptOf(after) === attemptOf(before) ? undefined : changedBy('the owner');
  }
  const mayWrite =
    (isOwnedAfter && isHigher) || isEndedFor(space, model, fact) || isHeldFor(space, model, fact);
  return mayWrite ? undefined : changedBy(who);
}

/** The executions with the ARN of a record's owner, in the order of their starts. */
function ownersOf({ workflow }: StateSpace, { executions }: ModelState, record: Item | undefined) {
  const owner = textOf(record, 'owner');
  return executions.map(number => workflow.get(number).execution).filter(({ arn }) => arn === owner);
}

/** Whether a write finishes the record for an owner that has succeeded: with its output as the result. */
function isEndedFor(space: StateSpace, model: ModelState, { before, after }: FactOf<'wrote'>): boolean {
  return (
    ownersOf(space, model, before)[0]?.status === 'SUCCEEDED' &&
    textOf(before, 'owner') === textOf(after, 'owner') &&
    attemptOf(after) === attemptOf(before) &&
    statusOf(after) === 'COMPLETED' &&
    textOf(after, 'result') === RESULT_ELSEWHERE
  );
}

/** Whether a write holds the unfinished record of an ended owner, and leaves its claim as it is. */
function isHeldFor(space: StateSpace, model: ModelState, { before, after }: FactOf<'wrote'>): boolean {
  const hasEnded = hasFailed(ownersOf(space, model, before)[0]);
  return hasEnded && isOfSameClaim(before, after) && isHeld(after) && statusOf(before) === 'IN_PROGRESS';
}

/**
 * Whether a write is one of recovery: of an unfinished record whose owner has ended, and stays its owner. An owner that
 * an operator has redriven since recovery asked about it may be held: it finishes its record all the same.
 */
function isWriteOfRecovery(
  space: StateSpace,
  model: ModelState,
  fact: FactOf<'wrote'>,
  facts: readonly Fact[],
): boolean {
  const { before, after } = fact;
  if (statusOf(before) !== 'IN_PROGRESS') return false;
  if (isEndedFor(space, model, fact)) return true;
  const isLeft = ['RELEASED', 'HELD'].includes(String(statusOf(after)));
  const owner = ownersOf(space, model, before).at(-1);
  const [act] = ofKind(facts, 'recovered');
  const hadFailed = act?.how === 'held' && act.recovery.knows.hasFailed && (owner?.redriveCount ?? 0) > 0;
  const mayWrite = hasFailed(owner) || hadFailed === true;
  return isOfSameClaim(before, after) && isLeft && mayWrite && attemptOf(after) === attemptOf(before);
}

function hasFailed(owner: Execution | undefined): boolean {
  return owner !== undefined && owner.status !== 'RUNNING' && owner.status !== 'SUCCEEDED';
}

function isOfSameClaim(before: Item | undefined, after: Item | undefined): boolean {
  return ['owner', 'claimId'].every(name => textOf(before, name) === textOf(after, name));
}

/** For how many seconds a record of this status counts, by the settings of the workflow; undefined: not said. */
function retentionOf({ subject: { workflow } }: StateSpace, status: unknown): number | undefined {
  const { retentionSeconds, failedRetentionSeconds } = workflow.traits;
  return status === 'FAILED' ? failedRetentionSeconds : retentionSeconds;
}
