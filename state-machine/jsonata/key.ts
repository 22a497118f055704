import { HASH_LENGTH, NAME_LENGTH_MAX, SUFFIX_LENGTH } from '../contract/execution-name';
import { beginning, expression, literal } from '../contract/jsonata';
import { KEY_NUMBER_MAX, KEY_TEXT_MAX, LONG_KEY_PREFIX_LENGTH } from '../contract/record';
import type { KeySource } from '../user-expression';
import { CANONICAL_HASH, DEFINE_IS_TEXT, DEFINE_QUOTED, payloadToHash } from './payload';

const NO_KEY =
  'no idempotency key: a non-empty text, a whole number up to 2^53 - 1, or a list of these is needed';
const NO_PAYLOAD =
  'no idempotency key: its payload has to be an object, a list or a text that is not empty, or a number';

/**
 * The record's partition key: the scope and the one text form of the key, as `keyText` of the contract defines it.
 *
 * The evaluation fails where the value is no key: nothing can be claimed by accident, and the claim's catcher leads
 * to the Fail state of a missing key. The user's expressions are evaluated before any of our names exists.
 */
export function keyExpression(scope: string, source: KeySource): string {
  return expression(`( ${keyText(source)}; ${literal(`${scope}#`)} & $key )`);
}

/** The execution name of a key, as `executionName` of the contract defines it. Fails where the value is no key. */
export function nameExpression(source: KeySource): string {
  return expression(`( ${keyText(source)}; ${NAME} )`);
}

/**
 * The name under which a key is started again, as `retryName` of the contract has it. `suffix` is JSONata for 16
 * characters. Fails where the value is no key.
 */
export function retryNameExpression(source: KeySource, suffix: string): string {
  const room = NAME_LENGTH_MAX - SUFFIX_LENGTH - 1;
  return expression(
    `( ${keyText(source)}; $name := ${NAME}; ${beginning('$name', room)} & '-' & ${suffix} )`,
  );
}

const READABLE = `$replace(${beginning('$words', NAME_LENGTH_MAX - HASH_LENGTH - 1)}, /-+$/, '')`;

// The end of a line, which implementations see differently before a line break, is looked for only where none is left.
const NAME =
  `($length($key) <= ${NAME_LENGTH_MAX} and $not($contains($key, /[^0-9A-Za-z_-]/)) ? $key : ( ` +
  "$words := $replace($replace($key, /[^0-9A-Za-z_-]+/, '-'), /^-+/, ''); " +
  `$readable := ${READABLE}; ($readable = '' ? '' : $readable & '-') & ` +
  `$substring($hash($key, 'SHA-256'), 0, ${HASH_LENGTH}) ))`;

/** Statements that bind `$key` to the one text form of the key. */
function keyText(source: KeySource): string {
  if (source.kind === 'payload') return payloadKeyText(source.jsonata);
  return [
    source.kind === 'single' ? singleParts(source.jsonata) : compositeParts(source.parts),
    DEFINE_IS_TEXT,
    DEFINE_QUOTED,
    IS_PART,
    '$digits := function($n) { $formatBase($n, 10) }',
    `$alone := function($part) { $type($part) = 'number' ? 'number:' & $digits($part) : ${TAGGED} }`,
    "$inList := function($item) { $type($item.part) = 'number' ? $digits($item.part) : $quoted($item.part) }",
    '$usable := $count($filter($parts, function($item) { $isPart($item.part) }))',
    `$usable = 0 or $usable < $count($parts) ? $error(${literal(NO_KEY)})`,
    "$text := $isList ? '[' & $join($map($parts, $inList), ',') & ']' : $alone($parts[0].part)",
    `$key := $length($text) > ${KEY_TEXT_MAX} ? ${LONG} : $text`,
  ].join('; ');
}

// What `payloadKeyText` of the contract accepts.
function payloadKeyText(jsonata: string): string {
  return [
    ...payloadToHash(jsonata),
    "$given := $lookup($payload, 'value')",
    "$isUsable := $type($given) = 'object' ? $count($keys($given)) > 0 : " +
      "$type($given) = 'array' ? $count($given) > 0 : $type($given) = 'string' ? $not($given = '') : $type($given) = 'number'",
    `$isUsable ? '' : $error(${literal(NO_PAYLOAD)})`,
    `$key := ${CANONICAL_HASH}`,
  ].join('; ');
}

// Each part in an object of its own: `{'part': missing}` is `{}`, while an array constructor drops what is missing
// and flattens what is nested.
function compositeParts(parts: readonly string[]): string {
  return `$parts := [${parts.map(part => `{'part': (${part})}`).join(', ')}]; $isList := true`;
}

function singleParts(jsonata: string): string {
  return (
    `$given := {'part': (${jsonata})}; $isList := $type($given.part) = 'array'; ` +
    "$parts := $isList ? [$map($given.part, function($item) { {'part': $item} })] : [$given]"
  );
}

// What `isPart` of the contract accepts.
const IS_PART =
  "$isPart := function($part) { $type($part) = 'string' ? $not($part = '') and $isText($part) : " +
  `$type($part) = 'number' ? $floor($part) = $part and $abs($part) <= ${KEY_NUMBER_MAX} : false }`;

// A text that looks like one of our own forms is marked as text.
const TAGGED = "($contains($part, /^(string:|number:|long:|\\[)/) ? 'string:' & $part : $part)";

const LONG = `'long:' & $substring($text, 0, ${LONG_KEY_PREFIX_LENGTH}) & ':' & $hash($text, 'SHA-256')`;
