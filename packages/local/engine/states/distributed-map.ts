import type { Json } from '../../json/json';
import { type Data, type DistributedMap, isTooLarge, type MapState } from '../../language/index';
import { movedThread } from '../advance';
import { failByOwnField, failWithChild, leaveWithResult } from '../children';
import { type Completion, errorDetails, type Failure, tooLarge } from '../completion';
import { type EvaluationFailure, evaluationFailed, type Typed } from '../evaluation';
import type { ItemSource, MapItem, MapRun, MapRunWaiting, Thread } from '../execution';
import { fieldNumber, fieldValue } from '../fields';
import { type Counts, countsOf, keepRun } from '../map-runs';
import type { MapRunLimits, Signal } from '../signals';
import { waitId } from '../threads';
import type { Turn } from '../turn';
import { evaluateItems, evaluateNumbers, INTEGER_MAX } from './map-plan';
import { type Batching, childInputs, evaluateBatching } from './map-run-inputs';

// Distributed Map: https://docs.aws.amazon.com/step-functions/latest/dg/state-map-distributed.html
// The States Language leaves to the service how items are processed by executions of their own.
//
// 1. Evaluate the items, unless a reader reads them, and record that the state has started.
// 2. Evaluate the limits of the run, and what is read from where and written to where.
// 3. Record that the Map Run has started. Asks for the items, if there is a reader.
// 4. Make the inputs of the executions of the items (map-run-inputs.ts), and have them run.
// 5. When they have ended, the result is the list of the outputs of those that have succeeded, or where results were
//    exported to: leave as an inline Map does.
// 6. When more have failed than are tolerated, or items cannot be read, the run fails: retry, catch or fail.

type RunThread = Thread & { readonly waits: MapRunWaiting };

/** Begins a Map Run: on entry, and again for each retry. */
export function attemptDistributedMap(
  turn: Turn,
  state: MapState,
  distributed: DistributedMap,
  thread: Thread,
): Completion {
  // Step 1.
  const { reader } = distributed;
  const items = reader ? undefined : evaluateItems(turn, state, thread);
  if (items?.kind === 'failed') return failByOwnField(turn, state, thread, items);
  const started = turn.appendTo(thread, 'MapStateStarted', { length: items?.items.length ?? 0 });
  // Step 2.
  const planned = planRun(turn, state, distributed, started);
  if (planned.kind === 'failed') return failByOwnField(turn, state, started, planned);
  const { run, source, destination } = planned;
  // Step 3.
  const running = turn.appendTo(started, 'MapRunStarted', { mapRunArn: run.arn });
  const taskId = waitId('task', running.previousEventId);
  const waits: MapRunWaiting = { kind: 'mapRun', taskId, run, source, inputs: [], destination };
  const waiting: RunThread = { ...movedThread(running, running.previousEventId, waits), waits };
  if (!source) return runChildren(turn, state, waiting, items?.items ?? []);
  turn.effects.push({ kind: 'readItems', taskId, stateName: state.name, run, source });
  return { kind: 'waiting', thread: waiting };
}

/** Goes on with the items that were read. */
export function itemsRead(
  turn: Turn,
  state: MapState,
  thread: RunThread,
  items: readonly Json[],
): Completion {
  return runChildren(
    turn,
    state,
    thread,
    items.map((value, index) => ({ index, value })),
  );
}

/** Changes the limits of a run. */
export function mapRunUpdated(turn: Turn, thread: RunThread, limits: MapRunLimits): Thread {
  const { run } = thread.waits;
  const tolerates = {
    count: run.tolerates.count || limits.toleratedFailureCount !== undefined,
    percentage: run.tolerates.percentage || limits.toleratedFailurePercentage !== undefined,
  };
  const limited = { ...run, ...limits, tolerates };
  turn.effects.push({ kind: 'limitMapRun', run: limited });
  return { ...thread, waits: { ...thread.waits, run: limited } };
}

/** Goes on when a run has ended. */
export function mapRunEnded(
  turn: Turn,
  state: MapState,
  thread: Thread,
  { waits, signal }: { readonly waits: MapRunWaiting; readonly signal: Signal & { kind: 'mapRunEnded' } },
): Completion {
  const { outcome, executions, items } = signal;
  const counts = { executions, items };
  if (outcome.kind === 'failed') {
    const failure: Failure = { kind: 'failed', error: outcome.error, cause: outcome.cause };
    return failRun(turn, state, thread, { run: waits.run, failure, counts });
  }
  if (isTooLarge(outcome.output))
    return failRun(turn, state, thread, { run: waits.run, failure: tooLarge(state.name), counts });
  keepRun(turn, waits.run, 'SUCCEEDED', counts);
  const succeeded = turn.append('MapRunSucceeded', thread.previousEventId, {});
  turn.append('MapStateSucceeded', succeeded, {});
  const result: Data = { value: JSON.parse(outcome.output) as Json, text: outcome.output };
  return leaveWithResult(turn, state, thread, result);
}

