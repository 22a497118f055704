import type { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { beginning, expression, literal } from '../../contract/jsonata';
import { claimIdOf, RECORD, RESULT_ELSEWHERE, RESULT_TEXT_MAX, STATUS } from '../../contract/record';
import { STATE, type StateName } from '../../contract/state-names';
import { UNNAMED } from '../../contract/step-errors';
import { storedPointer } from '../../contract/stored-result';
import { ME, NOW } from '../../jsonata/variables';
import type { Results } from '../../options/results';
import { PASS_INPUT_ON, type Settings } from '../../settings';
import { CONDITION_FAILED } from '../../tasks/aws-error-names';
import { DynamoTask } from '../../tasks/dynamo-task';
import { retryForHours } from '../../tasks/retries';

/**
 * Ends this execution's ownership of the record and stores the business result, which is also the state's output.
 *
 * This state picks the result out of the step's answer, and not the step's own state. A pick that fails in the step's
 * state would look like a step that has failed, and the step would be run again. Here it leads to {@link
 * finalizeElsewhere}.
 *
 * Writes only while the record names this execution and attempt (where it may claim several times, also this claim),
 * so an execution that was taken over cannot overwrite the new owner's record. The retention begins with the first
 * write that is made; one that is repeated because its answer was lost changes nothing.
 */
export function finalizeCompleted(scope: Construct, settings: Settings): DynamoTask {
  const { results } = settings;
  return finalize(scope, settings, {
    id: STATE.completed,
    comment: 'Stores the business result; duplicates are answered with it',
    status: STATUS.completed,
    attribute: RECORD.result,
    value: storedResult(settings.stepResult, results && beyondTheRecord(results)),
    other: RECORD.error,
    retention: settings.retention,
    ...(settings.stepResult !== undefined && { outputs: expression(settings.stepResult) }),
    // What the record does not hold goes into the bucket at once; so does what met a limit of the service.
    ...(results && { evaluations: 0 }),
  });
}

/** The same for a result that is in a bucket by now: the record says where, and which one it is. */
export function finalizeStored(scope: Construct, settings: Settings, results: Results): DynamoTask {
  const pointer = storedPointer(results.bucket.bucketName);
  return finalize(scope, settings, {
    id: STATE.resultStored,
    comment: 'The result is in the bucket: stores where it is, and its hash; duplicates are answered with it',
    status: STATUS.completed,
    attribute: RECORD.result,
    value: { S: expression(`$isReadable ? ${literal(RESULT_ELSEWHERE)} : $string(${pointer})`) },
    other: RECORD.error,
    retention: settings.retention,
    further: [RECORD.resultLocation, RECORD.resultHash],
    outputs: expression(`$isReadable ? $states.input : ${pointer}`),
  });
}

/**
 * The same for a result that has no text, or for an answer without the picked member: the record says that the result
 * is the execution's output, which is the whole answer. Without it a step that has run to success would never be
 * finished.
 */
export function finalizeElsewhere(scope: Construct, settings: Settings): DynamoTask {
  return finalize(scope, settings, {
    id: STATE.resultElsewhere,
    comment: 'The result cannot be written as text: duplicates read it from this execution',
    status: STATUS.completed,
    attribute: RECORD.result,
    value: { S: RESULT_ELSEWHERE },
    other: RECORD.error,
    retention: settings.retention,
    keepsValue: true,
  });
}

/** Ends this execution's ownership of the record and stores the business step's error, under the same condition. */
export function finalizeFailed(scope: Construct, settings: Settings): DynamoTask {
  return finalize(scope, settings, {
    id: STATE.failed,
    comment: 'Stores that the business step failed; a later delivery may take over',
    status: STATUS.failed,
    attribute: RECORD.error,
    value: { S: storedError(settings) },
    other: RECORD.result,
    retention: settings.failedRetention,
  });
}

// A rejection that only its cause tells keeps it: shortened it would be doubt. Its text is AWS's, not the step's.
function storedError({ causeCharacters }: Settings): string {
  if (causeCharacters === undefined) return expression('$string($failure)');
  return expression(
    `$string({'Error': $failure.Error, 'Cause': $failure.Error = ${literal(UNNAMED)} ? $failure.Cause : ` +
      `${beginning('$failure.Cause', causeCharacters)}})`,
  );
}

/** Now plus the retention, in epoch seconds, as a DynamoDB number. */
export function expiryAfter(retentionSeconds: number): string {
  return expression(`$string($floor($millis() / 1000) + ${retentionSeconds})`);
}

interface Ending {
  readonly id: StateName;
  readonly comment: string;
  readonly status: string;
  /** The attribute that holds how it ended, its value, and the attribute that must not remain beside it. */
  readonly attribute: string;
  readonly value: object | string;
  readonly other: string;
  /** A value that an earlier request of the same end has written stays: its answer was lost. @default false */
  readonly keepsValue?: true;
  /** How long a record counts that has ended so. */
  readonly retention: Duration;
  /** @default - the input */
  readonly outputs?: string;
  /** Attributes that the record gets besides, from the variables of their names. */
  readonly further?: readonly string[];
  /** How often expressions are evaluated again that could not be. @default 3 */
  readonly evaluations?: number;
}

function finalize(scope: Construct, settings: Settings, ending: Ending): DynamoTask {
  const claim = ownClaim(settings);
  const { further = [], keepsValue } = ending;
  const outcome = keepsValue ? 'if_not_exists(#outcome, :outcome)' : ':outcome';
  const task = new DynamoTask(scope, ending.id, {
    comment: ending.comment,
    operation: 'updateItem',
    table: settings.table,
    recordScope: settings.scope,
    request: {
      Key: { [RECORD.idempotencyKey]: { S: expression('$idempotencyKey') } },
      UpdateExpression:
        `SET #status = :status, #outcome = ${outcome}, ` +
        '#finishedAt = if_not_exists(#finishedAt, :at), ' +
        '#expiry = if_not_exists(#expiry, :expiry)' +
        `${further.map(name => `, #${name} = :${name}`).join('')} REMOVE #other`,
      ConditionExpression: `#owner = :me AND #attempt = :mine${claim.clause}`,
      ExpressionAttributeNames: {
        '#status': RECORD.status,
        '#outcome': ending.attribute,
        '#finishedAt': RECORD.finishedAt,
        '#expiry': RECORD.expiry,
        '#other': ending.other,
        '#owner': RECORD.owner,
        '#attempt': RECORD.attempt,
        ...Object.fromEntries(further.map(name => [`#${name}`, name])),
        ...claim.names,
      },
      ExpressionAttributeValues: {
        ':status': { S: ending.status },
        ':outcome': ending.value,
        ':at': { S: NOW },
        ':expiry': { N: expiryAfter(ending.retention.toSeconds()) },
        ':me': { S: ME },
        ':mine': { N: expression('$string($attempt)') },
        ...Object.fromEntries(further.map(name => [`:${name}`, { S: expression(`$${name}`) }])),
        ...claim.values,
      },
    },
    outputs: ending.outputs ?? PASS_INPUT_ON,
  });
  // The work is done, and only the record does not say so yet. After the last attempt nothing catches the error: the
  // execution fails in this state, where a redrive resumes with the result that Step Functions has kept.
  retryForHours(task, [CONDITION_FAILED], ending.evaluations);
  return task;
}

interface OwnClaim {
  readonly clause: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: object;
}

/**
 * What a finalizing write adds to its condition where one execution may claim several times: its ARN and the attempt do
 * not tell one claim from another. Empty elsewhere.
 */
function ownClaim(settings: Settings): OwnClaim {
  if (!settings.variant.isFragment) return { clause: '', names: {}, values: {} };
  return {
    clause: ' AND #claimId = :claimId',
    names: { '#claimId': RECORD.claimId },
    values: { ':claimId': { S: expression(claimIdOf(settings.variant)) } },
  };
}

/**
 * The business result as a DynamoDB value for the record: its JSON text. A placeholder stands for an oversized result,
 * and for one whose text would not be exactly the result (`$string` rounds numbers to 15 digits). The default
 * placeholder is {@link RESULT_ELSEWHERE}: duplicates read the exact result from the owner's execution.
 *
 * The result is the state's input, or what the JSONata `picked` gives over it. Fails where that gives nothing.
 */
export function storedResult(picked?: string, beyond: Beyond = ELSEWHERE): string {
  const result = picked === undefined ? '$states.input' : '$result';
  return expression(
    `( ${[
      ...(picked === undefined ? [] : [pickedResult(picked)]),
      `$json := $string({'result': ${result}})`,
      // The document `{"result":…}` without what is around its only member.
      `$text := $replace($json, /^\\{"result":|\\}$/, '')`,
      // A number that is rounded beyond what a double holds is written as null, too.
      `$isExact := $text = 'null' ? $not($type(${result}) = 'number') : ` +
        `$lookup($parse('{"result":' & $text & '}'), 'result') = ${result}`,
      // As a member of a list it is written the way it travels: escaped, in quotes and brackets.
      `{'S': $isExact and $length($string([$text])) <= ${beyond.maxCharacters + 4} ? $text : ${beyond.jsonata}}`,
    ].join('; ')} )`,
  );
}

/** JSONata that binds `$result` to what is picked out of the step's answer. Fails where that gives nothing. */
export function pickedResult(picked: string): string {
  return `$result := (${picked}); $exists($result) ? '' : $error(${NOTHING})`;
}

const NOTHING = literal('`stepResult` gives nothing');

/** The longest text that the record holds, and JSONata of what it has in place of a result that it does not hold. */
interface Beyond {
  readonly maxCharacters: number;
  readonly jsonata: string;
}

/** A text that is longer would be too long for the states that have to read it. */
const ELSEWHERE: Beyond = { maxCharacters: RESULT_TEXT_MAX, jsonata: literal(RESULT_ELSEWHERE) };

/** Fails the evaluation, which leads to the bucket. Null, which no bucket takes, is always kept in the record. */
function beyondTheRecord({ maxInRecord: maxCharacters }: Results): Beyond {
  return {
    maxCharacters,
    jsonata: "$text = 'null' ? $text : $error('the record does not hold this result')",
  };
}
