import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import { RECORD } from '../../../state-machine/contract/index';
import { answerOf } from '../../aws/aws';
import type { Workflow, WorkflowAccess } from '../../aws/workflow';
import { ALL_TIME, isWithin, type TimeRange } from '../../time-range';
import { failureOf } from '../failure';
import { recordIn } from '../read-record';
import { isHeld, isUnfinished, type KeyRecord, sinceWhen } from '../record';
import { byUrgency, healthOf, type KeyHealth, type Ranked } from './health';

/** Which records are wanted. */
export interface RecordScan {
  readonly statuses: readonly string[];
  /** Only those that got their status in this time; unfinished and held ones also if that was before. */
  readonly range: TimeRange;
  /** Records that are kept at most: the most urgent ones. */
  readonly limit: number;
  /** Items that are read at most: DynamoDB bills what is read, not what is found. */
  readonly readMax: number;
  /** Only those that failed with this error; undefined: with any. */
  readonly error: string | undefined;
  /** Gets each find, also beyond the limit. */
  onFound?(record: KeyRecord, health: KeyHealth): void;
}

/** What a scan has found. */
export interface ScannedRecords {
  /** The most urgent ones of those that were found. */
  readonly records: readonly KeyRecord[];
  /** How many were found, by how they stand. */
  readonly counts: Counts;
  /** Items that were read, others' items among them. */
  readonly read: number;
  /** Whether the whole table was read. */
  readonly isWhole: boolean;
  /** Items of this scope that lack what every record has. */
  readonly others: number;
}

/** How many records stand so; those that there are none of are left out. */
export type Counts = Readonly<Partial<Record<KeyHealth, number>>>;

/**
 * Records of the workflow's scope that a scan of at most `readMax` items finds: at most `limit`, the most urgent first
 * ({@link byUrgency}). No more than those and a page are held at a time. `progress` gets the number of read items and
 * the finds so far after each page.
 *
 * @throws Rejection if AWS does not answer
 */
export async function scanRecords(
  access: WorkflowAccess,
  wanted: RecordScan,
  progress: (read: number, found: readonly KeyRecord[]) => void,
): Promise<ScannedRecords> {
  const { aws, workflow } = access;
  const counts: Partial<Record<KeyHealth, number>> = {};
  let found: Found[] = [];
  let read = 0;
  let others = 0;
  let from: Record<string, AttributeValue> | undefined;
  do {
    const limit = Math.min(read === 0 ? FIRST_PAGE : PAGE, wanted.readMax - read);
    const page = await scan(access, wanted, limit, from);
    read += page?.ScannedCount ?? 0;
    from = page?.LastEvaluatedKey;
    for (const item of page?.Items ?? []) {
      const record = recordIn(workflow.schema, item);
      if (record === undefined) others += 1;
      else if (isWanted(record, wanted, workflow)) {
        const health = healthOf(record, workflow, aws.time.now());
        counts[health] = (counts[health] ?? 0) + 1;
        wanted.onFound?.(record, health);
        found.push({ record, health, since: sinceWhen(record) ?? null });
      }
    }
    if (found.length > wanted.limit) found = found.sort(byUrgency).slice(0, wanted.limit);
    progress(
      read,
      found.map(({ record }) => record),
    );
  } while (from !== undefined && read < wanted.readMax);
  const records = found.sort(byUrgency).map(({ record }) => record);
  return { records, counts, read, isWhole: from === undefined, others };
}

interface Found extends Ranked {
  readonly record: KeyRecord;
}

function isWanted(record: KeyRecord, { error, range }: RecordScan, workflow: Workflow): boolean {
  // A key that is not done needs an operator at any age of its status.
  const isOpen = isUnfinished(record) || isHeld(record, workflow);
  if (!isWithin(sinceWhen(record), isOpen ? { ...range, since: ALL_TIME.since } : range)) return false;
  return error === undefined || failureOf(record)?.error === error;
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
