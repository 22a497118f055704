import type { State } from 'aws-cdk-lib/aws-stepfunctions';
import * as place from '../expressions/in-doubt';
import { IS_REDRIVABLE } from '../expressions/owner';
import * as is from '../expressions/record';
import { CONDITION_FAILED, EVALUATION_FAILED, OWNER_UNKNOWN, PASS_INPUT_ON } from '../settings';
import * as doubting from '../stages/in-doubt';
import { both, when } from './conditions';
import type { States } from './states';

/** The states that a claimant passes before its step, and those that it passes after it. */
const BEFORE = [
  'Claim record',
  'Key readable?',
  'Read record',
  'Judge record',
  'Ask about the owner',
  'Is the owner alive?',
  "Read the owner's history",
  'Cut off in the step?',
  'Redrive the owner',
  'Finalize for the owner',
  "Return the owner's result",
  'Park the record',
  'Waited long enough?',
  'Wait for the owner',
  'Take over',
];
const AFTER = [
  'Is the outcome certain?',
  'Let the step end',
  'Finalize: completed',
  'Finalize: result elsewhere',
  'Finalize: failed',
  'Finalize: in doubt',
];

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
  const isOutside = `${place.wasIn([...BEFORE, ...AFTER])} or (${place.hadLeft('Business step')})`;
  when(cutOff, both(isOutside, IS_REDRIVABLE), redrive);
  when(cutOff, place.wasIn(BEFORE), takeOver);
  cutOff.otherwise(park);
  return readHistory;
}
