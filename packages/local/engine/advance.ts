import type { Data } from '../language/index';
import { type Execution, type MapItem, NO_RETRIES, rootThread, type Thread, type Waiting } from './execution';

// A thread is copied several times for each state it passes, and an execution for each signal. Written out, a copy
// costs half of what spreading costs, and all of them have one shape.

/** The thread in its next state. */
export function enteredThread(
  thread: Thread,
  entry: { readonly state: string; readonly at: number; readonly eventId: number },
): Thread {
  return {
    path: thread.path,
    state: entry.state,
    enteredAt: entry.at,
    enteredEventId: entry.eventId,
    enteredFrom: thread.previousEventId,
    previousEventId: entry.eventId,
    input: thread.input,
    variables: thread.variables,
    variableCharacters: thread.variableCharacters,
    item: thread.item,
    taskId: null,
    retries: NO_RETRIES,
    retryCount: 0,
    waits: null,
  };
}

/** The thread after another event, waiting for something or for nothing. */
export function movedThread(thread: Thread, previousEventId: number, waits: Waiting | null): Thread {
  return {
    path: thread.path,
    state: thread.state,
    enteredAt: thread.enteredAt,
    enteredEventId: thread.enteredEventId,
    enteredFrom: thread.enteredFrom,
    previousEventId,
    input: thread.input,
    variables: thread.variables,
    variableCharacters: thread.variableCharacters,
    item: thread.item,
    taskId: thread.taskId,
    retries: thread.retries,
    retryCount: thread.retryCount,
    waits,
  };
}

/** The thread after its state, with the state's output and variables. */
export function leftThread(
  thread: Thread,
  previousEventId: number,
  left: Pick<Thread, 'input' | 'variables' | 'variableCharacters'>,
): Thread {
  return {
    path: thread.path,
    state: thread.state,
    enteredAt: thread.enteredAt,
    enteredEventId: thread.enteredEventId,
    enteredFrom: thread.enteredFrom,
    previousEventId,
    input: left.input,
    variables: left.variables,
    variableCharacters: left.variableCharacters,
    item: thread.item,
    taskId: thread.taskId,
    retries: thread.retries,
    retryCount: thread.retryCount,
    waits: null,
  };
}

/** The execution after more has happened in it. */
export function advancedExecution(
  execution: Execution,
  after: Pick<Execution, 'root' | 'lastEventId' | 'transitions' | 'mapRuns'>,
  now: number,
): Execution {
  const isSameInstant = execution.lastAdvancedAt === now;
  return {
    arn: execution.arn,
    name: execution.name,
    kind: execution.kind,
    status: execution.status,
    input: execution.input,
    startedAt: execution.startedAt,
    redriveCount: execution.redriveCount,
    redrivenAt: execution.redrivenAt,
    redrives: execution.redrives,
    mapRuns: after.mapRuns ?? execution.mapRuns ?? [],
    lastEventId: after.lastEventId,
    transitions: after.transitions,
    lastAdvancedAt: now,
    eventIdBeforeAdvance: isSameInstant ? execution.eventIdBeforeAdvance : execution.lastEventId,
    root: after.root,
    end: execution.end,
  };
}

/** A thread within a state that is about to enter its first state. It reads the variables of its parent. */
export function childThread(
  parent: Thread,
  child: { readonly index: number; readonly input: Data; readonly item?: MapItem },
): Thread {
  return {
    ...rootThread(child.input),
    path: `${parent.path}/${parent.state}[${child.index}]`,
    previousEventId: parent.previousEventId,
    variables: parent.variables,
    variableCharacters: parent.variableCharacters,
    item: child.item ?? parent.item,
  };
}
