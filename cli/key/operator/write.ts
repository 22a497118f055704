import { createHash } from 'node:crypto';
import { type AttributeValue, DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { RedriveExecutionCommand } from '@aws-sdk/client-sfn';
import { attributeIn, itemKeyIn, RECORD, STATUS } from '../../../state-machine/contract/index';
import { answerOf } from '../../aws/aws';
import type { WorkflowAccess } from '../../aws/workflow';
import type { EndedOwner } from '../judge-owner';
import type { KeyRecord } from '../record';
import type { Completion } from './completion';
import { beforeReservation } from './reservation';

const CONDITION_FAILED = 'ConditionalCheckFailedException';

/**
 * Writes what an operator decides about a key. Each write is made only if the record is still as it was read. It gives
 * false if the record has changed, or if this very write was made and its answer was lost.
 */
export class KeyWriter {
  readonly #access: WorkflowAccess;

  constructor(access: WorkflowAccess) {
    this.#access = access;
  }

  /**
   * Releases the record: the next delivery takes it over. It gets no expiry: its attempt tells the next owner from
   * whatever of this one still arrives.
   */
  markReleased(record: KeyRecord, error: string): Promise<boolean> {
    return this.#update(record, {
      set: {
        [RECORD.status]: { S: STATUS.released },
        [RECORD.error]: { S: error },
        [RECORD.finishedAt]: { S: new Date(this.#access.aws.time.now()).toISOString() },
      },
      remove: [RECORD.result, RECORD.leaseExpiry, RECORD.expiry],
    });
  }

  /**
   * Takes a record over as the next attempt, and completes it: late writes of the owner no longer meet their condition,
   * and recovery has nothing left to do. The new owner has the name of no execution.
   */
  complete(record: KeyRecord, { result }: Completion, { token, error }: Record<'token' | 'error', string>) {
    const { aws, workflow } = this.#access;
    const now = aws.time.now();
    const owner = [...record.owner.split(':').slice(0, 7), `operator-${token}`].join(':');
    return this.#update(record, {
      set: {
        [RECORD.status]: { S: STATUS.completed },
        [RECORD.owner]: { S: owner },
        [RECORD.attempt]: { N: String(record.attempt + 1) },
        [RECORD.claimId]: { S: token },
        [RECORD.result]: { S: result },
        [RECORD.error]: { S: error },
        [RECORD.finishedAt]: { S: new Date(now).toISOString() },
        [RECORD.expiry]: { N: String(Math.floor(now / 1000) + workflow.retentionSeconds) },
      },
      remove: [RECORD.leaseExpiry, RECORD.resultLocation, RECORD.resultHash],
    });
  }

  /**
   * Reserves a record: from now on neither deliveries nor recovery act on what they read of it. The error tells this
   * reservation from every other.
   */
  reserve(record: KeyRecord, error: string): Promise<boolean> {
    const set = { [RECORD.status]: { S: STATUS.releasing }, [RECORD.error]: { S: error } };
    return this.#update(record, { set, remove: [] });
  }

  /** Gives a reserved record the status and the error back that it had before. */
  restore(reserved: KeyRecord): Promise<boolean> {
    const { status, error } = beforeReservation(reserved);
    const set = {
      [RECORD.status]: { S: status },
      ...(error !== undefined && { [RECORD.error]: { S: error } }),
    };
    return this.#update(reserved, { set, remove: error === undefined ? [RECORD.error] : [] });
  }

  /** Deletes the record. */
  async delete(record: KeyRecord): Promise<boolean> {
    const { aws, workflow } = this.#access;
    const request = new DeleteItemCommand({
      TableName: workflow.table,
      Key: itemKeyIn(workflow.schema, { S: record.recordKey }),
      ...conditionOf(record),
    });
    const sent = aws.dynamodb.send(request, { abortSignal: aws.signal });
    const subject = `table ${workflow.table}`;
    return (await answerOf(aws, 'DeleteItem', subject, sent, CONDITION_FAILED)) !== undefined;
  }

  /**
   * Redrives an owner that has ended, with the token of recovery: a recovery that does the same at this moment and this
   * call redrive it once. False if it was redriven before, or cannot resume any more.
   */
  async redrive(record: KeyRecord, { redriveCount }: EndedOwner): Promise<boolean> {
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
      Key: itemKeyIn(workflow.schema, { S: record.recordKey }),
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
 * The condition of every write: owner, attempt, claim, status and error as they were read. The error tells two releases
 * of one record apart.
 */
function conditionOf({ owner, attempt, status, error, claimId }: KeyRecord) {
  return {
    ConditionExpression:
      '#owner = :owner AND #attempt = :attempt AND #status = :status AND ' +
      (error === undefined ? 'attribute_not_exists(#error)' : '#error = :error') +
      (claimId === undefined ? '' : ' AND #claimId = :claimId'),
    ExpressionAttributeNames: {
      ...(claimId !== undefined && { '#claimId': RECORD.claimId }),
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
      ...(claimId !== undefined && { ':claimId': { S: claimId } }),
    } as Record<string, AttributeValue>,
  };
}
