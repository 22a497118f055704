import type { State, TaskStateBase, Wait } from 'aws-cdk-lib/aws-stepfunctions';
import { when } from '../choice';
import { ERROR } from '../contract/error-names';
import { not } from '../contract/jsonata';
import { STATE } from '../contract/state-names';
import { EVALUATION_ERROR, FAILED_EVALUATIONS, REFUSALS, STEP_FAILURE } from '../jsonata/variables';
import { CONDITION_FAILED, DATA_TOO_LONG, EVALUATION_FAILED, PASS_INPUT_ON } from '../settings';
import type { DynamoTask } from '../tasks';
import { catchTableRefused, type SharedStates } from './shared-states';
import { letTheStepEnd } from './states/business-step';
import * as claiming from './states/claim';
import * as fail from './states/fail';
import { sendDoubt, sendFailure, sendRefusal } from './states/failure-notice';
import { finalizeElsewhere, finalizeFailed, finalizeStored } from './states/finalize';
import * as doubt from './states/in-doubt';
import { sendPlaceOfResult, sendResult } from './states/result-notice';
import { storeResult } from './states/results';

// The first delivery of a key: claim, business step, finalize.

/** The claim leads to the business step; a refused one to the record that refused it. */
export function connectClaim(states: SharedStates): void {
  const { claim, read, takeOver, step, tableRefused, settings } = states;
  claim.next(step.state);
  claim.addCatch(read, {
    errors: [CONDITION_FAILED],
    assign: claiming.variablesAfterRefusal(settings),
    outputs: PASS_INPUT_ON,
  });

  catchTableRefused(claim, tableRefused);
  catchTableRefused(takeOver, tableRefused);
  claim.addCatch(connectUnevaluated(states), {
    errors: [EVALUATION_FAILED],
    assign: { failedEvaluations: FAILED_EVALUATIONS, evaluationError: EVALUATION_ERROR },
    outputs: PASS_INPUT_ON,
  });

  // The other way to own the record leads to the step as well.
  takeOver.next(step.state);
  takeOver.addCatch(read, {
    errors: [CONDITION_FAILED],
    assign: { refusals: REFUSALS },
    outputs: PASS_INPUT_ON,
  });
}

/**
 * Finds out which expression of a claim could not be evaluated, each by itself: the service's texts decide nothing.
 * Returns the state to begin with.
 */
function connectUnevaluated(states: SharedStates): State {
  const { claim, contended, tableRefused, scope, settings } = states;
  const check = claiming.checkTheKey(scope, settings);
  const why = claiming.whyDidTheClaimFail(scope);
  check.next(why);
  // Where somebody is told, it is of the event, not of the error.
  const onward = settings.failureDestination && { outputs: PASS_INPUT_ON };
  check.addCatch(refuseMissingKey(states), {
    errors: [EVALUATION_FAILED],
    assign: { evaluationError: EVALUATION_ERROR },
    ...onward,
  });
  catchTableRefused(check, tableRefused);
  when(why, 'Perhaps a limit of the service', claiming.MAY_CLAIM_AGAIN, claim);
  if (settings.payload !== undefined)
    when(why, 'The payload', not(claiming.hasClaimed(settings)), refuseInvalidPayload(states));
  why.otherwise(contended);
  return check;
}

function refuseInvalidPayload({ scope, settings }: SharedStates): State {
  const { sendInvalidPayload: id } = STATE;
  const refused = { id, error: ERROR.invalidPayload, isOfRecord: false };
  return sendRefusal(scope, settings, fail.invalidPayload(scope), refused);
}

function refuseMissingKey({ scope, settings }: SharedStates): State {
  const refused = { id: STATE.sendMissingKey, error: ERROR.missingKey, isOfRecord: false };
  return sendRefusal(scope, settings, fail.missingKey(scope), refused);
}

