import type { KeyHealth, KeyRow, KeysView, WorkflowState } from '@onceflow/console';
import { type EpochMs, ERROR, STATUS } from '../../../state-machine/contract/index';
import { executionNameIn } from '../../arns';
import type { WorkflowAccess } from '../../aws/workflow';
import { each } from '../../concurrency';
import { byUrgency } from '../../key/list/health';
import { requireRecordTable } from '../../key/list/require-record-table';
import { type ScannedRecords, scanRecords } from '../../key/list/scan-records';
import { tally } from '../../key/list/tally';
import { heldFor, type KeyRecord } from '../../key/record';
import { Rejection } from '../../program/rejection';
import { type EndedExecution, findEndedExecutions, REJECTED_DELIVERIES } from '../../repair/ended-executions';
import { type AskedRange, DAY_MS, rangeAt, type TimeRange } from '../../time-range';
import { startAction } from '../actions/key-actions';
import { faultActions } from '../actions/local-actions';
import { accessTo, allAccesses, itemOf, type Place } from '../place';
import { deadLettersOf } from './dead-letters';
import { rowsOf } from './key-rows';

/** So many items of a table are read for the list of keys. */
const ITEMS_MAX = 20_000;
/** Rejected deliveries are looked for in this time where nothing else is said. */
const REJECTED_SINCE = { ago: DAY_MS } as const;
/** So many rows of counts are shown. */
const TALLY_MAX = 24;

/** What takes no longer is told as a whole: rows that come later move others away under the pointer. */
const PART_AFTER_MS = 300;

/** What was read of a workflow so far. */
interface Read extends Pick<WorkflowState, 'read' | 'isWhole' | 'others' | 'rejectedUnknown'> {
  readonly access: WorkflowAccess;
  readonly rows: readonly KeyRow[];
  readonly rejected: readonly EndedExecution[];
  readonly givenUp: readonly KeyRecord[];
}

/** What executions were when they were opened, by the place's clients: what has ended changes no more. */
const known = new WeakMap<object, Map<string, EndedExecution | string>>();

/**
 * The keys of a workflow, or of all: their records in the time that is asked for, and the rejected deliveries.
 * A large table takes its time: `onPart` gets what was read so far.
 *
 * @throws Rejection
 */
export async function readKeys(
  place: Place,
  name: string | undefined,
  asked: AskedRange = {},
  onPart: (part: () => KeysView) => void = () => undefined,
): Promise<KeysView> {
  const { time } = place.aws;
  const accesses = name === undefined ? await allAccesses(place) : [await accessTo(place, name)];
  const read = accesses.map(nothingRead);
  const tables = await each(accesses, requireRecordTable);
  const all = tables.every(count => count !== undefined)
    ? tables.reduce((sum, count = 0) => sum + count, 0)
    : null;
  const view = (reading: KeysView['reading'], deadLetters: KeysView['deadLetters']) =>
    viewOf(place, read, { reading, deadLetters, now: time.now() });
  const begun = performance.now();
  await each([...accesses.entries()], async ([index, access]) => {
    const onRead = (part: Read) => {
      read[index] = part;
      const done = read.reduce((sum, one) => sum + one.read, 0);
      if (performance.now() - begun > PART_AFTER_MS) onPart(() => view({ done, of: all }, null));
    };
    read[index] = await readWorkflowKeys(access, asked, onRead);
  });
  const names = accesses.map(({ workflow }) => workflow.name);
  return view(null, await deadLettersOf(place, names));
}

/** The keys of one workflow: records first, of which `onRead` gets those that were read so far. */
async function readWorkflowKeys(
  access: WorkflowAccess,
  asked: AskedRange,
  onRead: (part: Read) => void,
): Promise<Read> {
  const { time } = access.aws;
  const wanted = {
    statuses: Object.values(STATUS),
    range: rangeAt(time.now(), asked),
    limit: ITEMS_MAX,
    readMax: ITEMS_MAX,
    error: undefined,
  };
  const scanned = await scanRecords(access, wanted, (items, records) =>
    onRead(readOf(access, records, { read: items, isWhole: false, others: 0 }, time.now())),
  );
  const read = readOf(access, scanned.records, scanned, time.now());
  onRead(read);
  const range = rangeAt(time.now(), { ...asked, since: asked.since ?? REJECTED_SINCE });
  const rejected = await rejectedIn(access, range);
  return 'why' in rejected ? { ...read, rejectedUnknown: rejected.why } : { ...read, ...rejected };
}

