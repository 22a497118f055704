import { type Child, type Execution, liveChildren, type Thread, withChild } from '../engine/index';
import type { JsonObject } from '../json/json';
import { type Data, dataOf } from '../language/index';
import type { Pair } from './alignment';
import { comparableDetails } from './comparable-details';
import type { RecordedEvent } from './recording';

// What depends on chance, on the time or on names is taken over from the recording, so that whatever comes of it later
// is compared with what came of the same values there.

/** The execution with the data of these events as the recording has them. `path` is the thread that went on. */
export function withRecordedData(
  execution: Execution,
  pairs: readonly Pair[],
  path: string,
  entries: readonly { readonly thread: Thread; readonly event: RecordedEvent }[],
): Execution {
  let { root } = execution;
  for (const { replayed, recorded } of pairs) {
    if (!root || !recorded) continue;
    const facts = comparableDetails(recorded.details);
    if (replayed.type.endsWith('StateEntered')) {
      const input = dataFrom(recorded.details['input'], facts['input']);
      if (input) root = changed(root, thread => thread.enteredEventId === replayed.id, { input });
    }
    if (!replayed.type.endsWith('StateExited')) continue;
    const output = dataFrom(recorded.details['output'], facts['output']);
    if (!output) continue;
    const assigned = facts['assignedVariables'] as JsonObject | undefined;
    root = changed(root, thread => hasLeft(thread, replayed.id), { input: output, assigned });
    root = withOutput(root, path, output);
  }
  // What a branch or an iteration begins with is made by the state around it.
  for (const { thread, event } of entries) {
    const input = dataFrom(event.details['input'], comparableDetails(event.details)['input']);
    if (root && input) root = changed(root, one => one.path === thread.path, { input });
  }
  return root === execution.root ? execution : { ...execution, root };
}

/** Whether a thread has left a state by this event. One that waits for others keeps its own input. */
function hasLeft({ previousEventId, waits }: Thread, exitedEventId: number): boolean {
  const waitsForOthers = waits?.kind === 'branches' || waits?.kind === 'iterations';
  return previousEventId === exitedEventId && !waitsForOthers;
}

interface Change {
  readonly input: Data;
  readonly assigned?: JsonObject | undefined;
}

function dataFrom(text: unknown, value: Data['value'] | undefined): Data | undefined {
  if (value === undefined) return undefined;
  return typeof text === 'string' ? { value, text } : dataOf(value);
}

function changed(thread: Thread, isTarget: (thread: Thread) => boolean, change: Change): Thread {
  if (isTarget(thread)) {
    const variables = { ...thread.variables, ...change.assigned };
    const variableCharacters = JSON.stringify(variables).length;
    return { ...thread, input: change.input, ...(change.assigned && { variables, variableCharacters }) };
  }
  return liveChildren(thread).reduce((parent: Thread, { index, thread: child }) => {
    const after = changed(child, isTarget, change);
    const live: Child = { kind: 'live', thread: after };
    return after === child ? parent : withChild(parent, index, live);
  }, thread);
}

/** The output of a branch or iteration that has ended. */
function withOutput(thread: Thread, path: string, output: Data): Thread {
  const { waits } = thread;
  const within = `${thread.path}/${thread.state}[`;
  if (!waits || !path.startsWith(within)) return thread;
  const index = Number.parseInt(path.slice(within.length), 10);
  if (path === `${within}${index}]`) {
    const isDone = !liveChildren(thread).some(child => child.index === index);
    return isDone && hasChild(thread, index) ? withChild(thread, index, { kind: 'done', output }) : thread;
  }
  const child = liveChildren(thread).find(({ thread: { path: at } }) => path.startsWith(`${at}/`));
  if (!child) return thread;
  const after = withOutput(child.thread, path, output);
  return after === child.thread ? thread : withChild(thread, child.index, { kind: 'live', thread: after });
}

function hasChild({ waits }: Thread, index: number): boolean {
  if (waits?.kind === 'branches') return index < waits.branches.length;
  return (
    waits?.kind === 'iterations' &&
    index < waits.children.reduce((sum, { children }) => sum + children.length, 0)
  );
}
