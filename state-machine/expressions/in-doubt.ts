import { ERROR } from '../contract/error-names';
import { RECORD } from '../contract/record';
import { NOT_RUN } from '../contract/step-errors';
import { expression, literal } from './jsonata';
import { REDRIVE_COUNT_NOW } from './record';

// What at-most-once delivery must know: whether a business step may have run without anybody having its answer.

/**
 * True where a function's failure is its own answer, or a refusal before it ran. Names of the service and of the
 * language's runtime (`Lambda.Unknown`, `Sandbox.Timedout`, `Runtime.ExitError`, `Function.ResponseSizeTooLarge`,
 * `States.Timeout`) tell of an invocation that was cut off.
 */
function isAnswer(error: string): string {
  const notRun = `${error} in [${NOT_RUN.map(literal).join(', ')}]`;
  return `(${notRun} or $not($contains(${error}, /^(Lambda|Sandbox|Runtime|Function|Extension|States)\\./)))`;
}

/**
 * True where it is certain what this execution's step has done: it has answered, and the execution has not been
 * redriven since it owns the record. What a step did that an earlier death cut off, its later answer does not tell.
 */
export const IS_OUTCOME_CERTAIN = `${isAnswer('$failure.Error')} and ${REDRIVE_COUNT_NOW} = $redrives`;

/** The stored error of this execution's own step, whose end nobody knows. */
export const OWN_DOUBT = doubt({
  owner: '$states.context.Execution.Id',
  attempt: '$attempt',
  error: '$failure.Error',
});

/** The stored error of a dead owner's step, whose end nobody knows. */
export const OWNERS_DOUBT = doubt({ owner: '$record.owner.S', attempt: '$number($record.attempt.N)' });

function doubt(facts: Readonly<Record<string, string>>): string {
  const message = 'the business step may or may not have run; nothing runs until a person frees the key';
  const members = Object.entries({ message: literal(message), idempotencyKey: '$idempotencyKey', ...facts });
  const cause = `$string({${members.map(([name, jsonata]) => `${literal(name)}: ${jsonata}`).join(', ')}})`;
  return expression(`$string({'Error': ${literal(ERROR.inDoubt)}, 'Cause': ${cause}})`);
}

/** True where the record that was read has been parked, or holds the failure of a step that may have run. */
export const IS_IN_DOUBT =
  `( $stored := $parse($record.${RECORD.error}.S).Error; ` +
  `$stored = ${literal(ERROR.inDoubt)} or ($exists($stored) and $not(${isAnswer('$stored')})) )`;

/**
 * From a page of the owner's history, newest first: the last state that was entered or left, in the variable `place`,
 * with where the next page is. An owner's last state is not always on the first page: retries and redrives follow it.
 */
export const PLACE_SEEN = {
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
export const HISTORY_PAGE = expression(
  "$merge([{'ExecutionArn': $record.owner.S, 'ReverseOrder': true, 'IncludeExecutionData': false, 'MaxResults': 5}, " +
    "$exists($pageToken) and $pageToken != '' ? {'NextToken': $pageToken} : {}])",
);

/** What is taken for the place of an owner whose history cannot be read: the worst. */
export const PLACE_UNKNOWN = { place: {}, pageToken: '' } as const;

/** True where the place is on a page that has not been read yet. */
export const IS_FURTHER_BACK = "$not($exists($place.state)) and $pageToken != ''";

/** True where the owner was in one of these states, none of which is the step's. */
export function wasIn(states: readonly string[]): string {
  return `$place.state in [${states.map(literal).join(', ')}]`;
}

/** True where the owner had left this state. */
export function hadLeft(state: string): string {
  return `$place.state = ${literal(state)} and $place.isLeft`;
}
