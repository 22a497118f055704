import { redriveProblem } from '../../../packages/local/runtime/executions/redrivability';
import type { ModelState, Recovery } from '../model/model-state';
import { counts, recordText, statusOf } from '../model/record';
import { executionAt, type StateSpace } from '../model/state-space';
import { isOfAnotherWorkflow } from '../transition/another-workflow';
import { isHeardOf, isOver } from '../transition/recovery';
import { tellerOf } from '../transition/recovery-requests';
import { isBeingReleased, isReleasedByHand, isReleasedByRecovery } from '../transition/release';
import { indexOfArn } from '../transition/step-functions';
import { runWithoutFaults } from './faultless-run';
import { type Violation, violationOf } from './invariants';

/** Checked of final states, in which everything has ended, recovery too. */
export const RECOVERED = {
  name: 'recovered',
  says: 'When everything has ended, the key has its end: COMPLETED, FAILED, and where failures are sent this one has been, or an event that is to blame was rejected. Otherwise recovery has given it up, because its input is not known any more, its record has been deleted since, its failure can no longer be sent by a redrive, or has held it: nobody can tell what its step has done, or it was redriven as often as may be; or a person has released it, or was interrupted when doing so. Recovery gives nothing else up, tells of it where failures are sent, and does not fail.',
} as const;

/** The errors that are an event's end: whoever sent it is told that it is to blame. */
const REJECTED_FOR_GOOD = [
  'Idempotency.InvalidEvent',
  'Idempotency.PayloadMismatch',
  'Idempotency.ForeignRecord',
];

/** Those of them that another record has decided, and not the event alone. */
const REJECTED_BY_A_RECORD = REJECTED_FOR_GOOD.slice(1);

/** What is wrong with a final state without another delivery; undefined if the key is completed, or failed. */
export function missingRecovery(space: StateSpace, reached: ModelState): Violation | undefined {
  const over = { ...reached, recoveries: reached.recoveries.filter(({ redelivery }) => !redelivery) };
  const wrong = over.recoveries.find(recovery => isFailure(space, recovery, over));
  if (wrong) return unrecovered(`a recovery of execution ${wrong.execution + 1} has ended: ${wrong.phase}`);
  const record = space.recordOf(over);
  if (isOfAnotherWorkflow(record)) return undefined;
  if (!counts(record, over.now)) return unclaimedAt(space, over);
  const says = `the record is ${recordText(record)}`;
  const status = String(statusOf(record));
  // What is held, or released by a person, or about to be, is in the hands of people, and of the next delivery.
  if (['COMPLETED', 'HELD', 'RELEASING'].includes(status) || isReleasedByHand(record)) return undefined;
  const isFailed = status === 'FAILED';
  const index = indexOfArn(space, over, isFailed ? tellerOf(record) : record['owner']?.['S']);
  if (isFailed) {
    const isOwed = space.subject.workflow.traits.sendsFailures && !over.past.isFailureSent;
    if (!isOwed || index === undefined || isGivenUp(over, index)) return undefined;
    return unrecovered(`${says}, and nobody was told of that`);
  }
  // Of an execution that Step Functions does not know any more, no event tells.
  if (index === undefined || isGivenUp(over, index)) return undefined;
  const { status: ended, end } = executionAt(space, over, index).execution;
  // Its own claim, thought lost, was made when it had been answered, or rejected, by another record, which had expired
  // and was deleted while the claim was on its way: the next delivery of its payload starts recovery. Nor where that
  // record had the end of its event, and was gone when the claim was made.
  const isRejected = REJECTED_BY_A_RECORD.includes(end?.error ?? '');
  if (ended === 'SUCCEEDED' || isRejected || isDone(over, index)) return undefined;
  // What recovery has delivered again may be rejected then, as its event may have been at first.
  if (isReleasedByRecovery(record) && isRejectedSince(space, over, index)) return undefined;
  return unrecovered(`${says}, and recovery has left it so`);
}

function unclaimedAt(space: StateSpace, over: ModelState): Violation | undefined {
  const { executions, past } = over;
  const wasClaimed = past.lastRun !== undefined || past.allowed !== 1 || past.payload !== null;
  if (wasClaimed) return undefined;
  const executionOf = (index: number) => executionAt(space, over, index).execution;
  const rejected = executions
    .map((_, index) => executionOf(index))
    .filter(({ end }) => REJECTED_FOR_GOOD.includes(end?.error ?? ''));
  // An input that was rejected when recovery delivered it again counts as rejected.
  const isLeft = (_: number, index: number) =>
    !rejected.some(({ input }) => input.text === executionOf(index).input.text) && !isGivenUp(over, index);
  const left = executions.findIndex(isLeft);
  return left < 0 ? undefined : unrecovered(`there is no record, and execution ${left + 1} was not rejected`);
}

/** Whether an execution that began after this one, with the same input, was rejected for what is in it. */
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

/** It failed, has given up what it might have brought to its end, or has not told that it gave up. */
function isFailure(space: StateSpace, { execution, phase, knows }: Recovery, over: ModelState): boolean {
  if (phase === 'failed') return true;
  if (phase !== 'givenUp') return false;
  if (space.subject.workflow.traits.sendsFailures && !knows.isTold) return true;
  // A release that takes long, or was interrupted, holds the record: it is in the hands of a person.
  const record = space.recordOf(over);
  if (isBeingReleased(record) || isReleasedByHand(record)) return false;
  // Who has not told of a failure for a fortnight cannot be redriven to do so: the notice of giving up tells of it.
  const isTooLate = redriveProblem(executionAt(space, over, execution).execution, over.now) !== undefined;
  if (knows.isToTell && isTooLate) return false;
  // A retention after its start, nobody can say whether a record that is gone was finished.
  return !knows.isMissing && !knows.isHeld && !knows.isUnread;
}

function unrecovered(seen: string): Violation {
  return violationOf(RECOVERED, seen);
}

/**
 * Lets recovery alone bring everything to its end, without faults and without another delivery: started by the events
 * of what has ended, and once more by the search alone. Undefined if it does, and if there is no recovery.
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
