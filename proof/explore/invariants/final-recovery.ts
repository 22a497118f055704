import { redriveProblem } from '../../../packages/local/runtime/executions/redrivability';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { ModelState, Recovery } from '../model/model-state';
import { counts, recordText, statusOf } from '../model/record';
import { executionAt, type StateSpace } from '../model/state-space';
import { isOfAnotherWorkflow } from '../transition/another-workflow';
import { isHeardOf, isOver } from '../transition/recovery';
import { tellerOf } from '../transition/recovery-requests';
import { isBeingReleased, isReleasedByHand, isReleasedByRecovery } from '../transition/release';
import { indexOfArn } from '../transition/step-functions';
import { runWithoutFaults } from './faultless-run';
import { REJECTED_FOR_GOOD } from './invariant';
import { type Violation, violationOf } from './invariants';

/** Checked of final states, in which everything has ended, recovery too. */
export const RECOVERED = {
  name: 'recovered',
  says: [
    'When everything has ended, the key is COMPLETED or FAILED, or its event was rejected for its content.',
    'If failures are sent, a failure has been sent.',
    'Otherwise recovery has abandoned the key, or an operator has released it or was interrupted doing so.',
    'Recovery abandons a key if its input is unknown or has no key, or its record was deleted.',
    'It abandons a key if it can no longer redrive the execution that must send the failure.',
    'It abandons a key that it has held: the outcome of the step is unknown, or the redrives are exhausted.',
    'Recovery abandons no other key, reports it if failures are sent, and does not fail.',
  ].join(' '),
} as const;

/** The rejections that another record has decided, and not the event alone. */
const REJECTED_BY_A_RECORD = REJECTED_FOR_GOOD.filter(error => error !== 'Idempotency.InvalidEvent');

/** The fault of a final state without another delivery; undefined if the key is completed or failed. */
export function missingRecovery(space: StateSpace, reached: ModelState): Violation | undefined {
  const over = { ...reached, recoveries: reached.recoveries.filter(({ redelivery }) => !redelivery) };
  const wrong = over.recoveries.find(recovery => isFailure(space, recovery, over));
  if (wrong) return unrecovered(`a recovery of execution ${wrong.execution + 1} has ended: ${wrong.phase}`);
  const record = space.recordOf(over);
  if (isOfAnotherWorkflow(record)) return undefined;
  if (!counts(record, over.now)) return unclaimedAt(space, over);
  const status = String(statusOf(record));
  // A record that is held, or released by an operator, is up to operators and the next delivery.
  if (['COMPLETED', 'HELD', 'RELEASING'].includes(status) || isReleasedByHand(record)) return undefined;
  return status === 'FAILED' ? unreportedFailure(space, over, record) : unfinishedKey(space, over, record);
}

/** A violation if failures are sent, and that of the record was neither sent nor abandoned. */
function unreportedFailure(space: StateSpace, over: ModelState, record: Item): Violation | undefined {
  if (!space.subject.workflow.traits.sendsFailures || over.past.isFailureSent) return undefined;
  const sender = indexOfArn(space, over, tellerOf(record));
  if (sender === undefined || isGivenUp(over, sender)) return undefined;
  return unrecovered(`the record is ${recordText(record)}, and that was not reported`);
}

/** A violation if recovery should have gone on with the owner of an unfinished record. */
function unfinishedKey(space: StateSpace, over: ModelState, record: Item): Violation | undefined {
  const owner = indexOfArn(space, over, record['owner']?.['S']);
  // Step Functions sends no event of an execution that it does not know any more.
  if (owner === undefined || isGivenUp(over, owner) || isDone(over, owner)) return undefined;
  const { status, end } = executionAt(space, over, owner).execution;
  if (status === 'SUCCEEDED') return undefined;
  // Another record had answered or rejected the owner. That record was deleted before the owner's own claim,
  // thought lost, was made: the next delivery of its payload starts recovery.
  if (REJECTED_BY_A_RECORD.includes(end?.error ?? '')) return undefined;
  // What recovery has delivered again may be rejected then, as its event may have been at first.
  if (isReleasedByRecovery(record) && isRejectedSince(space, over, owner)) return undefined;
  return unrecovered(`the record is ${recordText(record)}, and recovery has left it so`);
}

