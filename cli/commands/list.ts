import type { EpochMs } from '../../state-machine/contract/index';
import { each } from '../aws/executions';
import { type DeadExecution, findDeadExecutions } from '../bulk/dead-executions';
import { NoRecord, readRecord } from '../key/inspect';
import { failureOf, isGone, type KeyRecord } from '../key/record';
import { requireRecordTable, scanRecords, sinceWhen } from '../key/scan-records';
import type { Command } from '../options';
import { EXIT } from '../program/exit';
import { table } from '../render/layout';
import { duration, executionNameIn, ownerNameIn, plural, printable } from '../text';
import type { Workflow } from '../workflow';
import type { Answer, CommandContext } from './command';

type Wanted = Command & { name: 'list' };

/** Records of the workflow's scope, oldest first. @throws Refusal where the table is not one of records */
export async function list(context: CommandContext, wanted: Wanted): Promise<Answer> {
  const { aws, workflow } = context;
  await requireRecordTable(context);
  const { terminal } = context;
  const { records, read, isWhole, others } = await scanRecords(context, wanted, (items, found) =>
    terminal.progress(`reading the table: ${items} items, ${found.length} found`),
  );
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
