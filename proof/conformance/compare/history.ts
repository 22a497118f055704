import type { HistoryOrder, RecordedEvent } from '../cases/recorded-case';
import { type Difference, pointer } from './difference';
import { matchBag } from './match-bag';
import { compareValue, differing, type Terms } from './value';

/**
 * The first difference of a history from the recorded one.
 *
 * - `strict`: the same events in the same order, with the same ids
 * - `causal`: the same events, each with the same predecessor; order and ids may differ
 * - `parallelBlocksUnordered`: runs of recorded events without ids are bags; everything else is strict. The ends of
 *   Parallel states may have been left out of such a recording: the ids after them show that they were there
 * - `prefix`: the history begins with the recorded events, and may go on
 * - `none`: not compared
 */
export function compareHistory(
  terms: Terms,
  expected: readonly RecordedEvent[],
  actual: readonly RecordedEvent[] | undefined,
  order: HistoryOrder,
): Difference | undefined {
  if (order === 'none') return undefined;
  if (actual === undefined) return differing(HISTORY, 'is missing', expected);
  switch (order) {
    case 'strict':
      return compareValue(terms, expected, actual, HISTORY);
    case 'prefix':
      return compareValue(terms, expected, actual.slice(0, expected.length), HISTORY);
    case 'causal':
      return compareTypes(expected, actual) ?? compareCausal(terms, expected, actual);
    case 'parallelBlocksUnordered': {
      const recorded = withoutLeftOut(expected, actual);
      return compareTypes(expected, recorded) ?? compareBlocks(terms, expected, recorded);
    }
    default: {
      const never: never = order;
      throw new Error(`an unknown order: ${never}`);
    }
  }
}

const HISTORY = { path: '/history', member: '' };

/** Which types differ says more than the first event that found no counterpart. */
function compareTypes(
  expected: readonly RecordedEvent[],
  actual: readonly RecordedEvent[],
): Difference | undefined {
  const [wanted, found] = [expected, actual].map(events => events.map(event => event.type).toSorted());
  return wanted?.join() === found?.join() ? undefined : differing(HISTORY, 'has other events', wanted, found);
}

function compareCausal(
  terms: Terms,
  expected: readonly RecordedEvent[],
  actual: readonly RecordedEvent[],
): Difference | undefined {
  const counterparts = new Map<unknown, unknown>([[0, 0]]);
  const typesExpected = new Map(expected.map(({ id, type }) => [id, type]));
  const typesActual = new Map(actual.map(({ id, type }) => [id, type]));

  const hasSameCause = (wanted: RecordedEvent, found: RecordedEvent): boolean => {
    if (JOIN.test(wanted.type)) {
      return typesExpected.get(wanted.previousEventId) === typesActual.get(found.previousEventId);
    }
    const cause = wanted.previousEventId;
    return !counterparts.has(cause) || counterparts.get(cause) === found.previousEventId;
  };
  return matchBag(terms, expected, actual, {
    location: HISTORY,
    accept(wanted, found) {
      if (wanted.id === null || wanted.id === undefined) return true;
      if (!hasSameCause(wanted, found)) return false;
      counterparts.set(wanted.id, found.id);
      return true;
    },
    undo: wanted => void counterparts.delete(wanted.id),
  });
}

/** Events that follow whichever branch or iteration happened to be the last. */
const JOIN =
  /^(?:ParallelState|MapState|MapIteration|Execution|MapRun)(?:Succeeded|Failed|Aborted|TimedOut|Exited)$|^EvaluationFailed$/;

/** The events of a history without the ends of Parallel states that the recorder left out. */
function withoutLeftOut(
  expected: readonly RecordedEvent[],
  actual: readonly RecordedEvent[],
): readonly RecordedEvent[] {
  const recorded = new Set(expected.map(({ id }) => id));
  const surplus = new Map<string, number>();
  for (const { type } of actual) surplus.set(type, (surplus.get(type) ?? 0) + 1);
  for (const { type } of expected) surplus.set(type, (surplus.get(type) ?? 0) - 1);
  return actual.filter(({ id, type }) => {
    const count = surplus.get(type) ?? 0;
    if (count <= 0 || recorded.has(id) || !BLOCK_END.test(type)) return true;
    surplus.set(type, count - 1);
    return false;
  });
}

function compareBlocks(
  terms: Terms,
  expected: readonly RecordedEvent[],
  actual: readonly RecordedEvent[],
): Difference | undefined {
  for (let start = 0; start < expected.length; ) {
    const end = endOfBlock(expected, start);
    const difference =
      end === start
        ? compareValue(terms, expected[start], actual[start], {
            path: pointer(HISTORY.path, start),
            member: '',
          })
        : matchBag(terms, expected.slice(start, end), actual.slice(start, end), { location: HISTORY, start });
    if (difference) return difference;
    start = Math.max(end, start + 1);
  }
  return undefined;
}

/** Where the run of events without ids that begins at `start` ends; `start` itself where none begins. */
function endOfBlock(events: readonly RecordedEvent[], start: number): number {
  const length = events.slice(start).findIndex(({ id, type }) => id !== null || BLOCK_END.test(type));
  return length < 0 ? events.length : start + length;
}

const BLOCK_END = /^ParallelState(?:Succeeded|Failed|Aborted|Exited)$/;
