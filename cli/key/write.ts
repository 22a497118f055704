import { type AttributeValue, DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { RECORD, STATUS, toEpochSeconds } from '../../state-machine/contract/index';
import { type Aws, answerOf } from '../aws/aws';
import { HELD } from '../release/held';
import type { Workflow } from '../workflow';
import { RELEASED, type SeenRecord } from './record';

const CONDITION_FAILED = 'ConditionalCheckFailedException';

/** What is written of a release. The token tells this release from every other. */
export function releasedError(record: SeenRecord, token: string): string {
  const cause = {
    message: 'a person has released the key',
    owner: record.owner,
    attempt: record.attempt,
    token,
  };
  return JSON.stringify({ Error: RELEASED, Cause: JSON.stringify(cause) });
}

/**
 * Marks the record as released, if it is still as it was read. False where it is not: somebody else was faster, or this
 * very write has been made and its answer lost.
 */
export function markReleased(
  aws: Aws,
  workflow: Workflow,
  record: SeenRecord,
  error: string,
): Promise<boolean> {
  const now = aws.time.now();
  return update(aws, workflow, record, {
    set: {
      [RECORD.status]: { S: STATUS.failed },
      [RECORD.error]: { S: error },
      [RECORD.finishedAt]: { S: new Date(now).toISOString() },
      // A parked record has none, and nothing is to hold a released key for ever.
      [RECORD.expiry]: { N: String(toEpochSeconds(now) + workflow.retentionSeconds) },
    },
    remove: [RECORD.result, RECORD.leaseExpiry],
  });
}

/**
 * Holds an unfinished record back: from now on no delivery asks about its owner, nor takes over. The note tells this
 * hold from every other.
 */
export function hold(aws: Aws, workflow: Workflow, record: SeenRecord, note: string): Promise<boolean> {
  const set = { [RECORD.status]: { S: HELD }, [RECORD.error]: { S: note } };
  return update(aws, workflow, record, { set, remove: [] });
}

/** Gives a held record back to its owner. */
export function letGo(aws: Aws, workflow: Workflow, held: SeenRecord): Promise<boolean> {
  const set = { [RECORD.status]: { S: STATUS.inProgress } };
  return update(aws, workflow, held, { set, remove: [RECORD.error] });
}

/** Deletes the record, if it is still as it was read. */
export async function deleteRecord(aws: Aws, { table }: Workflow, record: SeenRecord): Promise<boolean> {
  const request = new DeleteItemCommand({
    TableName: table,
    Key: keyOf(record),
    ConditionExpression: AS_READ.expression(record),
    ExpressionAttributeNames: AS_READ.names(record),
    ExpressionAttributeValues: AS_READ.values(record),
  });
  const sent = aws.dynamodb.send(request, { abortSignal: aws.signal });
  return (await answerOf(aws, 'DeleteItem', `table ${table}`, sent, CONDITION_FAILED)) !== undefined;
}

interface Change {
  readonly set: Readonly<Record<string, AttributeValue>>;
  readonly remove: readonly string[];
}

async function update(aws: Aws, { table }: Workflow, record: SeenRecord, change: Change): Promise<boolean> {
  const set = Object.entries(change.set);
  const sets = set.map(([name]) => `#${name} = :new_${name}`).join(', ');
  const removes = change.remove.map(name => `#${name}`).join(', ');
  const names = [...set.map(([name]) => name), ...change.remove].map(name => [`#${name}`, name]);
  const request = new UpdateItemCommand({
    TableName: table,
    Key: keyOf(record),
    UpdateExpression: `SET ${sets}${removes === '' ? '' : ` REMOVE ${removes}`}`,
    ConditionExpression: AS_READ.expression(record),
    ExpressionAttributeNames: { ...AS_READ.names(record), ...Object.fromEntries(names) },
    ExpressionAttributeValues: {
      ...AS_READ.values(record),
      ...Object.fromEntries(set.map(([name, value]) => [`:new_${name}`, value])),
    },
  });
  const sent = aws.dynamodb.send(request, { abortSignal: aws.signal });
  return (await answerOf(aws, 'UpdateItem', `table ${table}`, sent, CONDITION_FAILED)) !== undefined;
}

function keyOf({ recordKey }: SeenRecord) {
  return { [RECORD.idempotencyKey]: { S: recordKey } };
}

/**
 * The guard: owner, attempt, status and error as they were read. The error tells two releases apart, and a release from
 * the parking before it: all of them leave owner, attempt and status alone.
 */
const AS_READ = {
  expression: ({ error }: SeenRecord) =>
    '#owner = :owner AND #attempt = :attempt AND #status = :status AND ' +
    (error === undefined ? 'attribute_not_exists(#error)' : '#error = :error'),
  names: (_: SeenRecord) => ({
    '#owner': RECORD.owner,
    '#attempt': RECORD.attempt,
    '#status': RECORD.status,
    '#error': RECORD.error,
  }),
  values: ({ owner, attempt, status, error }: SeenRecord) => ({
    ':owner': { S: owner },
    ':attempt': { N: String(attempt) },
    ':status': { S: status },
    ...(error !== undefined && { ':error': { S: error } }),
  }),
};
