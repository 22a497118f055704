import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { State } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { expression } from '../contract/jsonata';
import { ownerRules } from '../contract/judgement';
import * as owner from '../expressions/owner';
import * as is from '../expressions/record';
import { CONDITION_FAILED, EVALUATION_FAILED, OWNER_UNKNOWN, PASS_INPUT_ON } from '../settings';
import { finalizeForTheOwner } from '../stages/finalize';
import { returnTheOwnersResult } from '../stages/inspect';
import { askAboutTheOwner, isTheOwnerAlive, redriveByFunction, redriveTheOwner } from '../stages/owner';
import { decide } from './conditions';
import type { States } from './states';

/**
 * What becomes of an unfinished record: asks about its owner, and brings a dead one back where it stopped. Returns the
 * state to begin with.
 *
 * `locate` is where at-most-once delivery finds out where a dead owner stopped.
 */
export function connectOwner(states: States, redrive: State, locate: State | undefined): Owner {
  const { read, inProgress, takeOver, scope, settings } = states;
  const ask = askAboutTheOwner(scope);
  const alive = isTheOwnerAlive(scope);
  ask.next(alive);
  ask.addCatch(alive, {
    errors: [OWNER_UNKNOWN],
    assign: { owner: owner.NO_OWNER_SEEN },
    outputs: PASS_INPUT_ON,
  });

  const answers = settings.variant.isPart ? undefined : answerForTheOwner(states, ask);
  decide(
    alive,
    ownerRules(settings.variant),
    {
      inProgress: () => inProgress,
      readAgain: () => read,
      finalizeForOwner: answers && (() => answers.finalize),
      redrive: () => redrive,
      resultUnavailable: () => states.resultUnavailable,
      takeOver: () => takeOver,
      locateOwner: locate && (() => locate),
    },
    { readAgain: { assign: { refusals: is.REFUSALS } } },
  );
  return { ask, returnOwners: answers?.returnOwners };
}

/**
 * Where the owner's output is the step's result, it can be answered with, and the record of an owner that has
 * succeeded can be finished for it. Returns the state that answers, and the one that finishes the record.
 */
function answerForTheOwner({ read, resultUnavailable, scope, settings }: States, ask: State) {
  const returnOwners = returnTheOwnersResult(scope);
  const finalize = finalizeForTheOwner(scope, settings);
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
  return { returnOwners, finalize };
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
