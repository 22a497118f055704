import { expression, literal } from '../contract/jsonata';
import { TOO_LARGE_AT, TOO_LARGE_REMEDY } from '../contract/payload-hash';
import type { KeyExpressions } from '../expression/key-expressions';
import { checked, type Rule, readingStates, STABLE } from '../expression/user-expression';
import { payloadKeyText } from '../jsonata/key';
import type { EvaluationStep } from '../tasks/evaluate';

// A request as the templates of API Gateway hand it over: the body as text, names and values in lists, so that nothing
// in it can be taken for anything else.

/** Binds `$named(list)`: an object of a list of names and values, each name in lower case where `fold` is true. */
const DEFINE_NAMED =
  '$named := function($list, $fold) { $merge([{}, $map($list, function($one) { ' +
  '{($fold ? $lowercase($one.name) : $one.name): $one.value} })]) }';

/**
 * JSONata: whether the value `$body` contains a number that a double cannot hold. `$parse` makes such a number
 * infinite, and the output of a state writes every infinite number as the same text. Infinite numbers are looked for
 * first: `$type` fails for them.
 */
const IS_TOO_LARGE =
  "$exists($body.**[$ in [$parse('1e999'), $parse('-1e999')] ? true : " +
  "$type($) = 'number' ? $abs($) > 1.7976931348623157e308])";

/** A double can hold every number that this pattern does not match. */
const MAY_BE_INFINITE = '/[0-9]{200}|[0-9][eE][+]?[0-9]{3}/';

/** A JSON text without its strings. The escapes go first, so that each quote that is left begins or ends a string. */
const WITHOUT_STRINGS =
  "$replace($replace($replace($states.input.body, '\\\\\\\\', ''), '\\\\\"', ''), /\"[^\"]*\"/, '')";

/** In pieces: a cause contains the expression's text, in which `POINTER` would find the message before the message. */
const TOO_LARGE_IN_BODY = `${literal(TOO_LARGE_AT)} & '#' & ${literal(TOO_LARGE_REMEDY)}`;

/** JSONata: the caller; another session of a role is not another caller. */
const WHO =
  "($states.input.principal = '' ? 'anonymous' : " +
  "$replace($states.input.principal, /^(arn:[^:]*:sts::[0-9]*:assumed-role\\/[^\\/]*)\\/.*$/, '$1'))";

/**
 * JSONata: the caller as the first part of a key: unchanged if it is short and plain, otherwise its hash. So the
 * beginning of every key tells its caller, also if a long key is cut.
 */
const AS_PART =
  '$contains($who, /^(?!sha256:)[0-9A-Za-z_.:@|\\/+-]{1,48}$/) ? ' +
  "$who : 'sha256:' & $substring($hash($who, 'SHA-256'), 0, 32)";

/** Who the caller is, as the first part of a key. */
export const CALLER = expression(`( $who := ${WHO}; ${AS_PART} )`);

/**
 * The steps that read a request: `{caller, request}`, the request as expressions of a team see it, `{method, headers,
 * path, query, principal, body}`. API Gateway hands an empty body over as `{}`. They fail if the body is not an object,
 * or contains a number that a double cannot hold.
 */
export const PARSED_BODY: readonly EvaluationStep[] = [
  {
    assign: {
      who: expression(WHO),
      mayBeTooLarge: expression(
        `$contains($states.input.body, ${MAY_BE_INFINITE}) ? $contains(${WITHOUT_STRINGS}, ${MAY_BE_INFINITE}) : false`,
      ),
    },
    outputs: expression("$states.input.body = '' ? $merge([$states.input, {'body': '{}'}]) : $states.input"),
  },
  {
    outputs: expression(
      '( $body := $parse($states.input.body); ' +
        `$mayBeTooLarge and ${IS_TOO_LARGE} ? $error(${TOO_LARGE_IN_BODY}) : ` +
        "$type($body) = 'object' ? $merge([$states.input, {'body': $body}]) : $error('the body is not a JSON object') )",
    ),
  },
  {
    outputs: {
      caller: expression(AS_PART),
      request: expression(
        `( ${DEFINE_NAMED}; {'headers': $named($states.input.headers, true), ` +
          "'path': $named($states.input.path, false), 'query': $named($states.input.query, false), " +
          "'principal': $who, 'body': $states.input.body} )",
      ),
    },
  },
];

