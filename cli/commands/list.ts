import { type AttributeValue, DescribeTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { type EpochMs, RECORD } from '../../state-machine/contract/index';
import type { Answer, Desk } from '../answer';
import { type Aws, answerOf } from '../aws/aws';
import { failureOf, isGone, recordIn, type SeenRecord } from '../key/record';
import type { Command } from '../options';
import { EXIT } from '../program/exit';
import { Refusal } from '../refusal';
import { table } from '../render/layout';
import { executionNameIn, printable } from '../text';
import { duration } from '../time-text';
import type { Workflow } from '../workflow';

type Wanted = Command & { name: 'list' };

/** Records of the workflow's scope, oldest first. @throws Refusal where the table is not one of records */
export async function list(aws: Aws, workflow: Workflow, wanted: Wanted, desk: Desk): Promise<Answer> {
  await requireRecordTable(aws, workflow.table);
  const { records, read, isWhole } = await scanned(aws, workflow, wanted, desk);
  const now = aws.time.now();
  const scope = `${workflow.scope}#`;
  return {
    code: EXIT.done,
    json: { records, itemsRead: read, isWhole },
    text: look => {
      const rows = records.map(record => rowOf(record, scope, now));
      const columns = TITLES.map((title, index) => ({
        title,
        values: rows.map(row => row[index] ?? ''),
        isElastic: title === 'key' || title === 'owner' || title === 'error',
      }));
      const count = `${rows.length} record${rows.length === 1 ? '' : 's'} of ${printable(workflow.scope)}`;
      const rest = isWhole
        ? `all ${read} items of the table were read`
        : `after ${read} items the table goes on: look further with --limit or --read-at-most`;
      return `${rows.length === 0 ? '' : `${table(look, columns)}\n\n`}${count}; ${rest}\n`;
    },
  };
}

const TITLES = ['key', 'status', 'attempt', 'since', 'owner', 'error'] as const;

function rowOf(record: SeenRecord, scope: string, now: EpochMs): readonly string[] {
  const expired = isGone(record, now) ? ' (expired)' : '';
  return [
    printable(record.recordKey.slice(scope.length)),
    `${printable(record.status)}${expired}`,
    String(record.attempt),
    duration(now - sinceWhen(record)),
    printable(executionNameIn(record.owner)),
    printable(failureOf(record)?.error ?? ''),
  ];
}

/** When the record got its status. */
function sinceWhen({ claimedAt, finishedAt }: SeenRecord): number {
  const at = Date.parse(finishedAt ?? claimedAt ?? '');
  return Number.isNaN(at) ? 0 : at;
}

async function scanned(aws: Aws, workflow: Workflow, wanted: Wanted, desk: Desk) {
  const records: SeenRecord[] = [];
  const until = aws.time.now() - wanted.olderThanMs;
  let read = 0;
  let from: Record<string, AttributeValue> | undefined;
  do {
    const page = await scan(aws, workflow, wanted, Math.min(PAGE, wanted.readMax - read), from);
    read += page?.ScannedCount ?? 0;
    from = page?.LastEvaluatedKey;
    records.push(...(page?.Items ?? []).map(recordIn).filter(record => sinceWhen(record) <= until));
    desk.progress(`reading the table: ${read} items, ${records.length} found`);
  } while (from !== undefined && records.length < wanted.limit && read < wanted.readMax);
  const isWhole = from === undefined && records.length <= wanted.limit;
  records.splice(wanted.limit);
  records.sort((one, other) => sinceWhen(one) - sinceWhen(other));
  return { records, read, isWhole };
}

async function scan(
  aws: Aws,
  { table: TableName, scope }: Workflow,
  { statuses }: Wanted,
  Limit: number,
  from: Record<string, AttributeValue> | undefined,
) {
  const values = statuses.map((status, index) => [`:status${index}`, { S: status }] as const);
  const request = new ScanCommand({
    TableName,
    Limit,
    FilterExpression: `begins_with(#key, :scope) AND #status IN (${values.map(([name]) => name).join(', ')})`,
    ExpressionAttributeNames: { '#key': RECORD.idempotencyKey, '#status': RECORD.status },
    ExpressionAttributeValues: { ':scope': { S: `${scope}#` }, ...Object.fromEntries(values) },
    ...(from && { ExclusiveStartKey: from }),
  });
  const sent = aws.dynamodb.send(request, { abortSignal: aws.signal });
  return answerOf(aws, 'Scan', `table ${TableName}`, sent);
}

/** Items of a page at most; a page ends at 1 MB in any case. */
const PAGE = 1000;

// A scan of any other table would just find nothing, which is not what it means.
async function requireRecordTable(aws: Aws, TableName: string): Promise<void> {
  const sent = aws.dynamodb.send(new DescribeTableCommand({ TableName }), { abortSignal: aws.signal });
  const subject = `table ${TableName}`;
  const described = await answerOf(aws, 'DescribeTable', subject, sent, 'AccessDeniedException');
  const keys = described?.Table?.KeySchema;
  if (keys === undefined || (keys.length === 1 && keys[0]?.AttributeName === RECORD.idempotencyKey)) return;
  throw new Refusal(
    `${subject} holds no records of onceflow: their partition key is the text \`idempotencyKey\`; check --table`,
  );
}
