import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { OWNER_NOT_FOUND } from '../contract/conditions';
import { and, expression, not, or } from '../contract/jsonata';
import { RECOVERY_STATE } from '../contract/state-names';
import { PASS_INPUT_ON } from '../settings';
import { DATA_TOO_LONG, OWNER_UNKNOWN } from '../tasks/aws-error-names';
import { retryForHours } from '../tasks/retries';
import { SfnTask } from '../tasks/sfn-task';

// What Step Functions says of the execution that has ended: what its event does not contain, and before each decision.

/**
 * Reads what the input of recovery does not contain: all of it for an execution that a search has found, its input if
 * that is too long for an event. If a delivery has started this recovery, its own input, of the same key and payload,
 * is read: the owner may not be known any more. The output has the form of recovery's input.
 */
export function readTheInput(scope: Construct): SfnTask {
  const asked = '$states.input.detail';
  const told =
    "$states.result.{'executionArn': ExecutionArn, 'stateMachineArn': StateMachineArn, 'status': Status, " +
    "'error': Error, 'redriveCount': RedriveCount, 'input': Input, 'startDate': $toMillis(StartDate), " +
    "'stopDate': $toMillis(StopDate)}";
  const ofDelivery = "{'executionArn': $in.detail.executionArn, 'input': $states.result.Input}";
  const detail = `$in.deliveryArn ? ${ofDelivery} : ${told}`;
  const task = new SfnTask(scope, RECOVERY_STATE.readInput, {
    comment: 'The event does not contain the input: Step Functions knows it, up to 256 KiB in all',
    operation: 'describeExecution',
    request: {
      ExecutionArn: expression(
        `$exists($states.input.deliveryArn) ? $states.input.deliveryArn : ${asked}.executionArn`,
      ),
    },
    assign: { isBehind: unlessBehind(asked) },
    outputs: expression(`( $in := $states.input; $merge([$in, {'isAsked': true, 'detail': ${detail}}]) )`),
  });
  // A delivery that was started a moment ago may not be visible yet.
  task.addRetry({
    errors: [...OWNER_UNKNOWN],
    interval: Duration.seconds(5),
    backoffRate: 2,
    maxAttempts: 6,
  });
  retryForHours(task, [DATA_TOO_LONG], ASKED_AGAIN);
  return task;
}

/**
 * Asks what has become of the execution. With its data, because its error may be missing without; if these are too long
 * for a state, without them.
 */
export function askAboutTheOwner(scope: Construct): SfnTask {
  const seen =
    "$merge([{'executionArn': $owner.executionArn}, $states.result.{'status': Status, 'error': Error, " +
    "'startDate': $toMillis(StartDate), 'stopDate': $toMillis(StopDate), 'redriveCount': RedriveCount, " +
    "'redriveStatus': RedriveStatus}])";
  const task = new SfnTask(scope, RECOVERY_STATE.ask, {
    comment: 'Has the execution ended, and how? It may have been redriven',
    operation: 'describeExecution',
    request: {
      ExecutionArn: expression('$owner.executionArn'),
      IncludedData: expression('$includedData'),
    },
    assign: {
      isBehind: unlessBehind('$owner'),
      owner: expression(seen),
      endedAt: expression('$max([0, $toMillis($states.result.StopDate)])'),
      isAsked: true,
    },
    outputs: PASS_INPUT_ON,
  });
  retryForHours(task, [...OWNER_UNKNOWN, DATA_TOO_LONG], ASKED_AGAIN);
  return task;
}

/** The variables if the answer is too long for a state: the next one is asked for without the execution's data. */
export const WITHOUT_DATA = { includedData: 'METADATA_ONLY' };

/**
 * The variables if Step Functions does not know the execution: it has ended by now. It may have been redriven since the
 * reported end, and have run until a moment ago.
 */
export const NOT_FOUND = {
  owner: expression(`$merge([$owner, {'status': '${OWNER_NOT_FOUND}', 'redriveStatus': 'NOT_REDRIVABLE'}])`),
  endedAt: expression('$endedAt > 0 ? $endedAt : $millis()'),
  unknownAt: expression(`$owner.status = '${OWNER_NOT_FOUND}' ? $unknownAt : $millis()`),
  isAsked: true,
};

/**
 * False, for an answer of DescribeExecution, which is eventually consistent. If it counts fewer redrives than the
 * execution had when it ended, or as many and says that it runs, it is behind: the evaluation fails, and asks again.
 * `known` is the fact before: if the execution was running then, it may still run.
 */
function unlessBehind(known: string): string {
  const count = '$states.result.RedriveCount';
  const runs = "$states.result.Status = 'RUNNING'";
  const hadEnded = not(`${known}.status in ['RUNNING', 'PENDING_REDRIVE']`);
  const isBehind = and(
    `$type(${known}.redriveCount) = 'number'`,
    or(`${count} < ${known}.redriveCount`, and(runs, `${count} = ${known}.redriveCount`, hadEnded)),
  );
  return expression(`${isBehind} ? $error('the answer is behind') : false`);
}

/** So often it is asked again if an answer is behind: for four minutes. */
const ASKED_AGAIN = 8;