/** The values of a header, however its name is written. */
export function headerLines(name: string): string {
  return `[$states.input.headers[$lowercase(name) = ${literal(name.toLowerCase())}].value]`;
}

/** The longest key, or part of one, in characters. */
export const KEY_LENGTH_MAX = 255;

const MISSING = "{'problem': 'missing'}";
const INVALID = "{'problem': 'invalid'}";
/** Printable ASCII in double quotes, with `"` and `\` escaped: a String of RFC 9651. */
const QUOTED = '/^"([ !#-\\[\\]-~]|\\\\["\\\\])*"$/';
/** Printable ASCII that cannot be taken for a list, or for a truncated String. */
const BARE = '/^[!#-+.-~-]+$/';

/**
 * `{key}` or `{problem}` of the values of a header in the variable `keyLines`. Never fails. Several lines are joined
 * with a character that no key may have.
 */
export const KEY_OF_HEADER = expression(
  "( $line := $replace($join($keyLines, '\\u007f'), /^[ \\t]+|[ \\t]+$/, ''); " +
    `$key := $contains($line, ${QUOTED}) ? ` +
    "$replace($replace($line, /^\"|\"$/, ''), /\\\\([\"\\\\])/, '$1') : " +
    `$contains($line, ${BARE}) ? $line : ''; ` +
    `$line = '' ? ${MISSING} : ` +
    `$key = '' or $length($key) > ${KEY_LENGTH_MAX} ? ${INVALID} : {'key': $key} )`,
);

/**
 * The same of a team's key over the request: `key` is a list where it has parts. A part that is missing is a missing
 * key. Fails where an expression does, or a hash rejects its payload.
 */
export function keyOf(key: KeyExpressions): string {
  if (key.kind === 'payload') {
    const hash = payloadKeyText(key.parts[0].jsonata);
    return expression(`( $given := {'key': ( ${hash} )}; $exists($given.key) ? $given : ${MISSING} )`);
  }
  const values = key.parts.map(({ jsonata }) => `{'v': (${jsonata})}`).join(', ');
  return expression(
    `( $given := [${values}]; $exists($given[$not($exists(v)) or v in [null, '']]) ? ${MISSING} : ` +
      `$exists($given[$not($type(v) = 'number' or $type(v) = 'string' and $length(v) <= ${KEY_LENGTH_MAX})]) ? ` +
      `${INVALID} : {'key': $given.v} )`,
  );
}

/** The place of a number in the payload that a hash rejects, as a JSON Pointer; empty if something else is wrong. */
export const POINTER = expression(
  '( $cause := $states.errorOutput.Cause; ' +
    "$type($cause) = 'string' and $contains($cause, /2\\^53 - 1 at #.*; send it as text/) ? " +
    "$replace($cause, /^[\\s\\S]*?2\\^53 - 1 at (#.*); send it as text[\\s\\S]*$/, '$1') : '' )",
);

/** JSONata: true where the gateway has not said who the caller is. What it does not know may stand as it is written. */
export const IS_UNAUTHENTICATED =
  "$states.input.principal = '' or $contains($states.input.principal, /^\\$context\\./)";

/** The first of several counts, as RFC 7240 has it. */
const WAIT = '\\s*wait\\s*=\\s*"?([0-9]{1,6})';

/** JSONata: for how many seconds a caller is ready to wait, as `Prefer` of RFC 7240 has it; at most `seconds`. */
export function secondsToWait(seconds: number): string {
  return (
    `( $prefer := $lowercase($join(${headerLines('prefer')}, ',')); ` +
    `$wait := $replace($prefer, /^(?:|[\\s\\S]*?,)${WAIT}[\\s\\S]*$/, '$1'); ` +
    `$contains($prefer, /(^|,)${WAIT}/) ? $min([$number($wait), ${seconds}]) : ` +
    `$contains($prefer, /(^|,)\\s*respond-async\\s*(;|,|$)/) ? 0 : ${seconds} )`
  );
}

/** A duplicate's request is another, and a question has none. */
const OF_THE_RESULT: Rule = {
  forbids: ({ nodes }) => (readingStates(nodes).size > 0 ? '$states' : undefined),
  because: 'sees the result only, as $result',
};

/** The same of an expression over the variable `result`. */
export function parseResultExpression(text: string, prop: string): string {
  return checked(text, {
    prop,
    rules: [OF_THE_RESULT, STABLE],
    variables: ['result'],
    example: '{% $result.id %}',
  });
}
