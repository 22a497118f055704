import {
  type Completion,
  type EvaluationFailure,
  effectiveInput,
  evaluateItems,
  evaluateNumbers,
  type Failure,
  failByOwnField,
  failWithChild,
  fieldNumber,
  fieldValue,
  INTEGER_MAX,
  type Items,
  type MapItem,
  type MapNumbers,
  succeedWith,
  type Thread,
  type Turn,
} from '../../engine/index';
import type { Json } from '../../json/json';
import { dataOf, type MapState } from '../../language/index';
import { parseItems, type ReadItems } from '../map-runs/parse-items';
import { StatesError } from '../requests/errors';
import type { Inspection } from './inspection';
import type { Mock } from './mock';
import type { StateConfiguration } from './request';

/** A Map that is tested, about to begin. */
interface TestedMap {
  readonly turn: Turn;
  readonly state: MapState;
  readonly thread: Thread;
  readonly inspection: Inspection;
}

/**
 * Evaluates what a Map evaluates before its first iteration and completes it with the mock.
 *
 * @throws StatesError `ValidationException` for more failures than there are iterations
 */
export function completeMap(tested: TestedMap, mock: Mock, configuration: StateConfiguration): Completion {
  const { turn, state, thread, inspection } = tested;
  const input = state.paths && effectiveInput(turn, thread, state.paths);
  if (input?.kind === 'failed') return failByOwnField(turn, state, thread, input);
  if (input) inspection.inspect('afterInputPath', input.value);
  const found = itemsOf(tested, configuration);
  if (found.kind === 'unreadable') return failWithChild(turn, state, thread, unreadable(found.reason));
  if (found.kind === 'failed') return failByOwnField(turn, state, thread, found);
  const problem = select(tested, found.items);
  if (problem) return failByOwnField(turn, state, thread, problem);
  const numbers = evaluateNumbers(turn, state, thread);
  if (numbers.kind === 'failed') return failByOwnField(turn, state, thread, numbers);
  inspection.counted({ ...numbers, maxConcurrency: numbers.maxConcurrency ?? 0 });
  const iterations = found.items.length;
  const { mapIterationFailureCount: failures = 0 } = configuration;
  if (failures > iterations) {
    const message = 'Map iteration failure count must be less than or equal to the number of Map iterations';
    throw new StatesError('ValidationException', message);
  }
  if (mock.kind === 'failed') return failWithChild(turn, state, thread, mock);
  if (isExceeded(numbers, failures, iterations)) return failWithChild(turn, state, thread, EXCEEDED);
  return succeedWith(turn, state, thread, mock.result);
}

/** The items of the Map, or those in what its reader reads. */
function itemsOf(
  { turn, state, thread, inspection }: TestedMap,
  { mapItemReaderData = '' }: StateConfiguration,
): Items | Extract<ReadItems, { kind: 'unreadable' }> {
  const reader = state.distributed?.reader;
  if (reader) {
    const max =
      reader.maxItems &&
      fieldNumber(
        turn,
        thread,
        { field: reader.maxItems, location: 'ItemReader/ReaderConfig/MaxItems' },
        WHOLE_NUMBERS,
      );
    if (max?.kind === 'failed') return max;
    const read = parseItems(
      mapItemReaderData,
      reader.source === 'listing' ? { inputType: 'JSON' } : reader.format,
    );
    if (read.kind === 'unreadable') return read;
    return {
      kind: 'items',
      items: read.items.slice(0, max?.value).map((value, index) => ({ index, value })),
    };
  }
  const found = evaluateItems(turn, state, thread);
  if (found.kind === 'items' && state.paths) {
    inspection.inspect('afterItemsPath', dataOf(found.items.map(({ value }) => value)));
  }
  return found;
}

const WHOLE_NUMBERS = { max: INTEGER_MAX, isInteger: true };

/** Evaluates the `ItemSelector`, if there is one, for each item; undefined where that has worked. */
function select(
  { turn, state, thread, inspection }: TestedMap,
  items: readonly MapItem[],
): EvaluationFailure | undefined {
  const field = state.itemSelector;
  if (!field) return undefined;
  const inputs: Json[] = [];
  for (const item of items) {
    const input = fieldValue(turn, { ...thread, item }, { field, location: 'ItemSelector' });
    if (input.kind === 'failed') return input;
    inputs.push(input.value);
  }
  inspection.inspect('afterItemSelector', dataOf(inputs));
  return undefined;
}

function unreadable(cause: string): Failure {
  return { kind: 'failed', error: 'States.ItemReaderFailed', cause };
}

/** As recorded: a Map that says nothing of failures takes the mock for its result, however many have failed. */
function isExceeded(
  { toleratedFailureCount: count, toleratedFailurePercentage: percentage }: MapNumbers,
  failures: number,
  iterations: number,
): boolean {
  if (count !== undefined && failures > count) return true;
  return percentage !== undefined && failures * 100 > percentage * iterations;
}

const EXCEEDED: Failure = {
  kind: 'failed',
  error: 'States.ExceedToleratedFailureThreshold',
  cause: 'The specified tolerated failure threshold was exceeded',
};
