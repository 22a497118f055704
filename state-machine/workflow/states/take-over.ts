import type { Construct } from 'constructs';
import { expression } from '../../contract/jsonata';
import { claimIdOf, RECORD, STATUS } from '../../contract/record';
import { STATE } from '../../contract/state-names';
import { ME, REDRIVE_COUNT } from '../../jsonata/variables';
import { PASS_INPUT_ON, type Settings } from '../../settings';
import { DynamoTask } from '../../tasks/dynamo-task';
import { retryBeforeTheStep } from '../../tasks/retries';
import { ENTERED, leaseOf } from './claim';

/**
 * The takeover: a conditional update that makes this execution the owner of the record it has just read: one that has
 * failed, or whose owner can never go on.
 *
 * Loses against another writer that changed the record in between. The second clause admits this very takeover again,
 * and none of an earlier attempt.
 */
export function takeOver(scope: Construct, settings: Settings): DynamoTask {
  const lease = leaseOf(settings);
  const task = new DynamoTask(scope, STATE.takeOver, {
    comment:
      'Makes this execution the owner of a record that failed or is released, if it is still as it was read',
    operation: 'updateItem',
    table: settings.table,
    recordScope: settings.scope,
    request: {
      Key: { [RECORD.idempotencyKey]: { S: expression('$idempotencyKey') } },
      UpdateExpression:
        'SET #owner = :me, #attempt = :next, #status = :inProgress, #claimId = :claimId, #claimedAt = :at, ' +
        `#stepTimeout = :stepTimeout${lease ? ', #leaseExpiry = :leaseExpiry' : ''} ` +
        `REMOVE #expiry, #error, #result, #finishedAt${settings.results ? ', #location, #hash' : ''}`,
      ConditionExpression:
        '(#owner = :seenOwner AND #attempt = :seenAttempt AND #status = :seenStatus) ' +
        'OR (#owner = :me AND #attempt = :next AND #status = :inProgress AND #claimId = :claimId)',
      ExpressionAttributeNames: {
        '#owner': RECORD.owner,
        '#attempt': RECORD.attempt,
        '#status': RECORD.status,
        '#claimedAt': RECORD.claimedAt,
        '#expiry': RECORD.expiry,
        '#error': RECORD.error,
        '#result': RECORD.result,
        '#finishedAt': RECORD.finishedAt,
        ...(settings.results && { '#location': RECORD.resultLocation, '#hash': RECORD.resultHash }),
        '#stepTimeout': RECORD.stepTimeout,
        ...(lease && { '#leaseExpiry': RECORD.leaseExpiry }),
        '#claimId': RECORD.claimId,
      },
      ExpressionAttributeValues: {
        ':me': { S: ME },
        ':next': { N: expression(`$string(${NEXT_ATTEMPT})`) },
        ':inProgress': { S: STATUS.inProgress },
        ':at': { S: ENTERED },
        ':stepTimeout': { N: settings.stepTimeout.text },
        ...(lease && { ':leaseExpiry': lease }),
        ':claimId': { S: expression(claimIdOf(settings.variant)) },
        ':seenOwner': { S: expression('$record.owner.S') },
        ':seenAttempt': { N: expression('$record.attempt.N') },
        ':seenStatus': { S: expression('$record.status.S') },
      },
    },
    assign: { attempt: expression(NEXT_ATTEMPT), redrives: expression(REDRIVE_COUNT) },
    outputs: PASS_INPUT_ON,
  });
  retryBeforeTheStep(task, settings.patience);
  return task;
}

/** The attempt of a takeover: one more than the record's. */
const NEXT_ATTEMPT = '$number($record.attempt.N) + 1';
