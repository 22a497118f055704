import type { State } from 'aws-cdk-lib/aws-stepfunctions';
import { IS_REDRIVABLE } from '../contract/conditions';
import { and, or } from '../contract/jsonata';
import { AFTER_THE_STEP, BEFORE_THE_STEP, STEP_STATE } from '../contract/state-names';
import * as place from '../expressions/in-doubt';
import * as is from '../expressions/record';
import { CONDITION_FAILED, EVALUATION_FAILED, OWNER_UNKNOWN, PASS_INPUT_ON } from '../settings';
import * as doubting from '../stages/in-doubt';
import { when } from './conditions';
import type { States } from './states';

/** Parks an unfinished record whose step may have run. Loses against whoever changed the record since it was read. */
export function parkingState({ scope, settings, read }: States, inDoubt: State): State {
  const park = doubting.parkTheRecord(scope, settings);
  park.next(inDoubt);
  park.addCatch(read, {
    errors: [CONDITION_FAILED],
    assign: { refusals: is.REFUSALS },
    outputs: PASS_INPUT_ON,
  });
  return park;
}

/**
 * Finds out where a dead owner stopped: elsewhere than in its step it goes on as ever, or is taken over from if it had
 * not come to its step. All else is in doubt, also what cannot be read. Returns the state to begin with.
 */
export function connectDeadOwner(states: States, redrive: State, park: State): State {
  const { scope, takeOver } = states;
  const readHistory = doubting.readTheOwnersHistory(scope);
  const cutOff = doubting.cutOffInTheStep(scope);
  readHistory.next(cutOff);
  readHistory.addCatch(cutOff, {
    errors: [OWNER_UNKNOWN, EVALUATION_FAILED, 'States.DataLimitExceeded'],
    assign: place.PLACE_UNKNOWN,
    outputs: PASS_INPUT_ON,
  });

  when(cutOff, place.IS_FURTHER_BACK, readHistory);
  const isOutside = or(place.wasIn([...BEFORE_THE_STEP, ...AFTER_THE_STEP]), place.hadLeft(STEP_STATE));
  when(cutOff, and(isOutside, IS_REDRIVABLE.jsonata), redrive);
  when(cutOff, place.wasIn(BEFORE_THE_STEP), takeOver);
  cutOff.otherwise(park);
  return readHistory;
}
