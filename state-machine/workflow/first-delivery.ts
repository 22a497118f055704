import type { State, TaskStateBase, Wait } from 'aws-cdk-lib/aws-stepfunctions';
import { decide } from '../choice';
import { outcomeRules } from '../contract/judgement';
import { STATE } from '../contract/state-names';
import { EVALUATION_ERROR, REJECTIONS, STEP_FAILURE } from '../jsonata/variables';
import { PASS_INPUT_ON } from '../settings';
import { CONDITION_FAILED, DATA_TOO_LONG, EVALUATION_FAILED } from '../tasks/aws-error-names';
import type { DynamoTask } from '../tasks/dynamo-task';
import type { SharedStates } from './shared-states';
import { letTheStepEnd } from './states/business-step';
import * as claiming from './states/claim';
import * as fail from './states/fail';
import { sendDoubt, sendFailure, sendRejection } from './states/failure-notice';
import { finalizeElsewhere, finalizeFailed, finalizeStored } from './states/finalize';
import * as doubt from './states/in-doubt';
import { sendPointerToResult, sendResult } from './states/result-notice';
import { storeResult } from './states/results';

// The first delivery of a key: claim, business step, finalize.

/** The claim leads to the business step; a rejected one to the record that rejected it. */
export function connectClaim(states: SharedStates): void {
  const { claim, read, takeOver, step, scope, settings } = states;
  claim.next(step.state);
  claim.addCatch(read, {
    errors: [CONDITION_FAILED],
    assign: claiming.variablesAfterRejection(settings),
    outputs: PASS_INPUT_ON,
  });
  const notice = { id: STATE.sendInvalidEvent, isOfRecord: false };
  claim.addCatch(sendRejection(scope, settings, fail.invalidEvent(scope, settings), notice), {
    errors: [EVALUATION_FAILED],
    assign: { evaluationError: EVALUATION_ERROR },
    outputs: PASS_INPUT_ON,
  });

  // The other way to own the record leads to the step as well.
  takeOver.next(step.state);
  takeOver.addCatch(read, {
    errors: [CONDITION_FAILED],
    assign: { rejections: REJECTIONS },
    outputs: PASS_INPUT_ON,
  });
}

/** What the business step's end leads to. Returns the states that end with the result. */
export function connectBusinessStep(states: SharedStates): readonly State[] {
  const { step, completed, scope, settings } = states;
  step.state.next(completed);
  const lost = fail.claimLost(scope);
  completed.addCatch(lost, { errors: [CONDITION_FAILED] });
  const elsewhere = finalizeElsewhere(scope, settings);
  elsewhere.addCatch(lost, { errors: [CONDITION_FAILED] });
  const stored = connectStoredResult(states, { elsewhere, lost });
  completed.addCatch(stored?.store ?? elsewhere, { errors: [EVALUATION_FAILED], outputs: PASS_INPUT_ON });

  const letStepEnd = letTheStepEnd(scope, step);
  if (settings.variant.isAtMostOnce) connectEndsInDoubt(states, letStepEnd);
  else connectEnds(states, letStepEnd);
  const send = sendResult(scope, settings);
  return [
    sending(completed, send),
    ...(stored ? [sending(stored.finalize, send)] : []),
    sending(elsewhere, sendPointerToResult(scope, settings)),
  ];
}

/** The last state of the part that writes the record, and then sends the notice, if there is a destination. */
function sending(finalize: DynamoTask, send: TaskStateBase | undefined): State {
  if (send === undefined) return finalize;
  finalize.next(send);
  return send;
}

/**
 * With a bucket for results: puts the result there, and only then finishes the record, which has its place. A result
 * that cannot be put, or of which S3 tells no hash, is left to the owner's execution.
 */
function connectStoredResult(
  { scope, settings }: SharedStates,
  { elsewhere, lost }: { readonly elsewhere: State; readonly lost: State },
) {
  const { results } = settings;
  if (!results) return undefined;
  const store = storeResult(scope, settings, results);
  const finalize = finalizeStored(scope, settings, results);
  store.next(finalize);
  store.addCatch(elsewhere, { errors: [EVALUATION_FAILED, DATA_TOO_LONG], outputs: PASS_INPUT_ON });
  finalize.addCatch(lost, { errors: [CONDITION_FAILED] });
  return { store, finalize };
}

const FAILURE = { assign: { failure: STEP_FAILURE }, outputs: PASS_INPUT_ON };

// An error behind which the step may still run: its failure is recorded when it has certainly ended.
function connectEnds(states: SharedStates, letStepEnd: Wait): void {
  const { step } = states;
  const failed = recordFailure(states);
  letStepEnd.next(failed);
  const others = step.answersForItself ? failed : letStepEnd;
  if (step.answersForItself)
    step.state.addCatch(letStepEnd, { errors: [...step.uncertainErrors], ...FAILURE });
  step.state.addCatch(others, { errors: [DATA_TOO_LONG], ...FAILURE });
  step.state.addCatch(others, FAILURE);
}

// At most once. A record is held only when the step has certainly ended: after a release the step may run at once.
function connectEndsInDoubt(states: SharedStates, letStepEnd: Wait): void {
  const { step, heldForReview, scope, settings } = states;
  const hold = doubt.holdOwn(scope, settings);
  letStepEnd.next(hold);
  hold.next(sendDoubt(scope, settings, heldForReview));
  // Recovery has held the record already, or an operator has released it: what is stored there is theirs.
  hold.addCatch(heldForReview, {
    errors: [CONDITION_FAILED],
    assign: { doubt: doubt.OWN_DOUBT },
    outputs: PASS_INPUT_ON,
  });
  step.state.addCatch(letStepEnd, { errors: [DATA_TOO_LONG], ...FAILURE });
  if (!step.answersForItself) {
    step.state.addCatch(letStepEnd, FAILURE);
    return;
  }
  const isCertain = doubt.isTheOutcomeCertain(scope);
  const failed = recordFailure(states);
  decide(isCertain, outcomeRules(), { letStepEnd: () => letStepEnd, recordFailure: () => failed });
  step.state.addCatch(isCertain, FAILURE);
}

function recordFailure({ scope, settings }: SharedStates): State {
  const failed = finalizeFailed(scope, settings);
  const stepFailed = fail.businessStepFailed(scope);
  failed.next(sendFailure(scope, settings, stepFailed));
  // Another execution owns the record already. Our step has failed all the same.
  failed.addCatch(stepFailed, { errors: [CONDITION_FAILED], outputs: PASS_INPUT_ON });
  return failed;
}
