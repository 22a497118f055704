import { Choice } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { ERROR } from '../../contract/error-names';
import { expression, literal } from '../../contract/jsonata';
import { RECORD, STATUS } from '../../contract/record';
import { STATE, type StateName } from '../../contract/state-names';
import { EXECUTION_ARN, ME } from '../../jsonata/variables';
import { PASS_INPUT_ON, type Settings } from '../../settings';
import { CONDITION_FAILED } from '../../tasks/aws-error-names';
import { DynamoTask } from '../../tasks/dynamo-task';
import { retryBeforeTheStep, retryForHours } from '../../tasks/retries';

// At-most-once delivery: what happens if the business step may or may not have run.

/** The Choice over the error of a function: its own answer, a rejection, or an invocation that was cut off. */
export function isTheOutcomeCertain(scope: Construct): Choice {
  return Choice.jsonata(scope, STATE.isOutcomeCertain, {
    comment: 'Whether the failed step has answered, or was rejected before it ran',
  });
}

/** The stored error of this execution's own step, whose end is unknown. */
export const OWN_DOUBT = doubt({
  owner: EXECUTION_ARN,
  attempt: '$attempt',
  error: '$failure.Error',
});

/** The stored error of an ended owner's step that may have run. It names the execution that must send the notice. */
function ownersDoubt({ failureDestination }: Settings): string {
  const heldBy = failureDestination && { heldBy: EXECUTION_ARN };
  return doubt({ owner: '$record.owner.S', attempt: '$number($record.attempt.N)', ...heldBy });
}

function doubt(facts: Readonly<Record<string, string>>): string {
  const message =
    'the business step may or may not have run; nothing runs until an operator releases the key';
  const members = Object.entries({ message: literal(message), idempotencyKey: '$idempotencyKey', ...facts });
  const cause = `$string({${members.map(([name, jsonata]) => `${literal(name)}: ${jsonata}`).join(', ')}})`;
  return expression(`$string({'Error': ${literal(ERROR.inDoubt)}, 'Cause': ${cause}})`);
}

/**
 * Holds the record of this execution, whose own step ended without an answer: `HELD`, `Idempotency.InDoubt`. Without an
 * expiry: what is not known must not be forgotten.
 */
export function holdOwn(scope: Construct, settings: Settings): DynamoTask {
  const task = hold(scope, settings, {
    id: STATE.inDoubt,
    comment: 'Holds the record: the business step may have run, and does not run again automatically',
    owner: ME,
    attempt: expression('$string($attempt)'),
    error: OWN_DOUBT,
    // The message to the failure destination.
    ...(settings.failureDestination && {
      assign: { doubtCause: expression("$failure.Error & ': ' & $failure.Cause") },
    }),
  });
  retryForHours(task, [CONDITION_FAILED]);
  return task;
}

/**
 * Holds the record of an owner that is gone, if the record is still as it was read.
 *
 * With a failure destination this very write is admitted again, which its error tells from others: if it were rejected
 * when its answer was lost, no notice would be sent.
 */
export function holdForTheOwner(scope: Construct, settings: Settings): DynamoTask {
  const task = hold(scope, settings, {
    id: STATE.ownerInDoubt,
    comment:
      'Holds the record: its owner may have run the business step, which does not run again automatically',
    seenStatus: STATUS.inProgress,
    owner: expression('$record.owner.S'),
    attempt: expression('$record.attempt.N'),
    error: ownersDoubt(settings),
  });
  retryBeforeTheStep(task, settings.patience);
  return task;
}

interface Holding {
  readonly id: StateName;
  readonly comment: string;
  /** The status that the record must still have; absent: any. */
  readonly seenStatus?: string;
  readonly owner: string;
  readonly attempt: string;
  readonly error: string;
  /** Further variables. @default - none */
  readonly assign?: Readonly<Record<string, string>>;
}

function hold(scope: Construct, settings: Settings, holding: Holding): DynamoTask {
  const { seenStatus } = holding;
  const seen = settings.failureDestination
    ? ' AND (#status = :seenStatus OR #error = :error)'
    : ' AND #status = :seenStatus';
  return new DynamoTask(scope, holding.id, {
    comment: holding.comment,
    operation: 'updateItem',
    table: settings.table,
    recordScope: settings.scope,
    request: {
      Key: { [RECORD.idempotencyKey]: { S: expression('$idempotencyKey') } },
      UpdateExpression: 'SET #status = :held, #error = :error REMOVE #result',
      ConditionExpression: `#owner = :owner AND #attempt = :attempt${seenStatus ? seen : ''}`,
      ExpressionAttributeNames: {
        '#status': RECORD.status,
        '#error': RECORD.error,
        '#result': RECORD.result,
        '#owner': RECORD.owner,
        '#attempt': RECORD.attempt,
      },
      ExpressionAttributeValues: {
        ':held': { S: STATUS.held },
        ':error': { S: holding.error },
        ':owner': { S: holding.owner },
        ':attempt': { N: holding.attempt },
        ...(seenStatus && { ':seenStatus': { S: seenStatus } }),
      },
    },
    assign: { doubt: holding.error, ...holding.assign },
    outputs: PASS_INPUT_ON,
  });
}
