import { createHash } from 'node:crypto';
import { type AttributeValue, DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { RedriveExecutionCommand } from '@aws-sdk/client-sfn';
import {
  attributeIn,
  keyIn,
  RECORD,
  RELEASED,
  STATUS,
  toEpochSeconds,
} from '../../state-machine/contract/index';
import { answerOf } from '../aws/aws';
import type { WorkflowAccess } from '../aws/workflow';
import type { DeadOwner } from './judge';
import { type KeyRecord, RELEASING } from './record';

const CONDITION_FAILED = 'ConditionalCheckFailedException';

/** The error that a release writes into a record. The token tells this release from every other. */
export function releasedError({ owner, attempt }: KeyRecord, token: string): string {
  const cause = { message: 'a person has released the key', owner, attempt, token };
  return JSON.stringify({ Error: RELEASED, Cause: JSON.stringify(cause) });
}

/**
 * Writes what a person decides about a key. Every write is made only if the record is still as it was read, and gives
 * false where it is not: somebody else was faster, or this very write has been made and its answer lost.
 */
export class KeyWriter {
  readonly #access: WorkflowAccess;

  constructor(access: WorkflowAccess) {
    this.#access = access;
  }

  /** Marks the record as released: a failure, which the next delivery takes over from. */
  markReleased(record: KeyRecord, error: string): Promise<boolean> {
    const { aws, workflow } = this.#access;
    const now = aws.time.now();
    return this.#update(record, {
      set: {
        [RECORD.status]: { S: STATUS.failed },
        [RECORD.error]: { S: error },
        [RECORD.finishedAt]: { S: new Date(now).toISOString() },
        // A parked record has none, and a released key must not be kept for ever.
        [RECORD.expiry]: { N: String(toEpochSeconds(now) + workflow.failedRetentionSeconds) },
      },
      remove: [RECORD.result, RECORD.leaseExpiry],
    });
  }

  /**
   * Reserves an unfinished record: from now on no delivery asks about its owner, nor takes over. The error tells this
   * reservation from every other.
   */
  reserve(record: KeyRecord, error: string): Promise<boolean> {
    const set = { [RECORD.status]: { S: RELEASING }, [RECORD.error]: { S: error } };
    return this.#update(record, { set, remove: [] });
  }

  /** Gives a reserved record back to its owner. */
  restore(reserved: KeyRecord): Promise<boolean> {
    const set = { [RECORD.status]: { S: STATUS.inProgress } };
    return this.#update(reserved, { set, remove: [RECORD.error] });
  }

  /** Deletes the record. */
  async delete(record: KeyRecord): Promise<boolean> {
    const { aws, workflow } = this.#access;
    const request = new DeleteItemCommand({
      TableName: workflow.table,
      Key: keyIn(workflow.schema, { S: record.recordKey }),
      ...conditionOf(record),
    });
    const sent = aws.dynamodb.send(request, { abortSignal: aws.signal });
    const subject = `table ${workflow.table}`;
    return (await answerOf(aws, 'DeleteItem', subject, sent, CONDITION_FAILED)) !== undefined;
  }

  /**
   * Redrives a dead owner, with the token that the workflow itself uses: a delivery that does the same at this moment
   * and this call redrive it once. False where somebody else has redriven it, or it cannot go on any more.
   */
  async redrive(record: KeyRecord, { redriveCount }: DeadOwner): Promise<boolean> {
    const { aws } = this.#access;
    const clientToken = createHash('sha256').update(`${record.owner}#${redriveCount}`, 'utf8').digest('hex');
    const request = new RedriveExecutionCommand({ executionArn: record.owner, clientToken });
    const sent = aws.sfn.send(request, { abortSignal: aws.signal });
    const subject = `execution ${record.owner}`;
    return (await answerOf(aws, 'RedriveExecution', subject, sent, 'ExecutionNotRedrivable')) !== undefined;
  }

  async #update(record: KeyRecord, { set, remove }: Change): Promise<boolean> {
    const { aws, workflow } = this.#access;
    const sets = Object.entries(set);
    const assignments = sets.map(([name]) => `#${name} = :new_${name}`).join(', ');
    const removals = remove.map(name => `#${name}`).join(', ');
    const names = [...sets.map(([name]) => name), ...remove].map(name => [
      `#${name}`,
      attributeIn(workflow.schema, name),
    ]);
    const condition = conditionOf(record);
    const request = new UpdateItemCommand({
      TableName: workflow.table,
      Key: keyIn(workflow.schema, { S: record.recordKey }),
      UpdateExpression: `SET ${assignments}${removals === '' ? '' : ` REMOVE ${removals}`}`,
      ConditionExpression: condition.ConditionExpression,
      ExpressionAttributeNames: { ...condition.ExpressionAttributeNames, ...Object.fromEntries(names) },
      ExpressionAttributeValues: {
        ...condition.ExpressionAttributeValues,
        ...Object.fromEntries(sets.map(([name, value]) => [`:new_${name}`, value])),
      },
    });
    const sent = aws.dynamodb.send(request, { abortSignal: aws.signal });
    const subject = `table ${workflow.table}`;
    return (await answerOf(aws, 'UpdateItem', subject, sent, CONDITION_FAILED)) !== undefined;
  }
}

interface Change {
  readonly set: Readonly<Record<string, AttributeValue>>;
  readonly remove: readonly string[];
}

/**
 * The condition of every write: owner, attempt, status and error as they were read. The error tells two releases apart,
 * and a release from the parking before it: all of them leave owner, attempt and status alone.
 */
function conditionOf({ owner, attempt, status, error }: KeyRecord) {
  return {
    ConditionExpression:
      '#owner = :owner AND #attempt = :attempt AND #status = :status AND ' +
      (error === undefined ? 'attribute_not_exists(#error)' : '#error = :error'),
    ExpressionAttributeNames: {
      '#owner': RECORD.owner,
      '#attempt': RECORD.attempt,
      '#status': RECORD.status,
      '#error': RECORD.error,
    },
    ExpressionAttributeValues: {
      ':owner': { S: owner },
      ':attempt': { N: String(attempt) },
      ':status': { S: status },
      ...(error !== undefined && { ':error': { S: error } }),
    } as Record<string, AttributeValue>,
  };
}
