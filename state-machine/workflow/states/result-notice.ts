import type { TaskStateBase } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { STATE, type StateName } from '../../contract/state-names';
import type { Settings } from '../../settings';
import { retryForHours } from '../../tasks/retries';
import { type Notice, OWN_STEP, sendNotice } from '../../tasks/send-notice';

// The message to the success destination, when the record says COMPLETED: at least once, because a redrive sends it
// again.

/**
 * Sends the result, which is the input of the state and its output. One that is too long for a message is left out:
 * the message says whose output it is.
 */
export function sendResult(scope: Construct, settings: Settings): TaskStateBase | undefined {
  return send(scope, settings, {
    id: STATE.sendResult,
    comment: 'Sends the result to the success destination: a redrive sends what was not sent',
    content: { name: 'result', jsonata: '$states.input' },
  });
}

/** The same for a result that has no text, so that its length is unknown: says where it is. */
export function sendPointerToResult(scope: Construct, settings: Settings): TaskStateBase | undefined {
  return send(scope, settings, {
    id: STATE.sendPlaceOfResult,
    comment: 'Notifies the success destination: the result is in the output of this execution',
    facts: { resultOmitted: 'true' },
    content: null,
  });
}

interface Sent extends Pick<Notice, 'comment' | 'content'>, Partial<Pick<Notice, 'facts'>> {
  readonly id: StateName;
}

function send(scope: Construct, settings: Settings, sent: Sent): TaskStateBase | undefined {
  const { successDestination: target } = settings;
  if (target === undefined) return undefined;
  const task = sendNotice(scope, target, {
    ...sent,
    kind: 'COMPLETED',
    facts: { ...OWN_STEP, ...sent.facts },
  });
  // As for the failure destination: a redrive sends again.
  retryForHours(task, []);
  return task;
}
