import type {
  Child,
  Execution,
  ExecutionEnd,
  ExecutionStatus,
  Thread,
  Waiting,
} from '../../../packages/local/engine/execution';
import { liveChildren, withChild } from '../../../packages/local/engine/threads';
import type { JsonObject } from '../../../packages/local/json/json';
import type { JobResult } from '../../../packages/local/runtime/service';
import type { ExploredMachine } from './subject';

/** All that is known of one execution, and of the call it has under way. Never changes. */
export interface ExecutionState {
  readonly execution: Execution;
  /** A call that has been sent and not answered. */
  readonly call: Call | null;
  /** What the call was answered; it has not arrived. */
  readonly answer: JobResult | null;
  /** How the execution was before its last redrive: what a stale description may still say. */
  readonly before: Earlier | null;
}

/** A call of an integration, as a state makes it. */
export interface Call {
  readonly resource: string;
  readonly arguments: JsonObject;
  readonly stateName: string;
}

/** An execution at an earlier moment. */
export interface Earlier {
  readonly status: ExecutionStatus;
  readonly redriveCount: number;
  readonly end: ExecutionEnd | null;
}

/** The one name for what a thread waits for: it waits for one thing at a time. */
export const WAIT_ID = 'wait';

/**
 * An execution without what decides nothing: event ids, counters, the causes of failures, variables that no state ahead
 * mentions, times, unless a limit of the machine or an expression reads them, and how many retries are used of those
 * that allow more than there are `faults`.
 */
export function normalForm(execution: Execution, explored: ExploredMachine, faults: number): Execution {
  const { root, end } = execution;
  return {
    ...execution,
    lastEventId: 1,
    transitions: 0,
    root: root && normalThread(root, explored, faults),
    end: end && withoutCause(end),
  };
}

function withoutCause({ cause: _cause, ...end }: ExecutionEnd): ExecutionEnd {
  return end;
}

function normalThread(thread: Thread, explored: ExploredMachine, faults: number): Thread {
  const { machine, liveVariables, readsEnteredTime } = explored;
  const live = liveVariables.get(thread.state) ?? new Set();
  const variables = Object.fromEntries(Object.entries(thread.variables).filter(([name]) => live.has(name)));
  const state = machine.definition.states.get(thread.state);
  const retriers = state && 'retry' in state ? state.retry : [];
  return {
    ...thread,
    enteredAt: readsEnteredTime ? thread.enteredAt : 0,
    enteredEventId: 0,
    enteredFrom: 0,
    previousEventId: 0,
    variables,
    variableCharacters: JSON.stringify(variables).length,
    retries: thread.retries.map((used, index) => {
      const retrier = retriers[index];
      return retrier?.errorEquals.includes('States.ALL') && retrier.maxAttempts > faults ? 0 : used;
    }),
    retryCount: 0,
    waits: thread.waits && normalWait(thread.waits, within => normalThread(within, explored, faults)),
  };
}

function normalWait(waits: Waiting, normal: (within: Thread) => Thread): Waiting {
  switch (waits.kind) {
    case 'task': {
      const timeout = waits.timeout && { ...waits.timeout, timerId: `${WAIT_ID} timeout` };
      return { ...waits, taskId: WAIT_ID, timeout };
    }
    case 'timer':
    case 'retry':
      return { ...waits, timer: { ...waits.timer, timerId: WAIT_ID } };
    case 'branches': {
      const branch = (child: Child): Child =>
        child.kind === 'live' ? { kind: 'live', thread: normal(child.thread) } : child;
      return { ...waits, branches: waits.branches.map(branch) };
    }
    default:
      return waits;
  }
}

/**
 * The thread that an execution goes on with, or has ended with: within a Parallel, that of its branch. Null before the
 * start and after success.
 */
export function leafOf({ root }: Execution): Thread | null {
  let leaf = root;
  for (let within = leaf && liveChildren(leaf)[0]; within; within = liveChildren(within.thread)[0])
    leaf = within.thread;
  return leaf;
}

/** The same execution with its leaf changed. */
export function withLeaf(execution: Execution, change: (leaf: Thread) => Thread): Execution {
  const { root } = execution;
  return root ? { ...execution, root: changedLeaf(root, change) } : execution;
}

function changedLeaf(thread: Thread, change: (leaf: Thread) => Thread): Thread {
  const [within] = liveChildren(thread);
  if (!within) return change(thread);
  return withChild(thread, within.index, { kind: 'live', thread: changedLeaf(within.thread, change) });
}

/** The state an execution is in, or was when it ended; empty after success. */
export function currentState({ execution }: ExecutionState): string {
  return leafOf(execution)?.state ?? '';
}
