import { Errors, type State, type Wait } from 'aws-cdk-lib/aws-stepfunctions';
import { STEP_FAILURE } from '../expressions/cause';
import { IS_OUTCOME_CERTAIN, OWN_DOUBT } from '../expressions/in-doubt';
import { CONDITION_FAILED, EVALUATION_FAILED, PASS_INPUT_ON } from '../settings';
import * as failing from '../stages/fail';
import { finalizeElsewhere, finalizeFailed } from '../stages/finalize';
import { finalizeInDoubt, isTheOutcomeCertain } from '../stages/in-doubt';
import { letTheStepEnd } from '../stages/run';
import { when } from './conditions';
import type { States } from './states';

/**
 * What the business step's end leads to. `inDoubt` is where at-most-once delivery ends; without it a later delivery
 * runs the step again. Returns the states that end with the result.
 */
export function connectBusinessStep(states: States, inDoubt: State | undefined): readonly State[] {
  const { step, completed, scope, settings } = states;
  step.state.next(completed);
  const lost = failing.claimLost(scope);
  completed.addCatch(lost, { errors: [CONDITION_FAILED] });
  const elsewhere = finalizeElsewhere(scope, settings);
  completed.addCatch(elsewhere, { errors: [EVALUATION_FAILED], outputs: PASS_INPUT_ON });
  elsewhere.addCatch(lost, { errors: [CONDITION_FAILED] });

  const letStepEnd = letTheStepEnd(scope, step);
  if (inDoubt) connectEndsInDoubt(states, letStepEnd, inDoubt);
  else connectEnds(states, letStepEnd);
  return [completed, elsewhere];
}

const FAILURE = { assign: { failure: STEP_FAILURE }, outputs: PASS_INPUT_ON };

function connectEnds(states: States, letStepEnd: Wait): void {
  const { step } = states;
  const failed = recordFailure(states);
  step.state.addCatch(letStepEnd, { errors: [...step.uncertainErrors], ...FAILURE });
  if (!step.uncertainErrors.includes(Errors.ALL)) step.state.addCatch(failed, FAILURE);
  letStepEnd.next(failed);
}

// A record is parked only when the step has certainly ended: whoever frees it may run the step at once.
function connectEndsInDoubt(states: States, letStepEnd: Wait, inDoubt: State): void {
  const { step, scope, settings } = states;
  const parked = finalizeInDoubt(scope, settings);
  letStepEnd.next(parked);
  parked.next(inDoubt);
  // Somebody else has parked the record already, or a person has freed it: what is stored there is theirs.
  parked.addCatch(inDoubt, {
    errors: [CONDITION_FAILED],
    assign: { doubt: OWN_DOUBT },
    outputs: PASS_INPUT_ON,
  });
  if (!step.answersForItself) {
    step.state.addCatch(letStepEnd, FAILURE);
    return;
  }
  const isCertain = isTheOutcomeCertain(scope);
  when(isCertain, IS_OUTCOME_CERTAIN, recordFailure(states));
  isCertain.otherwise(letStepEnd);
  step.state.addCatch(isCertain, FAILURE);
}

function recordFailure({ scope, settings }: States): State {
  const failed = finalizeFailed(scope, settings);
  const stepFailed = failing.businessStepFailed(scope);
  failed.next(stepFailed);
  // Somebody else owns the record already. What becomes of it is theirs; our step has failed all the same.
  failed.addCatch(stepFailed, { errors: [CONDITION_FAILED], outputs: PASS_INPUT_ON });
  return failed;
}
