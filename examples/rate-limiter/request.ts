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
 * The day of a request, as JSONata: the first ten characters of its own `at`, a time in UTC such as
 * `2026-11-20T23:59:58.120Z`. Anything else is an error, also a day that no month has.
 */
export function dayOf(detail: string): string {
  return (
    `($at := ${detail}.at; $isTime := $type($at) = 'string' and $contains($at, ${TIME}); ` +
    `$day := $isTime ? $substring($at, 0, 10) : $error('at must be a time in UTC, such as ${EXAMPLE}'); ` +
    // The 30th of February is either an error or the second of March.
    `$substring($fromMillis($toMillis($day)), 0, 10) = $day ? $day : $error('at is on a day that there is not'))`
  );
}

const TIME = String.raw`/^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?Z$/`;
const EXAMPLE = '2026-11-20T23:59:58Z';

/**
 * When the window of a request began, as JSONata: epoch seconds, a multiple of the window's length. Windows of a day
 * begin at midnight in UTC, those of an hour with the hour; any other length is counted from 1970 on, too.
 */
export function windowOf(detail: string, seconds: number): string {
  return (
    `($day := ${dayOf(detail)}; $part := function($from) { $number($substring(${detail}.at, $from, 2)) }; ` +
    '$at := $toMillis($day) / 1000 + $part(11) * 3600 + $part(14) * 60 + $part(17); ' +
    `$floor($at / ${seconds}) * ${seconds})`
  );
}
