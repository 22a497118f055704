import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { RELEASED_BY_RECOVERY } from '../contract/error-names';
import { expression, literal } from '../contract/jsonata';
import { HELD_BY_RECOVERY, RECORD, RESULT_ELSEWHERE, STATUS } from '../contract/record';
import { RECOVERY_STATE } from '../contract/state-names';
import { keyExpression } from '../jsonata/key';
import { NOW } from '../jsonata/variables';
import { PASS_INPUT_ON, type Settings } from '../settings';
import { CONDITION_FAILED, DATA_TOO_LONG } from '../tasks/aws-error-names';
import { DynamoTask, readTheRecord } from '../tasks/dynamo-task';
import { retryForHours } from '../tasks/retries';
import { expiryAfter } from '../workflow/states/finalize';

// What recovery reads and writes of a record. Each write is made only if status, owner and attempt are as they were
// read: another writer that changed the record meanwhile has decided.

/** Which records recovery changes. */
export type RecordSettings = Pick<Settings, 'table' | 'scope' | 'key' | 'retention'> & {
  /** The function that redrives; undefined: recovery does, by the direct integration. */
  readonly redriveFunction: IFunction | undefined;
};

/** Reads the record of the execution's key, which is out of its own input. */
export function readRecordOfOwner(
  scope: Construct,
  settings: Pick<RecordSettings, 'table' | 'scope' | 'key'>,
  assign?: Readonly<Record<string, string>>,
): DynamoTask {
  const key = keyExpression(settings.scope, settings.key);
  const task = readTheRecord(scope, RECOVERY_STATE.read, {
    comment: 'What has become of the key of the execution that has ended?',
    settings,
    key,
    assign: {
      idempotencyKey: key,
      readAt: expression('$toMillis($states.context.State.EnteredTime)'),
      ...assign,
    },
  });
  retryForHours(task, [DATA_TOO_LONG]);
  return task;
}

/**
 * Finishes the record of an owner that has succeeded and does not come back to it: the table was restored from a
 * backup, or a claim arrived when its sender had finished. The owner's output is the result.
 */
export function completeTheRecord(scope: Construct, settings: RecordSettings): DynamoTask {
  return writeTheRecord(scope, settings, {
    id: RECOVERY_STATE.complete,
    comment: 'The owner has succeeded and does not come back to its record: its output is the result',
    update: 'SET #status = :status, #result = :result, #finishedAt = :at, #expiry = :expiry',
    names: { '#result': RECORD.result, '#finishedAt': RECORD.finishedAt, '#expiry': RECORD.expiry },
    values: {
      ':status': { S: STATUS.completed },
      ':result': { S: RESULT_ELSEWHERE },
      ':at': { S: NOW },
      ':expiry': { N: expiryAfter(settings.retention.toSeconds()) },
    },
  });
}

/**
 * Releases the record of an owner that can never go on. It has no expiry: its attempt is what tells the next one from
 * whatever of the owner still arrives.
 */
export function releaseTheRecord(scope: Construct, settings: RecordSettings): DynamoTask {
  return writeTheRecord(scope, settings, {
    id: RECOVERY_STATE.release,
    comment: 'The owner can never go on: the next delivery takes over, as the next attempt',
    update: 'SET #status = :status, #error = :error',
    names: { '#error': RECORD.error },
    values: { ':status': { S: STATUS.released }, ':error': { S: RELEASED_BY_RECOVERY } },
  });
}

/** JSONata of the ARN of the execution of recovery. */
export const THIS_RECOVERY = '$states.context.Execution.Id';

/** Holds the record for an operator, with the error that deliveries end with: the variables `heldFor` and `reason`. */
export function holdTheRecord(scope: Construct, settings: RecordSettings): DynamoTask {
  const facts = {
    message: '$reason',
    idempotencyKey: '$idempotencyKey',
    owner: '$owner.executionArn',
    attempt: `$number($record.${RECORD.attempt}.N)`,
    heldBy: literal(HELD_BY_RECOVERY),
    // The one that notifies. Others find the record held, and leave it.
    recovery: THIS_RECOVERY,
  };
  const members = Object.entries(facts).map(([name, jsonata]) => `'${name}': ${jsonata}`);
  return writeTheRecord(scope, settings, {
    id: RECOVERY_STATE.hold,
    comment: 'An operator decides: deliveries end with this error until then',
    update: 'SET #status = :status, #error = :error',
    names: { '#error': RECORD.error },
    values: {
      ':status': { S: STATUS.held },
      ':error': { S: expression(`$string({'Error': $heldFor, 'Cause': $string({${members.join(', ')}})})`) },
    },
  });
}

interface Write {
  readonly id: string;
  readonly comment: string;
  readonly update: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: object;
}

function writeTheRecord(scope: Construct, settings: RecordSettings, write: Write): DynamoTask {
  const task = new DynamoTask(scope, write.id, {
    comment: write.comment,
    operation: 'updateItem',
    table: settings.table,
    recordScope: settings.scope,
    request: {
      Key: { [RECORD.idempotencyKey]: { S: expression('$idempotencyKey') } },
      UpdateExpression: write.update,
      ConditionExpression: '#status = :seen AND #owner = :owner AND #attempt = :attempt',
      ExpressionAttributeNames: {
        '#status': RECORD.status,
        '#owner': RECORD.owner,
        '#attempt': RECORD.attempt,
        ...write.names,
      },
      ExpressionAttributeValues: {
        ':seen': { S: expression(`$record.${RECORD.status}.S`) },
        ':owner': { S: expression(`$record.${RECORD.owner}.S`) },
        ':attempt': { N: expression(`$record.${RECORD.attempt}.N`) },
        ...write.values,
      },
    },
    outputs: PASS_INPUT_ON,
  });
  retryForHours(task, [CONDITION_FAILED]);
  return task;
}
