import { type EpochMs, STATUS } from '../../state-machine/contract/index';
import type { Answer, CommandContext } from '../actions/answer';
import { each } from '../aws/executions';
import type { Workflow } from '../aws/workflow';
import { type DeadExecution, findDeadExecutions } from '../bulk/dead-executions';
import { NoRecord, readRecord } from '../key/inspect';
import { failureOf, type KeyRecord, sinceWhen } from '../key/record';
import { type Counts, requireRecordTable, scanRecords } from '../key/scan-records';
import { byUrgency, STANDINGS, type Standee, type Standing, standingOf } from '../key/standing';
import { requireScopeInTable } from '../key/table-scopes';
import { hanging, table } from '../layout';
import { EXIT } from '../program/exit';
import { flag, type Option } from '../program/options';
import { usage } from '../program/refusal';
import { duration, executionNameIn, ownerNameIn, plural, printable } from '../text';
import { age, count, ERROR_NAME, endedSince } from './shared-options';
import { workflowCommand } from './workflow-command';

interface Wanted {
  readonly statuses: readonly string[];
  readonly olderThanMs: number;
  readonly limit: number;
  readonly readMax: number;
  /** Only records and executions that failed with this error; undefined: with any. */
  readonly error: string | undefined;
  /** Until when executions without a record are looked for, back from now; undefined: records only. */
  readonly executionsSinceMs: number | undefined;
}

/** The statuses that a record can have, in the order of the help. */
const STATUSES: readonly string[] = [
  STATUS.inProgress,
  STATUS.held,
  STATUS.failed,
  STATUS.released,
  STATUS.completed,
  STATUS.releasing,
];

/** Statuses, given one after the other or with commas between them. */
function statuses(help: string): Option<readonly string[]> {
  return {
    valueName: 'STATUS',
    help,
    byDefault: STATUSES.filter(status => status !== STATUS.completed),
    takes: `one or more of ${STATUSES.join(', ')}`,
    isNumber: false,
    isRepeatable: true,
    read: texts => {
      const given = [...new Set(texts.flatMap(list => list.split(',')).map(status => status.trim()))];
      return given.every(status => STATUSES.includes(status)) ? given : undefined;
    },
  };
}

/**
 * Records of the workflow's scope, and executions without one if they are asked for: the most urgent first, and no more
 * than the limit of both together. Fails where the table is not one of records, or has none of a scope that the
 * definition does not have.
 */
export const list = workflowCommand({
  name: 'list',
  line: ['list', 'records that are not finished, have failed, or are held for review'],
  usage: 'list [options]',
  does: [
    'Lists records of the workflow, the most urgent first: held for review, overdue, failed, released, under way; the',
    'oldest of each first.',
    'A scan of the table, of which every item is read and paid for. With --unfinished also executions that have ended,',
    'and left no record.',
  ],
  keyOptions: {},
  options: {
    status: statuses(
      'IN_PROGRESS, HELD, FAILED, RELEASED, COMPLETED, or RELEASING, which an interrupted release leaves; several with ' +
        'commas, or given again (default: all except COMPLETED)',
    ),
    'older-than': age({ help: 'only those whose status is older: 90s, 5m, 1h, 7d', byDefault: 0 }),
    limit: count(1, 100, 'show the N most urgent'),
    'read-at-most': count(1, 100_000, 'stop after reading N items of the table'),
    error: ERROR_NAME,
    unfinished: flag(
      'also executions that ended without a record, such as those whose claim never got through',
    ),
    since: endedSince('--unfinished'),
  },
  examples: [
    'onceflow list --status IN_PROGRESS --older-than 1h',
    'onceflow list --status HELD,FAILED --json',
    'onceflow list --unfinished --since 2h --error Idempotency.InvalidEvent',
  ],
  wantedIn({ values, positionals, given }): Wanted {
    if (positionals.length > 0) throw usage('list takes no key');
    if (given.has('since') && !values.unfinished)
      throw usage('--since goes with --unfinished: list --unfinished --since 2h');
    const { status, limit, error } = values;
    const [olderThanMs, readMax] = [values['older-than'], values['read-at-most']];
    const executionsSinceMs = values.unfinished ? values.since : undefined;
    return { statuses: status, olderThanMs, limit, readMax, error, executionsSinceMs };
  },
  run: answerTo,
});

