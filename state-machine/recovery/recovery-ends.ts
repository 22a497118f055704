import { Fail, type INextable, type State, Succeed } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { ERROR } from '../contract/error-names';
import { expression } from '../contract/jsonata';
import { RECOVERY_STATE } from '../contract/state-names';
import type { NoticeTarget } from '../options/notice-target';
import { PASS_INPUT_ON } from '../settings';
import { HALF_AN_HOUR, retriesOf } from '../tasks/retries';
import { sendNotice } from '../tasks/send-notice';

/** The end of a recovery with nothing to do, or nothing left. Its output says how often the event was redelivered. */
export function defineNothingLeft(scope: Construct): Succeed {
  return Succeed.jsonata(scope, RECOVERY_STATE.nothingLeft, {
    comment: 'The event is finished, or a running execution has it',
    outputs: { deliveries: expression('$exists($deliveries) ? $deliveries : 0') },
  });
}

/**
 * The end of a recovery that needs an operator. Before, it sends a notice to the failure destination of the workflow,
 * at least once. If that fails for half an hour, the cause says so.
 */
export function defineGivenUp(scope: Construct, destination: NoticeTarget | undefined): State & INextable {
  const facts = ["'message': $reason", "'idempotencyKey': $idempotencyKey", `'execution': ${EXECUTION}`];
  const end = Fail.jsonata(scope, RECOVERY_STATE.givenUp, {
    comment: 'The event was accepted and is not finished: an operator must decide',
    error: ERROR.recoveryGivenUp,
    cause: expression(`$string({${facts.join(', ')}})`),
  });
  if (destination === undefined) return end as State as State & INextable;
  const notify = sendNotice(scope, destination, {
    id: RECOVERY_STATE.notifyGivenUp,
    comment: 'Notifies the failure destination: the event is not delivered again automatically',
    kind: 'GIVEN_UP',
    facts: {
      executionArn: EXECUTION,
      idempotencyKey: '$idempotencyKey',
      error: '$heldFor',
    },
    cause: '$reason',
    content: { name: 'input', jsonata: '$states.input', isKnown: '$exists($input)' },
  });
  notify.addRetry(retriesOf(HALF_AN_HOUR));
  const notNotified = "'; the failure destination was not notified: ' & $states.errorOutput.Error";
  notify.addCatch(end, {
    errors: ['States.ALL'],
    assign: { reason: expression(`$reason & ${notNotified}`) },
    outputs: PASS_INPUT_ON,
  });
  notify.next(end);
  return notify as State as State & INextable;
}

// The variables are set by then as far as the recovery has come.
const EXECUTION = '$exists($owner) ? $owner.executionArn : $states.input.detail.executionArn';
