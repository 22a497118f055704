import { type AttributeValue, DescribeTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { RECORD } from '../../state-machine/contract/index';
import { answerOf } from '../aws/aws';
import { Refusal } from '../refusal';
import type { WorkflowAccess } from '../workflow';
import { failureOf, type KeyRecord, recordIn } from './record';

/** Which records are wanted. */
export interface RecordScan {
  readonly statuses: readonly string[];
  /** Only those that got their status so long ago, or longer. */
  readonly olderThanMs: number;
  readonly limit: number;
  /** Items that are read at most: DynamoDB bills what is read, not what is found. */
  readonly readMax: number;
  /** Only those that failed with this error; undefined: with any. */
  readonly error: string | undefined;
}

/** What a scan has found. */
export interface ScannedRecords {
  readonly records: readonly KeyRecord[];
  /** Items that were read, others' items among them. */
  readonly read: number;
  /** Whether the whole table was read, and all that was found is there. */
  readonly isWhole: boolean;
  /** Items of this scope that lack what every record has. */
  readonly others: number;
}

/** When the record got its status, in epoch milliseconds; undefined where it does not say. */
export function sinceWhen({ claimedAt, finishedAt }: KeyRecord): number | undefined {
  const at = Date.parse(finishedAt ?? claimedAt ?? '');
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Records of the workflow's scope, oldest first, as a scan of the table finds them: at most `limit`, after at most
 * `readMax` items. `progress` is told after each page how many items were read, and what was found so far.
 *
 * @throws Refusal where AWS does not answer
 */
export async function scanRecords(
  access: WorkflowAccess,
  wanted: RecordScan,
  progress: (read: number, found: readonly KeyRecord[]) => void,
): Promise<ScannedRecords> {
  const { aws } = access;
  const records: KeyRecord[] = [];
  const until = aws.time.now() - wanted.olderThanMs;
  let read = 0;
  let others = 0;
  let from: Record<string, AttributeValue> | undefined;
  do {
    const page = await scan(
      access,
      wanted,
      Math.min(read === 0 ? FIRST_PAGE : PAGE, wanted.readMax - read),
      from,
    );
    read += page?.ScannedCount ?? 0;
    from = page?.LastEvaluatedKey;
    const found = (page?.Items ?? []).map(item => recordIn(access.workflow.schema, item));
    others += found.filter(record => record === undefined).length;
    // One that does not say since when may be as old as any.
    const isOldEnough = (record: KeyRecord) => (sinceWhen(record) ?? 0) <= until;
    const isOfError = (record: KeyRecord) =>
      wanted.error === undefined || failureOf(record)?.error === wanted.error;
    const ofScope = found.filter(record => record !== undefined);
    records.push(...ofScope.filter(isOldEnough).filter(isOfError));
    progress(read, records);
  } while (from !== undefined && records.length < wanted.limit && read < wanted.readMax);
  const isWhole = from === undefined && records.length <= wanted.limit;
  records.splice(wanted.limit);
  records.sort((one, other) => (sinceWhen(one) ?? 0) - (sinceWhen(other) ?? 0));
  return { records, read, isWhole, others };
}

async function scan(
  { aws, workflow: { table: TableName, scope, schema } }: WorkflowAccess,
  { statuses }: RecordScan,
  Limit: number,
  from: Record<string, AttributeValue> | undefined,
) {
  const { sortKey } = schema;
  const values = statuses.map((status, index) => [`:status${index}`, { S: status }] as const);
  const request = new ScanCommand({
    TableName,
    Limit,
    FilterExpression:
      `begins_with(#key, :scope) AND #status IN (${values.map(([name]) => name).join(', ')})` +
      (sortKey ? ' AND #sortKey = :sortKey' : ''),
    ExpressionAttributeNames: {
      '#key': schema.partitionKey,
      '#status': RECORD.status,
      ...(sortKey && { '#sortKey': sortKey.name }),
    },
    ExpressionAttributeValues: {
      ':scope': { S: `${scope}#` },
      ...(sortKey && { ':sortKey': { S: sortKey.value } }),
      ...Object.fromEntries(values),
    },
    ...(from && { ExclusiveStartKey: from }),
  });
  const sent = aws.dynamodb.send(request, { abortSignal: aws.signal });
  return answerOf(aws, 'Scan', `table ${TableName}`, sent);
}

/** Items of a page at most; a page ends at 1 MB in any case. The first is there at once. */
const [FIRST_PAGE, PAGE] = [250, 1000];

/**
 * Refuses another table: a scan of it would just find nothing, which is not what it means. The answer is about how many
 * items it has: DynamoDB counts them every six hours; undefined where nobody may ask.
 *
 * @throws Refusal
 */
export async function requireRecordTable({ aws, workflow }: WorkflowAccess): Promise<number | undefined> {
  const { table: TableName, schema } = workflow;
  const sent = aws.dynamodb.send(new DescribeTableCommand({ TableName }), { abortSignal: aws.signal });
  const subject = `table ${TableName}`;
  const described = await answerOf(aws, 'DescribeTable', subject, sent, 'AccessDeniedException');
  const keys = described?.Table?.KeySchema;
  const wanted = [schema.partitionKey, ...(schema.sortKey ? [schema.sortKey.name] : [])];
  const given = keys?.map(({ AttributeName }) => AttributeName);
  if (given === undefined || given.join() === wanted.join()) return described?.Table?.ItemCount;
  throw new Refusal(
    `${subject} holds no records of onceflow: their key is ${wanted.join(' and ')}, its own is ` +
      `${given.join(' and ')}; check --table`,
  );
}
