import type { Fail, State } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { ERROR } from '../../contract/error-names';
import { literal } from '../../contract/jsonata';
import { STATE, type StateName } from '../../contract/state-names';
import { EXECUTION_ARN } from '../../jsonata/variables';
import type { Settings } from '../../settings';
import { retryForHours } from '../../tasks/retries';
import { type Notice, OWN_STEP, sendNotice } from '../../tasks/send-notice';
import type { Rejection } from './fail';

// The message to the failure destination, when the record says so: at least once, because a redrive sends it again.

/** A failed step of this execution. */
export function sendFailure(scope: Construct, settings: Settings, next: Fail): State {
  return send(scope, settings, next, {
    id: STATE.sendFailure,
    comment: 'Notifies the failure destination: a redrive sends what was not sent',
    kind: 'FAILED',
    facts: { ...OWN_STEP, error: '$failure.Error' },
    cause: '$failure.Cause',
  });
}

/** This execution's own step, which may have run. */
export function sendDoubt(scope: Construct, settings: Settings, next: State): State {
  return send(scope, settings, next, {
    id: STATE.sendDoubt,
    comment: 'Notifies the failure destination that an operator must decide',
    kind: 'IN_DOUBT',
    facts: { ...OWN_STEP, error: literal(ERROR.inDoubt) },
    cause: '$doubtCause',
  });
}

/** The step of an ended owner, which may have run. */
export function sendOwnersDoubt(scope: Construct, settings: Settings, next: State): State {
  return send(scope, settings, next, {
    id: STATE.sendOwnersDoubt,
    comment: 'Notifies the failure destination: an operator must decide about the ended owner',
    kind: 'IN_DOUBT',
    facts: {
      executionArn: '$record.owner.S',
      idempotencyKey: '$idempotencyKey',
      attempt: '$number($record.attempt.N)',
      error: literal(ERROR.inDoubt),
    },
    cause: { text: 'the execution ended within the business step' },
  });
}

/**
 * The notice of a delivery that is rejected for good, if the destination gets those; otherwise its end itself. If the
 * record of its key rejects it, the notice names its owner.
 *
 * `storeError` does not cut the cause: unlike that of a step, it has no value of the event.
 */
export function sendRejection(
  scope: Construct,
  settings: Settings,
  { end, error, cause }: Rejection,
  { id, isOfRecord }: { readonly id: StateName; readonly isOfRecord: boolean },
): State {
  if (!settings.failureDestination?.includesRejections) return end;
  return send(scope, { ...settings, causeCharacters: undefined }, end, {
    id,
    comment: 'Notifies the failure destination of a delivery that is rejected for good',
    kind: 'REJECTED',
    facts: {
      executionArn: EXECUTION_ARN,
      ...(isOfRecord && { idempotencyKey: '$idempotencyKey', owner: '$record.owner.S' }),
      error: literal(error),
    },
    cause,
  });
}

interface OwnNotice extends Notice {
  readonly id: StateName;
}

function send(scope: Construct, settings: Settings, next: State, notice: OwnNotice): State {
  const target = settings.failureDestination?.target;
  if (target === undefined) return next;
  const task = sendNotice(scope, target, { ...notice, causeCharacters: settings.causeCharacters });
  // After the last attempt nothing catches the error: the execution fails in this state, and a redrive sends again.
  retryForHours(task, []);
  task.next(next);
  return task;
}
