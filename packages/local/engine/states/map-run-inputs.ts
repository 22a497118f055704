import type { Json } from '../../json/json';
import {
  DATA_BYTES_MAX,
  type Data,
  dataOf,
  type ItemBatcher,
  isTooLarge,
  type MapState,
  utf8Bytes,
} from '../../language/index';
import { movedThread } from '../advance';
import { type Failure, tooLarge } from '../completion';
import type { EvaluationFailure } from '../evaluation';
import type { ChildInput, MapItem, Thread } from '../execution';
import { fieldNumber, fieldValue } from '../fields';
import type { Turn } from '../turn';
import { INTEGER_MAX } from './map-plan';

// What the executions of a Distributed Map get:
// https://docs.aws.amazon.com/step-functions/latest/dg/input-output-itembatcher.html
//
// 1. Of each item, what `ItemSelector` gives, or the item itself.
// 2. With an `ItemBatcher`, as many of these as fit into a batch: by their number, and by the bytes of the whole input,
//    which may never be more than an execution takes. `BatchInput` is evaluated once, and goes into each batch.
// 3. What fits into no execution fails the run.

/** The limits of a batch, evaluated. */
export interface Batching {
  readonly maxItems: number;
  readonly maxBytes: number;
  readonly batchInput?: Json;
}

/** Executions of one Map Run (a limit of this engine; the service has none). */
const EXECUTIONS_MAX = 10_000;

/** Evaluates an `ItemBatcher`. */
export function evaluateBatching(
  turn: Turn,
  thread: Thread,
  batcher: ItemBatcher,
): { readonly kind: 'batching'; readonly batching: Batching } | EvaluationFailure {
  const limits = { maxItems: INTEGER_MAX, maxBytes: DATA_BYTES_MAX };
  for (const [name, location] of [
    ['maxItems', 'ItemBatcher/MaxItemsPerBatch'],
    ['maxBytes', 'ItemBatcher/MaxInputBytesPerBatch'],
  ] as const) {
    const field = batcher[name];
    if (!field) continue;
    const range = { max: INTEGER_MAX, isInteger: true };
    const limit = fieldNumber(turn, thread, { field, location }, range);
    if (limit.kind === 'failed') return limit;
    // As on the service, 0 stands for no limit of the definition's own.
    if (limit.value > 0) limits[name] = Math.min(limit.value, limits[name]);
  }
  if (!batcher.batchInput) return { kind: 'batching', batching: limits };
  const given = fieldValue(turn, thread, { field: batcher.batchInput, location: 'ItemBatcher/BatchInput' });
  if (given.kind === 'failed') return given;
  return { kind: 'batching', batching: { ...limits, batchInput: given.value } };
}

/** The inputs, or why there are none; a failed evaluation with the thread that it belongs to. */
export type ChildInputs =
  | { readonly kind: 'inputs'; readonly inputs: readonly ChildInput[] }
  | { readonly kind: 'unevaluated'; readonly thread: Thread; readonly problem: EvaluationFailure }
  | Failure;

/** What the executions of a run get for its items. */
export function childInputs(
  turn: Turn,
  state: MapState,
  thread: Thread,
  { items, batching }: { readonly items: readonly MapItem[]; readonly batching: Batching | undefined },
): ChildInputs {
  const selected: Data[] = [];
  for (const item of items) {
    // Step 1.
    const field = state.itemSelector;
    const mapField: Thread = { ...movedThread(thread, thread.previousEventId, null), item };
    const value = field
      ? fieldValue(turn, mapField, { field, location: 'ItemSelector' })
      : { kind: 'value' as const, value: item.value };
    if (value.kind === 'failed') return { kind: 'unevaluated', thread: mapField, problem: value };
    selected.push(dataOf(value.value));
  }
  const inputs = batching ? batchesOf(selected, batching) : selected.map(({ text }) => ({ text, items: 1 }));
  // Step 3.
  if (inputs.some(({ text }) => isTooLarge(text))) return tooLarge(state.name);
  if (inputs.length <= EXECUTIONS_MAX) return { kind: 'inputs', inputs };
  const cause =
    `The Map Run would have ${inputs.length} executions, and the local runtime runs ${EXECUTIONS_MAX} at most. ` +
    'Use an ItemBatcher or MaxItems';
  return { kind: 'failed', error: 'States.ItemReaderFailed', cause };
}

/** Step 2. */
function batchesOf(items: readonly Data[], { maxItems, maxBytes, batchInput }: Batching): ChildInput[] {
  const head = batchInput === undefined ? '{' : `{"BatchInput":${dataOf(batchInput).text},`;
  const overhead = utf8Bytes(`${head}"Items":[]}`);
  const batches: ChildInput[] = [];
  let texts: string[] = [];
  let bytes = overhead;
  const close = () => {
    if (texts.length === 0) return;
    batches.push({ text: `${head}"Items":[${texts.join(',')}]}`, items: texts.length });
    texts = [];
    bytes = overhead;
  };
  for (const { text } of items) {
    const more = utf8Bytes(text) + (texts.length === 0 ? 0 : 1);
    if (texts.length >= maxItems || (texts.length > 0 && bytes + more > maxBytes)) close();
    texts.push(text);
    bytes += utf8Bytes(text) + (texts.length === 1 ? 0 : 1);
  }
  close();
  return batches;
}
