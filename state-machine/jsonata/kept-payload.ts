import { beginning, expression, literal } from '../contract/jsonata';
import { PAYLOAD_OMITTED, PAYLOAD_TEXT_MAX, RECORD } from '../contract/record';

// The payload as it is kept in the record, and what differs from it. The hash alone decides what is the same.

const { tooLong, notExact, notRedacted } = PAYLOAD_OMITTED;

/**
 * What the claim keeps: the JSON text of what `jsonata` gives, or why there is none. It is not evaluated in the last
 * tries of a claim, because an expression of it may have failed: a redaction that cannot be evaluated costs the
 * evidence, and not the claim. Nor is it behind two other retries, which the count does not tell from these.
 *
 * `$string` rounds numbers to 15 digits. A payload that cannot be read back from its text is therefore not kept.
 */
export function keptPayloadExpression(jsonata: string): string {
  const kept = [
    `$payload := (${jsonata})`,
    // In an object: `$string` writes a text alone without its quotes.
    "$whole := $string({'v': $payload})",
    `$text := $replace($whole, /^\\{"v":|\\}$/, '')`,
    `$not($exists($payload)) ? ${literal(notRedacted)} : $length($text) > ${PAYLOAD_TEXT_MAX} ? ${literal(tooLong)} : ` +
      `$parse($whole).v = $payload ? $text : ${literal(notExact)}`,
  ];
  return expression(
    `$states.context.State.RetryCount > 1 ? ${literal(notRedacted)} : ( ${kept.join('; ')} )`,
  );
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
    "$names := $type($stored) & $type($own) = 'objectobject' ? $keys($merge([$stored, $own]))",
    `[$map($names[$not($lookup($stored, $) = $lookup($own, $))][[0..${FIELDS_MAX - 1}]], function($name) { ${beginning('$name', FIELD_CHARACTERS_MAX)} })]`,
  ];
  // One of our words stands in place of a value that is not kept; no JSON text begins with a capital letter.
  const isKnown = `$contains(${STORED}, /^[^A-Z]/)`;
  const isShort = `$length($string($own)) <= ${PAYLOAD_TEXT_MAX}`;
  return `(${isKnown} ? ( $own := (${jsonata}); ${isShort} ? ( ${named.join('; ')} ) ))`;
}