/** A record, or an execution without one. */
type Entry = Standee & ({ readonly record: KeyRecord } | { readonly execution: DeadExecution });

async function answerTo(context: CommandContext, wanted: Wanted): Promise<Answer> {
  const { aws, workflow, terminal } = context;
  await requireRecordTable(context);
  const scanned = await scanRecords(context, wanted, (items, found) =>
    terminal.progress(`reading the table: ${items} items, ${found.length} found`),
  );
  const { counts, read, isWhole, others } = scanned;
  if (scanned.records.length + others === 0) await requireScopeInTable(context, wanted.readMax);
  const without = await withoutRecord(context, wanted);
  const now = aws.time.now();
  const entries: readonly Entry[] = [
    ...scanned.records.map(record => {
      return { record, standing: standingOf(record, workflow, now), since: sinceWhen(record) ?? null };
    }),
    // Their events have led to nothing, as one that has failed.
    ...(without ?? []).map(execution => {
      return { execution, standing: 'failed' as const, since: execution.stoppedAt };
    }),
  ];
  const shown = entries.toSorted(byUrgency).slice(0, wanted.limit);
  const records = shown.flatMap(entry => ('record' in entry ? [entry.record] : []));
  const executions = shown.flatMap(entry => ('execution' in entry ? [entry.execution] : []));
  return {
    code: EXIT.done,
    json: {
      records,
      counts,
      itemsRead: read,
      isWhole,
      otherItems: others,
      ...(without && { executions, executionsFound: without.length }),
    },
    text: style => {
      const rows = shown.map(entry =>
        'record' in entry
          ? rowOf(entry.record, workflow, now)
          : rowOfExecution(entry.execution, workflow, now),
      );
      const columns = TITLES.map((title, index) => ({
        title,
        values: rows.map(row => row[index] ?? ''),
        isElastic: title === 'key' || title === 'owner' || title === 'error',
      }));
      const found = Object.values(counts).reduce((sum, count) => sum + count, 0);
      const all = found + (without?.length ?? 0);
      const which = found === 0 ? lookedFor(wanted) : inWords(counts);
      const summary = [
        `${plural(found, 'record')} of ${printable(workflow.scope)}${which}`,
        ...(without ? [`${plural(without.length, 'execution')} without a record`] : []),
        ...(shown.length < all ? [`shown: the ${shown.length} most urgent; --limit shows more`] : []),
        isWhole
          ? `the whole table was read, ${plural(read, 'item')}`
          : `after ${plural(read, 'item')} the table goes on: look further with --read-at-most`,
        ...(others === 0
          ? []
          : [`left out: ${plural(others, 'item')} of this scope that lack what a record has`]),
      ];
      return `${rows.length === 0 ? '' : `${table(style, columns)}\n\n`}${hanging(style, '', summary.join('; '))}\n`;
    },
  };
}

/** Where nothing is found, what was looked for: a key that is COMPLETED would be missed. */
function lookedFor({ statuses, error }: Wanted): string {
  const failed = error === undefined ? '' : `, and failed with ${printable(error)}`;
  return ` that are ${statuses.join(', ')}${failed}`;
}

function inWords(counts: Counts): string {
  const words = STANDINGS.flatMap(standing => {
    const count = counts[standing];
    return count === undefined ? [] : [`${count} ${WORDS[standing]}`];
  });
  return ` (${words.join(', ')})`;
}

const WORDS: Readonly<Record<Standing, string>> = {
  held: 'held for review',
  overdue: 'overdue',
  failed: 'failed',
  released: 'released',
  underWay: 'under way',
  unknown: 'of another status',
  completed: 'completed',
  expired: 'expired',
};

const TITLES = ['key', 'status', 'attempt', 'since', 'owner', 'error'] as const;

function rowOf(record: KeyRecord, workflow: Workflow, now: EpochMs): readonly string[] {
  const { scope, stateMachineArn } = workflow;
  const since = sinceWhen(record);
  const standing = standingOf(record, workflow, now);
  const isAdded = standing === 'overdue' || standing === 'expired' || record.status === STATUS.failed;
  return [
    printable(record.recordKey.slice(`${scope}#`.length)),
    `${printable(record.status)}${isAdded && standing !== 'failed' ? ` (${WORDS[standing]})` : ''}`,
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
