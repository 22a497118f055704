import { type Execution, liveChildren, type Thread, withChild } from '../engine/index';
import type { Json } from '../json/json';
import { isoTime } from '../language/index';
import type { Comparison } from './attempt';
import { valueAt } from './difference';
import { TOLERANCE_MS } from './waiting';

// Expressions see when the execution was started and redriven, and when it entered the state. A history has only the
// times at which the events of that were written: some moment later.

/** The same execution, redriven and entered into its states so many milliseconds later. */
export function withPastMoved(execution: Execution, ms: number): Execution {
  const { root, redrivenAt } = execution;
  return {
    ...execution,
    redrivenAt: redrivenAt === null ? null : redrivenAt + ms,
    root: root && withEntriesMoved(root, ms),
  };
}

function withEntriesMoved(thread: Thread, ms: number): Thread {
  const moved: Thread = { ...thread, enteredAt: thread.enteredAt + ms };
  return liveChildren(thread).reduce(
    (parent: Thread, { index, thread: child }) =>
      withChild(parent, index, { kind: 'live', thread: withEntriesMoved(child, ms) }),
    moved,
  );
}

/**
 * When the execution was started, as an event of the recording says it; undefined if the event does not say it. `moved`
 * compares the same event of an execution that was started at `movedTo` instead of `startedAt`: a value that follows is
 * the time of the start.
 */
export function startToldBy(
  { recorded, replayed }: Comparison,
  startedAt: number,
  movedTo: number,
  moved: () => Comparison | undefined,
): number | undefined {
  const paths = pathsOf(isoTime(startedAt), replayed);
  if (paths.length === 0) return undefined;
  const follower = moved()?.replayed;
  for (const path of paths) {
    const text = valueAt(recorded, path);
    const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
    const follows = valueAt(follower, path) === isoTime(movedTo);
    if (follows && Math.abs(at - startedAt) <= TOLERANCE_MS) return at;
  }
  return undefined;
}

type Path = readonly (string | number)[];

/** Where a text is within a value. */
function pathsOf(text: string, value: Json, path: Path = []): readonly Path[] {
  if (value === text) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => pathsOf(text, member, [...path, name]));
}
