import { expression, literal } from '../contract/jsonata';
import { PRINCIPAL_PART } from './request';

// Where an answer is asked for: the record's key without what the caller brings along, a hash of it and the payload's
// hash, so that to ask takes as much as to send again, and when it was sent.

/** The name of the place, below the source's own path, at which to ask. */
export const PLACE = 'requests';

/** For how long after it was sent a request without a record may just not have one yet, in seconds. */
const RECORD_WITHIN_SECONDS = 15 * 60;
/** Characters of the hash. */
const CHECK_LENGTH = 32;

/** Binds `$head` to how the text form of a caller's keys begins; empty where a team's own input says what a key is. */
function head(isPerCaller: boolean): string {
  return isPerCaller ? `$head := '["' & ${PRINCIPAL_PART} & '",'` : "$head := ''";
}

/** The check of a key's text and its payload's hash. */
function check(text: string, payloadHash: string): string {
  return `$substring($hash(${text} & ' ' & ${payloadHash}, 'SHA-256'), 0, ${CHECK_LENGTH})`;
}

/**
 * Where to ask for a request, relative to its own URL: what a stage or a domain puts before the path is not ours. Of
 * the variables `url`, `principal`, `recordKey` and `payloadHash`.
 */
export function locationExpression(scope: string, isPerCaller: boolean): string {
  return expression(
    `( ${head(isPerCaller)}; $last := $split($url, '/')[-1]; ` +
      "$here := './' & ($last = '' ? '' : $last & '/'); " +
      `$text := $substring($recordKey, ${Array.from(scope).length + 1}); ` +
      "$isLong := $substring($text, 0, 5) = 'long:'; " +
      '$rest := $substring($text, ($isLong ? 5 : 0) + $length($head)); ' +
      "$coded := $base64encode($encodeUrlComponent(($isLong ? 'l' : 's') & $rest)); " +
      "$safe := $replace($replace($replace($coded, '+', '-'), '/', '_'), '=', ''); " +
      `$here & ${literal(`${PLACE}/`)} & $safe & '.' & ${check('$text', '$payloadHash')} & '.' & ` +
      '$formatBase($floor($millis() / 1000), 10) )',
  );
}

/** The same of a question: its own place. */
export const ASKED_AT = expression("'./' & $split($states.input.url, '/')[-1]");

/** The partition key of the record that is asked for. Fails for a question that none of ours has led to. */
export function askedKey(scope: string, isPerCaller: boolean): string {
  return expression(
    `( ${head(isPerCaller)}; $safe := $split($asked, '.')[0]; ` +
      "$coded := $replace($replace($safe, '-', '+'), '_', '/'); " +
      "$coded := $pad($coded, $ceil($length($coded) / 4) * 4, '='); " +
      '$rest := $decodeUrlComponent($base64decode($coded)); ' +
      "$flag := $substring($rest, 0, 1); $flag in ['l', 's'] ? " +
      `${literal(`${scope}#`)} & ($flag = 'l' ? 'long:' : '') & $head & $substring($rest, 1) : $error('no key') )`,
  );
}

/** True where the record is another than the one that the question was handed out for. */
export function isAnotherRequest(scope: string): string {
  const text = `$substring($recordKey, ${Array.from(scope).length + 1})`;
  const hash = "($exists($record.payloadHash) ? $record.payloadHash.S : '')";
  return `${check(text, hash)} != $split($asked, '.')[1]`;
}

/** True where the request was sent so recently that its record may just not be there. */
export const IS_YOUNG =
  "( $sent := $split($asked, '.')[2]; $contains($sent, /^[0-9]{1,12}$/) and " +
  `$millis() / 1000 < $number($sent) + ${RECORD_WITHIN_SECONDS} )`;

/** For how long a start may not have claimed its record yet, in seconds. */
const CLAIM_WITHIN_SECONDS = 60;

/** What the location of a request tells that has started an execution: since when, in whole seconds. */
export const SINCE_ITS_START =
  "($exists($started.at) ? '.' & $formatBase($floor($started.at / 1000), 10) : '')";

/** True where a failed record is from before the start that is asked for, which may just not have claimed it yet. */
export const IS_FROM_BEFORE =
  "( $since := $split($asked, '.')[3]; $exists($since) and $contains($since, /^[0-9]{1,12}$/) " +
  '? $toMillis($record.claimedAt.S) < $number($since) * 1000 ' +
  `and $millis() / 1000 < $number($since) + ${CLAIM_WITHIN_SECONDS} : false )`;
