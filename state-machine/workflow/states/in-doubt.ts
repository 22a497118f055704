import { Choice } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { ERROR } from '../../contract/error-names';
import { and, expression, literal } from '../../contract/jsonata';
import { RECORD, STATUS } from '../../contract/record';
import { STATE, type StateName } from '../../contract/state-names';
import { isAnswerIn } from '../../contract/step-errors';
import { ME, NOW, REDRIVE_COUNT_NOW } from '../../jsonata/variables';
import { PASS_INPUT_ON, type Settings } from '../../settings';
import { DynamoTask, retryBeforeTheStep, retryForHours } from '../../tasks';

// What happens where nobody knows whether the business step has run: at-most-once delivery parks the key.

/** The Choice over the error of a function: its own answer, a refusal, or an invocation that was cut off. */
export function isTheOutcomeCertain(scope: Construct): Choice {
  return Choice.jsonata(scope, STATE.isOutcomeCertain, {
    comment: 'Whether the failed step has answered, or was refused before it ran',
  });
}

/** True where the function has answered, or was refused before it ran: it is certainly not working any more. */
export const HAS_ANSWERED = isAnswerIn('$failure.Error', '$failure.Cause');

/**
 * True where it is certain what this execution's step has done: it has answered, and the execution has not been
 * redriven since it owns the record. What a step did that an earlier death cut off, its later answer does not tell.
 */
export const IS_OUTCOME_CERTAIN = and(HAS_ANSWERED, `${REDRIVE_COUNT_NOW} = $redrives`);

/** The stored error of this execution's own step, whose end nobody knows. */
export const OWN_DOUBT = doubt({
  owner: '$states.context.Execution.Id',
  attempt: '$attempt',
  error: '$failure.Error',
});

/** The stored error of a dead owner's step, whose end nobody knows. Who has to tell somebody of it is in it, too. */
function ownersDoubt({ failureDestination }: Settings): string {
  const parkedBy = failureDestination && { parkedBy: '$states.context.Execution.Id' };
  return doubt({ owner: '$record.owner.S', attempt: '$number($record.attempt.N)', ...parkedBy });
}

function doubt(facts: Readonly<Record<string, string>>): string {
  const message = 'the business step may or may not have run; nothing runs until a person frees the key';
  const members = Object.entries({ message: literal(message), idempotencyKey: '$idempotencyKey', ...facts });
  const cause = `$string({${members.map(([name, jsonata]) => `${literal(name)}: ${jsonata}`).join(', ')}})`;
  return expression(`$string({'Error': ${literal(ERROR.inDoubt)}, 'Cause': ${cause}})`);
}

/**
 * Parks the record of this execution, whose own step ended without an answer: `FAILED`, `Idempotency.InDoubt`.
 *
 * It gets no expiry: what nobody knows is not forgotten.
 */
export function finalizeInDoubt(scope: Construct, settings: Settings): DynamoTask {
  const task = park(scope, settings, {
    id: STATE.inDoubt,
    comment: 'Parks the record: the business step may have run, and never runs again by itself',
    owner: ME,
    attempt: expression('$string($attempt)'),
    error: OWN_DOUBT,
  });
  retryForHours(task);
  return task;
}

/**
 * Parks the record of a dead owner that was cut off in its step, if the record is still as it was read.
 *
 * Where somebody is told of it, this very write is admitted again, which its error tells from others: were it refused
 * when its answer was lost, nobody would be told.
 */
export function finalizeInDoubtForTheOwner(scope: Construct, settings: Settings): DynamoTask {
  const task = park(scope, settings, {
    id: STATE.ownerInDoubt,
    comment: 'Parks the record: its owner died within the business step, which never runs again by itself',
    seenStatus: STATUS.inProgress,
    owner: expression('$record.owner.S'),
    attempt: expression('$record.attempt.N'),
    error: ownersDoubt(settings),
  });
  retryBeforeTheStep(task, settings.patience);
  return task;
}

interface Parking {
  readonly id: StateName;
  readonly comment: string;
  /** The status that the record must still have; absent: any. */
  readonly seenStatus?: string;
  readonly owner: string;
  readonly attempt: string;
  readonly error: string;
}

function park(scope: Construct, settings: Settings, parking: Parking): DynamoTask {
  const { seenStatus } = parking;
  const seen = settings.failureDestination
    ? ' AND (#status = :seenStatus OR #error = :error)'
    : ' AND #status = :seenStatus';
  return new DynamoTask(scope, parking.id, {
    comment: parking.comment,
    operation: 'updateItem',
    table: settings.table,
    recordScope: settings.scope,
    request: {
      Key: { [RECORD.idempotencyKey]: { S: expression('$idempotencyKey') } },
      UpdateExpression:
        'SET #status = :failed, #error = :error, #finishedAt = if_not_exists(#finishedAt, :at) REMOVE #result',
      ConditionExpression: `#owner = :owner AND #attempt = :attempt${seenStatus ? seen : ''}`,
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
