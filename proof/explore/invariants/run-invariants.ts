import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import { payloadOf } from '../model/inputs';
import type { ModelState } from '../model/model-state';
import { counts, recordText, statusOf, storedErrorOf, textOf } from '../model/record';
import { executionAt, type StateSpace } from '../model/state-space';
import { isFailureReturned } from '../model/traits';
import { isOfAnotherWorkflow } from '../transition/another-workflow';
import { runs } from '../transition/runs';
import { found, type Invariant, ofKind } from './invariant';

/** The errors by which an execution rejects its event for good, or says that the key is completed. */
const FINAL = [
  'Idempotency.InvalidEvent',
  'Idempotency.PayloadMismatch',
  'Idempotency.ForeignRecord',
  'Idempotency.InDoubt',
  'Idempotency.ResultUnavailable',
];

/** What a source gets that waits for the end of executions. */
export const RUN_INVARIANTS: readonly Invariant[] = [
  {
    name: 'onlyTheOpenComesAgain',
    says: [
      'A delivery whose source waits fails if another delivery may change its outcome, and only then.',
      'It succeeds if its execution has succeeded, or was rejected for good, or if the record answers it.',
    ].join(' '),
    brokenBy: (space, before, { facts }) => {
      if (!space.dispatcher || !runs(space.dispatcher)) return undefined;
      const record = space.recordOf(before);
      const ends = ofKind(facts, 'dispatched');
      const heard = ofKind(facts, 'heard').filter(({ execution }) => isEndFinal(space, before, execution));
      const goesOn = heard.find(
        ({ delivery }) => !ends.some(end => end.delivery === delivery && end.hasSucceeded),
      );
      if (goesOn) return `delivery ${goesOn.delivery} comes again, and nothing will change`;
      return found(ends, ({ delivery, hasSucceeded }) => {
        const isAnswered = isAnsweredBy(space, before, delivery, record);
        if (hasSucceeded && !isAnswered && heard.length === 0)
          return `delivery ${delivery} does not come again, and the record is ${recordText(record)}`;
        if (hasSucceeded || !isAnswered || ofKind(facts, 'read').length === 0) return undefined;
        return `delivery ${delivery} comes again, and the record is ${recordText(record)}`;
      });
    },
  },
];

function isEndFinal(space: StateSpace, model: ModelState, execution: number): boolean {
  const { status, end } = executionAt(space, model, execution).execution;
  return status === 'SUCCEEDED' || (end?.error !== undefined && FINAL.includes(end.error));
}

/** Whether a record says that a delivery's key has its outcome. */
function isAnsweredBy(
  space: StateSpace,
  model: ModelState,
  delivery: number,
  record: Item | undefined,
): boolean {
  if (!counts(record, model.now - model.skewMs) || isOfAnotherWorkflow(record)) return false;
  const dispatcher = model.dispatchers.find(other => other.delivery === delivery);
  const input = dispatcher && space.dispatcher?.get(dispatcher.state).execution.input.value;
  const hash = space.payloadHashes[payloadOf(input ?? null)];
  if (hash !== undefined && textOf(record, 'payloadHash') !== hash) return false;
  if (statusOf(record) === 'COMPLETED') return true;
  return (
    statusOf(record) === 'FAILED' && isFailureReturned(space.subject.workflow.traits, storedErrorOf(record))
  );
}
