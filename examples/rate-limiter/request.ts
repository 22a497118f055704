/**
 * The user of a request, as JSONata: 1 to 100 letters, digits and `._@+-`. Anything else is an error.
 *
 * `detail` is where the request is: the expressions are evaluated for the payload, which is compared before anything is
 * claimed, and again in the step. So the step counts what was compared, and a bad request gets no further than that.
 */
export function userOf(detail: string): string {
  return (
    `($user := ${detail}.user; ` +
    `$type($user) = 'string' and $contains($user, /^[A-Za-z0-9._@+-]{1,100}$/) ? $user : ` +
    `$error('user must be 1 to 100 letters, digits or ._@+-'))`
  );
}

/**
 * The time of a request, as JSONata: its own `at`, in UTC such as `2026-11-20T23:59:58.120Z`, or in epoch milliseconds
 * such as 1510067704370, as that text. Anything else is an error.
 */
function timeOf(detail: string): string {
  return (
    `($given := ${detail}.at; ` +
    // Only a choice is certain to leave out what a text would fail in.
    `$isCount := $type($given) = 'number' ? $floor($given) = $given and $given >= 0 and $given < ${YEAR_10000} : false; ` +
    `$at := $isCount ? $fromMillis($given) : $given; $isTime := $type($at) = 'string' and $contains($at, ${TIME}); ` +
    `$isTime ? $at : $error('at must be a time in UTC, such as ${EXAMPLE}, or epoch milliseconds'))`
  );
}

/** The day of a request, as JSONata: the first ten characters of its time. A day that no month has is an error. */
export function dayOf(detail: string): string {
  return (
    `($day := $substring(${timeOf(detail)}, 0, 10); ` +
    // The 30th of February is either an error or the second of March.
    `$substring($fromMillis($toMillis($day)), 0, 10) = $day ? $day : $error('at is on a day that there is not'))`
  );
}

const TIME = String.raw`/^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?Z$/`;
const EXAMPLE = '2026-11-20T23:59:58Z';
/** In epoch milliseconds. */
const YEAR_10000 = 253_402_300_800_000;

/**
 * When the window of a request began, as JSONata: epoch seconds, a multiple of the window's length. Windows of a day
 * begin at midnight in UTC, those of an hour with the hour; any other length is counted from 1970 on, too.
 */
export function windowOf(detail: string, seconds: number): string {
  return (
    `($day := ${dayOf(detail)}; $text := ${timeOf(detail)}; ` +
    '$part := function($from) { $number($substring($text, $from, 2)) }; ' +
    '$at := $toMillis($day) / 1000 + $part(11) * 3600 + $part(14) * 60 + $part(17); ' +
    `$floor($at / ${seconds}) * ${seconds})`
  );
}
