import { Choice, Pass } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { entryOf } from '../contract/claim-id';
import { expression, literal } from '../contract/jsonata';
import { RECORD, STATUS } from '../contract/record';
import { DynamoTask } from '../dynamo-task';
import { NEW_ENTRY } from '../expressions/entry';
import { keyExpression } from '../expressions/key';
import { payloadHashExpression } from '../expressions/payload';
import {
  ENTERED,
  leaseExpiry,
  ME,
  NEXT_ATTEMPT,
  NOW_SECONDS,
  REDRIVE_COUNT,
  REFUSALS,
} from '../expressions/record';
import { retryForMinutes } from '../retries';
import { PASS_INPUT_ON, type Settings } from '../settings';

/**
 * The claim: a conditional put that makes this execution the owner of a key that has no record, or an expired one.
 *
 * The third clause admits the execution's own first claim again. A put whose answer was lost is retried by the Task,
 * and would else be refused by what it wrote itself; one that arrives after this execution has taken over must not set
 * the attempt back. The ARN alone does not tell who one is: see `entryOf`.
 */
export function claimRecord(scope: Construct, settings: Settings): DynamoTask {
  const lease = leaseOf(settings);
  const task = new DynamoTask(scope, 'Claim record', {
    comment: 'Makes this execution the owner of the key, unless the key has a record that counts',
    operation: 'putItem',
    table: settings.table,
    request: {
      Item: {
        [RECORD.idempotencyKey]: { S: keyExpression(settings.scope, settings.key) },
        [RECORD.status]: { S: STATUS.inProgress },
        [RECORD.owner]: { S: ME },
        [RECORD.attempt]: { N: '1' },
        ...(settings.payload === undefined
          ? {}
          : { [RECORD.payloadHash]: { S: payloadHashExpression(settings.payload) } }),
        [RECORD.claimedAt]: { S: ENTERED },
        [RECORD.stepTimeout]: { N: String(settings.stepEndsWithin.toSeconds()) },
        ...(lease && { [RECORD.leaseExpiry]: lease }),
        [RECORD.entry]: { S: expression(entryOf(settings.variant)) },
      },
      ConditionExpression:
        'attribute_not_exists(#idempotencyKey) OR #expiry <= :now OR ' +
        '(#owner = :me AND #attempt = :first AND #status = :inProgress AND #entry = :entry)',
      ExpressionAttributeNames: {
        '#idempotencyKey': RECORD.idempotencyKey,
        '#expiry': RECORD.expiry,
        '#owner': RECORD.owner,
        '#status': RECORD.status,
        '#attempt': RECORD.attempt,
        '#entry': RECORD.entry,
      },
      ExpressionAttributeValues: {
        ':now': { N: NOW_SECONDS },
        ':me': { S: ME },
        ':inProgress': { S: STATUS.inProgress },
        ':first': { N: '1' },
        ':entry': { S: expression(entryOf(settings.variant)) },
      },
    },
    assign: {
      idempotencyKey: keyExpression(settings.scope, settings.key),
      attempt: 1,
      redrives: REDRIVE_COUNT,
    },
    outputs: PASS_INPUT_ON,
  });
  retryForMinutes(task);
  return task;
}

/** The state that gives this entry a UUID, where an execution may enter the states several times. */
export function enter(scope: Construct): Pass {
  return Pass.jsonata(scope, 'Enter', {
    comment: 'One execution may be here several times at once: this entry has a name of its own',
    assign: { entry: NEW_ENTRY },
  });
}

/** The variables of an execution whose claim was refused: what it needs to judge the record. */
export function knowledgeOfRefused(settings: Settings): Record<string, string> {
  return {
    idempotencyKey: keyExpression(settings.scope, settings.key),
    ...(settings.payload === undefined ? {} : { payloadHash: payloadHashExpression(settings.payload) }),
    refusals: REFUSALS,
  };
}

