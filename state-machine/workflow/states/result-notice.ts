import type { TaskStateBase } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { STATE, type StateName } from '../../contract/state-names';
import { type Notice, sendNotice } from '../../send-notice';
import type { Settings } from '../../settings';
import { retryNotice } from '../../tasks';

// What is sent to the success destination, when the record says COMPLETED: at least once, as a redrive sends it again.

/**
 * Sends the result, which is the input of the state and its output. One that is too long for a message is left out:
 * the message says whose output it is.
 */
export function sendResult(scope: Construct, settings: Settings): TaskStateBase | undefined {
  return send(scope, settings, {
    id: STATE.sendResult,
    comment: 'Tells the success destination the result: a redrive sends what was not sent',
    content: { name: 'result', jsonata: '$states.input' },
  });
}

/** The same for a result of which no text can be made, so that nobody can say how long it is: says where it is. */
export function sendPlaceOfResult(scope: Construct, settings: Settings): TaskStateBase | undefined {
  return send(scope, settings, {
    id: STATE.sendPlaceOfResult,
    comment: 'Tells the success destination in whose output the result is',
    facts: { resultOmitted: 'true' },
    content: null,
  });
}

const OF_THIS_EXECUTION = {
  executionArn: '$states.context.Execution.Id',
  idempotencyKey: '$idempotencyKey',
  attempt: '$attempt',
} as const;

interface Sent extends Pick<Notice, 'comment' | 'content'>, Partial<Pick<Notice, 'facts'>> {
  readonly id: StateName;
}

function send(scope: Construct, settings: Settings, sent: Sent): TaskStateBase | undefined {
  const { successDestination: target } = settings;
  if (target === undefined) return undefined;
  const task = sendNotice(scope, target, {
    ...sent,
    kind: 'COMPLETED',
    facts: { ...OF_THIS_EXECUTION, ...sent.facts },
  });
  retryNotice(task);
  return task;
}
