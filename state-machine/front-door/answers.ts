import { Succeed } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { toJsonata } from '../contract/condition-text';
import { IS_IN_PROGRESS, isWithinTheStepsTime } from '../contract/conditions';
import { expression, literal, parsed } from '../contract/jsonata';
import { FRONT_DOOR_STATE, type FrontDoorStateName } from '../contract/state-names';
import { IS_POINTER } from '../contract/stored-result';
import type { FrontDoorProps } from './front-door-props';
import { PROBLEM, type Problem, problemDocument } from './problems';
import { STARTED_AT } from './result-location';

// An answer is `{status, headers, body}`, the body as text: printed as it is, no number of it is rounded.

/** The header that tells an answer which was given before. */
export const REPLAYED = 'Idempotent-Replayed';

const PROBLEM_JSON = 'application/problem+json';
const REPLAY_MARK = `($replayed ? {'${REPLAYED}': 'true'} : {})`;

/** The end of a request that is answered with a problem. */
export function problemAnswer(
  scope: Construct,
  id: FrontDoorStateName,
  problem: Problem,
  problemType: string,
  retryAfter = String(problem.retryAfter),
): Succeed {
  return Succeed.jsonata(scope, id, {
    comment: problem.title,
    outputs: {
      status: problem.status,
      headers: {
        'Content-Type': PROBLEM_JSON,
        ...(problem.retryAfter !== undefined && { 'Retry-After': retryAfter }),
      },
      body: problemDocument(problemType, problem),
    },
  });
}

/** The end of a request whose body cannot be used; the variable `pointer` may say where a number is too large. */
export function problemAnswerOfPayload(scope: Construct, problemType: string): Succeed {
  const { invalidPayload } = PROBLEM;
  const opening = problemDocument(problemType, invalidPayload).slice(0, -1);
  const where = `',' & $substringAfter($string({'detail': ${literal(TOO_LARGE)}, 'pointer': $pointer}), '{')`;
  return Succeed.jsonata(scope, FRONT_DOOR_STATE.invalidPayload, {
    comment: invalidPayload.title,
    outputs: {
      status: invalidPayload.status,
      headers: { 'Content-Type': PROBLEM_JSON },
      body: expression(
        `${literal(opening)} & ($exists($pointer) and $length($pointer) > 0 ? ${where} : '}')`,
      ),
    },
  });
}

const TOO_LARGE = 'A whole number beyond 2^53 - 1 cannot be told from others. Send it as text.';

/**
 * The end of a request whose key has another payload: with the names of the fields that differ, where the variable
 * `differing` has them as the text of a list.
 */
export function problemAnswerOfMismatch(scope: Construct, problemType: string): Succeed {
  const { payloadMismatch } = PROBLEM;
  const opening = problemDocument(problemType, payloadMismatch).slice(0, -1);
  return Succeed.jsonata(scope, FRONT_DOOR_STATE.payloadMismatch, {
    comment: payloadMismatch.title,
    outputs: {
      status: payloadMismatch.status,
      headers: { 'Content-Type': PROBLEM_JSON },
      body: expression(
        `${literal(opening)} & ($exists($differing) ? ',"differingFields":' & $differing : '') & '}'`,
      ),
    },
  });
}

/** The end of a request whose step has failed: with the error's name, and the status that the app has given it. */
export function stepFailed(
  scope: Construct,
  { errors, problemType }: Pick<FrontDoorProps, 'errors' | 'problemType'>,
): Succeed {
  const { status, ...problem } = PROBLEM.stepFailed;
  const opening = problemDocument(problemType, { ...problem, status }).replace(
    /"status":\d+\}$/,
    '"status":',
  );
  const mapped = Object.entries(errors).map(([name, of]) => `${literal(name)}: ${of}`);
  const find =
    `$error := $parse($record.error.S).Error; $found := $lookup({${mapped.join(', ')}}, $error); ` +
    `$status := $exists($found) ? $found : ${status}`;
  const rest = "$formatBase($status, 10) & ',' & $substringAfter($string({'error': $error}), '{')";
  return Succeed.jsonata(scope, FRONT_DOOR_STATE.stepFailed, {
    comment: 'The step has failed: its error has a status, and its cause stays inside',
    outputs: {
      status: expression(`( ${find}; $status )`),
      headers: expression(`$merge([{'Content-Type': '${PROBLEM_JSON}'}, ${REPLAY_MARK}])`),
      body: expression(`( ${find}; ${literal(opening)} & ${rest} )`),
    },
  });
}

/** JSONata: in how many seconds the lease of the record is over. In the millisecond in which it ends, it counts. */
const REST_OF_LEASE = '$floor(($number($record.leaseExpiry.N) - $millis()) / 1000) + 1';

/** JSONata: half of the time since this one, in seconds. So at most a third of all waiting is idle. */
const halfSince = (epochMs: string) => `$ceil(($millis() - ${epochMs}) / 2000)`;

