import type { Data, MapState, ParallelState } from '../language/index';
import { type Completion, type Failure, RUNTIME_ERROR } from './completion';
import { computeFlow, flowProblem, leave } from './data-flow';
import { release } from './effects';
import { type EvaluationFailure, evaluationFailed } from './evaluation';
import type { Child, Thread } from './execution';
import { stateName } from './history';
import { abortMapRun } from './map-runs';
import { recover } from './recovery';
import { childCount, liveChildren, outputsWithin, withChild } from './threads';
import type { Turn } from './turn';

// What Parallel and Map have in common: threads within a state, and how the state completes when they do.

/** What a child's completion means for the state around it. */
export type ChildOutcome =
  /** The state goes on waiting for its other children; `isDone` when this one has ended. */
  | { readonly kind: 'open'; readonly thread: Thread; readonly isDone: boolean }
  /** The child failed; its last event is the failing one. */
  | { readonly kind: 'failed'; readonly thread: Thread; readonly failed: Thread; readonly failure: Failure }
  /** The whole execution ends: nothing more happens at this level. */
  | { readonly kind: 'closed'; readonly completion: Completion };

/** Applies a child's completion. `parent` is the state's thread with its children as they were before. */
export function childOutcome(parent: Thread, index: number, completion: Completion): ChildOutcome {
  const { thread, kind } = completion;
  const child: Child = kind === 'left' ? { kind: 'done', output: thread.input } : { kind: 'live', thread };
  const updated = withChild(parent, index, child);
  switch (kind) {
    case 'waiting':
      return { kind: 'open', thread: updated, isDone: false };
    case 'left':
      return { kind: 'open', thread: { ...updated, previousEventId: thread.previousEventId }, isDone: true };
    case 'full':
      return { kind: 'closed', completion: { kind: 'full', thread: updated } };
    case 'failed': {
      const { failure } = completion;
      const failed = { ...updated, previousEventId: thread.previousEventId };
      // An error that cannot be caught ends the whole execution at once, as recorded.
      if (failure.error === RUNTIME_ERROR) {
        return { kind: 'closed', completion: { kind: 'failed', thread: failed, failure } };
      }
      return { kind: 'failed', thread: failed, failed: thread, failure };
    }
    default:
      return kind satisfies never;
  }
}

/** Leaves the state with the list of its children's outputs. */
export function succeedWithChildren(turn: Turn, state: ParallelState | MapState, thread: Thread): Completion {
  return succeedWith(turn, state, thread, listOf(outputsWithin(thread.waits)));
}

/** Leaves the state with a result, as if its children had given that. */
export function succeedWith(
  turn: Turn,
  state: ParallelState | MapState,
  thread: Thread,
  result: Data,
): Completion {
  turn.append(`${stateName(state.kind)}StateSucceeded`, thread.previousEventId, {});
  return leaveWithResult(turn, state, thread, result);
}

/** Leaves the state with its result; that the state has succeeded is recorded already. */
export function leaveWithResult(
  turn: Turn,
  state: ParallelState | MapState,
  thread: Thread,
  result: Data,
): Completion {
  // The state's own failure makes all of it run again in a retry or redrive: its children are forgotten.
  const alone: Thread = { ...thread, waits: null };
  const source = { flow: state, prefix: '', result, offer: { result: result.value } };
  const computed = computeFlow(turn, alone, source);
  if (computed.kind === 'failed') return failByOwnField(turn, state, alone, computed);
  const problem = flowProblem(alone, computed.flow);
  if (problem) return recover(turn, state, alone, problem, recordFailure(turn, state));
  return leave(turn, alone, computed.flow, state.next);
}

/** Retries, catches or passes on the failure of a child, after its siblings have been aborted. */
export function failWithChild(
  turn: Turn,
  state: ParallelState | MapState,
  thread: Thread,
  failure: Failure,
): Completion {
  return recover(turn, state, thread, failure, recordFailure(turn, state));
}

/** Retries, catches or passes on the failure of one of the state's own fields. */
export function failByOwnField(
  turn: Turn,
  state: ParallelState | MapState,
  thread: Thread,
  problem: EvaluationFailure,
): Completion {
  const failed = evaluationFailed(turn, thread, problem);
  return recover(turn, state, failed.thread, failed.failure, recordFailure(turn, state));
}

/**
 * Records that a thread's state will not be left any more, and releases what it waits for. All its events follow
 * event `cause`.
 */
export function abortState(turn: Turn, thread: Thread, cause: number): void {
  // Between two states there is none to abort.
  if (thread.waits?.kind === 'pause') return;
  turn.effects.push(...release({ ...thread, waits: childCount(thread.waits) > 0 ? null : thread.waits }));
  const kind = turn.machine.definition.states.get(thread.state)?.kind;
  if (thread.waits?.kind === 'mapRun') abortMapRun(turn, thread.waits, cause);
  if (kind === 'task' || kind === 'wait' || kind === 'parallel' || kind === 'map') {
    turn.append(`${stateName(kind)}StateAborted`, cause, {});
  }
  for (const child of liveChildren(thread)) {
    if (kind === 'map') recordIteration(turn, 'Aborted', cause, { name: thread.state, index: child.index });
    abortState(turn, child.thread, cause);
  }
}

/** A failed Task has no event of its own that says so, and is recorded as aborted; other states are not. */
export function abortFailed(turn: Turn, thread: Thread): void {
  const isTask = turn.machine.definition.states.get(thread.state)?.kind === 'task';
  if (isTask) turn.append('TaskStateAborted', thread.previousEventId, {});
}

/** Records what happens to an iteration. */
export function recordIteration(
  turn: Turn,
  what: 'Started' | 'Succeeded' | 'Failed' | 'Aborted',
  previousEventId: number,
  details: { readonly name: string; readonly index: number },
): number {
  return turn.append(`MapIteration${what}`, previousEventId, details);
}

function recordFailure(turn: Turn, state: ParallelState | MapState) {
  return (thread: Thread) => turn.appendTo(thread, `${stateName(state.kind)}StateFailed`, {});
}

/** A list of outputs, each with the text it was written in. */
function listOf(outputs: readonly Data[]): Data {
  return { value: outputs.map(({ value }) => value), text: `[${outputs.map(({ text }) => text).join(',')}]` };
}
