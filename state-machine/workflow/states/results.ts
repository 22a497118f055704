import type { Construct } from 'constructs';
import { expression, literal, parsed } from '../../contract/jsonata';
import { RECORD } from '../../contract/record';
import { STATE } from '../../contract/state-names';
import { OBJECT_GONE, OBJECT_OF_RECORD, objectKey, textOfObject } from '../../contract/stored-result';
import type { Results } from '../../options/results';
import type { Settings } from '../../settings';
import { DATA_TOO_LONG, EVALUATION_FAILED } from '../../tasks/aws-error-names';
import { retryFaults, retryForHours } from '../../tasks/retries';
import { S3Task } from '../../tasks/s3-task';
import { pickedResult } from './finalize';

// A result that the record does not hold, in a bucket: put there before the record says so, and read by duplicates.

/** Bytes of the answer to a read, which holds the object as one text, escaped: below the 262,144 of a state's data. */
const READABLE_CHARACTERS = 240_000;
/** A character has up to four bytes. */
const READABLE_OTHER_CHARACTERS = 60_000;
/** A number is written in at most 25 characters, of which at least one is a digit. */
const DIGIT_CHARACTERS = 25;

/**
 * JSONata that is true where duplicates can read `$result` back through the workflow. Its text is the service's to
 * write: where `$string` cannot write the same, each digit may stand for a number of any length.
 */
const IS_READABLE = [
  "$document := $string({'result': $result})",
  '$text := $string([$document])',
  `$max := $contains($text, /[^\\u0000-\\u007f]/) ? ${READABLE_OTHER_CHARACTERS} : ${READABLE_CHARACTERS}`,
  "$isExact := $lookup($parse($document), 'result') = $result",
  "$digits := function() { $length($text) - $length($replace($text, /[0-9]+/, '')) }",
  `$length($text) + ($isExact ? 0 : ${DIGIT_CHARACTERS} * $digits()) <= $max`,
].join('; ');

/**
 * Puts the business result (the state's input, or the picked part of it) into the bucket, as the JSON that Step
 * Functions makes of it. `$string` has no part in it, so every number stays exact. Written again after a lost answer it
 * is the same object.
 *
 * An object that was put and not finished, because the execution was interrupted in between, never becomes a result,
 * and expires.
 *
 * A result that duplicates could not read back here is not passed on, because it may have become too long by being
 * written anew. All are answered with where it is.
 */
export function storeResult(scope: Construct, settings: Settings, results: Results): S3Task {
  const key = objectKey(results.prefix, settings.scope, settings.variant);
  const bucket = results.bucket.bucketName;
  const hash = '$states.result.ChecksumSHA256';
  const { stepResult } = settings;
  const result = stepResult === undefined ? '$result := $states.input' : pickedResult(stepResult);
  const ofResult = (jsonata: string) => expression(`( ${result}; ${jsonata} )`);
  const task = new S3Task(scope, STATE.storeResult, {
    comment: 'The record does not hold the result: puts it into the bucket, under key and attempt',
    operation: 'putObject',
    results,
    recordScope: settings.scope,
    request: {
      Bucket: bucket,
      Key: expression(key),
      // An integration that is given null gives no body.
      Body: ofResult("$result = null ? $error('null is kept in the record') : $result"),
      ContentType: 'application/json',
      ChecksumAlgorithm: 'SHA256',
    },
    assign: {
      [RECORD.resultLocation]: expression(`${literal(`s3://${bucket}/`)} & ${key}`),
      [RECORD.resultHash]: expression(hash),
      isReadable: ofResult(IS_READABLE),
    },
    outputs: ofResult(`(${IS_READABLE}) ? $result : ''`),
  });
  retryForHours(task, [DATA_TOO_LONG]);
  return task;
}

/**
 * Answers with the object that the record names, if it is the one that the attempt has put: S3 and the record
 * each have its hash. Anything else fails the evaluation.
 */
export function readResult(scope: Construct, settings: Settings, results: Results): S3Task {
  const task = new S3Task(scope, STATE.readResult, {
    comment: 'The business step has run: answers with its result, out of the bucket',
    operation: 'getObject',
    results,
    recordScope: settings.scope,
    request: { ...OBJECT_OF_RECORD, ChecksumMode: 'ENABLED' },
    outputs: expression(textOfObject(parsed('$states.result.Body'))),
  });
  // If it is certainly not there, or oversized, no other try helps.
  task.addRetry({ errors: [DATA_TOO_LONG, EVALUATION_FAILED, ...OBJECT_GONE], maxAttempts: 0 });
  retryFaults(task);
  return task;
}
