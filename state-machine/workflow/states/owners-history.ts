import { Choice } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { expression, literal, literals } from '../../contract/jsonata';
import { STATE } from '../../contract/state-names';
import { OWNER_UNKNOWN, PASS_INPUT_ON } from '../../settings';
import { retryForMinutes, SfnTask } from '../../tasks';

// At-most-once delivery: where a dead owner stopped.

/**
 * From a page of the owner's history, newest first: the last state that was entered or left, in the variable `place`,
 * with where the next page is. An owner's last state is not always on the first page: retries and redrives follow it.
 */
const PLACE_SEEN = {
  place: expression(
    `( ${[
      '$moves := $filter($states.result.Events, function($event) { ' +
        '$exists($event.StateEnteredEventDetails) or $exists($event.StateExitedEventDetails) })',
      '$last := $moves[0]',
      "$exists($last) ? {'state': $exists($last.StateExitedEventDetails) " +
        '? $last.StateExitedEventDetails.Name : $last.StateEnteredEventDetails.Name, ' +
        "'isLeft': $exists($last.StateExitedEventDetails)} : {}",
    ].join('; ')} )`,
  ),
  pageToken: expression("$exists($states.result.NextToken) ? $states.result.NextToken : ''"),
};

/** The next page of the owner's history, few events at a time: one may hold 256 KiB. */
const HISTORY_PAGE = expression(
  "$merge([{'ExecutionArn': $record.owner.S, 'ReverseOrder': true, 'IncludeExecutionData': false, 'MaxResults': 5}, " +
    "$exists($pageToken) and $pageToken != '' ? {'NextToken': $pageToken} : {}])",
);

/** What is taken for the place of an owner whose history cannot be read: the worst. */
export const PLACE_UNKNOWN = { place: {}, pageToken: '' } as const;

/** True where the place is on a page that has not been read yet. */
export const IS_FURTHER_BACK = "$not($exists($place.state)) and $pageToken != ''";

/** True where the owner was in one of these states, none of which is the step's. */
export function wasIn(states: readonly string[]): string {
  return `$place.state in ${literals(states)}`;
}

/** True where the owner had left this state. */
export function hadLeft(state: string): string {
  return `$place.state = ${literal(state)} and $place.isLeft`;
}

/** Reads where the dead owner stopped, newest events first and without data. */
export function readTheOwnersHistory(scope: Construct): SfnTask {
  const task = new SfnTask(scope, STATE.readHistory, {
    comment: 'Where did the owner stop: before, in or after the business step?',
    operation: 'getExecutionHistory',
    request: HISTORY_PAGE,
    assign: PLACE_SEEN,
    outputs: PASS_INPUT_ON,
  });
  task.addRetry({ errors: ['States.DataLimitExceeded'], maxAttempts: 0 });
  retryForMinutes(task, OWNER_UNKNOWN);
  return task;
}

/** The Choice over where the owner stopped. Its rules are in the flow. */
export function cutOffInTheStep(scope: Construct): Choice {
  return Choice.jsonata(scope, STATE.cutOffInStep, {
    comment: 'An owner that stopped elsewhere goes on; one that was cut off in the step is in doubt',
  });
}
