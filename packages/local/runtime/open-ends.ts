import type { Execution, Machine, Thread, Timer } from '../engine/execution';
import { liveChildren } from '../engine/threads';
import { executionTimer } from '../engine/timeout';

/** What a kept execution waits for. */
export interface OpenEnds {
  readonly timers: readonly Timer[];
  /** Threads that wait for their turn. */
  readonly pauseIds: readonly string[];
  /** Attempts that nobody but the process that made the call would have brought an answer for. */
  readonly calls: readonly OpenCall[];
}

/** An attempt whose call was not answered, or, of a job, whose result has not come. */
export interface OpenCall {
  readonly taskId: string;
  readonly stateName: string;
  /** The integration as a service table names it. */
  readonly resource: string;
  /** The event that tells that a job was accepted, where one was. */
  readonly submittedEventId?: number;
}

/** Everything an execution waits for that does not outlive a process: timers and calls. */
export function openEnds(machine: Machine, execution: Execution): OpenEnds {
  const limit = executionTimer(machine, execution);
  const threads = execution.root ? leavesOf(execution.root) : [];
  return {
    timers: [...(limit && execution.lastEventId > 0 ? [limit] : []), ...threads.flatMap(timersOf)],
    pauseIds: threads.flatMap(({ waits }) => (waits?.kind === 'pause' ? [waits.pauseId] : [])),
    calls: threads.flatMap(thread => callsOf(machine, thread)),
  };
}

function leavesOf(thread: Thread): Thread[] {
  const children = liveChildren(thread);
  return children.length === 0 ? [thread] : children.flatMap(child => leavesOf(child.thread));
}

function timersOf({ waits }: Thread): Timer[] {
  switch (waits?.kind) {
    case 'timer':
    case 'retry':
      return [waits.timer];
    case 'task':
      return [waits.timeout, waits.heartbeat].flatMap(timer => (timer ? [timer] : []));
    default:
      return [];
  }
}

function callsOf(machine: Machine, { state, waits, previousEventId }: Thread): OpenCall[] {
  const definition = machine.definition.states.get(state);
  if (waits?.kind !== 'task' || definition?.kind !== 'task') return [];
  const { pattern, integration } = definition.resource;
  // The result of a callback comes from outside, whichever process is there to take it.
  if (pattern === 'callback' && waits.isSubmitted) return [];
  const call = { taskId: waits.taskId, stateName: state, resource: integration };
  return [waits.isSubmitted ? { ...call, submittedEventId: previousEventId } : call];
}
