import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { State } from 'aws-cdk-lib/aws-stepfunctions';
import { decide } from '../choice';
import { expression } from '../contract/jsonata';
import { ONE_RECOVERY_WITHIN_MS, ownerRules, RECOVERY_WAS_CALLED, recordRules } from '../contract/judgement';
import { RECORD } from '../contract/record';
import { STATE } from '../contract/state-names';
import { REJECTIONS, SERVICE_ERROR } from '../jsonata/variables';
import { PASS_INPUT_ON } from '../settings';
import {
  CONDITION_FAILED,
  DATA_TOO_LONG,
  EVALUATION_FAILED,
  NAME_TAKEN_SDK,
  OWNER_UNKNOWN,
  SFN_ERROR,
} from '../tasks/aws-error-names';
import { retryPatiently } from '../tasks/retries';
import { SfnTask } from '../tasks/sfn-task';
import type { SharedStates } from './shared-states';
import * as fail from './states/fail';
import { sendOwnersDoubt, sendRejection } from './states/failure-notice';
import { holdForTheOwner } from './states/in-doubt';
import * as asking from './states/owner';
import { readResult } from './states/results';
import * as stored from './states/stored-record';

// A delivery whose claim was rejected: the record decides. A delivery never decides about an owner: recovery does. Only
// the fragments of a team's own state machine, whose records recovery cannot read, ask about owners themselves.

/** How a delivery remembers that it has called recovery. */
const RECOVERY_CALLED = {
  recoveryCalled: expression(
    `{'claimId': $record.${RECORD.claimId}.S, 'at': $toMillis($states.context.State.EnteredTime)}`,
  ),
};

/** Judges the record that rejected the claim, and answers what it says; returns the states that end with a result. */
export function connectDuplicate(
  states: SharedStates,
  redriveFunction: IFunction | undefined,
): readonly State[] {
  const { read, heldForReview, scope, settings } = states;
  const { variant, results } = settings;
  const judge = stored.whatDoesTheRecordSay(scope);
  read.next(judge);
  const call = settings.recoveryArn === undefined ? undefined : callingRecovery(states, settings.recoveryArn);
  const ask = variant.isFragment ? connectOwner(states, redriveFunction) : undefined;
  const hold = variant.isAtMostOnce ? holdingState(states) : undefined;
  const returnStored = stored.returnStoredResult(scope);
  const fromBucket = results && readResult(scope, settings, results);
  fromBucket?.addCatch(states.resultUnavailable, { errors: [DATA_TOO_LONG] });
  fromBucket?.addCatch(states.resultUnavailable);
  const canReturnOwners = !variant.isExpress && !variant.isFragment;
  const returnOwners = canReturnOwners ? returningOwners(states, call) : undefined;
  const rules = recordRules(variant).flatMap(rule =>
    rule.verdict === 'callRecovery' && states.isWaiting ? [RECOVERY_WAS_CALLED, rule] : [rule],
  );
  decide(judge, rules, {
    claim: () => states.claim,
    rejectForeign: () => {
      const notice = { id: STATE.sendForeignRecord, isOfRecord: true };
      return sendRejection(scope, settings, fail.foreignRecord(scope), notice);
    },
    rejectPayload: () => {
      const notice = { id: STATE.sendPayloadMismatch, isOfRecord: true };
      const told = sendRejection(scope, settings, fail.payloadMismatch(scope, settings), notice);
      return fail.nameFields(scope, settings, told);
    },
    returnResult: () => returnStored,
    readResult: fromBucket && (() => fromBucket),
    returnOwnersResult: returnOwners && (() => returnOwners),
    resultUnavailable: () => states.resultUnavailable,
    heldForReview: () => heldForReview,
    returnFailure: () => fail.storedFailure(scope),
    takeOver: () => states.takeOver,
    hold: hold && (() => hold),
    inProgress: () => states.inProgress,
    callRecovery: call && (() => call),
    askAboutOwner: ask && (() => ask),
  });
  return [returnStored, ...(fromBucket ? [fromBucket] : []), ...(returnOwners ? [returnOwners] : [])];
}

/**
 * Starts recovery for the owner of the record that was read, under a name made of the owner, its claim and a quarter of
 * an hour. An execution of that name is the recovery of another delivery: that is success.
 *
 * Recovery gets the ARN of this delivery as well. If Step Functions does not know the owner, its input is not known
 * either. Then recovery delivers the input of this delivery again, which has the same key and payload.
 *
 * Whatever becomes of that, the delivery ends in progress: the next one starts recovery as well.
 */
