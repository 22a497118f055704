import { type AttributeValue, DescribeTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { type EpochMs, RECORD } from '../../state-machine/contract/index';
import { answerOf } from '../aws/aws';
import { each } from '../aws/executions';
import { type DeadExecution, findDeadExecutions } from '../bulk/dead-executions';
import { NoRecord, readRecord } from '../key/inspect';
import { failureOf, isGone, type KeyRecord, recordIn } from '../key/record';
import type { Command } from '../options';
import { EXIT } from '../program/exit';
import { Refusal } from '../refusal';
import { table } from '../render/layout';
import { duration, executionNameIn, ownerNameIn, plural, printable } from '../text';
import type { Workflow, WorkflowAccess } from '../workflow';
import type { Answer, CommandContext } from './command';

type Wanted = Command & { name: 'list' };

/** Records of the workflow's scope, oldest first. @throws Refusal where the table is not one of records */
export async function list(context: CommandContext, wanted: Wanted): Promise<Answer> {
  const { aws, workflow } = context;
  await requireRecordTable(context);
  const { records, read, isWhole, others } = await scanned(context, wanted);
  const executions = await withoutRecord(context, wanted);
  const now = aws.time.now();
  return {
    code: EXIT.done,
    json: { records, itemsRead: read, isWhole, otherItems: others, ...(executions && { executions }) },
    text: style => {
      const rows = [
        ...records.map(record => rowOf(record, workflow, now)),
        ...(executions ?? []).map(execution => rowOfExecution(execution, workflow, now)),
      ];
      const columns = TITLES.map((title, index) => ({
        title,
        values: rows.map(row => row[index] ?? ''),
        isElastic: title === 'key' || title === 'owner' || title === 'error',
      }));
      // Where nothing is found, what was looked for: a key that is COMPLETED would be missed.
      const failed = wanted.error === undefined ? '' : `, and failed with ${printable(wanted.error)}`;
      const status = records.length === 0 ? ` that are ${wanted.statuses.join(', ')}${failed}` : '';
      const count = `${plural(records.length, 'record')} of ${printable(workflow.scope)}${status}`;
      const rest = isWhole
        ? `the whole table was read, ${plural(read, 'item')}`
        : `after ${plural(read, 'item')} the table goes on: look further with --limit or --read-at-most`;
      const foreign =
        others === 0 ? '' : `; left out: ${plural(others, 'item')} of this scope that lack what a record has`;
      const without = executions ? `; ${plural(executions.length, 'execution')} without a record` : '';
      return `${rows.length === 0 ? '' : `${table(style, columns)}\n\n`}${count}; ${rest}${foreign}${without}\n`;
    },
  };
}

const TITLES = ['key', 'status', 'attempt', 'since', 'owner', 'error'] as const;

function rowOf(record: KeyRecord, { scope, stateMachineArn }: Workflow, now: EpochMs): readonly string[] {
  const since = sinceWhen(record);
  const expired = isGone(record, now) ? ' (expired)' : '';
  return [
    printable(record.recordKey.slice(`${scope}#`.length)),
    `${printable(record.status)}${expired}`,
    String(record.attempt),
    since === undefined ? '?' : duration(now - since),
    printable(ownerNameIn(record.owner, stateMachineArn)),
    printable(failureOf(record)?.error ?? ''),
  ];
}

function rowOfExecution(execution: DeadExecution, { scope }: Workflow, now: EpochMs): readonly string[] {
  const { recordKey, stoppedAt, executionArn, error } = execution;
  return [
    recordKey === undefined ? '?' : printable(recordKey.slice(`${scope}#`.length)),
    'no record',
    '',
    duration(now - stoppedAt),
    printable(executionNameIn(executionArn)),
    printable(error),
  ];
}

/** Executions that ended, and whose key has no record; undefined where nobody asks for them. */
async function withoutRecord(
  context: CommandContext,
  { executionsSinceMs, error }: Wanted,
): Promise<readonly DeadExecution[] | undefined> {
  if (executionsSinceMs === undefined) return undefined;
  const { aws, terminal } = context;
  const since = aws.time.now() - executionsSinceMs;
  const dead = await findDeadExecutions(context, { since, error }, terminal.progress);
  const isWithout = await each(dead, async ({ recordKey }) => {
    return recordKey === undefined || !(await hasRecord(context, recordKey));
  });
  return dead.filter((_, index) => isWithout[index]);
}

// An item that is no record tells nothing of the key: it is left there, and all others are listed.
async function hasRecord(context: CommandContext, recordKey: string): Promise<boolean> {
  try {
    return (await readRecord(context, recordKey)) !== undefined;
  } catch (error) {
    if (error instanceof NoRecord) return false;
    throw error;
  }
}

/** When the record got its status, in epoch milliseconds; undefined where it does not say. */
function sinceWhen({ claimedAt, finishedAt }: KeyRecord): number | undefined {
  const at = Date.parse(finishedAt ?? claimedAt ?? '');
  return Number.isNaN(at) ? undefined : at;
}

async function scanned(context: CommandContext, wanted: Wanted) {
  const { aws, terminal } = context;
  const records: KeyRecord[] = [];
  const until = aws.time.now() - wanted.olderThanMs;
  let read = 0;
  let others = 0;
  let from: Record<string, AttributeValue> | undefined;
  do {
    const page = await scan(context, wanted, Math.min(PAGE, wanted.readMax - read), from);
    read += page?.ScannedCount ?? 0;
    from = page?.LastEvaluatedKey;
    const found = (page?.Items ?? []).map(item => recordIn(context.workflow.schema, item));
    others += found.filter(record => record === undefined).length;
    // One that does not say since when may be as old as any.
    const isOldEnough = (record: KeyRecord) => (sinceWhen(record) ?? 0) <= until;
    const isOfError = (record: KeyRecord) =>
      wanted.error === undefined || failureOf(record)?.error === wanted.error;
    const ofScope = found.filter(record => record !== undefined);
    records.push(...ofScope.filter(isOldEnough).filter(isOfError));
    terminal.progress(`reading the table: ${read} items, ${records.length} found`);
  } while (from !== undefined && records.length < wanted.limit && read < wanted.readMax);
  const isWhole = from === undefined && records.length <= wanted.limit;
  records.splice(wanted.limit);
  records.sort((one, other) => (sinceWhen(one) ?? 0) - (sinceWhen(other) ?? 0));
  return { records, read, isWhole, others };
}

async function scan(
  { aws, workflow: { table: TableName, scope, schema } }: WorkflowAccess,
  { statuses }: Wanted,
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

/** Items of a page at most; a page ends at 1 MB in any case. */
const PAGE = 1000;

// A scan of any other table would just find nothing, which is not what it means.
async function requireRecordTable({ aws, workflow }: WorkflowAccess): Promise<void> {
  const { table: TableName, schema } = workflow;
  const sent = aws.dynamodb.send(new DescribeTableCommand({ TableName }), { abortSignal: aws.signal });
  const subject = `table ${TableName}`;
  const described = await answerOf(aws, 'DescribeTable', subject, sent, 'AccessDeniedException');
  const keys = described?.Table?.KeySchema;
  const wanted = [schema.partitionKey, ...(schema.sortKey ? [schema.sortKey.name] : [])];
  const given = keys?.map(({ AttributeName }) => AttributeName);
  if (given === undefined || given.join() === wanted.join()) return;
  throw new Refusal(
    `${subject} holds no records of onceflow: their key is ${wanted.join(' and ')}, its own is ` +
      `${given.join(' and ')}; check --table`,
  );
}
