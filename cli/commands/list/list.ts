import { STATUS } from '../../../state-machine/contract/index';
import type { Answer, CommandContext } from '../../actions/answer';
import { each } from '../../concurrency';
import { failureOf } from '../../key/failure';
import { whyNotListed } from '../../key/list/executions-cost';
import { byUrgency, healthOf, KEY_HEALTHS } from '../../key/list/health';
import { requireRecordTable } from '../../key/list/require-record-table';
import { requireScopeInTable } from '../../key/list/require-scope-in-table';
import { type Counts, scanRecords } from '../../key/list/scan-records';
import { type Failed, type TallyRow, tally } from '../../key/list/tally';
import { NoRecord, readRecord } from '../../key/read-record';
import { isUnfinished, type KeyRecord, sinceWhen } from '../../key/record';
import { readStoppedDeliveries } from '../../key/stopped-deliveries';
import { EXIT } from '../../program/exit';
import { flag, type Option, oneOf } from '../../program/options';
import { usage } from '../../program/rejection';
import {
  endedWith,
  findEndedExecutions,
  isRejectedDelivery,
  REJECTED_DELIVERIES,
} from '../../repair/ended-executions';
import { type AskedRange, DAY_MS, type Moment, rangeAt } from '../../time-range';
import { count, durationOption, ERROR_NAME, timeRange } from '../shared-options';
import { workflowCommand } from '../workflow-command';
import { priced } from './cost';
import { duplicatesOf } from './duplicates';
import { type Entry, type Found, type ListRequest, tableOf, tallyOf } from './tables';

/** The statuses that a record can have, in the order of the help. */
const STATUSES: readonly string[] = [
  STATUS.inProgress,
  STATUS.held,
  STATUS.failed,
  STATUS.released,
  STATUS.completed,
  STATUS.releasing,
];

/** Executions are looked for in this time where nothing else is said. */
const EXECUTIONS_SINCE: Moment = { ago: DAY_MS };

function executionsWithin({ range }: ListRequest): AskedRange {
  return { ...range, since: range.since ?? EXECUTIONS_SINCE };
}

/** As the record has it: `failed`, `in-progress` and `in progress` are accepted, because pages write them so. */
function statusIn(text: string): string {
  return text.trim().toUpperCase().replace(/[\s-]/g, '_');
}

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
      const given = [...new Set(texts.flatMap(list => list.split(',')).map(statusIn))];
      return given.every(status => STATUSES.includes(status)) ? given : undefined;
    },
  };
}

/**
 * Records of the workflow's scope, and executions if they are asked for: the most urgent first, and no more than the
 * limit of all together. Without a word about which workflow it lists those of all. Fails where a table is not one of
 * records, or has none of a scope that the definition does not have.
 */
