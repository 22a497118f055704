import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { State } from 'aws-cdk-lib/aws-stepfunctions';
import { decide, when } from '../choice';
import { all, IS_REDRIVABLE, isRedrivenTooOften, not } from '../contract/conditions';
import { ERROR } from '../contract/error-names';
import { and, expression, or } from '../contract/jsonata';
import { ownerRules, recordRules } from '../contract/judgement';
import {
  AFTER_THE_STEP,
  BEFORE_THE_STEP,
  RESULTS_AFTER_THE_STEP,
  RESULTS_BEFORE_THE_STEP,
  SENDS_AFTER_THE_STEP,
  SENDS_BEFORE_THE_STEP,
  SENDS_OF_RESULTS,
  STATE,
} from '../contract/state-names';
import { REFUSALS, SERVICE_ERROR } from '../jsonata/variables';
import {
  CONDITION_FAILED,
  DATA_TOO_LONG,
  EVALUATION_FAILED,
  OWNER_UNKNOWN,
  PASS_INPUT_ON,
} from '../settings';
import { catchTableRefused, type SharedStates } from './shared-states';
import * as fail from './states/fail';
import { sendOwnersDoubt, sendRefusal } from './states/failure-notice';
import { finalizeForTheOwner } from './states/finalize';
import { finalizeInDoubtForTheOwner } from './states/in-doubt';
import * as asking from './states/owner';
import * as history from './states/owners-history';
import { readResult } from './states/results';
import * as stored from './states/stored-record';

// A delivery whose claim was refused: what the record says, and where that does not decide, whether its owner is alive.

/** Judges the record that refused the claim, and answers what it says; returns the states that end with a result. */
export function connectDuplicate(
  states: SharedStates,
  redriveFunction: IFunction | undefined,
): readonly State[] {
  const { read, inDoubt, scope, settings } = states;
  const judge = stored.whatDoesTheRecordSay(scope);
  read.next(judge);
  catchTableRefused(read, states.tableRefused);
  const park = inDoubt && parkingState(states, inDoubt);
  // Of an Express execution nobody can ask: its lease decides.
  const owner = settings.variant.isExpress ? undefined : connectOwner(states, redriveFunction, park);
  const returnStored = stored.returnStoredResult(scope);
  const { results } = settings;
  const fromBucket = results && readResult(scope, settings, results);
  fromBucket?.addCatch(states.resultUnavailable, { errors: [DATA_TOO_LONG] });
  fromBucket?.addCatch(states.resultUnavailable);
  const returnOwners = owner?.returnOwners;
  decide(judge, recordRules(settings.variant), {
    claim: () => states.claim,
    giveUp: () => states.contended,
    refuseForeign: () => {
      const refused = { id: STATE.sendForeignRecord, error: ERROR.foreignRecord, isOfRecord: true };
      return sendRefusal(scope, settings, fail.foreignRecord(scope), refused);
    },
    refusePayload: () => {
      const refused = { id: STATE.sendPayloadMismatch, error: ERROR.payloadMismatch, isOfRecord: true };
      return sendRefusal(scope, settings, fail.payloadMismatch(scope, settings), refused);
    },
    returnResult: () => returnStored,
    readResult: fromBucket && (() => fromBucket),
    returnOwnersResult: returnOwners && (() => returnOwners),
    resultUnavailable: () => states.resultUnavailable,
    refuseInDoubt: inDoubt && (() => inDoubt),
    returnFailure: () => fail.storedFailure(scope),
    takeOver: () => states.takeOver,
    park: park && (() => park),
    inProgress: () => states.inProgress,
    askAboutOwner: owner && (() => owner.ask),
  });
  return [returnStored, ...(fromBucket ? [fromBucket] : []), ...(returnOwners ? [returnOwners] : [])];
}

/**
 * What becomes of an unfinished record: asks about its owner, and brings a dead one back where it stopped. `park` is
 * where at-most-once delivery leads an owner that was cut off within its step.
 */
function connectOwner(
  states: SharedStates,
  redriveFunction: IFunction | undefined,
  park: State | undefined,
): { readonly ask: State; readonly returnOwners: State | undefined } {
  const { scope, settings } = states;
  const ask = asking.askAboutTheOwner(scope, settings);
  const alive = asking.isTheOwnerAlive(scope);
  ask.next(alive);
  ask.addCatch(alive, {
    errors: [...OWNER_UNKNOWN],
    assign: { owner: asking.NO_OWNER_SEEN },
    outputs: PASS_INPUT_ON,
  });
  // Whoever cannot ask knows nothing of the owner.
  const unanswered = { assign: { serviceError: SERVICE_ERROR }, outputs: PASS_INPUT_ON };
  ask.addCatch(states.inProgress, { errors: [DATA_TOO_LONG], ...unanswered });
  ask.addCatch(states.inProgress, unanswered);

  const answers = settings.variant.isPart ? undefined : answerForTheOwner(states, ask);
  const redrive = redriveState(states, redriveFunction);
  const exhausted = fail.redrivesExhausted(scope);
  const locate = park && connectHistory(states, { redrive, exhausted, park });
  const letStepEnd = asking.letTheOwnersStepEnd(scope, settings);
  letStepEnd.next(park ?? states.takeOver);
  decide(
    alive,
    ownerRules(settings.variant),
    {
      inProgress: () => states.inProgress,
      readAgain: () => states.read,
      finalizeForOwner: answers && (() => answers.finalize),
      redrive: () => redrive,
      redrivesExhausted: () => exhausted,
      askForEverything: () => ask,
      resultUnavailable: () => states.resultUnavailable,
      takeOver: () => states.takeOver,
      letStepEnd: () => letStepEnd,
      locateOwner: locate && (() => locate),
    },
    {
      readAgain: { assign: { refusals: REFUSALS } },
      askForEverything: { assign: asking.ASK_FOR_EVERYTHING },
    },
  );
  return { ask, returnOwners: answers?.returnOwners };
}

