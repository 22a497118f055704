import { RESULT_TEXT_MAX } from '../contract/record';
import { expression } from './jsonata';

/**
 * The business result (the state's input) as a DynamoDB value for the record: its JSON text, or NULL.
 *
 * NULL where the text would not be exactly the result (`$string` rounds numbers to 15 digits) or is too long for the
 * states that would have to read it. Duplicates then read the result from the owner's execution, where it is exact.
 */
export const STORED_RESULT = expression(
  "( $text := $string({'result': $states.input}); $exact := $lookup($parse($text), 'result') = $states.input; " +
    `$exact and $length($string([$text])) <= ${RESULT_TEXT_MAX} ` +
    // The document `{"result":…}` without the eleven characters around its only member.
    "? {'S': $substring($text, 10, $length($text) - 11)} : {'NULL': true} )",
);

/** The result a record holds as text, as a value again. */
export const RESULT_OF_RECORD = expression('$parse($record.result.S)');

/** The result out of the answer of DescribeExecution for the owner. Fails while the owner's output is not visible yet. */
export const RESULT_OF_OWNER = expression('$parse($states.result.Output)');
