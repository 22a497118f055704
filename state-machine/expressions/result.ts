import { expression } from '../contract/jsonata';
import { RESULT_TEXT_MAX } from '../contract/record';

/**
 * The business result (the state's input) as a DynamoDB value for the record: its JSON text, or NULL.
 *
 * NULL where the text would not be exactly the result (`$string` rounds numbers to 15 digits) or is too long for the
 * states that would have to read it. Duplicates then read the result from the owner's execution, where it is exact.
 */
export const STORED_RESULT = expression(
  `( ${[
    "$document := $string({'result': $states.input})",
    // The document `{"result":…}` without the eleven characters around its only member.
    '$text := $substring($document, 10, $length($document) - 11)',
    "$isExact := $lookup($parse('{\"result\":' & $text & '}'), 'result') = $states.input",
    // As a member of a list it is written the way it travels: escaped, in quotes and brackets.
    `$fits := $length($string([$text])) - 4 <= ${RESULT_TEXT_MAX}`,
    "$isExact and $fits ? {'S': $text} : {'NULL': true}",
  ].join('; ')} )`,
);

/** The result a record holds as text, as a value again. */
export const RESULT_OF_RECORD = expression('$parse($record.result.S)');

/** The result out of DescribeExecution's answer for the owner. Fails while the owner's output is not visible yet. */
export const RESULT_OF_OWNER = expression('$parse($states.result.Output)');
