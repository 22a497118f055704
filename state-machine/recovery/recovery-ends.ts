import { Fail, type INextable, type State, Succeed } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { ERROR } from '../contract/error-names';
import { expression } from '../contract/jsonata';
import { RECOVERY_STATE } from '../contract/state-names';
import type { NoticeTarget } from '../options/notice-target';
import { HALF_AN_HOUR, retriesOf } from '../retries';
import { sendNotice } from '../send-notice';
import { PASS_INPUT_ON } from '../settings';

/** The end of a recovery with nothing to do, or nothing left. Its output tells how often the event was delivered again. */
export function nothingLeft(scope: Construct): Succeed {
  return Succeed.jsonata(scope, RECOVERY_STATE.nothingLeft, {
    comment: 'The event has reached its end, or is in the hands of an execution that lives',
    outputs: { deliveries: expression('$exists($deliveries) ? $deliveries : 0') },
  });
}

/**
 * The end of a recovery that needs a person. The destination of the workflow's failures is told of it before: at least
 * once, and where it cannot be told for half an hour, the cause says so.
 */
export function givenUp(scope: Construct, destination: NoticeTarget | undefined): State & INextable {
  const facts = ["'message': $reason", "'idempotencyKey': $idempotencyKey", `'execution': ${EXECUTION}`];
  const end = Fail.jsonata(scope, RECOVERY_STATE.givenUp, {
    comment: 'The event was accepted and has not reached its end: a person has to look',
    error: ERROR.recoveryGivenUp,
    cause: expression(`$string({${facts.join(', ')}})`),
  });
  if (destination === undefined) return end as State as State & INextable;
  const tell = sendNotice(scope, destination, {
    id: RECOVERY_STATE.notifyGivenUp,
    comment: 'Tells the failure destination that nobody delivers the event any more',
    kind: 'GIVEN_UP',
    facts: {
      executionArn: EXECUTION,
      idempotencyKey: '$idempotencyKey',
      error: '$heldFor',
    },
    cause: '$reason',
    content: { name: 'input', jsonata: '$states.input', isKnown: '$exists($input)' },
  });
  tell.addRetry(retriesOf(HALF_AN_HOUR));
  const untold = "'; the failure destination was not told: ' & $states.errorOutput.Error";
  tell.addCatch(end, {
    errors: ['States.ALL'],
    assign: { reason: expression(`$reason & ${untold}`) },
    outputs: PASS_INPUT_ON,
  });
  tell.next(end);
  return tell as State as State & INextable;
}

// The variables are set by then as far as the recovery has come.
const EXECUTION = '$exists($owner) ? $owner.executionArn : $states.input.detail.executionArn';
