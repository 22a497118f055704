import { dataOf, isTooLarge, type MapState } from '../../language/index';
import { childThread } from '../advance';
import {
  abortFailed,
  abortState,
  childOutcome,
  failByOwnField,
  failWithChild,
  recordIteration,
  succeedWithChildren,
} from '../children';
import { type Completion, tooLarge } from '../completion';
import { evaluationFailed } from '../evaluation';
import type { Child, IterationsWaiting, Thread } from '../execution';
import { fieldValue } from '../fields';
import { countOf, hasLive, iterationAt, withIteration } from '../iterations';
import { isUnbegun, liveChildren } from '../threads';
import type { Turn } from '../turn';
import { attemptDistributedMap } from './distributed-map';
import { evaluatePlan } from './map-plan';

// Map State: https://states-language.net/spec.html#map-state
// Processed within the execution (mode INLINE); distributed-map.ts has the other mode.
//
// 1. Evaluate the items and how many iterations may run at the same time (map-plan.ts). If that fails, the state
//    retries, catches or fails.
// 2. Start that many iterations, all before the first one runs.
// 3. The input of an iteration is its item or, with an `ItemSelector`, what that gives for the item.
// 4. Run each iteration until it waits or ends; where one has ended, start the next.
// 5. When all have ended, the result is the list of their outputs in the order of the items: leave with `Assign` and
//    `Output`; without an `Output` the output is the result.
// 6. When one fails, abort the others, then retry, catch or fail. Inline, no failure is tolerated.

/** A thread whose state is running iterations. */
type MapThread = Thread & { readonly waits: IterationsWaiting };

/** Begins as many iterations as may run at the same time: on entry, and again for each retry. */
export function attemptMap(turn: Turn, state: MapState, thread: Thread): Completion {
  if (state.distributed) return attemptDistributedMap(turn, state, state.distributed, thread);
  // Step 1.
  const plan = evaluatePlan(turn, state, thread);
  if (plan.kind === 'failed') return failByOwnField(turn, state, thread, plan);
  const { items, limit } = plan;
  const started = turn.appendTo(thread, 'MapStateStarted', {
    length: items.length,
  });
  if (items.length === 0) {
    return succeedWithChildren(turn, state, {
      ...started,
      waits: { kind: 'iterations', items, limit, children: [] },
    });
  }
  let parent: MapThread = { ...started, waits: { kind: 'iterations', items, limit, children: [] } };
  // Step 2.
  const first = Math.min(limit, items.length);
  for (let index = 0; index < first; index += 1) parent = startIteration(turn, state, parent);
  return runIterations(turn, state, parent);
}

/** Runs the iterations, from number `from` on, that have not entered their first state, and those that follow them. */
export function runIterations(turn: Turn, state: MapState, thread: Thread, from = 0): Completion {
  let parent = thread;
  for (let index = from; isMap(parent) && index < countOf(parent.waits.children); index += 1) {
    const child = iterationAt(parent.waits.children, index);
    if (child?.kind !== 'live' || !isUnbegun(child.thread)) continue;
    const completion = runIteration(turn, state, parent, child.thread);
    const settled = settle(turn, state, parent, { index, completion });
    if (settled.kind !== 'waiting') return settled;
    parent = settled.thread;
  }
  return { kind: 'waiting', thread: parent };
}

/** Goes on after one iteration has completed or waits; where it has ended, the next one starts. */
export function afterIteration(
  turn: Turn,
  state: MapState,
  parent: Thread,
  iteration: { readonly index: number; readonly completion: Completion },
): Completion {
  const settled = settle(turn, state, parent, iteration);
  if (settled.kind !== 'waiting' || !isMap(settled.thread)) return settled;
  return runIterations(turn, state, settled.thread, countOf(settled.thread.waits.children) - 1);
}

function settle(
  turn: Turn,
  state: MapState,
  parent: Thread,
  { index, completion }: { readonly index: number; readonly completion: Completion },
): Completion {
  const outcome = childOutcome(parent, index, completion);
  const details = { name: state.name, index };
  switch (outcome.kind) {
    case 'closed':
      return outcome.completion;
    // Step 6.
    case 'failed':
      recordIteration(turn, 'Failed', outcome.failed.previousEventId, details);
      abortFailed(turn, outcome.failed);
      abortSiblings(turn, state, outcome.thread, index);
      return failWithChild(turn, state, outcome.thread, outcome.failure);
    // Steps 4 and 5.
    case 'open': {
      if (!outcome.isDone) return { kind: 'waiting', thread: outcome.thread };
      const succeeded = recordIteration(turn, 'Succeeded', outcome.thread.previousEventId, details);
      return next(turn, state, outcome.thread, succeeded);
    }
    default:
      return outcome satisfies never;
  }
}

/** The next iteration's events follow the last event within the finished one; the end of all follows its success. */
function next(turn: Turn, state: MapState, parent: Thread, succeeded: number): Completion {
  if (!isMap(parent)) throw new Error(`state '${state.name}' runs no iterations`);
  const { items, children } = parent.waits;
  if (countOf(children) < items.length)
    return { kind: 'waiting', thread: startIteration(turn, state, parent) };
  if (hasLive(children)) return { kind: 'waiting', thread: parent };
  return succeedWithChildren(turn, state, { ...parent, previousEventId: succeeded });
}

/** Records the start of the next iteration, which is not run yet: those of one moment all start first. */
function startIteration(turn: Turn, state: MapState, parent: MapThread): MapThread {
  const index = countOf(parent.waits.children);
  const item = parent.waits.items[index];
  if (!item) throw new Error(`state '${state.name}' has no item ${index}`);
  const started = recordIteration(turn, 'Started', parent.previousEventId, { name: state.name, index });
  const thread = {
    ...childThread(parent, { index, input: dataOf(item.value), item }),
    previousEventId: started,
  };
  const child: Child = { kind: 'live', thread };
  return {
    ...parent,
    waits: { ...parent.waits, children: withIteration(parent.waits.children, index, child) },
  };
}

function runIteration(turn: Turn, state: MapState, parent: Thread, thread: Thread): Completion {
  // Step 3.
  const field = state.itemSelector;
  if (!field) return turn.runThread(turn, thread, state.processor);
  // The selector is a field of the Map: it sees the Map's input, with the item in its context.
  const mapField: Thread = { ...parent, item: thread.item, previousEventId: thread.previousEventId };
  const selected = fieldValue(turn, mapField, { field, location: 'ItemSelector' });
  if (selected.kind === 'value') {
    const input = dataOf(selected.value);
    if (isTooLarge(input.text)) return { kind: 'failed', thread, failure: tooLarge(state.name) };
    return turn.runThread(turn, { ...thread, input }, state.processor);
  }
  const failed = evaluationFailed(turn, mapField, selected);
  const stopped = { ...thread, previousEventId: failed.thread.previousEventId };
  return { kind: 'failed', thread: stopped, failure: failed.failure };
}

function abortSiblings(turn: Turn, state: MapState, parent: Thread, failed: number): void {
  const cause = parent.previousEventId;
  for (const { index, thread } of liveChildren(parent)) {
    if (index === failed) continue;
    recordIteration(turn, 'Aborted', cause, { name: state.name, index });
    abortState(turn, thread, cause);
  }
}

function isMap(thread: Thread): thread is MapThread {
  return thread.waits?.kind === 'iterations';
}
