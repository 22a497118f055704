import { Choice } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { expression, literals } from '../contract/jsonata';
import { RECOVERY_STATE } from '../contract/state-names';
import { PASS_INPUT_ON } from '../settings';
import { DATA_TOO_LONG, OWNER_UNKNOWN } from '../tasks/aws-error-names';
import { retryForHours } from '../tasks/retries';
import { SfnTask } from '../tasks/sfn-task';

// At-most-once delivery: where an ended owner stopped.

/** How the history of an execution ends that did not succeed. */
const ENDS = ['ExecutionFailed', 'ExecutionTimedOut', 'ExecutionAborted'];

/** By how much the two reports of one end may differ, in milliseconds. A redrive and another end take longer. */
const SAME_END_MS = 1000;

const HAS_TOKEN = "$exists($pageToken) and $not($pageToken = '')";

/**
 * On the first page: true where the history ends, and as DescribeExecution said. On a later one: as it was found, if
 * the page follows the one before it; events that came since may have moved it.
 */
const IS_OF_THIS_END =
  `${HAS_TOKEN} ? $lastState.isOfThisEnd and $events[0].Id = $lastState.nextId : ` +
  `$exists($owner.stopDate) and $events[0].Type in ${literals(ENDS)} and ` +
  `$abs($toMillis($events[0].Timestamp) - $owner.stopDate) <= ${SAME_END_MS}`;

/**
 * From a page of the owner's history, newest first: the last state that was entered or left, in the variable
 * `lastState`,
 * with where the next page is. An owner's last state is not always on the first page: retries and redrives follow it.
 *
 * The owner may have been redriven since it was asked about. Then the history does not end, or ends elsewhere, and says
 * nothing of the end that was seen; nor has the grace been kept after another one.
 */
const LAST_STATE_READ = {
  lastState: expression(
    `( ${[
      '$events := $states.result.Events',
      '$moves := $filter($events, function($event) { ' +
        '$exists($event.StateEnteredEventDetails) or $exists($event.StateExitedEventDetails) })',
      '$last := $moves[0]',
      `$isOfThisEnd := ${IS_OF_THIS_END}`,
      "$merge([{'isOfThisEnd': $isOfThisEnd, 'nextId': $events[-1].Id - 1}, " +
        "$exists($last) ? {'name': $exists($last.StateExitedEventDetails) " +
        '? $last.StateExitedEventDetails.Name : $last.StateEnteredEventDetails.Name, ' +
        "'isLeft': $exists($last.StateExitedEventDetails)} : {}])",
    ].join('; ')} )`,
  ),
  // A delivery that comes here again begins with the newest events.
  pageToken: expression(
    '$exists($states.result.NextToken) and $not($exists($states.result.Events[$exists(StateEnteredEventDetails) or ' +
      "$exists(StateExitedEventDetails)])) ? $states.result.NextToken : ''",
  ),
};

/** The next page of the owner's history, few events at a time: one may hold 256 KiB. */
const HISTORY_PAGE = expression(
  "$merge([{'ExecutionArn': $owner.executionArn, 'ReverseOrder': true, 'IncludeExecutionData': false, 'MaxResults': 5}, " +
    `${HAS_TOKEN} ? {'NextToken': $pageToken} : {}])`,
);

/** The next check begins with the newest events: what has been read of them is old by then. */
export const NO_PAGE = { pageToken: '' } as const;

/** The assumed last state of an owner whose history cannot be read: the worst. */
export const LAST_STATE_UNKNOWN = { lastState: {}, pageToken: '' } as const;

/** Reads where the owner stopped, newest events first and without data. */
export function readTheOwnersHistory(scope: Construct): SfnTask {
  const task = new SfnTask(scope, RECOVERY_STATE.readHistory, {
    comment: 'Where did the owner stop: before, in or after the business step?',
    operation: 'getExecutionHistory',
    request: HISTORY_PAGE,
    assign: LAST_STATE_READ,
    outputs: PASS_INPUT_ON,
  });
  retryForHours(task, [...OWNER_UNKNOWN, DATA_TOO_LONG]);
  return task;
}

/** The Choice over where the owner stopped. */
export function whereDidItStop(scope: Construct): Choice {
  return Choice.jsonata(scope, RECOVERY_STATE.whereDidItStop, {
    comment: 'An owner that stopped elsewhere resumes; one that was interrupted in its step is in doubt',
  });
}