/** Step 4. */
function runChildren(turn: Turn, state: MapState, thread: RunThread, items: readonly MapItem[]): Completion {
  const { waits } = thread;
  const { run, taskId, destination } = waits;
  const batcher = state.distributed?.batcher;
  let batching: Batching | undefined;
  if (batcher) {
    const evaluated = evaluateBatching(turn, thread, batcher);
    if (evaluated.kind === 'failed') return failUnevaluated(turn, state, thread, { run, problem: evaluated });
    batching = evaluated.batching;
  }
  const made = childInputs(turn, state, thread, { items, batching });
  if (made.kind === 'unevaluated')
    return failUnevaluated(turn, state, made.thread, { run, problem: made.problem });
  if (made.kind === 'failed')
    return failRun(turn, state, thread, { run, failure: made, counts: countsOf(0, 0) });
  const { inputs } = made;
  turn.effects.push({ kind: 'runChildren', taskId, stateName: state.name, run, inputs, destination });
  const running: MapRunWaiting = { ...waits, source: null, inputs };
  return { kind: 'waiting', thread: movedThread(thread, thread.previousEventId, running) };
}

function failUnevaluated(
  turn: Turn,
  state: MapState,
  thread: Thread,
  { run, problem }: { readonly run: MapRun; readonly problem: EvaluationFailure },
): Completion {
  const failed = evaluationFailed(turn, thread, problem);
  return failRun(
    turn,
    state,
    { ...failed.thread, item: null },
    {
      run,
      failure: failed.failure,
      counts: countsOf(0, 0),
    },
  );
}

/** Step 6. */
function failRun(
  turn: Turn,
  state: MapState,
  thread: Thread,
  { run, failure, counts }: { readonly run: MapRun; readonly failure: Failure; readonly counts: Counts },
): Completion {
  keepRun(turn, run, 'FAILED', counts);
  const failed = turn.appendTo(
    movedThread(thread, thread.previousEventId, null),
    'MapRunFailed',
    errorDetails(failure),
  );
  return failWithChild(turn, state, failed, failure);
}

type Planned =
  | {
      readonly kind: 'planned';
      readonly run: MapRun;
      readonly source: ItemSource | null;
      readonly destination: Json | null;
    }
  | EvaluationFailure;

function planRun(turn: Turn, state: MapState, distributed: DistributedMap, thread: Thread): Planned {
  const numbers = evaluateNumbers(turn, state, thread);
  if (numbers.kind === 'failed') return numbers;
  const {
    maxConcurrency = 0,
    toleratedFailureCount: count,
    toleratedFailurePercentage: percentage,
  } = numbers;
  const source = sourceOf(turn, distributed, thread);
  if (source?.kind === 'failed') return source;
  const { writer } = distributed;
  const destination: Typed<Json | null> = writer?.arguments
    ? fieldValue(turn, thread, { field: writer.arguments, location: `ResultWriter/${argumentsName(state)}` })
    : { kind: 'value', value: writer ? {} : null };
  if (destination.kind === 'failed') return destination;
  const run: MapRun = {
    arn: mapRunArn(turn, distributed),
    startedAt: turn.context.now,
    maxConcurrency,
    toleratedFailureCount: count ?? 0,
    toleratedFailurePercentage: percentage ?? 0,
    tolerates: { count: count !== undefined, percentage: percentage !== undefined },
  };
  return { kind: 'planned', run, source: source?.value ?? null, destination: destination.value };
}

function sourceOf(turn: Turn, { reader }: DistributedMap, thread: Thread): Typed<ItemSource> | undefined {
  if (!reader) return undefined;
  const args: Typed<Json> = reader.arguments
    ? fieldValue(turn, thread, { field: reader.arguments, location: 'ItemReader/Arguments' })
    : { kind: 'value', value: {} };
  if (args.kind === 'failed') return args;
  const { source, format, maxItems: field } = reader;
  const value = { source, arguments: args.value, format };
  if (!field) return { kind: 'value', value };
  // A value that is not positive fails the run when it reads, as recorded.
  const range = { min: -INTEGER_MAX, max: INTEGER_MAX, isInteger: true };
  const maxItems = fieldNumber(turn, thread, { field, location: 'ItemReader/ReaderConfig/MaxItems' }, range);
  return maxItems.kind === 'failed'
    ? maxItems
    : { kind: 'value', value: { ...value, maxItems: maxItems.value } };
}

function argumentsName({ paths }: MapState): string {
  return paths ? 'Parameters' : 'Arguments';
}

/** The ARN of a new run: without a label, the run has one of its own. */
function mapRunArn(turn: Turn, { label }: DistributedMap): string {
  const { machine, context } = turn;
  const named = `${machine.arn.replace(':stateMachine:', ':mapRun:')}/${label ?? context.uuid()}`;
  return `${named}:${context.uuid()}`;
}
