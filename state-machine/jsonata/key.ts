import {
  type ExecutionNames,
  HASH_LENGTH,
  NAME_LENGTH_MAX,
  NOT_A_NAME,
  SUFFIX_LENGTH,
} from '../contract/execution-name';
import { beginning, expression, literal, literals } from '../contract/jsonata';
import { KEY_TEXT_MAX } from '../contract/record';
import type { KeyExpressions } from '../expression/key-expressions';
import { canonicalText, HASH, IS_WELL_FORMED, isWellFormedIn } from './payload';

/**
 * The record's partition key: the scope and the one text form of the key, as `keyText` of the contract defines it.
 *
 * The evaluation fails if the value is not a key, or gives nothing, which is a failure too. So nothing can be claimed
 * by accident, and the claim's catcher leads to the Fail state of an invalid event.
 */
export function keyExpression(scope: string, source: KeyExpressions): string {
  return expression(`( ${keyText(source, text => `${literal(`${scope}#`)} & ${text}`)} )`);
}

/** The text of a key, as `keyText` of the contract defines it. The evaluation fails if {@link keyExpression}'s does. */
export function keyTextExpression(source: KeyExpressions): string {
  return expression(`( ${keyText(source)} )`);
}

/** The partition key of the record whose key's text is in the variable `key`. */
export function recordKeyExpression(scope: string): string {
  return expression(`${literal(`${scope}#`)} & $key`);
}

/** The execution name of a key, as `executionName` of the contract defines it. `key` is JSONata of the key's text. */
export function nameExpression(key: string, names: ExecutionNames): string {
  return expression(`( $key := ${key}; ${NAME[names]} )`);
}

/**
 * The name under which a key is started again, as `retryName` of the contract has it: of the first name, which is in
 * the variable `name`. `suffix` is JSONata for 16 characters.
 */
export function retryNameExpression(suffix: string): string {
  return expression(`${beginning('$name', NAME_LENGTH_MAX - SUFFIX_LENGTH - 1)} & '-' & ${suffix}`);
}

const READABLE = `$replace(${beginning('$words', NAME_LENGTH_MAX - HASH_LENGTH - 1)}, /-+$/, '')`;

const HASHED = `$substring($hash($key, 'SHA-256'), 0, ${HASH_LENGTH})`;

// The end of a line, which implementations see differently before a line break, is looked for only where none is left.
const NAME: Readonly<Record<ExecutionNames, string>> = {
  readable:
    `($length($key) <= ${NAME_LENGTH_MAX} and $not($contains($key, /${NOT_A_NAME}/)) ? $key : ( ` +
    "$words := $replace($replace($key, /[^0-9A-Za-z_-]+/, '-'), /^-+/, ''); " +
    `$readable := ${READABLE}; ($readable = '' ? '' : $readable & '-') & ${HASHED} ))`,
  hash: HASHED,
};

/** JSONata, statements with a value at their end, of what `of` makes of the key's text; nothing where there is none. */
function keyText(source: KeyExpressions, of: (text: string) => string = text => text): string {
  if (source.kind === 'payload') return payloadKeyText(source.parts[0].jsonata, of);
  return `${joinedParts(source)}; ${isWellFormedIn('$id')} ? ${of(`(${SHORTENED})`)}`;
}

// Texts at the root that say nothing: what `payloadKeyText` of the contract rejects.
const SAYS_NOTHING = literals(['{', '[', '=', '=""', '=true', '=false']);

/** JSONata, statements, of the hash that is the key of a payload; nothing where that says nothing. */
export function payloadKeyText(jsonata: string, of: (text: string) => string = text => text): string {
  return `${canonicalText(jsonata)}; $not($text in ${SAYS_NOTHING}) and ${IS_WELL_FORMED} ? ${of(HASH)}`;
}

// Each part of a composite key alone: a list would drop missing values, and flatten nested ones.
function joinedParts(source: KeyExpressions): string {
  if (source.kind !== 'composite') return `$id := $join($map((${source.parts[0].jsonata}), ${ESCAPED}), ',')`;
  const parts = source.parts.map(({ jsonata }) => `$part((${jsonata}))`).join(', ');
  return `$part := ${ESCAPED}; $id := $join([${parts}], ',')`;
}

// What `isPart` of the contract accepts. All else is an error: of a comparison, or of ours.
const ESCAPED =
  "function($p) { $type($p) = 'number' and $floor($p) = $p and $abs($p) < $power(2, 53) ? '#' & $formatBase($p) : " +
  "$p > '' ? $replace($p, /([~,#])/, '~$1') : $error('no key') }";

const SHORTENED = `$length($id) > ${KEY_TEXT_MAX} ? $substring($id, 0, ${KEY_TEXT_MAX}) & $hash($id, 'SHA-256') : $id`;
