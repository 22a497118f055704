import { nameOfEntry } from '../model/entries';
import { isInStep } from '../model/execution-state';
import { payloadOf } from '../model/inputs';
import type { ModelState } from '../model/model-state';
import { counts, statusOf, storedErrorOf, textOf } from '../model/record';
import { executionAt, type StateSpace } from '../model/state-space';
import { isFailureReturned } from '../model/traits';
import { isHeld } from '../transition/release';
import { isNamed, textAt } from '../transition/s3';
import type { Step } from '../transition/step';
import { indexOfArn } from '../transition/step-functions';
import { found, type Invariant, isUnevaluated, ofKind, writerName } from './invariant';
import { answerOf } from './remembered';

/** The invariants of Express workflows, of delivery at most once, and of stored failures. */
export const VARIANT_INVARIANTS: readonly Invariant[] = [
  {
    name: 'leaseIsKept',
    says: 'Express: no execution takes an unfinished record from its owner before the lease is over.',
    promisedBy: ({ isExpress }) => isExpress,
    brokenBy: (_, { now, skewMs }, { facts }) =>
      found(ofKind(facts, 'wrote'), ({ by, before, after }) => {
        const lease = Number(before?.['leaseExpiry']?.['N'] ?? 0);
        const isTaken =
          statusOf(before) === 'IN_PROGRESS' && textOf(before, 'owner') !== textOf(after, 'owner');
        return isTaken && now + skewMs <= lease
          ? `${writerName(by)} takes the record over, whose lease has ${lease - now} ms left`
          : undefined;
      }),
  },
  {
    name: 'ranAtMostOnce',
    says: 'At most once: the step runs again only when each run of it before has answered with its failure, or an operator has released the key, or redriven the execution that was interrupted in it.',
    promisedBy: ({ isAtMostOnce }) => isAtMostOnce,
    brokenBy: (_, { past }, { facts }) =>
      found(ofKind(facts, 'invoked'), ({ by }) =>
        past.mayHaveRun && !past.isAllowedAgain
          ? `execution ${nameOfEntry(by)} runs the step, and a run before may have had its effect`
          : undefined,
      ),
  },
  {
    name: 'doubtIsKept',
    says: 'At most once: a key that is held stays so, without an expiry, until an operator releases it, or redrives its owner that was interrupted in its step.',
    promisedBy: ({ isAtMostOnce }) => isAtMostOnce,
    brokenBy: (_, { past: { lastRun } }, { facts }) =>
      found(ofKind(facts, 'wrote'), ({ by, before, after }) => {
        if (lastRun?.isAllowedAgain && lastRun.execution === by) return undefined;
        if (isHeld(before) && !isHeld(after)) return `${writerName(by)} writes a key that is in doubt`;
        if (isHeld(before) || !isHeld(after)) return undefined;
        return after?.['expiry'] ? 'the key is in doubt, and its record expires' : undefined;
      }),
  },
  {
    name: 'doubtedWhenOver',
    says: 'At most once: a key is held, by its own execution too, only when each run of the step has ended, except one that an operator lets run again.',
    promisedBy: ({ isAtMostOnce }) => isAtMostOnce,
    brokenBy: (_, { lambdas, past: { lastRun } }, { facts }) =>
      found(ofKind(facts, 'wrote'), ({ by, before, after }) =>
        lambdas.length > 0 && !lastRun?.isAllowedAgain && !isHeld(before) && isHeld(after)
          ? `${writerName(by)} leaves the key in doubt while the step runs`
          : undefined,
      ),
  },
  {
    name: 'doubtHasAReason',
    says: [
      'A key is left in doubt only at most once, and only if a run of the step may have had its effect.',
      'The run began, and did not answer with its failure.',
      'Or the owner was interrupted in it or behind it, or is not known any more, so that no other fact decides.',
    ].join(' '),
    brokenBy: (space, before, { facts }) =>
      found(ofKind(facts, 'wrote'), ({ by, before: was, after, owner }) => {
        if (isHeld(was) || storedErrorOf(after) !== 'Idempotency.InDoubt' || !isHeld(after)) return undefined;
        if (before.past.mayHaveRun !== undefined && before.past.mayHaveRun > 0) return undefined;
        const known = indexOfArn(space, before, after?.['owner']?.['S']);
        const isInOrBehindStep = (entry: number) =>
          isInStep(executionAt(space, before, entry).execution) ||
          before.past.heard?.some(({ execution }) => execution === entry);
        // An owner that was redriven cannot tell what became of the request that it had sent before.
        const isUntold =
          known === undefined ||
          (by === owner
            ? executionAt(space, before, known).execution.redriveCount > 0
            : isInOrBehindStep(known));
        return isUntold && space.subject.workflow.traits.isAtMostOnce
          ? undefined
          : `${writerName(by)} leaves the key in doubt without a reason`;
      }),
  },
  {
    name: 'failureIsKept',
    says: 'A stored failure is the answer: until it expires its record does not change, and the step does not run.',
    promisedBy: ({ returnsStoredFailure }) => returnsStoredFailure,
    brokenBy: (space, { now, skewMs }, { facts }) =>
      found(ofKind(facts, 'wrote'), ({ by, before, after }) => {
        const isAnswer = isFailureReturned(space.subject.workflow.traits, storedErrorOf(before));
        const isStored = statusOf(before) === 'FAILED' && isAnswer && counts(before, now + skewMs);
        const isSame = ['status', 'error', 'owner'].every(
          name => textOf(before, name) === textOf(after, name),
        );
        return isStored && !isSame ? `${writerName(by)} changes a stored failure` : undefined;
      }),
  },
  {
    name: 'oneFailure',
    says: 'An execution that is answered with a stored failure has its payload, and gets the error that the record holds.',
    promisedBy: ({ returnsStoredFailure }) => returnsStoredFailure,
    brokenBy: (space, before, step) =>
      found(ofKind(step.facts, 'read'), ({ seen }) => {
        const { facts, after } = step;
        const [ended] = ofKind(facts, 'ended');
        if (!ended || statusOf(seen) !== 'FAILED' || !counts(seen, before.now)) return undefined;
        if (!isFailureReturned(space.subject.workflow.traits, storedErrorOf(seen))) return undefined;
        // `rejectedForWhatIs` decides about the answer then.
        if (isUnevaluated(step, ended.execution)) return undefined;
        const { end, input } = executionAt(space, after, ended.execution).execution;
        const isSamePayload = payloadOf(input.value) === after.past.payload;
        const expected = isSamePayload ? storedErrorOf(seen) : 'Idempotency.PayloadMismatch';
        return end?.error === expected
          ? undefined
          : `execution ${ended.execution + 1} ends with ${end?.error}, where ${expected} was to be expected`;
      }),
  },
  {
    name: 'namesItsResult',
    says: "A record that says where its result is becomes COMPLETED when the object is there, with the hash that it says: its own attempt's answer.",
    promisedBy: ({ storesResults }) => storesResults,
    brokenBy: (space, _, { facts, after }) =>
      found(ofKind(facts, 'wrote'), fact => {
        const { by, before, after: record } = fact;
        const location = textOf(record, 'resultLocation');
        if (location === '' || before === record) return undefined;
        const isIts = textAt(space, after, location) === answerOf(after.past, fact);
        return isIts && isNamed(space, after, record)
          ? undefined
          : `${writerName(by)} names an object that is not there, or another one`;
      }),
  },
  {
    name: 'waitsItsTime',
    says: 'A delivery waits for the owner of its key for as long as the definition says, to the second, and only then ends with Idempotency.InProgress.',
    promisedBy: ({ waitMs }) => waitMs !== undefined,
    brokenBy: overlongWait,
  },
];