export const list = workflowCommand({
  name: 'list',
  line: ['list', 'lists the records that are unfinished, failed or held for review'],
  isReadOnly: true,
  usage: 'list [options]',
  does: [
    'Lists records, of all workflows unless you name one. The most urgent come first: held for review, overdue, failed,',
    'rejected, released, in progress; the oldest of each first. If you pass --rejected, it also lists the deliveries that',
    'the workflow rejected with an error such as Idempotency.PayloadMismatch. If you pass --unfinished, it also lists',
    'executions that ended without a record. Each table is scanned: you pay for every item that is read.',
  ],
  keyOptions: {},
  options: {
    status: statuses(
      'IN_PROGRESS, HELD, FAILED, RELEASED, COMPLETED, or RELEASING (left by an interrupted release); separate several by ' +
        'commas, or repeat the option (default: all except COMPLETED)',
    ),
    ...timeRange('of finished keys and executions only those that ended', undefined),
    'older-than': durationOption({
      help: 'the same as --until, as an age: 90s, 5m, 1h, 7d',
      byDefault: undefined,
    }),
    by: oneOf<'error' | 'hour', undefined>({
      valueName: 'error|hour',
      words: ['error', 'hour'],
      help: 'count failures and rejections by error or by hour, instead of listing them',
      byDefault: undefined,
    }),
    limit: count(1, 100, 'show at most the N most urgent'),
    'read-at-most': count(1, 100_000, 'stop after N items of a table'),
    error: ERROR_NAME,
    cost: flag(
      'also the cost at list prices of the executions of the listed keys, and the share of duplicates; without --since, ' +
        'executions of the last day and those that the list names',
    ),
    rejected: flag('also rejected deliveries (always with --by); without --since, of the last day'),
    unfinished: flag(
      'also executions that ended without a record, for example because they could not write their claim; without ' +
        '--since, of the last day',
    ),
    duplicates: flag(
      'instead, the duplicates that started nothing, by key; without --since, of the last day. On AWS only their number ' +
        'is known: it prints the command that reads the metric, which CloudWatch bills',
    ),
  },
  examples: [
    'onceflow list --status IN_PROGRESS --older-than 1h',
    'onceflow list --by error --since 1h',
    'onceflow list --error CardDeclined --since 1d --cost',
    'onceflow list --rejected --since 2026-11-20T22:00Z --until 2026-11-21T06:00Z --json',
  ],
  wantedIn({ values, positionals, given }): ListRequest {
    if (positionals.length > 0) throw usage('list does not take a key; `onceflow show KEY` shows one');
    if (given.has('until') && given.has('older-than'))
      throw usage('--until and --older-than mean the same; pass only one of them');
    const { status, limit, error, by, since, unfinished, cost, duplicates } = values;
    if (duplicates && [...given].some(name => /^(?:by|cost|rejected|unfinished|status|error)$/.test(name)))
      throw usage(
        '--duplicates lists no records; pass it without --by, --cost, --error, --rejected, --status and --unfinished',
      );
    if (cost && by !== undefined)
      throw usage('--cost needs the list of keys, which --by replaces by counts; leave one of them out');
    const olderThan = values['older-than'];
    const until = olderThan === undefined ? values.until : { ago: olderThan };
    const isRejected = values.rejected || by !== undefined;
    const wanted = {
      statuses: status,
      range: { since, until },
      limit,
      readMax: values['read-at-most'],
      error,
      by,
    };
    return { ...wanted, isRejected, isUnfinished: unfinished, isPriced: cost, isOfDuplicates: duplicates };
  },
  run: (context, wanted) => answerTo([context], wanted),
  runOnAll: answerTo,
});

async function answerTo(contexts: readonly CommandContext[], wanted: ListRequest): Promise<Answer> {
  const [first] = contexts;
  if (wanted.isOfDuplicates && first) {
    const range = rangeAt(first.aws.time.now(), executionsWithin(wanted));
    return duplicatesOf(contexts, range, wanted.limit);
  }
  const all: Found[] = [];
  // One table after the other: each is read at the speed that it has.
  for (const context of contexts) all.push(await foundIn(context, wanted));
  const shown = all
    .flatMap(({ entries }) => entries)
    .toSorted(byUrgency)
    .slice(0, wanted.limit);
  const found = wanted.isPriced ? await priced(all, shown, executionsWithin(wanted)) : all;
  const documents = found.map(one => documentOf(one, shown, wanted));
  const [only] = documents;
  return {
    code: EXIT.done,
    json: only !== undefined && documents.length === 1 ? only : { workflows: documents },
    text: style => (wanted.by === undefined ? tableOf : tallyOf)(style, found, shown, wanted),
  };
}

async function foundIn(context: CommandContext, wanted: ListRequest): Promise<Found> {
  const { aws, workflow, terminal } = context;
  await requireRecordTable(context);
  const now = aws.time.now();
  const failed: Failed[] = [];
  const scan = {
    ...wanted,
    range: rangeAt(now, wanted.range),
    onFound(record: KeyRecord) {
      const failure = isUnfinished(record) ? undefined : failureOf(record);
      if (failure) failed.push({ error: failure.error, at: sinceWhen(record) ?? null, kind: 'record' });
    },
  };
  const scanned = await scanRecords(context, scan, (items, records) =>
    terminal.progress(`reading the table: ${items} items, ${records.length} found`),
  );
  if (scanned.records.length + scanned.others === 0) await requireScopeInTable(context, wanted.readMax);
  const executions = await executionsOf(context, wanted);
  for (const { execution, kind } of executions ?? []) {
    if (kind === 'rejected')
      failed.push({ error: execution.error, at: execution.stoppedAt, kind: 'delivery' });
  }
  const entries: readonly Entry[] = [
    ...scanned.records.map(record => {
      const health = healthOf(record, workflow, now);
      return { context, now, record, health, since: sinceWhen(record) ?? null };
    }),
    // The event of an execution without a record has led to nothing, as one that has failed.
    ...(executions ?? []).map(({ execution, kind }) => {
      const health = kind === 'rejected' ? ('rejected' as const) : ('failed' as const);
      return { context, now, execution, kind, health, since: execution.stoppedAt };
    }),
  ];
  const stopped = await readStoppedDeliveries(context, rangeAt(now, executionsWithin(wanted)));
  const countOf = (wantedKind: string) => executions?.filter(({ kind }) => kind === wantedKind).length;
  return {
    ...scanned,
    context,
    entries,
    failed,
    without: wanted.isUnfinished ? countOf('no record') : undefined,
    rejected: wanted.isRejected ? countOf('rejected') : undefined,
    stopped: stopped?.length,
    whyNotListed: isAboutExecutions(wanted) ? whyNotListed(workflow) : undefined,
  };
}

