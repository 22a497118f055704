import type { Choice, State } from 'aws-cdk-lib/aws-stepfunctions';
import { IS_OWN, isOfEntry } from '../expressions/entry';
import { IS_IN_DOUBT } from '../expressions/in-doubt';
import * as is from '../expressions/record';
import { REFUSALS_MAX } from '../settings';
import * as failing from '../stages/fail';
import { judgeRecord, returnStoredResult } from '../stages/inspect';
import { both, when } from './conditions';
import type { Owner } from './owner';
import type { States } from './states';

/** Where the judgement of a record leads when the record alone does not decide. */
export interface Exits {
  /** Where an unfinished record leads, and one whose result is its owner's output. Undefined: nobody can be asked. */
  readonly owner: Owner | undefined;
  /** Where an unfinished record leads whose lease is over. */
  readonly leaseOver: State;
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
  when(judge, is.IS_COMPLETED, exits.owner?.returnOwners ?? states.resultUnavailable);

  if (exits.inDoubt) when(judge, both(is.IS_FAILED, IS_IN_DOUBT), exits.inDoubt);
  judgeFailure(states, judge);
  if (exits.owner) judgeOwn(states, judge, exits);
  // Who has claimed with a lease is an Express execution, also where this workflow is none any more.
  when(judge, is.IS_LEASE_OVER, exits.leaseOver);
  if (exits.owner) {
    when(judge, is.HAS_LEASE, states.inProgress);
    when(judge, is.IS_IN_PROGRESS, exits.owner.ask);
  }
  // Also a status that this version does not know: whoever wrote it is not to be overruled.
  judge.otherwise(states.inProgress);
  return exits.owner?.returnOwners ? [returnStored, exits.owner.returnOwners] : [returnStored];
}

/**
 * An unfinished record of this execution's own. Its own write came late, after it had been refused: nothing has run. Or
 * an execution of the same name claimed it, more than 90 days ago, and has been forgotten.
 */
function judgeOwn({ takeOver, settings }: States, judge: Choice, { leaseOver }: Exits): void {
  const isOwn = both(is.IS_IN_PROGRESS, IS_OWN);
  if (settings.isPart || leaseOver !== takeOver) when(judge, both(isOwn, isOfEntry(settings)), takeOver);
  // Another entry of an execution that may have several is asked about like any other owner.
  if (!settings.isPart) when(judge, isOwn, leaseOver);
}

function judgeFailure({ policy, contended, takeOver, scope }: States, judge: Choice) {
  if (policy.onFailed.isReturned) {
    when(judge, is.IS_FAILED, failing.storedFailure(scope));
    return;
  }
  when(judge, both(is.IS_FAILED, is.isRefusedTooOften(REFUSALS_MAX)), contended);
  when(judge, is.IS_FAILED, takeOver);
}
