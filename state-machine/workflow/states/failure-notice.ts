import type { Fail, State } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { ERROR, type ErrorName } from '../../contract/error-names';
import { literal } from '../../contract/jsonata';
import { STATE, type StateName } from '../../contract/state-names';
import { type Notice, sendNotice } from '../../send-notice';
import type { Settings } from '../../settings';
import { retryNotice } from '../../tasks';

// What is sent to the failure destination, when the record says so: at least once, as a redrive sends it again.

/** A failed step of this execution. */
export function sendFailure(scope: Construct, settings: Settings, next: Fail): State {
  return send(scope, settings, next, {
    id: STATE.sendFailure,
    comment: 'Tells the failure destination: a redrive sends what was not sent',
    kind: 'FAILED',
    facts: { ...OWN, error: '$failure.Error' },
    cause: '$failure.Cause',
  });
}

/** This execution's own step, whose end nobody knows. */
export function sendDoubt(scope: Construct, settings: Settings, next: State): State {
  return send(scope, settings, next, {
    id: STATE.sendDoubt,
    comment: 'Tells the failure destination that a person has to decide',
    kind: 'IN_DOUBT',
    facts: { ...OWN, error: literal(ERROR.inDoubt) },
    cause: '$doubtCause',
  });
}

/** The step of a dead owner, whose end nobody knows. */
export function sendOwnersDoubt(scope: Construct, settings: Settings, next: State): State {
  return send(scope, settings, next, {
    id: STATE.sendOwnersDoubt,
    comment: 'Tells the failure destination of the dead owner that a person has to decide',
    kind: 'IN_DOUBT',
    facts: {
      executionArn: '$record.owner.S',
      idempotencyKey: '$idempotencyKey',
      attempt: '$number($record.attempt.N)',
      error: literal(ERROR.inDoubt),
    },
    cause: { text: 'the execution died within the business step' },
  });
}

/** A delivery that is refused for good. */
export interface Refused {
  readonly id: StateName;
  readonly error: ErrorName;
  /** True where the record of its key refuses it, whose owner is told then. */
  readonly isOfRecord: boolean;
}

/** A delivery that is refused for good, where the destination is told of those; else its end itself. */
export function sendRefusal(scope: Construct, settings: Settings, next: State, refused: Refused): State {
  if (!settings.failureDestination?.includesRefusals) return next;
  return send(scope, settings, next, {
    id: refused.id,
    comment: 'Tells the failure destination of a delivery that is refused for good',
    kind: 'REFUSED',
    facts: {
      executionArn: ME,
      ...(refused.isOfRecord && { idempotencyKey: '$idempotencyKey', owner: '$record.owner.S' }),
      error: literal(refused.error),
    },
  });
}

const ME = '$states.context.Execution.Id';

/** What is known of a step that this execution has run. */
const OWN = { executionArn: ME, idempotencyKey: '$idempotencyKey', attempt: '$attempt' } as const;

interface OwnNotice extends Notice {
  readonly id: StateName;
}

function send(scope: Construct, settings: Settings, next: State, notice: OwnNotice): State {
  const target = settings.failureDestination?.target;
  if (target === undefined) return next;
  const task = sendNotice(scope, target, { ...notice, causeCharacters: settings.causeCharacters });
  retryNotice(task);
  task.next(next);
  return task;
}
