import { ERROR } from '../contract/error-names';
import { and, expression, literal, literals } from '../contract/jsonata';
import { isAnswerIn } from '../contract/step-errors';
import { REDRIVE_COUNT_NOW } from './record';

// What at-most-once delivery must know: whether a business step may have run without anybody having its answer.

/**
 * True where it is certain what this execution's step has done: it has answered, and the execution has not been
 * redriven since it owns the record. What a step did that an earlier death cut off, its later answer does not tell.
 */
export const IS_OUTCOME_CERTAIN = and(isAnswerIn('$failure.Error'), `${REDRIVE_COUNT_NOW} = $redrives`);

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
  return `$place.state in ${literals(states)}`;
}

/** True where the owner had left this state. */
export function hadLeft(state: string): string {
  return `$place.state = ${literal(state)} and $place.isLeft`;
}
