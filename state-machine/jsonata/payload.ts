import { expression, jsonText, literal } from '../contract/jsonata';
import { TOO_LARGE, TOO_LARGE_AT, TOO_LARGE_REMEDY } from '../contract/payload-hash';
import { KEY_NUMBER_MAX } from '../contract/record';

/**
 * The SHA-256 of the payload's canonical JSON, as `payloadHash` of the contract computes it.
 *
 * The document is written level by level: a list of pieces, each a finished text or a value still to be written, is
 * expanded until only texts are left. The repetition is a tail call, so nesting costs time but no evaluation depth
 * (AWS stops at 100). The evaluation fails if there is no payload, if it has a whole number beyond 2^53 - 1, or if one
 * second is not enough.
 */
export function payloadHashExpression(jsonata: string): string {
  return expression(`( ${[...payloadToHash(jsonata), CANONICAL_HASH].join('; ')} )`);
}

/** The same, which fails at such a number with {@link TOO_LARGE_AT} and its place as a JSON Pointer. */
export function pointingHashExpression(jsonata: string): string {
  const statements = [bindPayload(jsonata), DEFINE_WHERE, ...definitions(TOO_LARGE_WHERE), CANONICAL_HASH];
  return expression(`( ${statements.join('; ')} )`);
}

/** Statements that bind `$payload` to an object with the payload as its `value`, and what the hash needs. */
export function payloadToHash(jsonata: string): readonly string[] {
  return [bindPayload(jsonata), ...definitions(`$error(${literal(TOO_LARGE + TOO_LARGE_REMEDY)})`)];
}

/** JSONata of the hash, behind the statements of {@link payloadToHash}. */
export const CANONICAL_HASH = "$hash($write([$payload]), 'SHA-256')";

/**
 * JSONata that defines `$isText(value)`: true for text that UTF-8 can tell from any other.
 *
 * Half a surrogate pair is none: hashed or stored it would be the same as any other half. JSONata's implementations
 * treat it differently (one fails, one writes `?`), but none gives it back.
 */
export const DEFINE_IS_TEXT =
  "$isText := function($text) { $text = '' or $decodeUrlComponent($encodeUrlComponent($text)) = $text }";

/** JSONata that defines `$quoted(text)`: text in double quotes with `\\` and `"` escaped. Needs `$isText`. */
export const DEFINE_QUOTED =
  '$quoted := function($text) { $isText($text) ? ' +
  "'\"' & $replace($replace($text, '\\\\', '\\\\\\\\'), '\"', '\\\\\"') & '\"' : $error('text with half a surrogate pair') }";

/** Binds `$payload`, before any of our names exists. Without a payload there is no `value`, and `$open` fails. */
export const bindPayload = (jsonata: string) => `$payload := {'before': '', 'value': (${jsonata})}`;

// Whole numbers are written digit by digit, and fractions as a whole number over a power of two: `$string` writes 15
// significant digits, and at the edges of them each implementation in its own way.
const defineNumber = (tooLarge: string) =>
  "$reduced := function($m, $k) { $floor($m / 2) = $m / 2 ? $reduced($m / 2, $k - 1) : $formatBase($m, 10) & '/2^' & $formatBase($k, 10) }; " +
  '$scaled := function($m, $k) { $floor($m) = $m ? $reduced($m, $k) : $scaled($m * 1024, $k + 10) }; ' +
  `$exact := function($n) { $abs($n) > ${KEY_NUMBER_MAX} ? ${tooLarge} : ` +
  '$floor($n) = $n ? $formatBase($n, 10) : $scaled($n, 0) }';

// The place of the first number that is too large, level by level: only for a payload that has one.
const DEFINE_WHERE =
  "$where := function($nodes) { ( $found := $filter($nodes, function($node) { ( $value := $lookup($node, 'value'); " +
  `$type($value) = 'number' ? $abs($value) > ${KEY_NUMBER_MAX} : false ) }); ` +
  '$count($found) > 0 ? $found[0].at : $where($map($nodes, function($node) { ' +
  "( $value := $lookup($node, 'value'); $at := $node.at & '/'; {'next': $type($value) = 'object' ? " +
  "$map($keys($value), function($name) { {'at': $at & $replace($replace($name, '~', '~0'), '/', '~1'), 'value': $lookup($value, $name)} }) : " +
  "$type($value) = 'array' ? $map($value, function($item, $index) { {'at': $at & $string($index), 'value': $item} }) : []} ) " +
  '}).next) ) }';

const TOO_LARGE_WHERE =
  `$error(${literal(TOO_LARGE_AT)} & $where([{'at': '#', 'value': $lookup($payload, 'value')}])` +
  ` & ${literal(TOO_LARGE_REMEDY)})`;

const DEFINE_SCALAR =
  "$scalar := function($value) { $type($value) = 'string' ? $quoted($value) : " +
  "$type($value) = 'number' ? $exact($value) : $type($value) = 'null' ? 'null' : $string($value) }";

// Some implementations hand over null as nothing, out of a list: no item of a list is nothing else.
const DEFINE_OPEN =
  "$open := function($piece) { ( $value := $lookup($piece, 'value'); " +
  "$type($value) = 'object' ? [$piece.before & '{', " +
  "$map($sort($keys($value)), function($name, $index) { {'before': ($index = 0 ? '' : ',') & $quoted($name) & ':', 'value': $lookup($value, $name)} }), '}'] : " +
  "$type($value) = 'array' ? [$piece.before & '[', " +
  "$map($value, function($item, $index) { {'before': $index = 0 ? '' : ',', 'value': $exists($item) ? $item : null} }), ']'] : " +
  "$exists($value) ? $piece.before & $scalar($value) : $error('no payload') ) }";

// A path over a member flattens the lists it meets: so one level of pieces becomes the next list of pieces.
const DEFINE_WRITE =
  "$write := function($pieces) { $count($filter($pieces, function($piece) { $type($piece) = 'object' })) = 0 " +
  '? $join($pieces) : $write($map($pieces, function($piece) { ' +
  "{'next': $type($piece) = 'object' ? $open($piece) : $piece} }).next) }";

// From 2^53 on, a number may stand for several others.
const definitions = (tooLarge: string): readonly string[] => [
  DEFINE_IS_TEXT,
  DEFINE_QUOTED,
  defineNumber(tooLarge),
  DEFINE_SCALAR,
  DEFINE_OPEN,
  DEFINE_WRITE,
];

const DEFINE_JSON_QUOTED =
  `$quoted := function($text) { $isText($text) ? ${jsonText('$text')} : ` +
  "$error('text with half a surrogate pair') }";

// For a person to read: `$string` writes 15 digits of it, and what is missing follows.
const DEFINE_READABLE_NUMBER =
  '$exact := function($n) { $floor($n) = $n and $abs($n) <= 9007199254740991 ? $formatBase($n, 10) : ' +
  '( $near := $number($string($n)); $near = $n ? $string($near) : ' +
  "'\"' & $string($near) & ($n > $near ? '+' : '') & $string($n - $near) & '\"' ) }";

/**
 * Definitions for the JSON text of a document with its members in order and with all digits: `$write` of a list with
 * one `{'before': '', 'value': document}` gives it. A number that `$string` would round is a text: the near number, and
 * the signed rest. Written, parsed and written again it is the same text.
 */
export const DEFINE_JSON_TEXT: readonly string[] = [
  DEFINE_IS_TEXT,
  DEFINE_JSON_QUOTED,
  DEFINE_READABLE_NUMBER,
  DEFINE_SCALAR,
  DEFINE_OPEN,
  DEFINE_WRITE,
];