/**
 * Where the owner's output is the step's result, it can be answered with, and the record of an owner that has
 * succeeded can be finished for it. Returns the state that answers, and the one that finishes the record.
 */
function answerForTheOwner(
  { read, resultUnavailable, tableRefused, scope, settings }: SharedStates,
  ask: State,
) {
  const returnOwners = stored.returnTheOwnersResult(scope);
  const finalize = finalizeForTheOwner(scope, settings);
  // It is refused where somebody has changed the record, or where this very write was made and its answer lost.
  finalize.next(returnOwners);
  finalize.addCatch(read, { errors: [CONDITION_FAILED], outputs: PASS_INPUT_ON });
  catchTableRefused(finalize, tableRefused);
  // An owner that died before it could say what its result is: only its end is missing. Or nobody knows it, yet or any
  // more.
  returnOwners.addCatch(ask, {
    errors: [EVALUATION_FAILED, ...OWNER_UNKNOWN],
    assign: { refusals: REFUSALS },
    outputs: PASS_INPUT_ON,
  });
  returnOwners.addCatch(resultUnavailable, { errors: [DATA_TOO_LONG] });
  returnOwners.addCatch(resultUnavailable);
  return { returnOwners, finalize };
}

/** The redrive, by the direct integration or a function. It leads to where a delivery goes while the owner works. */
function redriveState({ inProgress, scope }: SharedStates, redriveFunction: IFunction | undefined): State {
  const redrive = asking.redriveTheOwner(scope, redriveFunction);
  redrive.next(inProgress);
  // Somebody else brought it back, or it has finished meanwhile; or nobody knows, and the next delivery finds out.
  redrive.addCatch(inProgress, {
    assign: { redriveError: expression('$states.errorOutput.Error') },
    outputs: PASS_INPUT_ON,
  });
  return redrive;
}

/** Parks an unfinished record whose step may have run. Loses against whoever changed the record since it was read. */
function parkingState({ read, tableRefused, scope, settings }: SharedStates, inDoubt: State): State {
  const park = finalizeInDoubtForTheOwner(scope, settings);
  park.next(sendOwnersDoubt(scope, settings, inDoubt));
  park.addCatch(read, {
    errors: [CONDITION_FAILED],
    assign: { refusals: REFUSALS },
    outputs: PASS_INPUT_ON,
  });
  catchTableRefused(park, tableRefused);
  return park;
}

/**
 * Finds out where a dead owner stopped: elsewhere than in its step it goes on as ever, or is taken over from if it had
 * not come to its step. One that has been redriven too often is taken over from before the step; behind it, it is
 * left to a person. All else is in doubt, also what cannot be read; but one that another delivery has brought back
 * since it was asked about is at work. Returns the state to begin with.
 */
function connectHistory(
  states: SharedStates,
  { redrive, exhausted, park }: { readonly redrive: State; readonly exhausted: State; readonly park: State },
): State {
  const { inProgress, takeOver, scope, settings } = states;
  const read = history.readTheOwnersHistory(scope, settings);
  const cutOff = history.cutOffInTheStep(scope);
  read.next(cutOff);
  read.addCatch(cutOff, {
    errors: [...OWNER_UNKNOWN, EVALUATION_FAILED, DATA_TOO_LONG],
    assign: history.PLACE_UNKNOWN,
    outputs: PASS_INPUT_ON,
  });
  // Where nobody answers, the next delivery asks again.
  read.addCatch(inProgress, {
    assign: { serviceError: SERVICE_ERROR, ...history.NO_PAGE },
    outputs: PASS_INPUT_ON,
  });

  when(cutOff, 'Redriven meanwhile', history.IS_OF_ANOTHER_END, inProgress);
  when(cutOff, 'Not on this page', history.IS_FURTHER_BACK, read);
  const sends = settings.failureDestination !== undefined;
  const stores = settings.results !== undefined;
  const tells = settings.successDestination !== undefined;
  const before = [
    ...BEFORE_THE_STEP,
    ...(sends ? SENDS_BEFORE_THE_STEP : []),
    ...(stores ? RESULTS_BEFORE_THE_STEP : []),
  ];
  const after = [
    ...AFTER_THE_STEP,
    ...(sends ? SENDS_AFTER_THE_STEP : []),
    ...(stores ? RESULTS_AFTER_THE_STEP : []),
    ...(tells ? SENDS_OF_RESULTS : []),
  ];
  const isOutside = or(history.wasIn([...before, ...after]), history.hadLeft(STATE.step));
  const isBehind = or(history.wasIn(after), history.hadLeft(STATE.step));
  const mayBeRedriven = all(IS_REDRIVABLE, not(isRedrivenTooOften(settings.variant.maxRedrives)));
  when(cutOff, 'Elsewhere, and redrivable', and(isOutside, mayBeRedriven.jsonata), redrive);
  when(cutOff, 'Before the step', history.wasIn(before), takeOver);
  when(cutOff, 'Behind the step, redriven too often', and(isBehind, IS_REDRIVABLE.jsonata), exhausted);
  cutOff.otherwise(park);
  return read;
}
