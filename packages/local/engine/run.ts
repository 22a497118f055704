import type { MapState, ParallelState, State, TaskState } from '../language/index';
import { enteredThread, movedThread } from './advance';
import type { Completion } from './completion';
import { isHistoryFull } from './ending';
import { type EvaluationFailure, failedByExpression } from './evaluation';
import type { Thread } from './execution';
import { ENTERED } from './history';
import { effectiveInput } from './paths';
import { enterChoice } from './states/choice';
import { enterFail } from './states/fail';
import { afterIteration, attemptMap } from './states/map';
import { afterBranch, attemptParallel } from './states/parallel';
import { enterPass } from './states/pass';
import { enterSucceed } from './states/succeed';
import { attemptTask } from './states/task';
import { enterWait } from './states/wait';
import { hasChildren, isWaitingFor, liveChildren } from './threads';
import type { Turn } from './turn';

// How threads move: from state to state within a scope, and from the end of a scope to the state around it.

/** Runs a thread from the entry into a state on, until it waits or its scope has come to an end. */
export function runThread(turn: Turn, thread: Thread, startAt: string): Completion {
  return runOn(turn, { kind: 'left', thread, next: startAt });
}

/** Runs states one after another, from the completion of the last one. */
export function runOn(turn: Turn, first: Completion): Completion {
  let completion = first;
  while (!isHistoryFull(turn)) {
    if (completion.kind !== 'left' || completion.next === undefined) return completion;
    if (turn.isOver) return paused(turn, completion.thread, completion.next);
    completion = enter(turn, completion.thread, completion.next);
  }
  return { kind: 'full', thread: completion.thread };
}

/**
 * Hands a signal to the thread at or below `thread` that waits for `id`, and runs on from there: up to the
 * states around it as far as they complete.
 */
export function resumeWithin(
  turn: Turn,
  thread: Thread,
  id: string,
  step: (thread: Thread) => Completion,
): Completion {
  if (!hasChildren(thread)) return runOn(turn, step(thread));
  const child = liveChildren(thread).find(({ thread: inner }) => isWaitingFor(inner, id));
  if (!child) throw new Error(`no thread within state '${thread.state}' waits for ${id}`);
  const { index } = child;
  const completion = resumeWithin(turn, child.thread, id, step);
  return runOn(turn, afterChild(turn, thread, { index, completion }));
}

/** Goes on with a Parallel or Map after one of the threads within it has completed or waits. */
export function afterChild(
  turn: Turn,
  thread: Thread,
  child: { readonly index: number; readonly completion: Completion },
): Completion {
  const state = stateOf(turn, thread.state);
  if (state.kind === 'parallel') return afterBranch(turn, state, thread, child);
  if (state.kind === 'map') return afterIteration(turn, state, thread, child);
  throw new Error(`state '${state.name}' is a ${state.kind} and has no threads within it`);
}

/** Begins another attempt of a state that can be tried again. */
export function attempt(turn: Turn, state: TaskState | ParallelState | MapState, thread: Thread): Completion {
  switch (state.kind) {
    case 'task':
      return attemptTask(turn, state, thread);
    case 'parallel':
      return attemptParallel(turn, state, thread);
    case 'map':
      return attemptMap(turn, state, thread);
    default:
      return state satisfies never;
  }
}

/** Does what a state does when it is entered; its entry is recorded already. */
export function enterState(turn: Turn, state: State, thread: Thread): Completion {
  const problem = inputProblem(turn, state, thread);
  if (problem) return failedByExpression(turn, thread, problem);
  switch (state.kind) {
    case 'task':
    case 'parallel':
    case 'map':
      return attempt(turn, state, thread);
    case 'choice':
      return enterChoice(turn, state, thread);
    case 'pass':
      return enterPass(turn, state, thread);
    case 'wait':
      return enterWait(turn, state, thread);
    case 'succeed':
      return enterSucceed(turn, state, thread);
    case 'fail':
      return enterFail(turn, state, thread);
    default:
      return state satisfies never;
  }
}

/** Why `InputPath` leads to nothing, which fails a state even where nothing in it asks for its input. */
function inputProblem(turn: Turn, state: State, thread: Thread): EvaluationFailure | undefined {
  // As recorded, a Pass that spells its result out does not look at its input.
  if (!('paths' in state) || !state.paths || (state.kind === 'pass' && state.result?.kind === 'constant'))
    return undefined;
  const input = effectiveInput(turn, thread, state.paths);
  if (input.kind === 'failed') return input;
  turn.context.inspect?.('afterInputPath', input.value);
  return undefined;
}

/** The state of this name, which exists: definitions are checked. */
export function stateOf(turn: Turn, name: string): State {
  const state = turn.machine.definition.states.get(name);
  if (!state) throw new Error(`no state '${name}' in the definition of ${turn.machine.arn}`);
  return state;
}

/** Pauses before the next state, so that a loop of states delays neither timers nor other executions. */
function paused(turn: Turn, thread: Thread, next: string): Completion {
  // Branches begin after one and the same event; their paths make the ids unique.
  const pauseId = `pause:${thread.path}@${thread.previousEventId}`;
  turn.effects.push({ kind: 'pause', pauseId });
  return {
    kind: 'waiting',
    thread: movedThread(thread, thread.previousEventId, { kind: 'pause', pauseId, next }),
  };
}

function enter(turn: Turn, thread: Thread, name: string): Completion {
  const state = stateOf(turn, name);
  turn.beginStep();
  turn.transitions += 1;
  const enteredEventId = turn.appendEntry(
    ENTERED[state.kind],
    thread.previousEventId,
    name,
    thread.input.text,
  );
  const entry = { state: name, at: turn.context.now, eventId: enteredEventId };
  return enterState(turn, state, enteredThread(thread, entry));
}
