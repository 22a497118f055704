import type { KeyRow, KeysView, WorkflowState } from '@onceflow/console';
import { executionName } from '../../../state-machine/contract/execution-name';
import { type EpochMs, STATUS } from '../../../state-machine/contract/index';
import { listWorkflows } from '../../aws/find-workflow';
import type { WorkflowAccess } from '../../aws/workflow';
import { each } from '../../concurrency';
import { byUrgency } from '../../key/list/health';
import { requireRecordTable } from '../../key/list/require-record-table';
import { type ScannedRecords, scanRecords } from '../../key/list/scan-records';
import type { KeyRecord } from '../../key/record';
import { readStoppedDeliveries } from '../../key/stopped-deliveries';
import { Rejection } from '../../program/rejection';
import {
  type EndedExecution,
  findEndedExecutions,
  isRejectedDelivery,
  REJECTED_DELIVERIES,
} from '../../repair/ended-executions';
import { type AskedRange, DAY_MS, rangeAt, type TimeRange } from '../../time-range';
import { startAction } from '../actions/key-actions';
import { faultActions } from '../actions/local-actions';
import { accessTo, allAccesses, type Connection, itemOf } from '../connection';
import { deadLettersOf } from './dead-letters';
import { rejectedRows, rowsOf } from './key-rows';

/** So many items of a table are read for the list of keys. */
const ITEMS_MAX = 20_000;
/** Rejected deliveries are looked for in this time where nothing else is said. */
const REJECTED_SINCE = { ago: DAY_MS } as const;

/** A read within this time is sent as a whole: rows that come later move others away under the pointer. */
const PART_AFTER_MS = 300;

/** The rows of a workflow that were read so far. */
interface Read extends Pick<WorkflowState, 'read' | 'isWhole' | 'others' | 'rejectedUnknown'> {
  readonly access: WorkflowAccess;
  readonly rows: readonly KeyRow[];
  readonly rejected: readonly KeyRow[];
}

/** What executions were when they were opened, by the connection's clients: what has ended changes no more. */
const known = new WeakMap<object, Map<string, EndedExecution | string>>();

/**
 * The keys of a workflow, or of all: their records in the time that is asked for, and the rejected deliveries.
 * A large table takes its time: `onPart` gets what was read so far.
 *
 * @throws Rejection
 */
export async function readKeys(
  connection: Connection,
  name: string | undefined,
  asked: AskedRange = {},
  onPart: (part: () => KeysView) => void = () => undefined,
): Promise<KeysView> {
  const { time } = connection.aws;
  const accesses = name === undefined ? await allAccesses(connection) : [await accessTo(connection, name)];
  const read = accesses.map(nothingRead);
  const tables = await each(accesses, requireRecordTable);
  const all = tables.every(count => count !== undefined)
    ? tables.reduce((sum, count = 0) => sum + count, 0)
    : null;
  const view = (more: Partial<Pick<KeysView, 'reading' | 'deadLetters' | 'duplicates'>>) =>
    viewOf(connection, read, {
      reading: null,
      deadLetters: null,
      duplicates: null,
      now: time.now(),
      ...more,
    });
  const begun = performance.now();
  await each([...accesses.entries()], async ([index, access]) => {
    const onRead = (part: Read) => {
      read[index] = part;
      const done = read.reduce((sum, one) => sum + one.read, 0);
      if (performance.now() - begun > PART_AFTER_MS) onPart(() => view({ reading: { done, of: all } }));
    };
    read[index] = await readWorkflowKeys(access, asked, onRead);
  });
  const names = await workflowNames(connection, name === undefined ? accesses : undefined);
  const dead = await deadLettersOf(connection, names);
  const [own] = name === undefined || names.length === 1 ? [] : accesses;
  // Of one workflow among others only its own.
  const deadLetters = own ? (dead?.filter(({ workflow }) => workflow === own.workflow.name) ?? null) : dead;
  const range = rangeAt(time.now(), { ...asked, since: asked.since ?? REJECTED_SINCE });
  return view({ deadLetters, duplicates: await duplicatesOf(read, range) });
}

/** So many are shown. */
const DUPLICATES_MAX = 50;
/** A name that is not the key itself. */
const HAS_HASH = /[0-9a-f]{32}$/;

async function duplicatesOf(read: readonly Read[], range: TimeRange): Promise<KeysView['duplicates']> {
  const all = await each(read, async ({ access, rows }) => {
    const stopped = await readStoppedDeliveries(access, range);
    const { name: workflow, executionNames } = access.workflow;
    const isHashed = stopped?.some(({ name }) => HAS_HASH.test(name));
    const texts = new Map(isHashed ? rows.map(({ key }) => [executionName(key, executionNames), key]) : []);
    return stopped?.map(({ name, ...one }) => ({ ...one, workflow, key: texts.get(name) ?? name }));
  });
  if (all.every(one => one === undefined)) return null;
  const found = all.flatMap(one => one ?? []).sort((one, other) => other.at - one.at);
  return { count: found.length, last: found.slice(0, DUPLICATES_MAX) };
}

async function workflowNames({ aws, selector }: Connection, all: readonly WorkflowAccess[] | undefined) {
  if (all !== undefined) return all.map(({ workflow }) => workflow.name);
  return (await listWorkflows(aws, selector)).map(({ name = '' }) => name);
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
  return { ...nothingRead(access), rows: rowsOf(records, workflow, now), read, isWhole, others };
}

async function rejectedIn(
  access: WorkflowAccess,
  range: TimeRange,
): Promise<Pick<Read, 'rejected'> | { readonly why: string }> {
  const { aws } = access;
  const opened = known.get(aws) ?? new Map<string, EndedExecution | string>();
  known.set(aws, opened);
  try {
    const search = { range, ...REJECTED_DELIVERIES, known: opened };
    const found = await findEndedExecutions(access, search, () => undefined);
    return { rejected: rejectedRows(access.workflow, found.filter(isRejectedDelivery)) };
  } catch (error) {
    if (error instanceof Rejection) return { why: error.message };
    throw error;
  }
}

function viewOf(
  connection: Connection,
  read: readonly Read[],
  { now, ...state }: Pick<KeysView, 'reading' | 'deadLetters' | 'duplicates' | 'now'>,
): KeysView {
  const rows = read.flatMap(one => [...one.rows, ...one.rejected]).sort(byUrgency);
  const local = connection.local?.();
  const [only] = read.length === 1 ? read : [];
  const faults = only && local ? faultActions(local, only.access.workflow) : [];
  return {
    workflows: read.map(stateOf),
    rows,
    ...state,
    now,
    actions: only ? [startAction(only.access.workflow), ...faults] : [],
  };
}

function stateOf({ access, read, isWhole, others, rejectedUnknown }: Read): WorkflowState {
  return { workflow: itemOf(access.workflow), read, isWhole, others, rejectedUnknown };
}
