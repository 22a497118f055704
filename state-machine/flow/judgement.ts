import type { State } from 'aws-cdk-lib/aws-stepfunctions';
import { recordRules } from '../contract/judgement';
import * as failing from '../stages/fail';
import { judgeRecord, returnStoredResult } from '../stages/inspect';
import { decide } from './conditions';
import type { Owner } from './owner';
import type { States } from './states';

/** Where the judgement of a record leads when the record alone does not decide. */
export interface Exits {
  /** Where an unfinished record leads, and one whose result is its owner's output. Undefined: nobody can be asked. */
  readonly owner: Owner | undefined;
  /** At-most-once delivery only: the state that parks an unfinished record, and where a parked one leads. */
  readonly doubt: { readonly park: State; readonly inDoubt: State } | undefined;
}

/** Judges the record that refused the claim, and answers what it says; returns the states that end with a result. */
export function connectJudgement(states: States, { owner, doubt }: Exits): readonly State[] {
  const { read, scope, settings } = states;
  const judge = judgeRecord(scope);
  read.next(judge);
  const returnStored = returnStoredResult(scope);
  const returnOwners = owner?.returnOwners;
  decide(judge, recordRules(settings.variant), {
    claim: () => states.claim,
    giveUp: () => states.contended,
    refusePayload: () => failing.payloadMismatch(scope),
    returnResult: () => returnStored,
    returnOwnersResult: returnOwners && (() => returnOwners),
    resultUnavailable: () => states.resultUnavailable,
    refuseInDoubt: doubt && (() => doubt.inDoubt),
    returnFailure: () => failing.storedFailure(scope),
    takeOver: () => states.takeOver,
    park: doubt && (() => doubt.park),
    inProgress: () => states.inProgress,
    askAboutOwner: owner && (() => owner.ask),
  });
  return returnOwners ? [returnStored, returnOwners] : [returnStored];
}
