import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { itemKeyIn } from '../../state-machine/contract/index';
import { answerOf } from '../aws/aws';
import type { WorkflowAccess } from '../aws/workflow';
import { Refusal } from '../program/refusal';
import { quoted } from '../text';
import { type KeyRecord, recordIn } from './record';

/** The item under a key is not a record of onceflow: another program has put it there. */
export class NoRecord extends Refusal {}

/**
 * A key's record as it is now, or undefined where there is none.
 *
 * @throws NoRecord for an item that is none: another table may have the same partition key; Refusal
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
