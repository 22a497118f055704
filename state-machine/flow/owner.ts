import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { State } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import * as owner from '../expressions/owner';
import * as is from '../expressions/record';
import {
  FUNCTION_REDRIVE_REFUSED,
  OWNER_UNKNOWN,
  PASS_INPUT_ON,
  REDRIVE_REFUSED,
  REFUSALS_MAX,
} from '../settings';
import { askAboutTheOwner, isTheOwnerAlive, redriveByFunction, redriveTheOwner } from '../stages/owner';
import { both, when } from './conditions';
import type { States } from './states';

/**
 * What becomes of an unfinished record: asks about its owner, and brings a dead one back where it stopped. Returns the
 * state to begin with.
 *
 * `judgeDead` is where at-most-once delivery leads an owner that may have died within its step.
 */
export function connectOwner(states: States, redrive: State, judgeDead: State | undefined): State {
  const { read, step, inProgress, takeOver, contended, resultUnavailable, scope } = states;
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
  // Whoever succeeds has written the record before: another look finds it.
  when(alive, both(owner.HAS_SUCCEEDED, is.isRefusedTooOften(REFUSALS_MAX)), contended);
  when(alive, owner.HAS_SUCCEEDED, read, { assign: { refusals: is.REFUSALS } });
  // The step has run, and the record says so: only the owner's own end is missing.
  when(alive, both(is.IS_COMPLETED, owner.IS_REDRIVABLE), redrive);
  when(alive, is.IS_COMPLETED, resultUnavailable);

  when(alive, owner.mayStillWork(step.endsWithin.toMilliseconds()), inProgress);
  when(alive, owner.GAVE_UP, takeOver);
  if (judgeDead) {
    alive.otherwise(judgeDead);
    return ask;
  }
  when(alive, owner.IS_REDRIVABLE, redrive);
  alive.otherwise(takeOver);
  return ask;
}

/** The redrive, by the direct integration or a function. It leads to where a delivery goes while the owner works. */
export function redriveState(
  scope: Construct,
  redriveFunction: IFunction | undefined,
  inProgress: State,
): State {
  const redrive = redriveFunction ? redriveByFunction(scope, redriveFunction) : redriveTheOwner(scope);
  const refused = redriveFunction ? FUNCTION_REDRIVE_REFUSED : REDRIVE_REFUSED;
  redrive.next(inProgress);
  // Somebody else brought it back, or it has finished meanwhile.
  redrive.addCatch(inProgress, { errors: [refused], outputs: PASS_INPUT_ON });
  return redrive;
}
