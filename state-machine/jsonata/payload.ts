import { expression, literal } from '../contract/jsonata';
import { TOO_LARGE, TOO_LARGE_AT, TOO_LARGE_REMEDY } from '../contract/payload-hash';

/**
 * The SHA-256 of the payload's canonical text, as `payloadHash` of the contract computes it.
 *
 * The document is written level by level: each round replaces every node by its own line and the nodes within it, until
 * only lines are left. The repetition is a tail call, so nesting costs time but no evaluation depth (AWS stops at 100).
 * The evaluation fails if there is no payload, if it has a whole number beyond 2^53 - 1 or half a surrogate pair, or if
 * one second is not enough. If it gives nothing, that is a failure too.
 */
export function payloadHashExpression(jsonata: string): string {
  return expression(`( ${canonicalText(jsonata)}; $exists($root.v) and ${IS_WELL_FORMED} ? ${HASH} )`);
}

/** Statements that bind `$text` to the canonical text of a payload. The payload is evaluated before any of our names. */
export function canonicalText(jsonata: string): string {
  return [`$root := {'at': '', 'v': (${jsonata})}`, QUOTED, DIGITS, LINES, '$text := $lines($root)'].join(
    '; ',
  );
}

/**
 * JSONata that is true if UTF-8 can tell a text from any other, else false or a failure.
 *
 * Half a surrogate pair would be the same as any other half, hashed or stored. JSONata's implementations treat it
 * differently (one fails, one writes `?`), but none gives it back.
 */
export const isWellFormedIn = (text: string) => `${text} = $decodeUrlComponent($encodeUrlComponent(${text}))`;

/** JSONata of {@link isWellFormedIn} for the `$text` of {@link canonicalText}. */
export const IS_WELL_FORMED = isWellFormedIn('$text');

/** JSONata of the hash, behind the statements of {@link canonicalText}. */
export const HASH = "$hash($text, 'SHA-256')";

const QUOTED = `$quoted := function($s) { '"' & $replace($s, '"', '""') & '"' }`;

// A number in base 2^53: every digit is a whole number, which `$formatBase` writes exactly. `$string` would round to 15
// decimal digits, and at the edges of them each implementation does so in its own way.
const DIGITS =
  '$digits := function($n, $so) { ( $whole := $floor($n); $all := $so & $formatBase($whole); ' +
  `$n >= $power(2, 53) ? $error(${literal(TOO_LARGE + TOO_LARGE_REMEDY)}) : $n = $whole ? $all : ` +
  "$digits(($n - $whole) * $power(2, 53), $all & '.') ) }";

// A node is `{at, v}`: its path and its value, which some implementations lose if it is null. A line is a text.
const LINES =
  "$lines := function($nodes) { $exists($nodes[$type($) = 'object']) ? $lines($nodes.( " +
  "$at := at; $v := $lookup($, 'v'); $is := $type($v); $type($) = 'string' ? $ : " +
  "$is = 'object' ? [$at & '{', $keys($v).{'at': $at & '/' & $quoted($), 'v': $lookup($v, $)}] : " +
  "$is = 'array' ? [$at & '[', $map($v, function($one, $i) { {'at': $at & '/' & $i, 'v': $one} })] : " +
  "$at & '=' & ($is = 'string' ? $quoted($v) : $is = 'number' ? $digits($abs($v), $v < 0 ? '-') : " +
  "$is = 'boolean' ? $string($v)) )) : $join($sort($nodes), ',') }";

/**
 * JSONata, an expression without `{% %}`, that gives `otherwise`, and fails at the first whole number of a payload that
 * is beyond 2^53 - 1, with {@link TOO_LARGE_AT} and its place as a JSON Pointer. `otherwise` sees no names of ours.
 */
export function rejectLargeNumbers(jsonata: string, otherwise: string): string {
  return `( $root := {'at': '#', 'v': (${jsonata})}; ${FIND}; $find($root) ? (${otherwise}) )`;
}

const FIND =
  `$find := function($nodes) { ( $large := $nodes[$type(v) = 'number' and $abs(v) >= $power(2, 53)][0]; ` +
  `$exists($large) ? $error(${literal(TOO_LARGE_AT)} & $large.at & ${literal(TOO_LARGE_REMEDY)}) : ` +
  "$exists($nodes) ? $find($nodes.( $at := at; $v := $lookup($, 'v'); " +
  "$type($v) = 'object' ? $keys($v).{'at': $at & '/' & $replace($replace($, '~', '~0'), '/', '~1'), 'v': $lookup($v, $)} : " +
  "$type($v) = 'array' ? $map($v, function($one, $i) { {'at': $at & '/' & $i, 'v': $one} }) )) : true ) }";
