import { Choice, Fail } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { ERROR } from '../contract/error-names';
import { expression } from '../contract/jsonata';
import { RECORD, STATUS } from '../contract/record';
import { DynamoTask } from '../dynamo-task';
import { HISTORY_PAGE, OWN_DOUBT, OWNERS_DOUBT, PLACE_SEEN } from '../expressions/in-doubt';
import { ME, NOW } from '../expressions/record';
import { retryForHours, retryForMinutes } from '../retries';
import { OWNER_UNKNOWN, PASS_INPUT_ON, type Settings } from '../settings';
import { SfnTask } from '../sfn-task';

// At-most-once delivery: what happens where nobody knows whether the business step has run.

/** The Choice over the error of a function: its own answer, or an invocation that was cut off. */
export function isTheOutcomeCertain(scope: Construct): Choice {
  return Choice.jsonata(scope, 'Is the outcome certain?', {
    comment: 'Whether the failed step has answered, or was refused before it ran',
  });
}

/**
 * Parks the record of this execution, whose own step ended without an answer: `FAILED`, `Idempotency.InDoubt`.
 *
 * It gets no expiry: what nobody knows is not forgotten.
 */
export function finalizeInDoubt(scope: Construct, settings: Settings): DynamoTask {
  const task = park(scope, settings, {
    id: 'Finalize: in doubt',
    comment: 'Parks the record: the business step may have run, and never runs again by itself',
    owner: ME,
    attempt: expression('$string($attempt)'),
    error: OWN_DOUBT,
  });
  retryForHours(task);
  return task;
}

/** Reads where the dead owner stopped, newest events first and without data. */
export function readTheOwnersHistory(scope: Construct): SfnTask {
  const task = new SfnTask(scope, "Read the owner's history", {
    comment: 'Where did the owner stop: before, in or after the business step?',
    operation: 'getExecutionHistory',
    request: HISTORY_PAGE,
    assign: PLACE_SEEN,
    outputs: PASS_INPUT_ON,
  });
  task.addRetry({ errors: ['States.DataLimitExceeded'], maxAttempts: 0 });
  retryForMinutes(task, OWNER_UNKNOWN);
  return task;
}

/** The Choice over where the owner stopped. Its rules are in the flow. */
export function cutOffInTheStep(scope: Construct): Choice {
  return Choice.jsonata(scope, 'Cut off in the step?', {
    comment: 'An owner that stopped elsewhere goes on; one that was cut off in the step is in doubt',
  });
}

/** Parks the record of a dead owner that was cut off in its step, if the record is still as it was read. */
export function parkTheRecord(scope: Construct, settings: Settings): DynamoTask {
  const task = park(scope, settings, {
    id: 'Park the record',
    comment: 'The owner died within the business step, which never runs again by itself',
    seenStatus: STATUS.inProgress,
    owner: expression('$record.owner.S'),
    attempt: expression('$record.attempt.N'),
    error: OWNERS_DOUBT,
  });
  retryForMinutes(task);
  return task;
}

/** Ends a delivery whose key is parked. */
export function inDoubt(scope: Construct): Fail {
  return Fail.jsonata(scope, 'In doubt', {
    comment: 'Nobody knows whether the business step has run: a person decides',
    error: ERROR.inDoubt,
    cause: expression('$parse($exists($doubt) ? $doubt : $record.error.S).Cause'),
  });
}

interface Parking {
  readonly id: string;
  readonly comment: string;
  /** The status that the record must still have; absent: any. */
  readonly seenStatus?: string;
  readonly owner: string;
  readonly attempt: string;
  readonly error: string;
}

function park(scope: Construct, settings: Settings, parking: Parking): DynamoTask {
  const { seenStatus } = parking;
  return new DynamoTask(scope, parking.id, {
    comment: parking.comment,
    operation: 'updateItem',
    table: settings.table,
    request: {
      Key: { [RECORD.idempotencyKey]: { S: expression('$idempotencyKey') } },
      UpdateExpression:
        'SET #status = :failed, #error = :error, #finishedAt = if_not_exists(#finishedAt, :at) REMOVE #result',
      ConditionExpression: `#owner = :owner AND #attempt = :attempt${seenStatus ? ' AND #status = :seenStatus' : ''}`,
      ExpressionAttributeNames: {
        '#status': RECORD.status,
        '#error': RECORD.error,
        '#finishedAt': RECORD.finishedAt,
        '#result': RECORD.result,
        '#owner': RECORD.owner,
        '#attempt': RECORD.attempt,
      },
      ExpressionAttributeValues: {
        ':failed': { S: STATUS.failed },
        ':error': { S: parking.error },
        ':at': { S: NOW },
        ':owner': { S: parking.owner },
        ':attempt': { N: parking.attempt },
        ...(seenStatus && { ':seenStatus': { S: seenStatus } }),
      },
    },
    assign: { doubt: parking.error },
    outputs: PASS_INPUT_ON,
  });
}
