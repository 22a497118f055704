import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  attributeIn,
  type EpochMs,
  type EpochSeconds,
  itemKeyIn,
  RECORD,
  RESULT_ELSEWHERE,
  type TableSchema,
} from '../../state-machine/contract/index';
import { answerOf } from '../aws/aws';
import type { WorkflowAccess } from '../aws/workflow';
import { Rejection } from '../program/rejection';
import { quoted } from '../text';
import type { KeyRecord } from './record';

/** The item under a key is not a record of onceflow: another program has put it there. */
export class NoRecord extends Rejection {}

/**
 * A key's record as it is now, or undefined if there is none.
 *
 * @throws NoRecord for an item that is not a record: another table may have the same partition key; Rejection
 */
export async function readRecord(
  { aws, workflow: { table, schema } }: WorkflowAccess,
  fullKey: string,
): Promise<KeyRecord | undefined> {
  const request = new GetItemCommand({
    TableName: table,
    Key: itemKeyIn(schema, { S: fullKey }),
    ConsistentRead: true,
  });
  const sent = aws.dynamodb.send(request, { abortSignal: aws.signal });
  const answer = await answerOf(aws, 'GetItem', `table ${table}`, sent);
  if (answer?.Item === undefined) return undefined;
  const record = recordIn(schema, answer.Item);
  if (record !== undefined) return record;
  throw new NoRecord(
    `the item of the key ${quoted(fullKey)} in table ${table} is not a record of onceflow: ` +
      'it has no status, owner or attempt. Check --table',
  );
}

/**
 * The record that an item is in a table of this schema; undefined if it lacks what every record has: key, status,
 * owner and attempt.
 */
export function recordIn(
  schema: TableSchema,
  item: Readonly<Record<string, AttributeValue>>,
): KeyRecord | undefined {
  const attribute = (name: keyof typeof RECORD) => item[attributeIn(schema, RECORD[name])];
  const text = (name: keyof typeof RECORD) => attribute(name)?.S;
  const number = (name: keyof typeof RECORD) => {
    const value = attribute(name)?.N;
    return value === undefined ? undefined : Number(value);
  };
  const [recordKey, status, owner] = [text('idempotencyKey'), text('status'), text('owner')];
  const attempt = number('attempt');
  if (!recordKey || !status || !owner || attempt === undefined) return undefined;
  return {
    recordKey,
    status,
    owner,
    attempt,
    payloadHash: text('payloadHash'),
    payload: text('payload'),
    claimedAt: text('claimedAt'),
    claimId: text('claimId'),
    finishedAt: text('finishedAt'),
    result: isElsewhere(attribute('result')) ? null : text('result'),
    resultLocation: text('resultLocation'),
    resultHash: text('resultHash'),
    error: text('error'),
    stepTimeout: number('stepTimeout'),
    leaseExpiry: number('leaseExpiry') as EpochMs | undefined,
    expiry: number('expiry') as EpochSeconds | undefined,
    form: number('form'),
  };
}

// Records of the first versions say it by NULL.
function isElsewhere(result: AttributeValue | undefined): boolean {
  return result?.NULL === true || result?.S === RESULT_ELSEWHERE;
}