/** What the business step's end leads to. Returns the states that end with the result. */
export function connectBusinessStep(states: SharedStates): readonly State[] {
  const { step, completed, inDoubt, scope, settings } = states;
  step.state.next(completed);
  const lost = fail.claimLost(scope);
  completed.addCatch(lost, { errors: [CONDITION_FAILED] });
  const elsewhere = finalizeElsewhere(scope, settings);
  elsewhere.addCatch(lost, { errors: [CONDITION_FAILED] });
  const stored = connectStoredResult(states, { elsewhere, lost });
  completed.addCatch(stored?.store ?? elsewhere, { errors: [EVALUATION_FAILED], outputs: PASS_INPUT_ON });

  const letStepEnd = letTheStepEnd(scope, step);
  if (inDoubt) connectEndsInDoubt(states, letStepEnd, inDoubt);
  else connectEnds(states, letStepEnd);
  const send = sendResult(scope, settings);
  return [
    sending(completed, send),
    ...(stored ? [sending(stored.finalize, send)] : []),
    sending(elsewhere, sendPlaceOfResult(scope, settings)),
  ];
}

/** The last state of what writes the record, and then sends where anybody is told. */
function sending(finalize: DynamoTask, send: TaskStateBase | undefined): State {
  if (send === undefined) return finalize;
  finalize.next(send);
  return send;
}

/**
 * Where there is a bucket for results: puts the result there, and only then finishes the record, which says where.
 * A result that cannot be put, or of which S3 tells no hash, is left to the owner's execution.
 */
function connectStoredResult(
  { scope, settings }: SharedStates,
  { elsewhere, lost }: { readonly elsewhere: State; readonly lost: State },
) {
  const { results } = settings;
  if (!results) return undefined;
  const store = storeResult(scope, settings, results);
  const finalize = finalizeStored(scope, settings);
  store.next(finalize);
  store.addCatch(elsewhere, { errors: [EVALUATION_FAILED, DATA_TOO_LONG], outputs: PASS_INPUT_ON });
  finalize.addCatch(lost, { errors: [CONDITION_FAILED] });
  return { store, finalize };
}

const FAILURE = { assign: { failure: STEP_FAILURE }, outputs: PASS_INPUT_ON };

function connectEnds(states: SharedStates, letStepEnd: Wait): void {
  const { step, scope } = states;
  const failed = recordFailure(states);
  letStepEnd.next(failed);
  if (!step.answersForItself) {
    step.state.addCatch(letStepEnd, { errors: [DATA_TOO_LONG], ...FAILURE });
    step.state.addCatch(letStepEnd, FAILURE);
    return;
  }
  const isCertain = doubt.isTheOutcomeCertain(scope);
  when(isCertain, 'It is', doubt.HAS_ANSWERED, failed);
  isCertain.otherwise(letStepEnd);
  step.state.addCatch(isCertain, { errors: [...step.uncertainErrors], ...FAILURE });
  step.state.addCatch(failed, { errors: [DATA_TOO_LONG], ...FAILURE });
  step.state.addCatch(failed, FAILURE);
}

// At most once. A record is parked only when the step has certainly ended: whoever frees it may run the step at once.
function connectEndsInDoubt(states: SharedStates, letStepEnd: Wait, inDoubt: State): void {
  const { step, scope, settings } = states;
  const parked = doubt.finalizeInDoubt(scope, settings);
  letStepEnd.next(parked);
  parked.next(sendDoubt(scope, settings, inDoubt));
  // Somebody else has parked the record already, or a person has freed it: what is stored there is theirs.
  parked.addCatch(inDoubt, {
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
  when(isCertain, 'It is', doubt.IS_OUTCOME_CERTAIN, recordFailure(states));
  isCertain.otherwise(letStepEnd);
  step.state.addCatch(isCertain, FAILURE);
}

function recordFailure({ scope, settings }: SharedStates): State {
  const failed = finalizeFailed(scope, settings);
  const stepFailed = fail.businessStepFailed(scope);
  failed.next(sendFailure(scope, settings, stepFailed));
  // Somebody else owns the record already. What becomes of it is theirs; our step has failed all the same.
  failed.addCatch(stepFailed, { errors: [CONDITION_FAILED], outputs: PASS_INPUT_ON });
  return failed;
}
