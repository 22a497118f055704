import { expression } from '../contract/jsonata';

// Expressions that several states give or remember.

/** JSONata of this execution's ARN. */
export const EXECUTION_ARN = '$states.context.Execution.Id';

/** This execution's ARN: what `owner` holds while the execution owns the record. */
export const ME = expression(EXECUTION_ARN);

/** JSONata of sixteen characters that are this execution's own, the same in each of its attempts. */
export const OWN_SUFFIX = suffixOf(EXECUTION_ARN);

/** The same characters for one of several deliveries of this execution, by its place among them: in `$place`. */
export const SUFFIX_IN_LIST = suffixOf(`(${EXECUTION_ARN} & '#' & $place)`);

function suffixOf(text: string): string {
  return `$substring($hash(${text}, 'SHA-256'), 0, 16)`;
}

/** Now, ISO-8601. */
export const NOW = expression('$now()');

/** JSONata of how often this execution has been redriven so far; an Express one never is. */
export const REDRIVE_COUNT = '$max([0, $states.context.Execution.RedriveCount])';

/** The record just read, as DynamoDB's typed attributes; empty where there is none. */
export const RECORD_READ = expression('$exists($states.result.Item) ? $states.result.Item : {}');

/** How many writes of this execution have been rejected so far, this one included. */
export const REJECTIONS = expression('$exists($rejections) ? $rejections + 1 : 1');

/**
 * The fault of an expression that could not be evaluated, in JSONata's words; empty if the service does not say.
 *
 * The words of most errors quote a value, and a cause must not hold one. So only those are kept whole that `$error` and
 * `$assert` were given; of an operator, a function or an object's member, everything up to the value; of any other
 * error, its code.
 */
export const EVALUATION_ERROR = expression(
  '( $cause := $states.errorOutput.Cause; ' +
    "$said := $type($cause) = 'string' ? $split($cause, /error during evaluation[.: ]+/)[1]; " +
    '$p := $split($said, /; got: |: /); ' +
    "$contains($said, /^D31(37|41): /) ? $substringAfter($said, ': ') : " +
    "$contains($said, /^(T0410|T100[356]|T200[12]|D3030): /) ? $p[0] & ': ' & $p[1] : " +
    "$contains($p[0], /^([A-Z][0-9]+|Expression [a-z ]+|Stack [a-z ]+)$/) ? $p[0] : '' )",
);

/** What a service has said at last when a request to it was given up, as text. */
export const SERVICE_ERROR = expression("$states.errorOutput.Error & ': ' & $states.errorOutput.Cause");

/** The business step's error as `{Error, Cause}`, both always texts: an error may come without either. */
export const STEP_FAILURE = expression(
  "( $its := $states.errorOutput; {'Error': $type($its.Error) = 'string' ? $its.Error : 'States.TaskFailed', " +
    "'Cause': $type($its.Cause) = 'string' ? $its.Cause : ''} )",
);
