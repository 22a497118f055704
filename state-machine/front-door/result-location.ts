import { expression, literal } from '../contract/jsonata';
import type { EvaluationStep } from '../tasks/evaluate';

// Where an answer is asked for: `KEY.CHECK.SENT.STARTED`.
//
// - KEY: the record's key without the caller, in base64url, because the caller is the sender of the question.
// - CHECK: a hash of payload, caller and key, so that a question takes as much as sending the request again.
// - SENT: the time of the request, in epoch seconds. Until some time later it may not have a record yet.
// - STARTED: the start of its execution, in epoch seconds, or ten zeros: an earlier failure is not its own.
//
// Every part is required in exactly this form before anything is read.

/** The name of the place, below the source's own path, at which to ask. */
export const LOCATION_PATH = 'requests';

/** For how long after it was sent a request without a record may just not have one yet, in milliseconds. */
const RECORD_WITHIN_MS = 15 * 60_000;
/**
 * How far in the future the time of a location may be, in milliseconds: more than clocks of AWS differ. To reject a
 * location that was handed out would tell its caller that the request is lost. A minute more of 202 does no harm.
 */
const CLOCKS_DIFFER_MS = 60_000;
const CHECK_LENGTH = 32;
/** Digits of a time in epoch seconds, until the year 2286. */
const SECONDS_LENGTH = 10;

/** JSONata: the beginning of the text form of a caller's keys; empty if the team's own `input` contains the key. */
function head(isPerCaller: boolean): string {
  return isPerCaller ? "$caller & ','" : "''";
}

/** Binds `$coded(text)`: a text in the letters, digits, `-` and `_` of base64url. */
const DEFINE_CODED =
  '$coded := function($plain) { $replace($replace($replace($base64encode($encodeUrlComponent($plain)), ' +
  "'+', '-'), '/', '_'), '=', '') }";

/** JSONata of the check. The key's text comes last: it alone can have spaces. */
function check(payloadHash: string, text: string): string {
  return `$substring($hash(${payloadHash} & ' ' & $caller & ' ' & ${text}, 'SHA-256'), 0, ${CHECK_LENGTH})`;
}

/** The check of a payload's hash and a key's text, both JSONata, and of the variable `caller`. */
export function checkExpression(payloadHash: string, text: string): string {
  return expression(check(payloadHash, text));
}

/** JSONata of epoch milliseconds in whole seconds, as text. */
function seconds(milliseconds: string): string {
  return `$formatBase($floor(${milliseconds} / 1000), 10)`;
}

/**
 * The URL for questions about a request, without its last part, relative to its own URL: a stage or a domain may put
 * more before the path. Of the variables `url`, `caller`, `key` and `check`.
 */
export function locationExpression(isPerCaller: boolean): string {
  return expression(
    `( ${DEFINE_CODED}; $last := $split($url, '/')[-1]; ` +
      "$here := './' & ($last = '' ? '' : $last & '/'); " +
      `$here & ${literal(`${LOCATION_PATH}/`)} & $coded($substringAfter($key, ${head(isPerCaller)})) & ` +
      `'.' & $check & '.' & ${seconds('$millis()')} )`,
  );
}

/** The same of a question: its own place. */
export const ASKED_AT = expression("'./' & $asked");

/** The last part of a location; a question's has it. */
export const STARTED_AT =
  `($exists($asked) ? '' : '.' & ($exists($started.at) ? ${seconds('$started.at')} : ` +
  `${literal('0'.repeat(SECONDS_LENGTH))}))`;

const PARTS = `[0-9A-Za-z_-]+\\.[0-9a-f]{${CHECK_LENGTH}}\\.[0-9]{${SECONDS_LENGTH}}\\.[0-9]{${SECONDS_LENGTH}}`;

/**
 * The steps that read the location in the variable `asked`: `{key, check, sent, started}`, the times in epoch
 * milliseconds. They fail for every text that is not a location, in each character, and for a location from the future.
 *
 * The only match must be the whole text: implementations differ in what `$` is before a line break. A KEY is encoded
 * again and must be the same, because base64 and URLs have several forms of one text.
 */
export function readLocation(isPerCaller: boolean): readonly EvaluationStep[] {
  const isOne = `$count($split($asked, '.')) = 4 and $replace($asked, /${PARTS}/, '', 1) = ''`;
  const standard = "$replace($replace($states.input[0], '-', '+'), '_', '/')";
  return [
    { outputs: expression(`${isOne} ? $split($asked, '.') : $error('no location')`) },
    {
      outputs: {
        coded: expression('$states.input[0]'),
        plain: expression(
          `( $text := ${standard}; ` +
            "$decodeUrlComponent($base64decode($pad($text, $ceil($length($text) / 4) * 4, '='))) )",
        ),
        check: expression('$states.input[1]'),
        sent: expression('$number($states.input[2]) * 1000'),
        started: expression('$number($states.input[3]) * 1000'),
      },
    },
    {
      outputs: expression(
        `( ${DEFINE_CODED}; $coded($states.input.plain) = $states.input.coded and ` +
          `$states.input.sent <= $millis() + ${CLOCKS_DIFFER_MS} and ` +
          `$states.input.started <= $millis() + ${CLOCKS_DIFFER_MS} ? ` +
          `$merge([$states.input, {'key': ${head(isPerCaller)} & $states.input.plain}]) : $error('no key') )`,
      ),
    },
  ];
}

/** JSONata: true if the location was returned for another request than the record's. */
export const IS_ANOTHER_REQUEST = `$not($question.check = ${check(
  // A missing attribute is the empty text here.
  '$record.payloadHash.S',
  '$question.key',
)})`;

/** True where the request was sent so recently that its record may just not be there. */
export const IS_YOUNG = `$millis() < $question.sent + ${RECORD_WITHIN_MS}`;