function unclaimedAt(space: StateSpace, over: ModelState): Violation | undefined {
  const { executions, past } = over;
  const wasClaimed = past.lastRun !== undefined || past.allowed !== 1 || past.payload !== null;
  if (wasClaimed) return undefined;
  const executionOf = (index: number) => executionAt(space, over, index).execution;
  const rejected = executions
    .map((_, index) => executionOf(index))
    .filter(({ end }) => REJECTED_FOR_GOOD.includes(end?.error ?? ''));
  // An input that was rejected when recovery delivered it again counts as rejected. Recovery leaves an execution whose
  // key another one had completed, of another workflow too, although that record has expired since.
  const isLeft = (_: number, index: number) =>
    !rejected.some(({ input }) => input.text === executionOf(index).input.text) &&
    !isGivenUp(over, index) &&
    !isDone(over, index);
  const left = executions.findIndex(isLeft);
  return left < 0 ? undefined : unrecovered(`there is no record, and execution ${left + 1} was not rejected`);
}

/** Whether an execution that began after this one, with the same input, was rejected for its content. */
function isRejectedSince(space: StateSpace, over: ModelState, index: number): boolean {
  const { input } = executionAt(space, over, index).execution;
  return over.executions.some((_, other) => {
    const { end, input: another } = executionAt(space, over, other).execution;
    return other > index && another.text === input.text && end?.error === 'Idempotency.InvalidEvent';
  });
}

function isGivenUp({ recoveries: all }: ModelState, index: number): boolean {
  return all.some(({ execution, phase }) => execution === index && phase === 'givenUp');
}

function isDone({ recoveries: all }: ModelState, index: number): boolean {
  return all.some(
    ({ execution, phase, knows }) => execution === index && phase === 'nothingLeft' && knows.isDone,
  );
}

/** Whether a recovery failed, abandoned a key that it might have completed, or did not report that. */
function isFailure(space: StateSpace, { execution, phase, knows }: Recovery, over: ModelState): boolean {
  if (phase === 'failed') return true;
  if (phase !== 'givenUp') return false;
  if (space.subject.workflow.traits.sendsFailures && !knows.isTold) return true;
  // A release that takes long, or was interrupted, holds the record: it is up to an operator.
  const record = space.recordOf(over);
  if (isBeingReleased(record) || isReleasedByHand(record)) return false;
  // After a fortnight an execution cannot be redriven to report a failure: the notice of the key reports it.
  const isTooLate = redriveProblem(executionAt(space, over, execution).execution, over.now) !== undefined;
  if (knows.isToTell && isTooLate) return false;
  // A retention after its start, an expired record does not show any more whether it was finished.
  return space.claim !== undefined && !knows.isMissing && !knows.isHeld && !knows.isUnread;
}

function unrecovered(seen: string): Violation {
  return violationOf(RECOVERED, seen);
}

/**
 * Lets recovery alone bring everything to its end, without faults and without another delivery: started by the events
 * of ended executions, and once more by the search alone. Undefined if it does, and if there is no recovery.
 */
export function checkRecoveryAlone(space: StateSpace, quiet: ModelState): Violation | undefined {
  if (!space.recovery) return undefined;
  const still: ModelState = { ...quiet, faults: 0, deliveries: quiet.delivered };
  return recoveredFrom(space, still) ?? recoveredFrom(space, withoutEvents(space, still));
}

/** The same with the event of each end lost: the search finds it. */
function withoutEvents(space: StateSpace, model: ModelState): ModelState {
  const recoveries = model.executions.flatMap((number, index): Recovery[] => {
    const { execution } = space.workflow.get(number);
    if (!isHeardOf(execution)) return [];
    const { redriveCount: redrives } = execution;
    return [{ execution: index, redrives, phase: 'unheard', state: undefined, knows: {} }];
  });
  return { ...model, recoveries };
}

function recoveredFrom(space: StateSpace, from: ModelState): Violation | undefined {
  const { model, violation } = runWithoutFaults(space, from, {
    name: ALONE,
    channel: 'direct',
    skipped: /^(ttl|near)/,
    isOver: reached => isOver(space, reached),
  });
  if (violation) return violation;
  const unrecovered = missingRecovery(space, model);
  return unrecovered && { ...unrecovered, seen: `${unrecovered.seen}, ${ALONE}` };
}

const ALONE = 'with recovery alone when everything had ended';
