import { beginning, expression, literal, literals } from '../contract/jsonata';
import { PAYLOAD_OMITTED, PAYLOAD_TEXT_MAX, RECORD } from '../contract/record';
import { bindPayload, DEFINE_JSON_TEXT } from './payload';

// The payload as it is kept in the record, and what differs from it. The hash alone decides what is the same.

/**
 * What the claim keeps: the JSON text of what `jsonata` gives, or why there is none. It is not evaluated in the last
 * tries of a claim, because an expression of it may have failed: a redaction that cannot be evaluated costs the
 * evidence, and not the claim. Nor is it behind two other retries, which the count does not tell from these.
 */
export function keptPayloadExpression(jsonata: string): string {
  const tooLong = literal(PAYLOAD_OMITTED.tooLong);
  const notRedacted = literal(PAYLOAD_OMITTED.notRedacted);
  const text = `( $text := $write([$payload]); $length($text) > ${PAYLOAD_TEXT_MAX} ? ${tooLong} : $text )`;
  // Before the text is written piece by piece: that takes its time where it is long.
  const bounded = `$length($string($given)) > ${PAYLOAD_TEXT_MAX} ? ${tooLong} : ${text}`;
  const kept = [
    bindPayload(jsonata),
    ...DEFINE_JSON_TEXT,
    "$given := $lookup($payload, 'value')",
    `$exists($given) ? (${bounded}) : ${notRedacted}`,
  ];
  return expression(`$states.context.State.RetryCount > 1 ? ${notRedacted} : ( ${kept.join('; ')} )`);
}

/** How many fields a cause names, and how many characters of each: it is read by a person. */
const FIELDS_MAX = 10;
const FIELD_CHARACTERS_MAX = 64;

const STORED = `$record.${RECORD.payload}.S`;

/**
 * JSONata of the names of the fields in which this delivery's payload, as it would be kept, differs from the record's:
 * the first ten. An empty list where both are the same, so that what is not kept differs, or have no fields. Undefined
 * where one of them is not known: not kept, or so long that it would not be. The state that names them has no catcher:
 * an evaluation that takes longer than that of the hash would end the delivery under another error.
 */
export function differingFields(jsonata: string): string {
  const named = [
    `$stored := $parse(${STORED})`,
    "$written := function($object, $name) { ( $value := $lookup($object, $name); $exists($value) ? $write([{'before': '', 'value': $value}]) : '' ) }",
    "$haveFields := $type($stored) = 'object' and $type($own) = 'object'",
    '$names := $haveFields ? $keys($merge([$stored, $own])) : []',
    '$differing := $filter($names, function($name) { $not($written($stored, $name) = $written($own, $name)) })',
    `$first := $filter($differing, function($name, $index) { $index < ${FIELDS_MAX} })`,
    `[$map($first, function($name) { ${beginning('$name', FIELD_CHARACTERS_MAX)} })]`,
  ];
  const statements = [
    bindPayload(jsonata),
    ...DEFINE_JSON_TEXT,
    "$own := $lookup($payload, 'value')",
    `$length($string($own)) <= ${PAYLOAD_TEXT_MAX} ? ( ${named.join('; ')} )`,
  ];
  const omitted = literals(Object.values(PAYLOAD_OMITTED));
  return `($exists(${STORED}) and $not(${STORED} in ${omitted}) ? ` + `( ${statements.join('; ')} ))`;
}
