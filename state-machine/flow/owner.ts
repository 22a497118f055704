import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Choice, State } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { expression } from '../expressions/jsonata';
import * as owner from '../expressions/owner';
import * as is from '../expressions/record';
import { CONDITION_FAILED, EVALUATION_FAILED, OWNER_UNKNOWN, PASS_INPUT_ON, REFUSALS_MAX } from '../settings';
import { finalizeForTheOwner } from '../stages/finalize';
import { returnTheOwnersResult } from '../stages/inspect';
import { askAboutTheOwner, isTheOwnerAlive, redriveByFunction, redriveTheOwner } from '../stages/owner';
import { both, not, when } from './conditions';
import type { States } from './states';

/**
 * What becomes of an unfinished record: asks about its owner, and brings a dead one back where it stopped. Returns the
 * state to begin with.
 *
 * `judgeDead` is where at-most-once delivery leads an owner that may have died within its step.
 */
export function connectOwner(states: States, redrive: State, judgeDead: State | undefined): Owner {
  const { read, step, inProgress, takeOver, scope, settings } = states;
  const ask = askAboutTheOwner(scope);
  const alive = isTheOwnerAlive(scope);
  ask.next(alive);
  ask.addCatch(alive, {
    errors: [OWNER_UNKNOWN],
    assign: { owner: owner.NO_OWNER_SEEN },
    outputs: PASS_INPUT_ON,
  });

  when(alive, owner.IS_RUNNING, inProgress);
  when(alive, owner.IS_NOT_VISIBLE_YET, inProgress);
  const returnOwners = settings.isPart ? undefined : answerForTheOwner(states, ask, alive);
  // Whoever succeeds has written the record before: another look finds it. Not so an owner that did more than this, and
  // caught what went wrong here.
  const looksAgain = settings.isPart
    ? both(owner.HAS_SUCCEEDED, not(is.isRefusedTooOften(REFUSALS_MAX)))
    : owner.HAS_SUCCEEDED;
  when(alive, looksAgain, read, { assign: { refusals: is.REFUSALS } });
  // The step has run, and the record says so: only the owner's own end is missing.
  if (returnOwners) {
    when(alive, both(is.IS_COMPLETED, owner.IS_REDRIVABLE), redrive);
    when(alive, is.IS_COMPLETED, states.resultUnavailable);
  }

  when(alive, owner.mayStillWork(step.endsWithin.toSeconds()), inProgress);
  when(alive, owner.GAVE_UP, takeOver);
  if (settings.isPart) when(alive, owner.IS_BEYOND_REDRIVE, takeOver);
  if (!judgeDead) when(alive, owner.IS_REDRIVABLE, redrive);
  alive.otherwise(judgeDead ?? takeOver);
  return { ask, returnOwners };
}

/**
 * Where the owner's output is the step's result, it can be answered with, and the record of an owner that has
 * succeeded can be finished for it. Returns the state that answers.
 */
function answerForTheOwner(
  { read, resultUnavailable, scope, settings }: States,
  ask: State,
  alive: Choice,
): State {
  const returnOwners = returnTheOwnersResult(scope);
  const finalize = finalizeForTheOwner(scope, settings);
  when(alive, both(owner.HAS_SUCCEEDED, is.isRefusedTooOften(REFUSALS_MAX)), finalize);
  // It is refused where somebody has changed the record, or where this very write was made and its answer lost.
  finalize.next(returnOwners);
  finalize.addCatch(read, { errors: [CONDITION_FAILED], outputs: PASS_INPUT_ON });
  // An owner that died before it could say what its result is: only its end is missing.
  returnOwners.addCatch(ask, {
    errors: [EVALUATION_FAILED],
    assign: { refusals: is.REFUSALS },
    outputs: PASS_INPUT_ON,
  });
  returnOwners.addCatch(resultUnavailable);
  return returnOwners;
}

/** Where to ask about an owner, and where its own output is the answer; undefined: it never is. */
export interface Owner {
  readonly ask: State;
  readonly returnOwners: State | undefined;
}

/** The redrive, by the direct integration or a function. It leads to where a delivery goes while the owner works. */
export function redriveState(
  scope: Construct,
  redriveFunction: IFunction | undefined,
  inProgress: State,
): State {
  const redrive = redriveFunction ? redriveByFunction(scope, redriveFunction) : redriveTheOwner(scope);
  redrive.next(inProgress);
  // Somebody else brought it back, or it has finished meanwhile; or nobody knows, and the next look tells.
  redrive.addCatch(inProgress, {
    assign: { redriveError: expression('$states.errorOutput.Error') },
    outputs: PASS_INPUT_ON,
  });
  return redrive;
}