function callingRecovery(
  { inProgress, isWaiting, scope, settings }: SharedStates,
  recoveryArn: string,
): SfnTask {
  const called = isWaiting && { assign: RECOVERY_CALLED };
  const claim = [`$record.${RECORD.owner}.S`, `$record.${RECORD.attempt}.N`, `$record.${RECORD.claimId}.S`];
  const time = `$formatBase($floor($millis() / ${ONE_RECOVERY_WITHIN_MS}), 10)`;
  const task = new SfnTask(scope, STATE.callRecovery, {
    comment: 'The owner should have finished by now: starts the recovery that decides what becomes of it',
    operation: 'startExecution',
    request: {
      StateMachineArn: recoveryArn,
      Name: expression(`$substring($hash(${[...claim, time].join(" & '#' & ")}, 'SHA-256'), 0, 32)`),
      Input: expression(
        `$string({'detail': {'executionArn': $record.${RECORD.owner}.S}, ` +
          "'deliveryArn': $states.context.Execution.Id, 'workflowArn': $states.context.StateMachine.Id})",
      ),
    },
    outputs: PASS_INPUT_ON,
    ...called,
  });
  retryPatiently(task, settings.patience, { denied: SFN_ERROR, answers: [...NAME_TAKEN_SDK] });
  task.next(inProgress);
  // The recovery that another delivery has started: no error.
  task.addCatch(inProgress, {
    errors: [...NAME_TAKEN_SDK],
    outputs: PASS_INPUT_ON,
    ...called,
  });
  task.addCatch(inProgress, { assign: { serviceError: SERVICE_ERROR }, outputs: PASS_INPUT_ON });
  return task;
}

/**
 * Answers with the output of the owner. An owner that has not succeeded yet, or ended before it could, has none: only
 * its end is missing, and recovery looks after that.
 */
function returningOwners(
  { inProgress, resultUnavailable, scope }: SharedStates,
  call: State | undefined,
): State {
  const returnOwners = stored.returnTheOwnersResult(scope);
  returnOwners.addCatch(call ?? inProgress, { errors: [EVALUATION_FAILED], outputs: PASS_INPUT_ON });
  returnOwners.addCatch(resultUnavailable, { errors: [DATA_TOO_LONG] });
  returnOwners.addCatch(resultUnavailable);
  return returnOwners;
}

/** Holds an unfinished record whose step may have run. Loses against a change of the record since it was read. */
function holdingState({ read, heldForReview, scope, settings }: SharedStates): State {
  const hold = holdForTheOwner(scope, settings);
  hold.next(sendOwnersDoubt(scope, settings, heldForReview));
  hold.addCatch(read, {
    errors: [CONDITION_FAILED],
    assign: { rejections: REJECTIONS },
    outputs: PASS_INPUT_ON,
  });
  return hold;
}

/** In a team's own state machine: asks about the owner, and redrives it if it ended before it had finished. */
function connectOwner(states: SharedStates, redriveFunction: IFunction | undefined): State {
  const { scope, settings } = states;
  const ask = asking.askAboutTheOwner(scope, settings);
  const isRunning = asking.isTheOwnerRunning(scope);
  ask.next(isRunning);
  ask.addCatch(isRunning, {
    errors: [...OWNER_UNKNOWN],
    assign: { owner: asking.NO_OWNER_SEEN },
    outputs: PASS_INPUT_ON,
  });
  // Without an answer nothing is known of the owner.
  const unanswered = { assign: { serviceError: SERVICE_ERROR }, outputs: PASS_INPUT_ON };
  ask.addCatch(states.inProgress, { errors: [DATA_TOO_LONG], ...unanswered });
  ask.addCatch(states.inProgress, unanswered);

  const redrive = redriveState(states, redriveFunction);
  const exhausted = fail.redrivesExhausted(scope);
  const letStepEnd = asking.letTheOwnersStepEnd(scope, settings);
  letStepEnd.next(states.takeOver);
  decide(
    isRunning,
    ownerRules(settings.variant),
    {
      inProgress: () => states.inProgress,
      readAgain: () => states.read,
      redrive: () => redrive,
      redrivesExhausted: () => exhausted,
      askForEverything: () => ask,
      takeOver: () => states.takeOver,
      letStepEnd: () => letStepEnd,
    },
    {
      readAgain: { assign: { rejections: REJECTIONS } },
      askForEverything: { assign: asking.ASK_FOR_EVERYTHING },
    },
  );
  return ask;
}

/** The redrive, by the direct integration or a function. It leads to where a delivery goes while the owner works. */
function redriveState({ inProgress, scope }: SharedStates, redriveFunction: IFunction | undefined): State {
  const redrive = asking.redriveTheOwner(scope, redriveFunction);
  redrive.next(inProgress);
  // Another delivery redrove it, or it has finished meanwhile; or that is not known, and the next delivery finds out.
  redrive.addCatch(inProgress, {
    assign: { redriveError: expression('$states.errorOutput.Error') },
    outputs: PASS_INPUT_ON,
  });
  return redrive;
}
