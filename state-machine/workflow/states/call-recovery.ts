import type { Construct } from 'constructs';
import { expression } from '../../contract/jsonata';
import { RECORD } from '../../contract/record';
import { STATE } from '../../contract/state-names';
import { ASKING_REFUSED, NAME_TAKEN_SDK, PASS_INPUT_ON, type Settings } from '../../settings';
import { retryPatiently, SfnTask } from '../../tasks';

/**
 * Deliveries of one key start one recovery of its owner within this time, in milliseconds. A name of Step Functions is
 * not free again for 90 days: without a time in it, a recovery that was stopped, or that left a running owner alone,
 * could never be started again for this claim.
 */
const ONE_RECOVERY_WITHIN_MS = 15 * 60 * 1000;

/**
 * Starts recovery for the owner of the record that was read, under a name made of the owner, its claim and a quarter of
 * an hour. An execution of that name is the recovery of another delivery: that is success.
 *
 * Recovery gets the ARN of this delivery as well: if Step Functions does not know the owner, its input is not known
 * either, and that of this delivery, of the same key and payload, is delivered again.
 */
export function callRecovery(scope: Construct, { patience }: Settings, recoveryArn: string): SfnTask {
  const claim = [`$record.${RECORD.owner}.S`, `$record.${RECORD.attempt}.N`, `$record.${RECORD.claimId}.S`];
  const time = `$formatBase($floor($millis() / ${ONE_RECOVERY_WITHIN_MS}), 10)`;
  const task = new SfnTask(scope, STATE.callRecovery, {
    comment: 'The owner should have finished by now: starts the recovery that decides what becomes of it',
    operation: 'startExecution',
    request: {
      StateMachineArn: recoveryArn,
      Name: expression(`$substring($hash(${[...claim, time].join(" & '#' & ")}, 'SHA-256'), 0, 32)`),
      Input: expression(
        `$string({'detail': {'executionArn': $record.${RECORD.owner}.S}, ` +
          "'deliveryArn': $states.context.Execution.Id, 'workflowArn': $states.context.StateMachine.Id})",
      ),
    },
    outputs: PASS_INPUT_ON,
  });
  retryPatiently(task, patience, { refused: ASKING_REFUSED, answers: [...NAME_TAKEN_SDK] });
  return task;
}