/**
 * The end of a request whose first is at work. Its next try is due after half of the time since the claim. If the time
 * of the step is over, only the lease of its interrupted execution is left to wait for.
 */
export function inProgress(
  scope: Construct,
  { stepTimeout, problemType }: Pick<FrontDoorProps, 'stepTimeout' | 'problemType'>,
): Succeed {
  const isYoung = toJsonata(isWithinTheStepsTime(stepTimeout.count()));
  const seconds = `${isYoung} ? ${halfSince('$toMillis($record.claimedAt.S)')} : ${REST_OF_LEASE}`;
  const due = expression(`$formatBase($max([1, ${seconds}]), 10)`);
  return problemAnswer(scope, FRONT_DOOR_STATE.inProgress, PROBLEM.inProgress, problemType, due);
}

/**
 * The end of a request whose outcome an Express workflow has not recorded: only its sender continues it, so it is not
 * accepted. Its next try is due when the lease of the record is over.
 */
export function outcomeUnknown(scope: Construct, problemType: string): Succeed {
  const problem = PROBLEM.outcomeUnknown;
  const isLeased = `${toJsonata(IS_IN_PROGRESS)} and $exists($record.leaseExpiry)`;
  const due = expression(
    `${isLeased} ? $formatBase($max([1, ${REST_OF_LEASE}]), 10) : ${literal(String(problem.retryAfter))}`,
  );
  return problemAnswer(scope, FRONT_DOOR_STATE.outcomeUnknown, problem, problemType, due);
}

/** JSONata of when the request was sent that is answered, or asked for. */
const SENT_AT = '($exists($question) ? $question.sent : $toMillis($states.context.Execution.StartTime))';

/**
 * The end of a request that has been taken and is not done: where, and when, to ask. That is after half of the time
 * that has passed since, and never after more than the step may take.
 */
export function accepted(scope: Construct, { stepTimeout }: Pick<FrontDoorProps, 'stepTimeout'>): Succeed {
  return Succeed.jsonata(scope, FRONT_DOOR_STATE.accepted, {
    comment: 'It is at work, and the caller does not wait longer',
    outputs: {
      status: 202,
      headers: {
        Location: expression(`$replace($location, /[^!-~]/, '') & ${STARTED_AT}`),
        'Retry-After': expression(
          `$formatBase($max([1, $min([${halfSince(SENT_AT)}, ${stepTimeout.count()}])]), 10)`,
        ),
      },
      body: '{"status":"accepted"}',
    },
  });
}

/**
 * JSONata of the answer that a mapping makes of the variable `result`, without the marker of a replay. Fails where it
 * makes no status from 200 to 599, or no body, and for a pointer. In a header a line break would begin another one:
 * what is not printable becomes a space, as RFC 9110 5.5 has it.
 */
export function mappedAnswer(mapping: NonNullable<FrontDoorProps['response']>): string {
  const headers = Object.entries(mapping.headers).map(
    ([name, value]) => `${literal(name)}: $replace($string((${value})), /[^ -~]/, ' ')`,
  );
  return expression(
    `( $result := ${IS_POINTER} ? $error('the result is not here') : ${parsed('$text')}; ` +
      `$answer := {'status': (${mapping.status}), 'headers': {${headers.join(', ')}}, ` +
      `'body': ${mapping.body === undefined ? '$text' : `$string((${mapping.body}))`}}; ` +
      "$type($answer.status) = 'number' and $answer.status in [200..599] and $exists($answer.body) " +
      "? $answer : $error('the mapping makes no answer') )",
  );
}

/** The end of a request whose step has succeeded: with the result's text, or what the mapping has made of it. */
export function result(scope: Construct, isMapped: boolean): Succeed {
  const answer = isMapped ? '$states.input' : "{'status': 200, 'headers': {}, 'body': $text}";
  return Succeed.jsonata(scope, FRONT_DOOR_STATE.result, {
    comment: 'The step has succeeded: answers with its result, as text',
    outputs: expression(
      `( $answer := ${answer}; $merge([$answer, {'headers': $merge([$answer.headers, ${REPLAY_MARK}])}]) )`,
    ),
  });
}

/**
 * True where the answer does not exceed what an execution may end with, 262,144 bytes, when its quotes are escaped. A
 * character beyond ASCII has up to four. `text` is JSONata of its body.
 */
export function fits(text: string): string {
  const quotes = `$replace(${text}, /[\\\\"]/, '__')`;
  const escaped = `$replace(${quotes}, /[\\u0000-\\u001f]/, '______')`;
  // If a pair of surrogates is two characters, each of them has half of the four bytes.
  const bytes = `$replace($replace(${escaped}, /[\\ud800-\\udfff]/, '__'), /[^\\u0000-\\u007f]/, '____')`;
  return `$length(${bytes}) < 250000`;
}