/** By how much a wait in whole seconds may be longer than what is left, milliseconds. */
const ROUNDING_MS = 999;

/** Whether no execution waits for longer than the deployed definition says, and none abandons the wait before that. */
function overlongWait(space: StateSpace, { past, now, skewMs }: ModelState, { facts, after }: Step) {
  const total = space.subject.workflow.traits.waitMs ?? 0;
  return (
    found(ofKind(facts, 'waits'), ({ execution, redrives, due }) => {
      const began = after.past.waiting?.find(other => other.execution === execution);
      if (!began || began.redrives !== redrives) return undefined;
      const left = began.since + total + skewMs - now;
      if (left <= 0) return `execution ${execution + 1} waits again, when its time is over`;
      return due > now + left + skewMs + ROUNDING_MS
        ? `execution ${execution + 1} waits for ${due - now} ms, and has ${left} ms left`
        : undefined;
    }) ??
    found(ofKind(facts, 'ended'), ({ execution }) => {
      const { end, redriveCount } = executionAt(space, after, execution).execution;
      if (end?.error !== 'Idempotency.InProgress') return undefined;
      const began = past.waiting?.find(other => other.execution === execution);
      if (began && began.redrives !== redriveCount) return undefined;
      if (began && now + skewMs >= began.since + total) return undefined;
      return `execution ${execution + 1} gives up after ${began ? now - began.since : 0} ms of ${total}`;
    })
  );
}