/** For scripts: what was found of a workflow, of which so much is shown. */
function documentOf(one: Found, shown: readonly Entry[], wanted: ListRequest) {
  const { by } = wanted;
  const { context, counts, read, isWhole, others, without, rejected, price } = one;
  const own = shown.filter(entry => entry.context === context);
  const executionsOf = (kind: string) =>
    own.flatMap(entry => {
      if (!('execution' in entry) || entry.kind !== kind) return [];
      const { stoppedAt, ...execution } = entry.execution;
      return [{ ...execution, stopDate: new Date(stoppedAt) }];
    });
  return {
    workflow: context.workflow.name,
    ...(by !== undefined && { by, rows: tally(one.failed, by).map(row => rowOf(row, by)) }),
    ...(by === undefined && { records: own.flatMap(entry => ('record' in entry ? [entry.record] : [])) }),
    counts: allOf(counts),
    itemsRead: read,
    isWhole,
    otherItems: others,
    ...(one.stopped !== undefined && { duplicates: one.stopped }),
    ...(one.whyNotListed !== undefined && unlisted(one.whyNotListed, wanted)),
    ...(without !== undefined && { executions: executionsOf('no record'), executionsFound: without }),
    ...(price !== undefined && { cost: price }),
    ...(rejected !== undefined && { rejected: executionsOf('rejected'), rejectedFound: rejected }),
  };
}

function isAboutExecutions({ isUnfinished: isWithout, isRejected }: ListRequest): boolean {
  return isWithout || isRejected;
}

/** The members of executions that were asked for and cannot be listed. */
function unlisted(unknown: string, { isUnfinished: isWithout, isRejected }: ListRequest) {
  return { ...(isWithout && { executions: { unknown } }), ...(isRejected && { rejected: { unknown } }) };
}

/** Each count, also those of which nothing was found. */
function allOf(counts: Counts): Counts {
  // A rejected delivery is not a record: `rejectedFound` counts it.
  const healths = KEY_HEALTHS.filter(health => health !== 'rejected');
  return Object.fromEntries(healths.map(health => [health, counts[health] ?? 0]));
}

/** A row of a tally for scripts, its times and hours in ISO 8601. */
function rowOf({ name, oldest, newest, ...row }: TallyRow, by: ListRequest['by']) {
  const dateOf = (at: number | null) => (at === null ? null : new Date(at));
  const hour = by === 'hour' ? name.replace(' ', 'T') : name;
  return { name: hour, ...row, oldest: dateOf(oldest), newest: dateOf(newest) };
}

/**
 * Executions that ended, each as what it is here: of a key that has no record, or rejected. One that is both counts as
 * rejected if rejected deliveries are asked for. Undefined if neither is asked for, or executions cannot be listed.
 */
async function executionsOf(context: CommandContext, wanted: ListRequest) {
  const { isUnfinished: isWithout, isRejected, error } = wanted;
  if (!isAboutExecutions(wanted) || whyNotListed(context.workflow) !== undefined) return undefined;
  const { aws, terminal } = context;
  const within = rangeAt(aws.time.now(), executionsWithin(wanted));
  const named = endedWith(error);
  const isOfInterest = (its: string) =>
    named.isWanted(its) && (isWithout || REJECTED_DELIVERIES.isWanted(its));
  const ended = await findEndedExecutions(
    context,
    { range: within, isWanted: isOfInterest },
    terminal.progress,
  );
  const kinds = await each(ended, async execution => {
    if (isRejected && isRejectedDelivery(execution)) return { execution, kind: 'rejected' as const };
    const { recordKey } = execution;
    const isUnknown = isWithout && (recordKey === undefined || !(await hasRecord(context, recordKey)));
    return isUnknown ? { execution, kind: 'no record' as const } : undefined;
  });
  return kinds.filter(one => one !== undefined);
}

// An item that is not a record says nothing of the key: it is left there, and all others are listed.
async function hasRecord(context: CommandContext, recordKey: string): Promise<boolean> {
  try {
    return (await readRecord(context, recordKey)) !== undefined;
  } catch (error) {
    if (error instanceof NoRecord) return false;
    throw error;
  }
}