function nothingRead(access: WorkflowAccess): Read {
  return {
    access,
    rows: [],
    rejected: [],
    givenUp: [],
    read: 0,
    isWhole: false,
    others: 0,
    rejectedUnknown: null,
  };
}

function readOf(
  access: WorkflowAccess,
  records: readonly KeyRecord[],
  { read, isWhole, others }: Pick<ScannedRecords, 'read' | 'isWhole' | 'others'>,
  now: EpochMs,
): Read {
  const { workflow } = access;
  const givenUp = records.filter(record => heldFor(record, workflow) === ERROR.redrivesExhausted);
  return { ...nothingRead(access), rows: rowsOf(records, workflow, now), givenUp, read, isWhole, others };
}

async function rejectedIn(
  access: WorkflowAccess,
  range: TimeRange,
): Promise<{ readonly rejected: readonly EndedExecution[] } | { readonly why: string }> {
  const { aws } = access;
  const opened = known.get(aws) ?? new Map<string, EndedExecution | string>();
  known.set(aws, opened);
  try {
    const search = { range, ...REJECTED_DELIVERIES, known: opened };
    const found = await findEndedExecutions(access, search, () => undefined);
    return { rejected: found };
  } catch (error) {
    if (error instanceof Rejection) return { why: error.message };
    throw error;
  }
}

function viewOf(
  place: Place,
  read: readonly Read[],
  { reading, deadLetters, now }: Pick<KeysView, 'reading' | 'deadLetters' | 'now'>,
): KeysView {
  const rows = read.flatMap(one => [...one.rows, ...rejectedRows(one)]).sort(byUrgency);
  const failed = read.flatMap(one => [
    ...one.rows
      .filter(({ error }) => error !== '')
      .map(({ error, since }) => ({ error, at: since, kind: 'record' as const })),
    ...one.rejected.map(({ error, stoppedAt }) => ({ error, at: stoppedAt, kind: 'delivery' as const })),
  ]);
  const local = place.local?.();
  const [only] = read.length === 1 ? read : [];
  const faults = only && local ? faultActions(local, only.access.workflow) : [];
  return {
    workflows: read.map(one => stateOf(one, now)),
    rows,
    byError: tally(failed, 'error').slice(0, TALLY_MAX),
    byHour: tally(failed, 'hour').slice(0, TALLY_MAX),
    deadLetters,
    reading,
    now,
    actions: only ? [startAction(only.access.workflow), ...faults] : [],
  };
}

/** A row for each key and error, with the last delivery: duplicates of one key come many at a time. */
function rejectedRows({ access, rejected }: Read): readonly KeyRow[] {
  const { name, scope } = access.workflow;
  const groups = new Map<string, EndedExecution[]>();
  // Newest first.
  for (const execution of rejected) {
    const { recordKey, executionArn, error } = execution;
    const group = `${error} ${recordKey ?? executionArn}`;
    groups.set(group, [...(groups.get(group) ?? []), execution]);
  }
  return [...groups.values()].flatMap(([last, ...others]) => {
    if (last === undefined) return [];
    const { recordKey, executionArn, error, stoppedAt } = last;
    return [
      {
        workflow: name,
        key: recordKey?.slice(scope.length + 1) ?? '',
        executionArn,
        status: others.length === 0 ? 'once' : `${others.length + 1} times`,
        health: 'rejected' as const,
        attempt: 0,
        since: stoppedAt,
        owner: executionNameIn(executionArn),
        error,
      },
    ];
  });
}

function stateOf(
  { access, rows, rejected, givenUp, read, isWhole, others, rejectedUnknown }: Read,
  now: number,
): WorkflowState {
  const counts: Partial<Record<KeyHealth, { count: number; oldest: number | null }>> = {};
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  let completedToday = 0;
  for (const { health, since } of rows) {
    const before = counts[health];
    const oldest = before === undefined ? since : Math.min(before.oldest ?? 0, since ?? 0) || null;
    counts[health] = { count: (before?.count ?? 0) + 1, oldest };
    if (health === 'completed' && (since ?? 0) >= midnight) completedToday += 1;
  }
  if (rejected.length > 0) {
    counts.rejected = {
      count: rejected.length,
      oldest: Math.min(...rejected.map(({ stoppedAt }) => stoppedAt)),
    };
  }
  return {
    workflow: itemOf(access.workflow),
    counts,
    givenUp: givenUp.length,
    completedToday,
    read,
    isWhole,
    others,
    rejectedUnknown,
  };
}
