import {
  type Child,
  type Execution,
  type ExecutionEnd,
  type ExecutionStatus,
  liveChildren,
  type Thread,
  type Waiting,
  withChild,
} from '../../../packages/local/engine/index';
import type { JsonObject } from '../../../packages/local/json/json';
import type { JobResult } from '../../../packages/local/runtime/calls/service';
import type { Ids } from '../../../packages/local/runtime/ids';
import type { ExploredMachine } from './subject';

/** When explorations begin. */
export const ORIGIN = Date.parse('2026-11-20T09:00:00.000Z');

/** What an execution has under way. */
export interface InFlight {
  /** A call that has been sent and not answered. */
  readonly call: Call | null;
  /** What the call was answered; it has not arrived. */
  readonly answer: JobResult | null;
}

/** All that is known of one execution, and of the call it has under way. Never changes. */
export interface ExecutionState extends InFlight {
  readonly execution: Execution;
  /** What it has under way in its entries after the first, in their order; absent if it has one. */
  readonly laterEntries?: readonly InFlight[];
  /** How many IDs it has drawn; absent if it has drawn none. */
  readonly drawn?: number;
  /** It runs the definition from before the deployment, also when it is redriven. */
  readonly isFormer?: true;
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
const WAIT_ID = 'wait';

/** The name for what the entry of an item waits for. */
export function waitIdOf(itemIndex: number): string {
  return itemIndex === 0 ? WAIT_ID : `${WAIT_ID} ${itemIndex + 1}`;
}

/** The name for the timeout of its Task. */
export function timeoutIdOf(itemIndex: number): string {
  return `${waitIdOf(itemIndex)} timeout`;
}

/**
 * An execution without the parts that decide nothing: event ids, counters, the causes of failures, and variables that
 * no state ahead mentions. Times are left out unless a limit of the machine or an expression reads them, and so are
 * used retries beyond `faults`.
 */
export function normalForm(execution: Execution, explored: ExploredMachine, faults: number): Execution {
  const { root, end } = execution;
  return {
    ...execution,
    startedAt: explored.readsStartTime ? execution.startedAt : ORIGIN,
    lastEventId: 1,
    lastAdvancedAt: 0,
    eventIdBeforeAdvance: 0,
    transitions: 0,
    root: root && normalThread(root, { explored, faults, itemIndex: 0 }),
    end: end && withoutCause(end),
  };
}

function withoutCause({ cause: _cause, ...end }: ExecutionEnd): ExecutionEnd {
  return end;
}

interface Normal {
  readonly explored: ExploredMachine;
  readonly faults: number;
  /** In which entry of its execution a thread is. */
  readonly itemIndex: number;
}

function normalThread(thread: Thread, normal: Normal): Thread {
  const { explored, faults } = normal;
  const { machine, liveVariables, readsEnteredTime, retryCountMax } = explored;
  const live = liveVariables.get(thread.state) ?? new Set();
  const variables = Object.fromEntries(Object.entries(thread.variables).filter(([name]) => live.has(name)));
  const state = machine.definition.states.get(thread.state);
  const retriers = state && 'retry' in state ? state.retry : [];
  return {
    ...thread,
    enteredAt: readsEnteredTime.has(thread.state) ? thread.enteredAt : 0,
    enteredEventId: 0,
    enteredFrom: 0,
    previousEventId: 0,
    variables,
    variableCharacters: JSON.stringify(variables).length,
    retries: thread.retries.map((used, index) => {
      const retrier = retriers[index];
      return retrier?.errorEquals.includes('States.ALL') && retrier.maxAttempts > faults ? 0 : used;
    }),
    retryCount: Math.min(thread.retryCount, retryCountMax),
    waits: thread.waits && normalWait(thread.waits, normal),
  };
}

function normalWait(waits: Waiting, normal: Normal): Waiting {
  const { itemIndex } = normal;
  switch (waits.kind) {
    case 'task': {
      const timeout = waits.timeout && { ...waits.timeout, timerId: timeoutIdOf(itemIndex) };
      return { ...waits, taskId: waitIdOf(itemIndex), timeout };
    }
    case 'timer':
    case 'retry':
      return { ...waits, timer: { ...waits.timer, timerId: waitIdOf(itemIndex) } };
    case 'branches':
      return { ...waits, branches: waits.branches.map(child => normalChild(child, normal)) };
    case 'iterations': {
      const chunks = waits.children.map(chunk => {
        const children = chunk.children.map((child, item) =>
          normalChild(child, { ...normal, itemIndex: item }),
        );
        return { ...chunk, children };
      });
      return { ...waits, children: chunks };
    }
    default:
      return waits;
  }
}

function normalChild(child: Child, normal: Normal): Child {
  return child.kind === 'live' ? { kind: 'live', thread: normalThread(child.thread, normal) } : child;
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

/** Whether an execution is in its business step, or in a state of the chain that is the step; or ended there. */
export function isInStep({ root }: Execution): boolean {
  for (let thread = root; thread; thread = liveChildren(thread)[0]?.thread ?? null)
    if (thread.state === 'Business step') return true;
  return false;
}

/** The same thread with its leaf changed. */
export function changedLeaf(thread: Thread, change: (leaf: Thread) => Thread): Thread {
  const [within] = liveChildren(thread);
  if (!within) return change(thread);
  return withChild(thread, within.index, { kind: 'live', thread: changedLeaf(within.thread, change) });
}

/** The state an execution is in, or was when it ended; empty after success. */
export function currentState({ execution }: ExecutionState): string {
  return leafOf(execution)?.state ?? '';
}

/** The time at which a running execution continues automatically; undefined if it waits for an answer. */
export function dueTimer({ execution, call, answer }: ExecutionState): number | undefined {
  const waits = leafOf(execution)?.waits;
  // A retry without a delay is at its next try already.
  if (waits?.kind === 'timer' || waits?.kind === 'retry') return waits.timer.due;
  // An answer that still comes, comes in time.
  if (waits?.kind === 'task' && !call && !answer) return waits.timeout?.due;
  return undefined;
}

/** What evaluations in a thread of their own are seeded with: nothing that is drawn. */
const SEEDS: Ids = { random: () => 0, uuid: () => 'seed', fork: () => SEEDS };

/**
 * What an execution draws that has drawn so many IDs. Nothing is left to chance. The model chooses between possible
 * outcomes, and an ID is the execution's name with a number, which is unique.
 */
export function idsOf({ name }: Execution, drawn: number): Ids & { readonly drawn: number } {
  const ids = {
    drawn,
    random: () => 0,
    uuid: () => {
      ids.drawn += 1;
      return `${name}/${ids.drawn}`;
    },
    fork: (purpose: string) => (purpose === '' ? ids : SEEDS),
  };
  return ids;
}
