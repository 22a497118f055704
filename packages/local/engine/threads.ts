import type { Data } from '../language/index';
import type { Child, Thread, Waiting } from './execution';
import { countOf, liveIterations, outputsOf, withIteration } from './iterations';

// The tree of threads: each Parallel and Map that is being run holds the threads within it.

/**
 * The number of threads that a state has started within it, finished ones included; none except for Parallel and Map.
 */
export function childCount(waits: Waiting | null): number {
  switch (waits?.kind) {
    case 'branches':
      return waits.branches.length;
    case 'iterations':
      return countOf(waits.children);
    default:
      return 0;
  }
}

/** The outputs of the threads within a state that have ended, in their order. */
export function outputsWithin(waits: Waiting | null): readonly Data[] {
  if (waits?.kind === 'iterations') return outputsOf(waits.children);
  const branches = waits?.kind === 'branches' ? waits.branches : [];
  return branches.flatMap(child => (child.kind === 'done' ? [child.output] : []));
}

/** The same thread with the child at `index` replaced. */
export function withChild(thread: Thread, index: number, child: Child): Thread {
  const { waits } = thread;
  switch (waits?.kind) {
    case 'branches':
      return { ...thread, waits: { ...waits, branches: waits.branches.with(index, child) } };
    case 'iterations':
      return { ...thread, waits: { ...waits, children: withIteration(waits.children, index, child) } };
    default:
      throw new Error(`state '${thread.state}' has no threads within it`);
  }
}

/** The live threads within a thread, with their indices. */
export function liveChildren(thread: Thread): readonly { readonly index: number; readonly thread: Thread }[] {
  const { waits } = thread;
  if (waits?.kind === 'iterations') return liveIterations(waits.children);
  const branches = waits?.kind === 'branches' ? waits.branches : [];
  return branches.flatMap((child, index) => (child.kind === 'live' ? [{ index, thread: child.thread }] : []));
}

/** Whether a thread or one within it waits for a task or timer. */
export function isWaitingFor(thread: Thread, id: string): boolean {
  return threadWaitingFor(thread, id) !== undefined;
}

/** The thread that waits for a task, a timer or a pause, or undefined when none does any more. */
export function threadWaitingFor(root: Thread | null, id: string): Thread | undefined {
  if (!root?.waits) return undefined;
  if (!hasChildren(root)) return isFor(root.waits, id) ? root : undefined;
  for (const child of liveChildren(root)) {
    const found = threadWaitingFor(child.thread, id);
    if (found) return found;
  }
  return undefined;
}

/** True for a thread that waits for threads within its state. */
export function hasChildren({ waits }: Thread): boolean {
  return waits?.kind === 'branches' || waits?.kind === 'iterations';
}

/** True for a thread that has not entered its first state, and is not paused before it. */
export function isUnbegun({ state, waits }: Thread): boolean {
  return state === '' && waits === null;
}

/** A thread after its execution has ended: nothing in it waits, and it can be redriven. */
export function atRest(thread: Thread): Thread {
  // Between two states, so that the one it has left is not begun again. Before the first one it has left none.
  if (thread.waits?.kind === 'pause' && thread.state !== '') return thread;
  if (childCount(thread.waits) === 0) return { ...thread, waits: null };
  return liveChildren(thread).reduce(
    (parent, child) => withChild(parent, child.index, { kind: 'live', thread: atRest(child.thread) }),
    thread,
  );
}

/**
 * A name for what a thread begins to wait for: the same in every run, used once in an execution.
 *
 * `eventId` is an event of this thread alone, so that names stay short however deep the thread is.
 */
export function waitId(kind: 'task' | 'timeout' | 'heartbeat' | 'wait' | 'retry', eventId: number): string {
  return `${kind}@${eventId}`;
}

function isFor(waits: Waiting, id: string): boolean {
  switch (waits.kind) {
    case 'branches':
    case 'iterations':
      return false;
    case 'mapRun':
      return waits.taskId === id;
    case 'task':
      return waits.taskId === id || waits.timeout?.timerId === id || waits.heartbeat?.timerId === id;
    case 'timer':
    case 'retry':
      return waits.timer.timerId === id;
    case 'pause':
      return waits.pauseId === id;
    default:
      return waits satisfies never;
  }
}
