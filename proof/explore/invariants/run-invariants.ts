import { isJsonObject, type JsonObject } from '../../../packages/local/json/json';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import { leafOf } from '../model/execution-state';
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
      'It succeeds if its execution has succeeded, or if the record answers it.',
      'It also succeeds if its execution was rejected for good, unless the record is one of its event and unfinished.',
    ].join(' '),
    brokenBy: (space, before, { facts }) => {
      if (!space.dispatcher || !runs(space.dispatcher)) return undefined;
      const record = space.recordOf(before);
      const ends = ofKind(facts, 'dispatched');
      const heard = ofKind(facts, 'heard').filter(({ execution }) => isEndFinal(space, before, execution));
      const hasRead = ofKind(facts, 'read').length > 0;
      return found(ends, ({ delivery, hasSucceeded }) => {
        const isAnswered = isAnsweredBy(space, before, delivery, record);
        const isOpen = hasRead && isOfItsEvent(space, before, delivery, record) && isUnfinished(record);
        const isFinal = !isOpen && (heard.length > 0 || hasHeardOfFinal(space, before, delivery));
        if (hasSucceeded && !isAnswered && !isFinal)
          return `delivery ${delivery} does not come again, and the record is ${recordText(record)}`;
        if (!hasSucceeded && isFinal && (hasRead || heard.length > 0))
          return `delivery ${delivery} comes again, and nothing will change`;
        if (hasSucceeded || !isAnswered || !hasRead) return undefined;
        return `delivery ${delivery} comes again, and the record is ${recordText(record)}`;
      });
    },
  },
];

function isEndFinal(space: StateSpace, model: ModelState, execution: number): boolean {
  const { status, end } = executionAt(space, model, execution).execution;
  return status === 'SUCCEEDED' || (end?.error !== undefined && FINAL.includes(end.error));
}

/** Whether a dispatcher has heard of such an end, and has gone on to the record. */
function hasHeardOfFinal(space: StateSpace, model: ModelState, delivery: number): boolean {
  const dispatcher = model.dispatchers.find(other => other.delivery === delivery);
  const execution = dispatcher && space.dispatcher?.get(dispatcher.state).execution;
  const run = execution && leafOf(execution)?.variables['run'];
  return isJsonObject(run ?? null) && FINAL.some(error => error === (run as JsonObject)['error']);
}

/** Whether a record says that a delivery's key has its outcome. */
function isAnsweredBy(
  space: StateSpace,
  model: ModelState,
  delivery: number,
  record: Item | undefined,
): boolean {
  if (!isOfItsEvent(space, model, delivery, record)) return false;
  if (statusOf(record) === 'COMPLETED') return true;
  return (
    statusOf(record) === 'FAILED' && isFailureReturned(space.subject.workflow.traits, storedErrorOf(record))
  );
}

function isUnfinished(record: Item | undefined): boolean {
  return ['IN_PROGRESS', 'FAILED', 'RELEASED'].includes(String(statusOf(record)));
}

/** Whether a record counts, and is of this delivery's workflow and payload. */
function isOfItsEvent(
  space: StateSpace,
  model: ModelState,
  delivery: number,
  record: Item | undefined,
): boolean {
  if (!counts(record, model.now - model.skewMs) || isOfAnotherWorkflow(record)) return false;
  const dispatcher = model.dispatchers.find(other => other.delivery === delivery);
  const input = dispatcher && space.dispatcher?.get(dispatcher.state).execution.input.value;
  const hash = space.payloadHashes[payloadOf(input ?? null)];
  return hash === undefined || textOf(record, 'payloadHash') === hash;
}
