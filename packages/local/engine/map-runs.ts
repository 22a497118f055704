import type { EndedMapRun, MapRun, MapRunCounts, MapRunWaiting, Thread } from './execution';
import { liveChildren } from './threads';
import type { Turn } from './turn';

// What an execution keeps of its Map Runs: those that run are waited for by their threads, those that have ended are
// in a list.

/** What became of the executions of a run, and of the items in them. */
export type Counts = Pick<EndedMapRun, 'executions' | 'items'>;

/** Counts of a run that no execution of was started, or of which nothing more is known. */
export function countsOf(executions: number, items: number): Counts {
  return { executions: aborted(executions), items: aborted(items) };
}

/** Keeps what is known of a run that has ended. */
export function keepRun(turn: Turn, run: MapRun, status: EndedMapRun['status'], counts: Counts): void {
  turn.mapRuns = [...turn.mapRuns, { ...run, endedAt: turn.context.now, status, ...counts }];
}

/** Records that a run is not waited for any more, because of event `cause`. */
export function abortMapRun(turn: Turn, waits: MapRunWaiting, cause: number): void {
  turn.append('MapRunAborted', cause, {});
  keepAborted(turn, waits);
}

/** Keeps the runs that a thread and those within it wait for when their execution ends. */
export function keepAbortedRuns(turn: Turn, thread: Thread | null): void {
  if (thread?.waits?.kind === 'mapRun') keepAborted(turn, thread.waits);
  for (const child of thread ? liveChildren(thread) : []) keepAbortedRuns(turn, child.thread);
}

/** The runs that a thread and those within it wait for. */
export function waitedRuns(thread: Thread | null): readonly MapRunWaiting[] {
  if (thread?.waits?.kind === 'mapRun') return [thread.waits];
  return thread ? liveChildren(thread).flatMap(child => waitedRuns(child.thread)) : [];
}

function keepAborted(turn: Turn, { run, inputs }: MapRunWaiting): void {
  const items = inputs.reduce((sum, input) => sum + input.items, 0);
  keepRun(turn, run, 'ABORTED', countsOf(inputs.length, items));
}

function aborted(total: number): MapRunCounts {
  return { pending: 0, running: 0, succeeded: 0, failed: 0, timedOut: 0, aborted: total, total };
}
