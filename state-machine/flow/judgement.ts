import type { State } from 'aws-cdk-lib/aws-stepfunctions';
import { IS_IN_DOUBT } from '../expressions/in-doubt';
import * as is from '../expressions/record';
import { EVALUATION_FAILED, PASS_INPUT_ON, REFUSALS_MAX } from '../settings';
import * as failing from '../stages/fail';
import { judgeRecord, returnStoredResult, returnTheOwnersResult } from '../stages/inspect';
import { both, when } from './conditions';
import type { States } from './states';

/** Where the judgement of a record leads when the record alone does not decide. */
export interface Exits {
  /** What an unfinished record leads to, before its delivery counts as in progress. Undefined: nothing is asked. */
  readonly askAboutOwner: State | undefined;
  /** Express only: where an unfinished record leads whose lease is over. */
  readonly leaseOver: State | undefined;
  /** At-most-once delivery only: where a parked record leads. */
  readonly inDoubt: State | undefined;
}

/**
 * Judges the record that refused the claim, and answers what it says; returns the states that end with a result.
 *
 * The order of the rules is the protocol's: a record that no longer counts is nobody's, another payload is refused
 * whatever became of the first, and only then does the status decide.
 */
export function connectJudgement(states: States, exits: Exits): readonly State[] {
  const { read, claim, contended, scope, settings } = states;
  const judge = judgeRecord(scope);
  read.next(judge);
  when(judge, both(is.IS_GONE, is.isRefusedTooOften(REFUSALS_MAX)), contended);
  when(judge, is.IS_GONE, claim);
  if (settings.payload !== undefined) when(judge, is.IS_OTHER_PAYLOAD, failing.payloadMismatch(scope));

  const returnStored = returnStoredResult(scope);
  when(judge, both(is.IS_COMPLETED, is.HAS_RESULT_TEXT), returnStored);
  const elsewhere = returnResultFromElsewhere(states, exits);
  when(judge, is.IS_COMPLETED, elsewhere.state);

  if (exits.inDoubt) when(judge, both(is.IS_FAILED, IS_IN_DOUBT), exits.inDoubt);
  judgeFailure(states, judge);
  if (exits.leaseOver) when(judge, is.IS_LEASE_OVER, exits.leaseOver);
  if (exits.askAboutOwner) when(judge, is.IS_IN_PROGRESS, exits.askAboutOwner);
  // Also a status that this version does not know: whoever wrote it is not to be overruled.
  judge.otherwise(states.inProgress);
  return [returnStored, ...elsewhere.ends];
}

function judgeFailure({ policy, contended, takeOver, scope }: States, judge: ReturnType<typeof judgeRecord>) {
  if (policy.onFailed.isReturned) {
    when(judge, is.IS_FAILED, failing.storedFailure(scope));
    return;
  }
  when(judge, both(is.IS_FAILED, is.isRefusedTooOften(REFUSALS_MAX)), contended);
  when(judge, is.IS_FAILED, takeOver);
}

// A result that the record cannot hold is the owner's output. An owner that died before it could say so is asked about.
function returnResultFromElsewhere({ scope, resultUnavailable }: States, { askAboutOwner }: Exits) {
  if (!askAboutOwner) return { state: resultUnavailable, ends: [] };
  const returnOwners = returnTheOwnersResult(scope);
  returnOwners.addCatch(askAboutOwner, { errors: [EVALUATION_FAILED], outputs: PASS_INPUT_ON });
  returnOwners.addCatch(resultUnavailable);
  return { state: returnOwners, ends: [returnOwners] };
}
