import { Pass } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { DeployedWorkflow } from '../../contract/deployed-settings';
import { expression } from '../../contract/jsonata';
import { claimIdOf, RECORD, STATUS } from '../../contract/record';
import { STATE } from '../../contract/state-names';
import { deployedComment } from '../../deployed-comment';
import { keptPayloadExpression } from '../../jsonata/kept-payload';
import { keyExpression } from '../../jsonata/key';
import { payloadHashExpression } from '../../jsonata/payload';
import { ME, REDRIVE_COUNT, REJECTIONS } from '../../jsonata/variables';
import { PASS_INPUT_ON, type Settings } from '../../settings';
import { DynamoTask } from '../../tasks/dynamo-task';
import { retryBeforeTheStep } from '../../tasks/retries';
import type { ResolvedTime } from '../../template/resolved-time';

/**
 * The claim: a conditional put that makes this execution the owner of a key that has no record, or an expired one.
 *
 * The third clause admits the execution's own first claim again. The Task retries a put whose answer was lost, and its
 * own write would otherwise reject the retry. A put that arrives after this execution has taken over must not set the
 * attempt back. The ARN alone does not tell who one is: see `claimIdOf`.
 */
export function claimRecord(scope: Construct, settings: Settings): DynamoTask {
  const lease = leaseOf(settings);
  const task = new DynamoTask(scope, STATE.claim, {
    comment: 'Makes this execution the owner of the key, unless the key has a record that counts',
    operation: 'putItem',
    table: settings.table,
    recordScope: settings.scope,
    request: {
      Item: {
        [RECORD.idempotencyKey]: { S: keyExpression(settings.scope, settings.key) },
        [RECORD.status]: { S: STATUS.inProgress },
        [RECORD.owner]: { S: ME },
        [RECORD.attempt]: { N: '1' },
        ...(settings.payload === undefined
          ? {}
          : { [RECORD.payloadHash]: { S: payloadHashExpression(settings.payload) } }),
        ...(settings.keptPayload !== undefined && {
          [RECORD.payload]: { S: keptPayloadExpression(settings.keptPayload) },
        }),
        [RECORD.claimedAt]: { S: ENTERED },
        [RECORD.stepTimeout]: { N: settings.stepTimeout.text },
        ...(lease && { [RECORD.leaseExpiry]: lease }),
        [RECORD.claimId]: { S: expression(claimIdOf(settings.variant)) },
      },
      ConditionExpression:
        'attribute_not_exists(#idempotencyKey) OR #expiry <= :now OR ' +
        '(#owner = :me AND #attempt = :first AND #status = :inProgress AND #claimId = :claimId)',
      ExpressionAttributeNames: {
        '#idempotencyKey': RECORD.idempotencyKey,
        '#expiry': RECORD.expiry,
        '#owner': RECORD.owner,
        '#status': RECORD.status,
        '#attempt': RECORD.attempt,
        '#claimId': RECORD.claimId,
      },
      ExpressionAttributeValues: {
        ':now': { N: NOW_SECONDS },
        ':me': { S: ME },
        ':inProgress': { S: STATUS.inProgress },
        ':first': { N: '1' },
        ':claimId': { S: expression(claimIdOf(settings.variant)) },
      },
    },
    assign: {
      idempotencyKey: keyExpression(settings.scope, settings.key),
      attempt: 1,
      redrives: expression(REDRIVE_COUNT),
    },
    outputs: PASS_INPUT_ON,
  });
  retryBeforeTheStep(task, settings.patience, CLAIM_EVALUATIONS);
  return task;
}

/** How often the expressions of a claim are evaluated: they may have met a limit of the service. */
const CLAIM_EVALUATIONS = 3;

/** The state that gives a claim its ID, if one execution may make several. */
export function makeClaimId(scope: Construct, deployed: DeployedWorkflow): Pass {
  return Pass.jsonata(scope, STATE.makeClaimId, {
    comment: deployedComment(
      'One execution may claim several times, also at once: each claim gets an ID of its own',
      deployed,
    ),
    assign: { claimId: NEW_CLAIM_ID },
  });
}

/** The variables of an execution whose claim was rejected: what it needs to judge the record. */
export function variablesAfterRejection(settings: Settings): Record<string, string> {
  return {
    idempotencyKey: keyExpression(settings.scope, settings.key),
    ...(settings.payload === undefined ? {} : { payloadHash: payloadHashExpression(settings.payload) }),
    rejections: REJECTIONS,
  };
}

/** Until when a claim counts, as a DynamoDB value; undefined where it counts until its owner ends it. */
export function leaseOf({ lease }: Settings): { readonly N: string } | undefined {
  return lease && { N: leaseExpiry(lease) };
}

/** A new UUID, for the variable `claimId`. */
const NEW_CLAIM_ID = expression('$uuid()');
/** Now, in epoch seconds, as a DynamoDB number: for comparison with `expiry`. */
const NOW_SECONDS = expression('$string($floor($millis() / 1000))');

/** When this state was entered, ISO-8601: the same in each try of its Task. */
export const ENTERED = expression('$states.context.State.EnteredTime');

/** Until when a claim that is made now counts, in epoch milliseconds, as a DynamoDB number. */
function leaseExpiry(lease: ResolvedTime): string {
  return expression(`$formatBase($millis() + ${lease.count(seconds => seconds * 1000)}, 10)`);
}
