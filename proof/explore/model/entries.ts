import {
  type Child,
  type Execution,
  isWaitingFor,
  iterationAt,
  type Thread,
  type Transition,
  withChild,
} from '../../../packages/local/engine/index';
import { isJsonObject, type Json, type JsonObject } from '../../../packages/local/json/json';
import type { Data } from '../../../packages/local/language/index';
import { type Call, changedLeaf, type ExecutionState, type InFlight } from './execution-state';

// An execution is in the states of a workflow once. The owner of a fragment has an entry for each item of a Map. Each
// entry counts as an execution of its own, which shares its ARN, its redrives and its end with others.

/** Executions that any state has room for: deliveries, and starts by the dispatcher. */
export const EXECUTIONS_MAX = 64;

/** The number of an entry, by the indexes of its execution and its item; of the first entry, its execution's index. */
export function entryOf(execution: number, itemIndex: number): number {
  return execution + itemIndex * EXECUTIONS_MAX;
}

/** The index of an entry's execution. */
export function executionOf(entry: number): number {
  return entry % EXECUTIONS_MAX;
}

/** The index of an entry's item in the Map of its execution; 0 if it has no Map. */
export function itemIndexOf(entry: number): number {
  return Math.floor(entry / EXECUTIONS_MAX);
}

/** The number of an entry whose execution is at another place. */
export function movedEntry(places: readonly number[], entry: number): number {
  const index = executionOf(entry);
  return entryOf(places[index] ?? index, itemIndexOf(entry));
}

/** What an entry is called in the names of steps: `1`, and `1b` for the second one of the same execution. */
export function nameOfEntry(entry: number): string {
  const itemIndex = itemIndexOf(entry);
  return `${executionOf(entry) + 1}${itemIndex === 0 ? '' : String.fromCharCode('a'.charCodeAt(0) + itemIndex)}`;
}

/** The entry that is called so; NaN if none can be. */
export function entryCalled(name: string): number {
  const [, index, letter = 'a'] = /^(\d+)([b-h])?$/.exec(name) ?? [];
  return entryOf(Number(index) - 1, letter.charCodeAt(0) - 'a'.charCodeAt(0));
}

/** How many entries an execution has that is in a Map; undefined elsewhere, also if it has left it. */
export function itemsOf({ root }: Execution): number | undefined {
  return root?.waits?.kind === 'iterations' ? root.waits.items.length : undefined;
}

/** What became of an item of the Map that an execution is in; undefined if that has not begun. */
function itemAt({ root }: Execution, itemIndex: number): Child | undefined {
  return root?.waits?.kind === 'iterations' ? iterationAt(root.waits.children, itemIndex) : undefined;
}

/** The same execution with the leaf of one of its entries changed. */
export function withLeaf(
  execution: Execution,
  itemIndex: number,
  change: (leaf: Thread) => Thread,
): Execution {
  const { root } = execution;
  if (!root) return execution;
  if (itemsOf(execution) === undefined) return { ...execution, root: changedLeaf(root, change) };
  const item = itemAt(execution, itemIndex);
  if (item?.kind !== 'live') return execution;
  const thread = changedLeaf(item.thread, change);
  return { ...execution, root: withChild(root, itemIndex, { kind: 'live', thread }) };
}

/** The call that an entry has made in a transition; null if it has made none. */
export function callOf({ execution, effects }: Transition, itemIndex: number): Call | null {
  const item = itemAt(execution, itemIndex);
  for (const effect of effects) {
    if (effect.kind !== 'call') continue;
    const isOwn = itemsOf(execution) === undefined ? itemIndex === 0 : isOf(item, effect.taskId);
    const { resource, arguments: given, stateName } = effect;
    if (isOwn) return { resource, arguments: given as JsonObject, stateName };
  }
  return null;
}

function isOf(item: Child | undefined, taskId: string): boolean {
  return item?.kind === 'live' && isWaitingFor(item.thread, taskId);
}

/**
 * One entry as if it were all that its execution does: it has ended when its item has, with that one's output, or with
 * the error that was caught for it. One that has not begun is running, and in no state.
 */
export function entryIn(state: ExecutionState, itemIndex: number): ExecutionState {
  const { execution, laterEntries, ...rest } = state;
  if (!laterEntries) return state;
  const { call, answer } = inFlightIn(state, itemIndex);
  const output = outputOf(execution, itemIndex);
  if (output !== undefined) {
    const ended = { ...execution, root: null, ...endWith(output, execution.end?.at ?? 0) };
    return { ...rest, execution: ended, call, answer };
  }
  const item = itemAt(execution, itemIndex);
  const root = item?.kind === 'live' ? item.thread : null;
  return { ...rest, execution: { ...execution, root }, call, answer };
}

/** What one entry of an execution has under way. */
export function inFlightIn(state: ExecutionState, itemIndex: number): InFlight {
  const { call, answer } = (itemIndex === 0 ? state : state.laterEntries?.[itemIndex - 1]) ?? NOTHING;
  return { call, answer };
}

/** The same execution with something else under way in one of its entries. */
export function withInFlight(state: ExecutionState, itemIndex: number, underWay: InFlight): ExecutionState {
  if (itemIndex === 0) return { ...state, ...underWay };
  return { ...state, laterEntries: (state.laterEntries ?? []).with(itemIndex - 1, underWay) };
}

/** What an entry has under way that waits for no answer. */
export const NOTHING: InFlight = { call: null, answer: null };

function outputOf(execution: Execution, itemIndex: number): Json | undefined {
  const item = itemAt(execution, itemIndex);
  if (item?.kind === 'done') return item.output.value;
  const all = execution.status === 'SUCCEEDED' ? execution.end?.output?.value : undefined;
  return Array.isArray(all) ? all[itemIndex] : undefined;
}

/** How an entry has ended by what it leaves: the name of an error that was caught, or its result. */
function endWith(value: Json, at: number): Pick<Execution, 'status' | 'end'> {
  const error = isJsonObject(value) ? value['Error'] : undefined;
  if (typeof error === 'string') return { status: 'FAILED', end: { at, error } };
  const output: Data = { value, text: JSON.stringify(value) };
  return { status: 'SUCCEEDED', end: { at, output } };
}
