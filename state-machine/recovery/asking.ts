import type { Construct } from 'constructs';
import { and, expression, literals, or } from '../contract/jsonata';
import { RECOVERY_STATE } from '../contract/state-names';
import { DATA_TOO_LONG, OWNER_UNKNOWN, PASS_INPUT_ON } from '../settings';
import { retryUnless, SfnTask } from '../tasks';

// What Step Functions says of the execution that has ended: where its event leaves it out, and before each delivery.

/**
 * Reads what the event does not tell: all of it where the schedule has found the execution, its input where that is
 * too long for an event. The output has the form of the event's detail.
 */
export function readTheInput(scope: Construct): SfnTask {
  const told = (name: string) => `'${name.charAt(0).toLowerCase()}${name.slice(1)}': $states.result.${name}`;
  const members = ['ExecutionArn', 'StateMachineArn', 'Name', 'Status', 'Error', 'RedriveCount', 'Input'];
  const stopDate =
    "'startDate': $toMillis($states.result.StartDate), 'stopDate': $toMillis($states.result.StopDate), " +
    "'isAsked': true";
  const task = new SfnTask(scope, RECOVERY_STATE.readInput, {
    comment: 'The event does not tell the input of the execution: Step Functions does, up to 256 KiB in all',
    operation: 'describeExecution',
    request: { ExecutionArn: expression('$states.input.executionArn') },
    outputs: unlessBehind('$states.input', `{${[...members.map(told), stopDate].join(', ')}}`),
  });
  retryUnless(task, [...OWNER_UNKNOWN, DATA_TOO_LONG], ASKED_AGAIN);
  return task;
}

/** Asks what has become of the execution meanwhile. Not for its data, which are known. */
export function askAboutTheExecution(scope: Construct): SfnTask {
  const stopDate = '$toMillis($states.result.StopDate)';
  const error = "'error': $exists($states.result.Error) ? $states.result.Error : $isAskedForAll ? ''";
  const task = new SfnTask(scope, RECOVERY_STATE.ask, {
    comment: 'Is it still dead? Somebody may have redriven it',
    operation: 'describeExecution',
    request: {
      ExecutionArn: expression('$execution.executionArn'),
      IncludedData: expression("$isAskedForAll ? 'ALL_DATA' : 'METADATA_ONLY'"),
    },
    assign: {
      execution: unlessBehind(
        '$execution',
        "$merge([$execution, {'status': $states.result.Status, " +
          `'stopDate': ${stopDate}, 'redriveCount': $states.result.RedriveCount, ${error}}])`,
      ),
      isAskedForAll: false,
      // One that runs again has no end.
      end: expression(`$exists($end) ? $end : $exists($states.result.StopDate) ? ${stopDate} : 0`),
    },
    outputs: PASS_INPUT_ON,
  });
  retryUnless(task, [...OWNER_UNKNOWN, DATA_TOO_LONG], ASKED_AGAIN);
  return task;
}

/**
 * What an answer of DescribeExecution says, which is eventually consistent. Where it counts fewer redrives than the
 * execution had when it ended, or as many and says that it runs, it is behind: the evaluation fails, and asks again.
 * An earlier end would be taken for this one, which nobody would recover then. `known` is what has been told before.
 */
function unlessBehind(known: string, said: string): string {
  const count = '$states.result.RedriveCount';
  const runs = and("$states.result.Status = 'RUNNING'", `$not(${known}.status = 'RUNNING')`);
  const isBehind = and(
    `$type(${known}.redriveCount) = 'number'`,
    or(`${count} < ${known}.redriveCount`, and(runs, `${count} = ${known}.redriveCount`)),
  );
  return expression(`${isBehind} ? $error('the answer is behind') : ${said}`);
}

/** So often it is asked again where an answer is behind: for four minutes. */
const ASKED_AGAIN = 8;

/**
 * True where it was stopped, and nobody has said with which error: the event of its end need not, and an answer without
 * data need not, either. Whoever stops one for good says so in the error.
 */
export const IS_ERROR_MISSING = "$execution.status = 'ABORTED' and $not($exists($execution.error))";

/** The variables when it is asked about once more, for all of its data. */
export const ASK_FOR_ALL = { isAskedForAll: true };

/** The variables when an answer with all of its data is too long for a state: it was not stopped for good, then. */
export const ERROR_UNKNOWN = {
  isAskedForAll: false,
  execution: expression("$merge([$execution, {'error': ''}])"),
};

/** True where it has ended with one of these errors, of which the event of its end has not told. */
export function hasEndedWith(errors: readonly string[]): string {
  return `$execution.error in ${literals(errors)}`;
}
