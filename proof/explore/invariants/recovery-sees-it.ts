import type { ModelState } from '../model/model-state';
import { executionAt, type StateSpace } from '../model/state-space';
import { isOfAnotherWorkflow } from '../transition/another-workflow';
import { isHeardOf } from '../transition/recovery';
import { indexOfArn } from '../transition/step-functions';
import { recordText, statusOf } from './invariant';
import type { Violation } from './invariants';
import { counts } from './past';

/** What is checked where everything has ended. */
const RECOVERY_SEES_IT = {
  name: 'recoverySeesIt',
  says: 'When everything has ended, a key that has not come to its end is left by an execution that recovery looks at: the owner of its unfinished record, or, where it has none, one that ended before its claim. No such execution has ended by a name for which recovery is not started.',
} as const;

/** The errors that are an event's end: whoever sent it is told that it is to blame. */
export const REFUSED_FOR_GOOD = [
  'Idempotency.MissingKey',
  'Idempotency.InvalidPayload',
  'Idempotency.PayloadMismatch',
  'Idempotency.ForeignRecord',
];

/**
 * Judges who is left to bring an unfinished key to its end when nobody delivers it again. Undefined where recovery sees
 * to it, where the key has its end, and where there is no recovery: for Express workflows, and for parts of a machine.
 */
export function unseenAt(space: StateSpace, quiet: ModelState): Violation | undefined {
  const { isExpress, isPart } = space.subject.workflow.traits;
  if (isExpress || isPart || quiet.delivered === 0) return undefined;
  const record = space.recordOf(quiet);
  if (isOfAnotherWorkflow(record)) return undefined;
  if (!counts(record, quiet.now)) return unclaimedAt(space, quiet);
  if (statusOf(record) !== 'IN_PROGRESS') return undefined;
  const owner = indexOfArn(space, quiet, record['owner']?.['S']);
  // Of an owner that Step Functions does not know any more, no event tells: recovery calls a person.
  if (owner === undefined || isSeen(space, quiet, owner)) return undefined;
  const { status, end } = executionAt(space, quiet, owner).execution;
  // Its own claim, thought lost, was made when it had been answered by another record: nobody is told of that.
  if (status === 'SUCCEEDED') return undefined;
  return unseen(
    `the record is ${recordText(record)}, and its owner has ended ${status}, ${end?.error ?? ''}`,
  );
}

/** Whoever has succeeded, or whose step has failed, had a record, which has expired since or was freed. */
function unclaimedAt(space: StateSpace, quiet: ModelState): Violation | undefined {
  const { executions, past } = quiet;
  const wasClaimed = past.lastRun !== undefined || past.allowed !== 1 || past.payload !== null;
  if (wasClaimed || executions.length === 0) return undefined;
  const hasEnd = (index: number) => REFUSED_FOR_GOOD.includes(errorOf(space, quiet, index));
  if (executions.some((_, index) => isSeen(space, quiet, index) || hasEnd(index))) return undefined;
  return unseen('there is no record, and every delivery was told to come again');
}

function errorOf(space: StateSpace, quiet: ModelState, index: number): string {
  return executionAt(space, quiet, index).execution.end?.error ?? '';
}

function isSeen(space: StateSpace, quiet: ModelState, index: number): boolean {
  return isHeardOf(executionAt(space, quiet, index).execution);
}

function unseen(seen: string): Violation {
  return { invariant: RECOVERY_SEES_IT.name, says: RECOVERY_SEES_IT.says, seen };
}