/** The Choice over which expression of the claim failed, told by the code and the place in the evaluation error. */
export function keyReadable(scope: Construct): Choice {
  return Choice.jsonata(scope, 'Key readable?', {
    comment: 'Which expression of the claim could not be evaluated',
  });
}

/** True where the payload was to blame. */
export const PAYLOAD_FAILED = failedAt(`Arguments/Item/${RECORD.payloadHash}`);

/** True where the record had been written, and only what follows the put could not be evaluated. */
export const FAILED_AFTER_CLAIM = failedAt('Assign/');

/**
 * True where the expression met a limit of the service, such as one second of evaluation. What an expression itself
 * cannot do has a code (`T2001: …`) and would fail again.
 */
export const MET_A_LIMIT =
  '$not($contains($evaluation, /threw an error during evaluation\\. [A-Z][0-9]{4}:/))';

function failedAt(place: string): string {
  return `$contains($evaluation, ${literal(`for the field '${place}`)})`;
}

/**
 * The takeover: a conditional update that makes this execution the owner of the record it has just read: one that has
 * failed, or whose owner can never go on.
 *
 * Loses against whoever changed the record in between. The second clause admits this very takeover again, and none of
 * an earlier attempt.
 */
export function takeOver(scope: Construct, settings: Settings): DynamoTask {
  const lease = leaseOf(settings);
  const task = new DynamoTask(scope, 'Take over', {
    comment: 'Makes this execution the owner of a record that nobody finishes, if it is still as it was read',
    operation: 'updateItem',
    table: settings.table,
    request: {
      Key: { [RECORD.idempotencyKey]: { S: expression('$idempotencyKey') } },
      UpdateExpression:
        'SET #owner = :me, #attempt = :next, #status = :inProgress, #entry = :entry, #claimedAt = :at, ' +
        `#stepTimeout = :stepTimeout${lease ? ', #leaseExpiry = :leaseExpiry' : ''} ` +
        'REMOVE #expiry, #error, #result, #finishedAt',
      ConditionExpression:
        '(#owner = :seenOwner AND #attempt = :seenAttempt AND #status = :seenStatus) ' +
        'OR (#owner = :me AND #attempt = :next AND #status = :inProgress AND #entry = :entry)',
      ExpressionAttributeNames: {
        '#owner': RECORD.owner,
        '#attempt': RECORD.attempt,
        '#status': RECORD.status,
        '#claimedAt': RECORD.claimedAt,
        '#expiry': RECORD.expiry,
        '#error': RECORD.error,
        '#result': RECORD.result,
        '#finishedAt': RECORD.finishedAt,
        '#stepTimeout': RECORD.stepTimeout,
        ...(lease && { '#leaseExpiry': RECORD.leaseExpiry }),
        '#entry': RECORD.entry,
      },
      ExpressionAttributeValues: {
        ':me': { S: ME },
        ':next': { N: expression(`$string(${NEXT_ATTEMPT})`) },
        ':inProgress': { S: STATUS.inProgress },
        ':at': { S: ENTERED },
        ':stepTimeout': { N: String(settings.stepEndsWithin.toSeconds()) },
        ...(lease && { ':leaseExpiry': lease }),
        ':entry': { S: expression(entryOf(settings.variant)) },
        ':seenOwner': { S: expression('$record.owner.S') },
        ':seenAttempt': { N: expression('$record.attempt.N') },
        ':seenStatus': { S: expression('$record.status.S') },
      },
    },
    assign: { attempt: expression(NEXT_ATTEMPT), redrives: REDRIVE_COUNT },
    outputs: PASS_INPUT_ON,
  });
  retryForMinutes(task);
  return task;
}

/** Until when a claim counts, as a DynamoDB value; undefined where it counts until its owner ends it. */
function leaseOf({ leaseMs }: Settings): { readonly N: string } | undefined {
  return leaseMs === undefined ? undefined : { N: leaseExpiry(leaseMs) };
}
